// Generates bindings/python/port_calls.h and python/orlop/generated/ports.py: the ports in Python.
#include <string>
#include <string_view>

#include "describe/languages/options_file.h"
#include "describe/languages/port_list.h"

namespace orlop {
namespace {

std::string python_type(const PortPart& part) {
  switch (part.kind) {
    case PortKind::text:
    case PortKind::id:
    case PortKind::enumeration: return "str";
    case PortKind::bytes: return "bytes";
    case PortKind::count: return "int";
    case PortKind::instant: return "float";
    case PortKind::headers: return "list[tuple[str, str]]";
    case PortKind::record: return std::string(part.type);
  }
  return "";
}

// Returns the expression that converts a value to Python: a field of the C record `given`, or a C++ parameter.
std::string python_value(const PortPart& part, bool is_field) {
  const std::string name = (is_field ? "given." : "") + std::string(part.name);
  const std::string view = is_field ? "orlop::view_of(" + name + ")" : name;
  switch (part.kind) {
    case PortKind::text: return "text_out(" + view + ")";
    case PortKind::bytes: return "bytes_out(" + view + ")";
    case PortKind::id: return "orlop::to_text(" + name + ")";
    case PortKind::count: return name;
    case PortKind::instant:
      return is_field ? "seconds_out(" + name + "_ms)" : "seconds_out(" + name + ".time_since_epoch().count())";
    case PortKind::headers: return "headers_out(" + name + ", given.header_count)";
    case PortKind::enumeration: return "to_string(values_of_" + std::string(part.type) + ", " + name + ")";
    case PortKind::record: return "out(" + name + ")";
  }
  return "";
}

std::string enum_names(const PortEnum& values) {
  std::string list;
  for (const PortEnum::Value& value : values.values)
    list += (list.empty() ? "{" : ", {") + quoted(value.name) + ", " + std::to_string(value.number) + "}";
  return "\ninline constexpr EnumValue values_of_" + std::string(values.type) + "[] = {" + list + "};\n";
}

std::string record_out(const PortRecord& record) {
  std::string arguments;
  for (const PortPart& field : record.fields)
    arguments += (arguments.empty() ? "\n      " : ",\n      ") + python_value(field, true);
  return "\ninline py::object out(const orlop::" + std::string(record.type) +
         "& given) {\n  return py::module_::import(\"orlop.ports\").attr(" + quoted(record.type) + ")(" + arguments +
         ");\n}\n";
}

std::string cpp_type(const PortPart& part) {
  switch (part.kind) {
    case PortKind::text:
    case PortKind::bytes: return "std::string_view";
    case PortKind::id: return "orlop_id";
    case PortKind::count: return "std::uint32_t";
    case PortKind::instant: return "orlop::Instant";
    case PortKind::headers: return "const orlop_header*";
    case PortKind::enumeration: return c_type_of(part.type);
    case PortKind::record: return "const orlop::" + std::string(part.type) + "&";
  }
  return "";
}

// Generates a C++ lambda that calls `callee` of the host's object.
std::string python_call(const PortMember& function, std::string_view callee) {
  std::string parameters;
  std::string arguments;
  for (const PortPart& part : function.parameters) {
    parameters += (parameters.empty() ? "" : ", ") + cpp_type(part) + " " + std::string(part.name);
    arguments += (arguments.empty() ? "" : ", ") + python_value(part, false);
  }
  const std::string_view call = function.gives == PortGives::nothing ? "inform_port" : "call_port";
  return "[port](" + parameters + ") { " + std::string(call) + "(port, [&](const py::object& given) { given" +
         std::string(callee) + "(" + arguments + "); }); };\n";
}

std::string giver(const PortFacts& port) {
  const std::string head = "\ninline void give(orlop::" + std::string(port.type) + "& member, HostedPort port) {\n";
  const auto functions = port.functions();
  if (port.is_callable()) return head + "  member = " + python_call(functions.front(), "") + "}\n";
  std::string text = head + "  require_method(port, " + quoted(functions.front().name) + ");\n";
  for (const PortMember& function : functions) {
    const std::string name(function.name);
    text += "  if (has_method(port, " + quoted(name) + ")) member." + name + " = " +
            python_call(function, ".attr(" + quoted(name) + ")");
  }
  return text + "}\n";
}

constexpr std::string_view calls_head =
    "// The ports that are not custom, as the library calls them: a callable in Python, or an object with a method for "
    "each function. Generated from core/base/options/ports: do not edit.\n"
    "#pragma once\n\n#include <cstdint>\n#include <string_view>\n#include <utility>\n\n#include "
    "\"arguments.h\"\n#include \"enum_values.h\"\n#include \"host.h\"\n\n"
    "namespace orlop_python {\n";

std::string record_class(const PortRecord& record) {
  std::string text =
      "\n\nclass " + std::string(record.type) + "(NamedTuple):\n    \"\"\"" + std::string(record.text) + "\"\"\"\n\n";
  for (const PortPart& field : record.fields) {
    text += "    " + std::string(field.name) + ": " + python_type(field) + "\n    \"\"\"" + std::string(field.text) +
            "\"\"\"\n";
  }
  return text;
}

std::string python_about(const PortMember& function) {
  return std::string(function.text) + (function.gives == PortGives::nothing
                                           ? " An exception goes to `sys.unraisablehook`."
                                           : " An exception counts as the error.");
}

std::string callable(const PortFacts& port) {
  const auto functions = port.functions();
  std::string parameters;
  std::string names;
  for (const PortPart& part : functions.front().parameters) {
    parameters += (parameters.empty() ? "" : ", ") + python_type(part);
    names += (names.empty() ? "`" : ", `") + std::string(part.name) + "`";
  }
  const std::string about = std::string(port.text) + " Called with " + names + ". " + python_about(functions.front());
  return "\n" + std::string(port.type) + " = Callable[[" + parameters + "], object]\n" +
         wrapped("\"\"\"" + about + "\"\"\"", "", python_line_width);
}

std::string protocol(const PortFacts& port) {
  std::string text = "\n\nclass " + std::string(port.type) + "(Protocol):\n" +
                     wrapped("\"\"\"" + std::string(port.text) + "\"\"\"", "    ", python_line_width);
  for (const PortMember& function : port.functions()) {
    text += "\n    def " + std::string(function.name) + "(self";
    for (const PortPart& part : function.parameters) text += ", " + std::string(part.name) + ": " + python_type(part);
    text += ") -> object:\n" + wrapped("\"\"\"" + python_about(function) + "\"\"\"", "        ", python_line_width);
  }
  return text;
}

}  // namespace

std::string python_port_calls() {
  std::string text(calls_head);
  for (const PortEnum& values : all_port_enums()) text += enum_names(values);
  for (const PortRecord& record : all_port_records()) text += record_out(record);
  for (const PortFacts& port : all_ports()) {
    if (!port.is_custom) text += giver(port);
  }
  return text + "\n}  // namespace orlop_python\n";
}

std::string python_ports() {
  std::string names;
  std::string text;
  for (const PortRecord& record : all_port_records()) {
    names += quoted(record.type) + ", ";
    text += record_class(record);
  }
  text += "\n";
  bool has_protocols = false;
  for (const PortFacts& port : all_ports()) {
    if (port.is_custom) continue;
    names += quoted(port.type) + ", ";
    has_protocols = has_protocols || !port.is_callable();
    text += port.is_callable() ? callable(port) : protocol(port);
  }
  return "# Generated from core/base/options/ports: do not edit.\n"
         "\"\"\"Optional interfaces that a host implements besides a driver. They are called from any thread, and must "
         "not call the engine.\"\"\"\n\n"
         "from __future__ import annotations\n\nfrom collections.abc import Callable\nfrom typing import NamedTuple" +
         std::string(has_protocols ? ", Protocol" : "") +
         "\n\n"
         "from .external_systems import ExternalSystems\n\n__all__ = [" +
         names + "\"ExternalSystems\"]\n" + text;
}

}  // namespace orlop
