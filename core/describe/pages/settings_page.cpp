#include <string>
#include <string_view>

#include "base/limits.h"
#include "base/options/option.h"
#include "deploy/driver/report_bounds.h"
#include "describe/languages/options_file.h"
#include "describe/pages/markdown.h"
#include "describe/pages/reference.h"
#include "rest/problem.h"

namespace orlop {
namespace {

std::string number(std::int64_t value) { return code(std::to_string(value)); }
std::string number(std::size_t value) { return code(std::to_string(value)); }

// Returns the APIs that have the option, such as "C, Engine, Simulation, serve".
std::string apis_of(const Option& option) {
  if (option.apis == on_all) return "all";
  std::string apis;
  const auto add = [&](OptionApis api, std::string_view name) {
    if (option.is_on(api)) apis.append(apis.empty() ? "" : ", ").append(name);
  };
  add(on_c, "C and C++");
  add(on_engine, "`orlop.Engine`");
  add(on_simulation, "`orlop.Simulation`");
  add(on_serve, "`orlop serve`");
  return apis;
}

std::string about(const Option& option) {
  std::string text(option.text);
  for (const OptionValue& value : option.values)
    text.append(" ").append(code(value.name)).append(": ").append(value.text);
  return text;
}

std::string settings() {
  std::string text = table_head({"option", "default", "allowed", "unit", "where", "about"});
  for (const Option& option : all_options()) {
    const std::string initial = default_text(option);
    const std::string unit = option.kind == OptionKind::duration ? "`90s`, `1h30m`; in C ms, in Python also seconds"
                                                                 : std::string(option.unit);
    text += table_row({code(option.name), initial.empty() ? "none" : code(initial),
                       option.kind == OptionKind::port ? "a port" : allowed_text(option), unit, apis_of(option),
                       about(option)});
  }
  return text;
}

std::string bounds() {
  std::string text = table_head({"bound", "value", "about"});
  text += table_row({"body", number(body_size_max), "Bytes of a request's body."});
  text += table_row({"path", number(path_size_max), "Bytes of a path with its query."});
  text += table_row({"depth", number(std::int64_t{json_depth_max}), "Nesting depth of objects and lists."});
  text += table_row({"page", number(page_size_max), "Results of one page."});
  text += table_row({"name", number(name_size_max), "Bytes of a resource's name."});
  text += table_row({"text", number(text_size_max), "Bytes of any other text that has no bound of its own."});
  text += table_row({"report", number(text_size_max),
                     "Bytes of a reason, a log line or a progress text that a driver reports; a longer one is cut, and "
                     "its end says how many "
                     "bytes are missing."});
  text += table_row({"outputs", number(outputs_size_max),
                     "Bytes of the outputs that a driver reports; the step fails where they exceed it."});
  text += table_row({"list", "each its own", "Items; the page of each family says how many."});
  return text + table_row({"violations", number(violations_shown_max),
                           "Broken rules in one answer; the number of the others stands beside them."});
}

}  // namespace

std::string settings_page() {
  std::string text = page_head("Settings and bounds");
  text +=
      "\n## Settings\n\nThe options of an engine, chosen when it is opened: members of `orlop_options` in C (where "
      "durations and times are in "
      "milliseconds and end in `_ms`), of `orlop::Options` in C++, keyword arguments in Python, flags of `orlop "
      "serve`. `orlop_options_set` sets one by "
      "its name.\n\n" +
      settings();
  return text + "\n## Bounds\n\nThe same for every engine; a request that exceeds them is refused with 400.\n\n" +
         bounds();
}

}  // namespace orlop
