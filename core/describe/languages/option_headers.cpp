#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "describe/languages/options_file.h"
#include "describe/words.h"
#include "wire/writer.h"

namespace orlop {
namespace {

std::string constant_of(const Option& option, std::string_view value) {
  return "ORLOP_" + upper_case(option.name) + "_" + upper_case(value);
}

std::string initial_value_of(const Option& option) {
  return std::string(option.values[static_cast<std::size_t>(option.initial.number)].name);
}

void append_enum(std::string& text, const Option& option) {
  text.append("\n").append(wrapped(option.text, "// ", header_line_width));
  text.append("typedef int32_t orlop_").append(option.name).append(";\nenum {\n");
  std::int64_t number = 0;
  for (const OptionValue& value : option.values) {
    text.append("  ").append(constant_of(option, value.name)).append(" = ").append(std::to_string(number++));
    text.append(&value == &option.values.back() ? "   // " : ",  // ").append(value.text).append("\n");
  }
  text += "};\n";
}

// Returns type and name, such as "const struct orlop_driver *driver".
std::string c_member(const Option& option) {
  const std::string name = member_of(option);
  switch (option.kind) {
    case OptionKind::text:
    case OptionKind::name:
    case OptionKind::path:
    case OptionKind::bytes:
    case OptionKind::folder:
    case OptionKind::key:
    case OptionKind::keys:
    case OptionKind::texts: return "orlop_text " + name;
    case OptionKind::count:
    case OptionKind::limit: return "uint32_t " + name;
    case OptionKind::size: return "uint64_t " + name;
    case OptionKind::flag: return "int32_t " + name;
    case OptionKind::duration:
    case OptionKind::instant: return "int64_t " + name;
    case OptionKind::seed: return "uint64_t " + name;
    case OptionKind::choice: return "orlop_" + name + " " + name;
    case OptionKind::port: return "const struct orlop_" + name + " *" + name;
  }
  return "";
}

std::string c_default(const Option& option) {
  switch (option.kind) {
    case OptionKind::text:
    case OptionKind::name:
    case OptionKind::path:
      return "{\"" + std::string(option.initial.text) + "\", " + std::to_string(option.initial.text.size()) + "}";
    case OptionKind::bytes:
    case OptionKind::folder:
    case OptionKind::key:
    case OptionKind::keys:
    case OptionKind::texts: return "{NULL, 0}";
    case OptionKind::limit: return "UINT32_MAX";
    case OptionKind::count:
    case OptionKind::size:
    case OptionKind::flag: return std::to_string(option.initial.number);
    case OptionKind::duration:
    case OptionKind::instant: return "INT64_C(" + std::to_string(option.initial.number) + ")";
    case OptionKind::seed: return "0, 0";  // `seeded` first
    case OptionKind::choice: return constant_of(option, initial_value_of(option));
    case OptionKind::port: return "NULL";
  }
  return "";
}

// Describes the form of the member in C.
std::string_view c_form(OptionKind kind) {
  switch (kind) {
    case OptionKind::texts: return " Entries separated by commas.";
    case OptionKind::keys: return " The keys one after the other, without a separator.";
    case OptionKind::bytes: return " Read before orlop_open returns.";
    case OptionKind::folder:
      return " A tar archive of the folder, as `tar -C FOLDER --dereference --hard-dereference -c .` writes; read "
             "before orlop_open returns.";
    case OptionKind::flag: return " 0 or 1.";
    case OptionKind::limit: return " UINT32_MAX: not given.";
    case OptionKind::text:
    case OptionKind::name:
    case OptionKind::path:
    case OptionKind::key:
    case OptionKind::count:
    case OptionKind::size:
    case OptionKind::duration:
    case OptionKind::instant:
    case OptionKind::seed:
    case OptionKind::choice:
    case OptionKind::port: return "";
  }
  return "";
}

std::string c_struct() {
  std::string text = "struct orlop_options {\n  size_t size;  // sizeof(orlop_options)\n";
  for (const Option& option : all_options()) {
    if (!option.is_on(on_c)) continue;
    text += wrapped(std::string(option.text) + std::string(c_form(option.kind)) + " " + option_facts(option, true),
                    "  // ", header_line_width);
    if (option.kind == OptionKind::seed) text += "  int32_t seeded;  // 1: `seed` is given\n";
    text += "  " + c_member(option) + ";\n";
  }
  return text + "};\n";
}

std::string c_initializer() {
  std::string values = "sizeof(orlop_options)";
  for (const Option& option : all_options()) {
    if (option.is_on(on_c)) values += ", " + c_default(option);
  }
  std::string lines = wrapped(values + " }", "    ", header_line_width - 2);
  std::string text = "#define ORLOP_OPTIONS_INIT \\\n  { \\\n";
  for (const char letter : lines) text += letter == '\n' ? " \\\n" : std::string(1, letter);
  text.resize(text.size() - 3);  // no continuation after the last line
  return text + "\n";
}

constexpr std::string_view options_header_head =
    "// The options of an engine. Part of orlop.h, which includes it. Generated from core/base/options/options.def: do "
    "not edit.\n"
    "//\n"
    "//   orlop_options options = ORLOP_OPTIONS_INIT;            all defaults\n"
    "//   options.max_parallel_deploys = 64;                     by member\n"
    "//   error = orlop_options_set(&options, \"history_kept\", \"100\");  or by name, from a file of settings or the "
    "environment\n"
    "//\n"
    "// Later versions append members; `size` says which ones the caller knows. Texts are copied by orlop_open, and so "
    "are the structs of ports. What\n"
    "// the context of a port points to must live until its release() is called, which is when the engine is gone "
    "(never, if orlop_open failed).\n"
    "#ifndef ORLOP_OPTIONS_H\n#define ORLOP_OPTIONS_H\n\n"
    "#include \"orlop/orlop.h\"\n\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n";

constexpr std::string_view header_functions =
    "\n// Writes the defaults of the library into the first `size` bytes of *options: sizeof(orlop_options). For "
    "bindings of other languages, and for\n"
    "// programs that may run with an older library than the header they were compiled with. Does nothing if `size` "
    "has no room for a first member.\n"
    "ORLOP_API void orlop_options_init(orlop_options *options, size_t size);\n"
    "\n// Sets the option of that name, from text: numbers in decimal, \"true\" and \"false\", durations like \"30s\", "
    "\"1h30m\" and \"250ms\", times like\n"
    "// \"2026-01-01T00:00:00Z\", the names of values (\"queue\"), lists with commas. The name is that of the member "
    "without \"_ms\". Texts are not copied:\n"
    "// `value` must live until orlop_open has returned. Options that hold bytes are not text, and are set by their "
    "member;\n"
    "// ports by orlop_options_set_port.\n"
    "// Errors: MISUSE (no such option, and the nearest name; a value that the option cannot have, and what it can "
    "be).\n"
    "ORLOP_API ORLOP_CHECKED orlop_error *orlop_options_set(orlop_options *options, const char *name, const char "
    "*value);\n"
    "\n// Sets the port of that name, \"driver\" or \"log\" for example: `port` points to its struct (orlop_driver, "
    "orlop_log …), which must live until orlop_open has returned, or is\n"
    "// NULL: none. For bindings of other languages. Errors: MISUSE (no such option, and the nearest name; an option "
    "that is not a port).\n"
    "ORLOP_API ORLOP_CHECKED orlop_error *orlop_options_set_port(orlop_options *options, const char *name, const void "
    "*port);\n"
    "\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n";

}  // namespace

std::string member_of(const Option& option) {
  const bool has_unit = option.kind == OptionKind::duration || option.kind == OptionKind::instant;
  return std::string(option.name) + (has_unit ? "_ms" : "");
}

std::string quoted(std::string_view text) {
  std::string out;
  append_quoted(out, text);
  return out;
}

std::string wrapped(std::string_view text, std::string_view prefix, std::size_t width) {
  std::string out;
  std::string line(prefix);
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.size() + 1 + word.size() > width && line.size() > prefix.size()) {
      out.append(line).append("\n");
      line = prefix;
    }
    if (line.size() > prefix.size()) line += ' ';
    line += word;
  }
  return out.append(line).append("\n");
}

std::string options_header() {
  std::string text(options_header_head);
  for (const Option& option : all_options()) {
    if (option.kind == OptionKind::choice) append_enum(text, option);
  }
  text += '\n';
  for (const Option& option : all_options()) {
    if (option.kind == OptionKind::port) text.append("struct orlop_").append(option.name).append(";\n");
  }
  return text + "\n" + c_struct() + "\n" + c_initializer() + std::string(header_functions);
}

}  // namespace orlop
