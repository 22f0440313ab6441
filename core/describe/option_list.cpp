#include "describe/option_list.h"

#include <cstdint>
#include <string_view>
#include <utility>

#include "wire/writer.h"

namespace orlop {

std::string option_facts(const Option& option, bool is_c) {
  const bool is_time = option.kind == OptionKind::duration || option.kind == OptionKind::instant;
  std::string facts;
  const auto add = [&](std::string_view what, const std::string& value) {
    if (!value.empty()) facts.append(facts.empty() ? "" : " ").append(what).append(": ").append(value).append(".");
  };
  if (is_c || !is_time) add("Unit", std::string(option.unit));
  if (!is_c && option.kind == OptionKind::duration) add("Unit", "seconds, or a text such as `30s` or `1h30m`");
  add("Default", is_c && is_time ? std::to_string(option.initial.number) : default_text(option));
  if (option.kind != OptionKind::flag)
    add("Bounds",
        is_c && is_time ? std::to_string(option.least) + " to " + std::to_string(option.most) : allowed_text(option));
  return facts;
}

std::string options_json() {
  Writer out;
  out.begin_list();
  for (const Option& option : all_options()) {
    static constexpr std::string_view kinds[] = {"text",     "name",    "path",  "bytes",  "folder", "key",
                                                 "keys",     "texts",   "count", "limit",  "size",   "flag",
                                                 "duration", "instant", "seed",  "choice", "port"};
    out.begin_object().field("name", option.name).field("kind", kinds[static_cast<std::size_t>(option.kind)]);
    out.field("unit", option.unit).field("default", default_text(option)).field("allowed", allowed_text(option));
    out.field("minimum", option.least).field("maximum", option.most).key("values").begin_list();
    for (const OptionValue& value : option.values) out.value(value.name);
    out.end_list().key("on").begin_list();
    if (option.is_on(on_c)) out.value("c");
    if (option.is_on(on_engine)) out.value("engine");
    if (option.is_on(on_simulation)) out.value("simulation");
    if (option.is_on(on_serve)) out.value("serve");
    std::string text(option.text);
    for (const OptionValue& value : option.values)
      text.append(" `").append(value.name).append("`: ").append(value.text);
    out.end_list().field("text", text).field("facts", option_facts(option, false)).end_object();
  }
  out.end_list();
  return std::move(out).take() + "\n";
}

}  // namespace orlop
