// Generates include/orlop/options.hpp: the options in C++, and their conversion to C.
#include <string>
#include <string_view>

#include "describe/languages/options_file.h"
#include "describe/words.h"

namespace orlop {
namespace {

std::string initial_constant(const Option& option) {
  const OptionValue& value = option.values[static_cast<std::size_t>(option.initial.number)];
  return "ORLOP_" + upper_case(option.name) + "_" + upper_case(value.name);
}

// Reports whether the texts of the kind need not be UTF-8.
bool has_bytes(OptionKind kind) {
  return kind == OptionKind::bytes || kind == OptionKind::folder || kind == OptionKind::key || kind == OptionKind::keys;
}
bool is_list(OptionKind kind) { return kind == OptionKind::texts || kind == OptionKind::keys; }
// Reports whether the C++ API wraps the port; a store is passed as its C struct.
bool is_held(const Option& option) { return option.kind == OptionKind::port && !option.cpp_type.ends_with('*'); }

std::string member(const Option& option) {
  const std::string name(option.name);
  switch (option.kind) {
    case OptionKind::text:
    case OptionKind::name:
    case OptionKind::path: return "std::string_view " + name + " = \"" + std::string(option.initial.text) + "\"";
    case OptionKind::bytes:
    case OptionKind::folder:
    case OptionKind::key: return "std::string_view " + name + " = {}";
    case OptionKind::keys:
    case OptionKind::texts: return "std::vector<std::string_view> " + name + " = {}";
    case OptionKind::count: return "std::uint32_t " + name + " = " + std::to_string(option.initial.number);
    case OptionKind::limit: return "std::optional<std::uint32_t> " + name + " = std::nullopt";
    case OptionKind::size: return "std::uint64_t " + name + " = " + std::to_string(option.initial.number);
    case OptionKind::flag: return "bool " + name + " = " + (option.initial.number != 0 ? "true" : "false");
    case OptionKind::duration: return "Duration " + name + "{" + std::to_string(option.initial.number) + "}";
    case OptionKind::instant: return "Instant " + name + "{Duration(" + std::to_string(option.initial.number) + ")}";
    case OptionKind::seed: return "std::optional<std::uint64_t> " + name + " = std::nullopt";
    case OptionKind::choice: return "orlop_" + name + " " + name + " = " + initial_constant(option);
    case OptionKind::port: return std::string(option.cpp_type) + " " + name + " = nullptr";
  }
  return "";
}

// Returns the expression that converts the value for the C struct.
std::string conversion(const Option& option) {
  const std::string name(option.name);
  const std::string given = "options." + name;
  const std::string target = "options_." + member_of(option);
  switch (option.kind) {
    case OptionKind::text:
    case OptionKind::name:
    case OptionKind::path:
    case OptionKind::bytes:
    case OptionKind::folder:
    case OptionKind::key: return target + " = text_of(" + given + ");";
    case OptionKind::keys:
      return target + " = text_of(" + name + "_ = concatenate_keys(\"" + name + "\", " + given + "));";
    case OptionKind::texts:
      return target + " = text_of(" + name + "_ = join_entries(\"" + name + "\", " + given + "));";
    case OptionKind::count:
    case OptionKind::size:
    case OptionKind::choice: return target + " = " + given + ";";
    case OptionKind::limit: return target + " = " + given + ".value_or(UINT32_MAX);";
    case OptionKind::flag: return target + " = " + given + " ? 1 : 0;";
    case OptionKind::duration: return target + " = " + given + ".count();";
    case OptionKind::instant: return target + " = " + given + ".time_since_epoch().count();";
    case OptionKind::seed:
      return "options_.seeded = " + given + " ? 1 : 0;\n  " + target + " = " + given + ".value_or(0);";
    case OptionKind::port:
      return is_held(option) ? target + " = " + name + "_.hold(" + given + ");" : target + " = " + given + ";";
  }
  return "";
}

std::string options_struct() {
  std::string text = "struct Options {\n";
  for (const Option& option : all_options()) {
    if (!option.is_on(on_c)) continue;
    text += wrapped(std::string(option.text) + " " + option_facts(option, false), "  // ", header_line_width);
    text += "  " + member(option) + ";\n";
  }
  return text + "};\n";
}

// Generates a visitor of all options, for code such as a binding of another language.
std::string visitor() {
  std::string text =
      "\n// The name, bounds and values of an option.\n"
      "struct OptionFacts {\n  std::string_view name;\n  std::uint64_t least = 0;\n  std::uint64_t most = 0;\n"
      "  bool is_bytes = false;  // its texts need not be UTF-8\n"
      "  std::vector<std::string_view> values = {};  // of a choice, by their numbers\n};\n\n"
      "// Calls visit(facts, member) for each option until it returns true; whether it did.\n"
      "template <typename Visit>\nbool visit_options(Options& options, const Visit& visit) {\n  return ";
  bool is_first = true;
  for (const Option& option : all_options()) {
    if (!option.is_on(on_c)) continue;
    std::string values;
    for (const OptionValue& value : option.values)
      values.append(values.empty() ? "\"" : ", \"").append(value.name).append("\"");
    if (!is_first) text += " ||\n         ";
    is_first = false;
    const bool has_bounds = option.kind != OptionKind::seed;
    const std::string most = has_bounds ? std::to_string(option.most) + "u" : "UINT64_MAX";
    text.append("visit(OptionFacts{\"")
        .append(option.name)
        .append("\", ")
        .append(std::to_string(option.least))
        .append("u, ")
        .append(most);
    if (has_bytes(option.kind)) text += ", true";
    text.append(values.empty() ? "" : ", false, {" + values + "}")
        .append("}, options.")
        .append(option.name)
        .append(")");
  }
  return text + ";\n}\n";
}

std::string given_class() {
  std::string text =
      "\nnamespace detail {\n\n// Options as the library wants them, with what they point to.\nclass Given : private "
      "GivenLists {\n public:\n"
      "  explicit Given(const Options& options);\n"
      "  const orlop_options* options() const noexcept { return &options_; }\n  using GivenLists::take_refusal;\n"
      "  // The library has taken the ports over, and will release them.\n  void let_go() noexcept {\n";
  std::string members;
  std::string conversions;
  for (const Option& option : all_options()) {
    if (!option.is_on(on_c)) continue;
    const std::string name(option.name);
    if (is_held(option)) text += "    " + name + "_.let_go();\n";
    if (is_held(option)) members += "  Held<orlop_" + name + ", " + std::string(option.cpp_type) + "> " + name + "_;\n";
    if (is_list(option.kind)) members += "  std::string " + name + "_;\n";
    conversions += "  " + conversion(option) + "\n";
  }
  text += "  }\n\n private:\n" + members + "  orlop_options options_ = ORLOP_OPTIONS_INIT;\n};\n\n";
  return text + "inline Given::Given(const Options& options) {\n" + conversions + "}\n\n}  // namespace detail\n";
}

}  // namespace

std::string options_face() {
  std::string text =
      "// The options of an engine in C++. Included by orlop.hpp. Generated from core/base/options/options.def: do not "
      "edit.\n"
      "#ifndef ORLOP_OPTIONS_HPP\n#define ORLOP_OPTIONS_HPP\n\n"
      "#include <cstdint>\n#include <memory>\n#include <optional>\n#include <string>\n#include <string_view>\n#include "
      "<vector>\n\n"
      "#include \"orlop/host.hpp\"\n\nnamespace orlop {\ninline namespace api {\n\n"
      "// Views must live until the engine is open. Ports are kept until the engine is gone; what they may throw "
      "stands in host.hpp.\n";
  return text + options_struct() + visitor() + given_class() +
         "\n}  // namespace api\n}  // namespace orlop\n\n#endif\n";
}

}  // namespace orlop
