// Generates include/orlop/port_structs.h and ports.hpp: the ports in C and C++.
#include <set>
#include <string>
#include <string_view>

#include "describe/languages/options_file.h"
#include "describe/languages/port_list.h"
#include "describe/words.h"

namespace orlop {
namespace {

std::string comment(std::string_view text, std::string_view indent) {
  return wrapped(text, std::string(indent) + "// ", header_line_width);
}

std::string c_enum(const PortEnum& values) {
  std::string text = "\n" + comment(values.text, "") + "typedef int32_t " + c_type_of(values.type) + ";\nenum {\n";
  for (const PortEnum::Value& value : values.values) {
    const bool is_last = &value == &values.values.back();
    text += "  ORLOP_" + std::string(values.prefix) + "_" + upper_case(value.name) + " = " +
            std::to_string(value.number) + (is_last ? "  // " : ",  // ");
    text.append(value.text).append("\n");
  }
  return text + "};\n";
}

// Returns a field of a record, or a parameter, in C.
std::string c_part(const PortPart& part) {
  const std::string name(part.name);
  switch (part.kind) {
    case PortKind::text:
    case PortKind::bytes: return "orlop_text " + name;
    case PortKind::id: return "orlop_id " + name;
    case PortKind::count: return "uint32_t " + name;
    case PortKind::instant: return "int64_t " + name + "_ms";
    case PortKind::headers: return "const orlop_header *" + name;
    case PortKind::enumeration: return c_type_of(part.type) + " " + name;
    case PortKind::record: return "const struct " + c_type_of(part.type) + " *" + name;
  }
  return "";
}

std::string c_record(const PortRecord& record) {
  const std::string type = "orlop_" + std::string(record.name);
  std::string text =
      "\n" +
      comment(std::string(record.text) +
                  " It and its texts are valid until the function that is given it returns. Later versions append "
                  "members; `size` says which members exist.",
              "");
  text += "typedef struct " + type +
          " {\n  size_t size;\n  orlop_engine *engine;  // for reports from any thread, as in orlop_step (driver.h)\n";
  for (const PortPart& field : record.fields) {
    text += "  " + c_part(field) + ";  // " + std::string(field.text) + "\n";
    if (field.kind == PortKind::headers) text += "  size_t header_count;\n";
  }
  return text + "} " + type + ";\n";
}

std::string_view c_result(PortGives gives) {
  switch (gives) {
    case PortGives::nothing:
    case PortGives::release: return "void ";
    case PortGives::refusal: return "orlop_error *";
    case PortGives::instant:
    case PortGives::duration: return "int64_t ";
    case PortGives::number: return "uint64_t ";
    case PortGives::text: return "orlop_text ";
  }
  return "";
}

std::string c_member(const PortMember& member, bool is_custom) {
  if (member.gives == PortGives::release)
    return "  void (*release)(void *context);  // called once, when the engine is gone; may be NULL\n";
  if (member.gives == PortGives::text)
    return comment(member.text, "  ") + "  orlop_text " + std::string(member.name) + ";\n";
  std::string about(member.text);
  if (member.gives == PortGives::refusal && !is_custom) about += " NULL: accepted.";
  std::string text = comment(about, "  ") + "  " + std::string(c_result(member.gives)) + "(*" +
                     std::string(member.name) + ")(void *context";
  for (const PortPart& parameter : member.parameters) text += ", " + c_part(parameter);
  return text + ");\n";
}

// Generates the struct of a port, and its initializer.
std::string c_port(const PortFacts& port) {
  const std::string type = "orlop_" + std::string(port.name);
  std::string text = "\n" + comment(port.text, "") + "typedef struct " + type + " {\n  size_t size;    // sizeof(" +
                     type + ")\n  void *context;  // given to each function\n";
  std::string values = "sizeof(" + type + "), NULL";
  for (const PortMember& member : port.members) {
    text += c_member(member, port.is_custom);
    values += member.gives == PortGives::text ? ", {NULL, 0}" : ", NULL";
  }
  return text + "} " + type + ";\n\n#define " + upper_case(type) + "_INIT \\\n  { " + values + " }\n";
}

// Returns the declarations of records that other headers define.
std::string foreign_records() {
  std::set<std::string> names;
  for (const PortFacts& port : all_ports()) {
    for (const PortMember& member : port.members) {
      for (const PortPart& parameter : member.parameters) {
        if (parameter.kind == PortKind::record) names.insert(c_type_of(parameter.type));
      }
    }
  }
  std::string text = "\n";
  for (const std::string& name : names) text += "struct " + name + ";\n";
  return text;
}

constexpr std::string_view structs_head =
    "// What a host may implement: the structs of the ports. Part of orlop.h, which includes it; ports.h and driver.h "
    "say when they are called, and have the\n"
    "// functions that answer and report. Generated from core/base/options/ports: do not edit.\n"
    "#ifndef ORLOP_PORT_STRUCTS_H\n#define ORLOP_PORT_STRUCTS_H\n\n#include \"orlop/orlop.h\"\n\n#ifdef "
    "__cplusplus\nextern \"C\" {\n#endif\n";

// Returns the part as a parameter of the host's function in C++.
std::string cpp_part(const PortPart& part) {
  const std::string name(part.name);
  switch (part.kind) {
    case PortKind::text:
    case PortKind::bytes: return "std::string_view " + name;
    case PortKind::instant: return "Instant " + name;
    case PortKind::record: return "const " + std::string(part.type) + "& " + name;
    case PortKind::id:
    case PortKind::count:
    case PortKind::headers:
    case PortKind::enumeration: return c_part(part);
  }
  return "";
}

// Converts the C parameter to an argument of the host's function.
std::string cpp_argument(const PortPart& part) {
  const std::string name(part.name);
  switch (part.kind) {
    case PortKind::text:
    case PortKind::bytes: return "view_of(" + name + ")";
    case PortKind::instant: return "Instant(Duration(" + name + "_ms))";
    case PortKind::record: return "*" + name;
    case PortKind::id:
    case PortKind::count:
    case PortKind::headers:
    case PortKind::enumeration: return name;
  }
  return "";
}

// Returns the parameters, such as "orlop_log_level level, std::string_view message".
std::string cpp_parameters(const PortMember& function) {
  std::string text;
  for (const PortPart& part : function.parameters) text += (text.empty() ? "" : ", ") + cpp_part(part);
  return text;
}

std::string cpp_about(const PortMember& function) {
  return std::string(function.text) +
         (function.gives == PortGives::nothing ? " What it throws is ignored." : " An exception counts as the error.");
}

// Generates the C++ type of a port: a function object for one function, else a struct with a member for each function,
// of which the first is required.
std::string cpp_port(const PortFacts& port) {
  const std::string type(port.type);
  const auto functions = port.functions();
  const PortMember& first = functions.front();
  if (port.is_callable()) {
    return "\n" + comment(std::string(port.text) + " " + cpp_about(first), "") + "struct " + type +
           " : std::function<void(" + cpp_parameters(first) + ")> {\n  using function::function;\n};\n";
  }
  std::string text = "\n" + comment(port.text, "") + "struct " + type + " {\n  " + type + "() = default;\n  " + type +
                     "(std::nullptr_t) {}\n\n";
  for (const PortMember& function : functions) {
    text += comment(cpp_about(function), "  ") + "  std::function<void(" + cpp_parameters(function) + ")> " +
            std::string(function.name) + " = nullptr;\n";
  }
  return text + "\n  explicit operator bool() const { return static_cast<bool>(" + std::string(first.name) +
         "); }\n};\n";
}

// Generates the C callback of one function of the port. `callee`: the function in C++.
std::string cpp_callback(const PortMember& function, std::string_view type, const std::string& name,
                         std::string_view callee) {
  std::string parameters;
  std::string arguments;
  for (const PortPart& part : function.parameters) {
    parameters += ", " + c_part(part);
    arguments += (arguments.empty() ? "" : ", ") + cpp_argument(part);
  }
  const bool is_listener = function.gives == PortGives::nothing;
  return "\ninline " + std::string(c_result(function.gives)) + name + "(void* port" + parameters + ") noexcept {\n  " +
         (is_listener ? "inform_port" : "return run_port") + "([&] { (*static_cast<" + std::string(type) + "*>(port))" +
         std::string(callee) + "(" + arguments + "); });\n}\n";
}

// Generates the C struct of a C++ port, with its callbacks.
std::string cpp_callbacks(const PortFacts& port) {
  const std::string name = "orlop_" + std::string(port.name);
  const std::string type(port.type);
  std::string text;
  std::string values;
  for (const PortMember& member : port.members) {
    if (member.gives == PortGives::release) {
      values += ", release<" + type + ">";
      continue;
    }
    const std::string callback =
        "call_" + std::string(port.name) + (port.is_callable() ? "" : "_" + std::string(member.name));
    text += cpp_callback(member, type, callback, port.is_callable() ? "" : "." + std::string(member.name));
    values +=
        port.is_callable() ? ", " + callback : ", held->" + std::string(member.name) + " ? " + callback + " : nullptr";
  }
  return text + "inline " + name + " callbacks_of(" + type + "* held) { return {sizeof(" + name + "), held" + values +
         "}; }\n";
}

}  // namespace

std::string port_structs_header() {
  std::string text(structs_head);
  text += foreign_records();
  for (const PortEnum& values : all_port_enums()) text += c_enum(values);
  for (const PortRecord& record : all_port_records()) text += c_record(record);
  for (const PortFacts& port : all_ports()) {
    if (!port.members.empty()) text += c_port(port);
  }
  return text + "\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n";
}

std::string port_types_header() {
  std::string text =
      "// The ports in C++ that are not custom, and how they become C callbacks. Included by host.hpp. Generated from "
      "core/base/options/ports: do not edit.\n"
      "#ifndef ORLOP_PORTS_HPP\n#define ORLOP_PORTS_HPP\n\n#include <cstddef>\n#include <functional>\n#include "
      "<string_view>\n\n"
      "#include \"orlop/callbacks.hpp\"\n#include \"orlop/ports.h\"\n#include \"orlop/values.hpp\"\n\nnamespace orlop "
      "{\ninline namespace api {\n\n";
  for (const PortRecord& record : all_port_records())
    text += "using " + std::string(record.type) + " = orlop_" + std::string(record.name) + ";\n";
  std::string callbacks = "\nnamespace detail {\n";
  for (const PortFacts& port : all_ports()) {
    if (port.is_custom) continue;
    text += cpp_port(port);
    callbacks += cpp_callbacks(port);
  }
  return text + callbacks + "\n}  // namespace detail\n\n}  // namespace api\n}  // namespace orlop\n\n#endif\n";
}

}  // namespace orlop
