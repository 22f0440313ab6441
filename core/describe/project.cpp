#include "describe/project.h"

#include <algorithm>
#include <utility>

#include "base/brand.h"
#include "describe/languages/enums.h"
#include "describe/languages/models.h"
#include "describe/languages/options.h"
#include "describe/languages/port_list.h"
#include "describe/languages/questions.h"
#include "describe/openapi/openapi.h"
#include "describe/pages/chart.h"
#include "describe/pages/event_names.h"
#include "describe/pages/reference.h"
#include "model/registry.h"

namespace orlop {

std::vector<Document> project_documents() {
  std::vector<Document> documents = {
      {"bindings/python/port_calls.h", python_port_calls()},
      {"docs/openapi.json", openapi(brand_default)},
      {"include/orlop/enums.h", enums_header()},
      {"include/orlop/options.h", options_header()},
      {"include/orlop/options.hpp", options_face()},
      {"include/orlop/port_structs.h", port_structs_header()},
      {"include/orlop/ports.hpp", port_types_header()},
      {"include/orlop/questions.h", questions_header()},
      {"python/orlop/checking/event_names.py", python_event_names()},
      {"python/orlop/external_systems.py", python_questions()},
      {"python/orlop/models.py", python_models()},
      {"python/orlop/models.pyi", python_model_types()},
      {"python/orlop/options.py", python_options()},
      {"python/orlop/ports.py", python_ports()},
      {"python/orlop/reporting/chart.py", python_chart()},
      {"docs/reference/README.md", index_page()},
  };
  const auto add_page = [&documents](std::string_view name, std::string text) {
    documents.push_back({"docs/reference/" + std::string(name) + ".md", std::move(text)});
  };
  add_page("service_machine", machine_page(MachineKind::service));
  add_page("cluster_machine", machine_page(MachineKind::cluster));
  add_page("task_machine", machine_page(MachineKind::task));
  add_page("errors", errors_page());
  add_page("events", events_page());
  add_page("external-systems", questions_page());
  add_page("settings", settings_page());
  add_page("permissions", permissions_page());
  for (const Family* family : all_families()) add_page(family->name, family_page(*family));
  std::ranges::sort(documents, {}, &Document::path);
  return documents;
}

}  // namespace orlop
