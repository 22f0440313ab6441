#include "describe/document.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "base/brand.h"
#include "describe/pages/chart.h"
#include "describe/pages/diagram.h"
#include "describe/languages/enums.h"
#include "describe/languages/models.h"
#include "describe/openapi/openapi.h"
#include "describe/languages/options.h"
#include "describe/languages/questions.h"
#include "describe/pages/reference.h"
#include "model/registry.h"

namespace orlop {
namespace {

struct Entry {
  std::string name;
  std::string path;  // "" for what is made on request only
  std::function<std::string()> write;
};

Entry page(const std::string& name, std::function<std::string()> write) {
  return {"reference/" + name, "docs/reference/" + name + ".md", std::move(write)};
}

std::vector<Entry> all_entries() {
  std::vector<Entry> entries = {
      {"openapi.json", "docs/openapi.json", [] { return openapi(brand_default); }},
      {"enums", "include/orlop/enums.h", enums_header},
      {"chart.py", "python/orlop/reporting/chart.py", python_chart},
      {"options.json", "", options_json},
      {"options_header", "include/orlop/options.h", options_header},
      {"options_face", "include/orlop/options.hpp", options_face},
      {"questions", "include/orlop/questions.h", questions_header},
      {"external_systems.py", "python/orlop/external_systems.py", python_questions},
      {"options.py", "python/orlop/options.py", python_options},
      {"models.py", "python/orlop/models.py", python_models},
      {"models.pyi", "python/orlop/models.pyi", python_model_types},
      {"diagram/service.mmd", "", [] { return mermaid(MachineKind::service); }},
      {"diagram/service.dot", "", [] { return dot(MachineKind::service); }},
      {"diagram/cluster.mmd", "", [] { return mermaid(MachineKind::cluster); }},
      {"diagram/cluster.dot", "", [] { return dot(MachineKind::cluster); }},
      {"diagram/task.mmd", "", [] { return mermaid(MachineKind::task); }},
      {"diagram/task.dot", "", [] { return dot(MachineKind::task); }},
      {"reference", "docs/reference/README.md", index_page},
      page("service_machine", [] { return machine_page(MachineKind::service); }),
      page("cluster_machine", [] { return machine_page(MachineKind::cluster); }),
      page("task_machine", [] { return machine_page(MachineKind::task); }),
      page("errors", errors_page),
      page("events", events_page),
      page("external-systems", questions_page),
      page("settings", settings_page),
      page("permissions", permissions_page),
  };
  for (const Family* family : all_families()) {
    entries.push_back(page(std::string(family->name), [family] { return family_page(*family); }));
  }
  return entries;
}

std::string names_of(const std::vector<Entry>& entries, std::string_view separator) {
  std::string names;
  for (const Entry& entry : entries) names.append(names.empty() ? "" : separator).append(entry.name);
  return names;
}

}  // namespace

std::vector<Document> all_documents() {
  std::vector<Document> documents;
  for (const Entry& entry : all_entries()) {
    if (!entry.path.empty()) documents.push_back({entry.path, entry.write()});
  }
  std::ranges::sort(documents, {}, &Document::path);
  return documents;
}

Result<std::string> describe(std::string_view name) {
  const std::vector<Entry> entries = all_entries();
  if (name.empty()) return names_of(entries, "\n") + "\n";
  const std::string stem = std::string(name) + ".";
  for (const Entry& entry : entries) {
    if (entry.name == name || entry.name.starts_with(stem)) return entry.write();
  }
  return make_error(ErrorCode::not_found, "there is no document " + std::string(name) + "; there are " + names_of(entries, ", "));
}

}  // namespace orlop
