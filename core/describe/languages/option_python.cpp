// Generates python/orlop/generated/options.py.
#include <algorithm>
#include <set>
#include <string>
#include <string_view>

#include "describe/languages/options_file.h"
#include "describe/languages/port_list.h"
#include "wire/writer.h"

namespace orlop {
namespace {

std::string python_type(const Option& option, OptionApis api) {
  switch (option.kind) {
    case OptionKind::text:
    case OptionKind::name:
    case OptionKind::instant: return "str";
    case OptionKind::path: return "str | os.PathLike[str]";
    case OptionKind::bytes:
    case OptionKind::key: return "bytes | None";
    case OptionKind::folder: return "str | os.PathLike[str] | None";
    case OptionKind::keys: return "Iterable[bytes]";
    case OptionKind::texts: return "Iterable[str]";
    case OptionKind::count:
    case OptionKind::size: return "int";
    case OptionKind::limit: return "int | None";
    case OptionKind::seed: return api == on_simulation ? "int" : "int | None";
    case OptionKind::flag: return "bool";
    case OptionKind::duration: return "str | float";
    case OptionKind::choice: {
      std::string type = "Literal[";
      for (const OptionValue& value : option.values)
        type.append(&value == &option.values.front() ? "" : ", ").append(quoted(value.name));
      return type + "]";
    }
    case OptionKind::port: return std::string(option.python_type) + " | None";
  }
  return "";
}

std::string python_default(const Option& option, OptionApis api) {
  switch (option.kind) {
    case OptionKind::text:
    case OptionKind::name:
    case OptionKind::path:
    case OptionKind::instant:
    case OptionKind::duration:
    case OptionKind::choice: return quoted(default_text(option));
    case OptionKind::keys:
    case OptionKind::texts: return "()";
    case OptionKind::count:
    case OptionKind::size: return default_text(option);
    case OptionKind::flag: return option.initial.number != 0 ? "True" : "False";
    case OptionKind::seed: return api == on_simulation ? "0" : "None";
    case OptionKind::bytes:
    case OptionKind::key:
    case OptionKind::folder:
    case OptionKind::limit:
    case OptionKind::port: return "None";
  }
  return "";
}

// Generates a tuple of the names of the options for which `is_in` returns true.
template <typename IsIn>
std::string names(std::string_view constant, const IsIn& is_in) {
  std::string list;
  for (const Option& option : all_options()) {
    if (option.is_on(on_engine | on_simulation) && is_in(option))
      list += (list.empty() ? "" : ", ") + quoted(option.name);
  }
  return std::string(constant) + " = (" + list + ",)\n";
}

// Reports whether the option is a port that is a callable, not an object with methods.
bool is_callable(const Option& option) {
  if (option.kind != OptionKind::port) return false;
  const auto port = std::ranges::find(all_ports(), option.name, &PortFacts::name);
  return port->is_custom ? option.python_type.starts_with("Callable") : port->is_callable();
}

// Generates the default and the least value of durations, by name.
std::string durations() {
  std::string list;
  for (const Option& option : all_options()) {
    if (option.kind == OptionKind::duration)
      list += (list.empty() ? "" : ", ") + quoted(option.name) + ": (" + std::to_string(option.initial.number) + ", " +
              std::to_string(option.least) + ")";
  }
  return "DURATIONS = {" + list + "}  # milliseconds\n";
}

// A setting of simulations that only Python has: other languages set it by a call after opening.
constexpr std::string_view record_text =
    "`record`: What the feed keeps. A simulation does the same whatever that is. `all`: Every event. `states`: What "
    "was created, edited and deleted, changes of states, and deployments. `none`: "
    "Nothing. In a file or on PostgreSQL a commit that gives ids keeps its last event, whatever is recorded. Default: "
    "all. Bounds: one of all, states, none.";

// `opened`: the class that a host calls, for errors about its arguments.
std::string class_of(std::string_view opened, OptionApis api) {
  const std::string name = std::string(opened) + "Options";
  std::string parameters;
  std::string manual;
  for (const Option& option : all_options()) {
    if (!option.is_on(api)) continue;
    parameters += "        " + std::string(option.name) + ": " + python_type(option, api) + " = " +
                  python_default(option, api) + ",\n";
    if (parameters.find('*') == std::string::npos) parameters += "        *,\n";
    std::string text = "`" + std::string(option.name) + "`: " + std::string(option.text);
    for (const OptionValue& value : option.values)
      text += " `" + std::string(value.name) + "`: " + std::string(value.text);
    manual += wrapped(text + " " + option_facts(option, false), "        ", python_line_width);
  }
  if (api == on_simulation) {
    parameters += "        record: Literal[\"all\", \"states\", \"none\"] = \"all\",\n";
    manual += wrapped(std::string(record_text), "        ", python_line_width);
  }
  return "\n\nclass " + name + "(OpenedByOptions):\n    \"\"\"The options of `orlop." + std::string(opened) +
         "`.\"\"\"\n\n    def __init__(\n        self,\n" + parameters +
         "    ) -> None:\n        \"\"\"Opens it with these options.\n\n" + manual +
         "        \"\"\"\n        options = dict(locals())\n        del options[\"self\"]\n        "
         "self._open(options)\n\n\n" +
         name + ".__init__.__qualname__ = \"" + std::string(opened) + ".__init__\"\n";
}

constexpr std::string_view options_python_head =
    "# Generated from core/base/options/options.def: do not edit.\n"
    "\"\"\"The keyword arguments of `orlop.Engine` and `orlop.Simulation`.\"\"\"\n\n"
    "from __future__ import annotations\n\n"
    "TYPE_CHECKING = False\n"
    "if TYPE_CHECKING:\n"
    "    import os\n"
    "    from collections.abc import Callable, Iterable, Sequence\n"
    "    from typing import Any, Literal\n\n"
    "    from ..drivers.driver import Driver\n";

// Returns the types of ports that python/orlop/generated/ports.py declares: the first name of each type, unless another
// module declares it.
std::string port_types() {
  std::set<std::string_view> types;
  for (const Option& option : all_options()) {
    const std::string_view type = option.python_type.substr(0, option.python_type.find(' '));
    const bool is_elsewhere = type.find('[') != std::string_view::npos || type == "Driver" || type == "object";
    if (option.kind == OptionKind::port && !is_elsewhere) types.insert(type);
  }
  std::string list;
  for (const std::string_view type : types) list.append(list.empty() ? "" : ", ").append(type);
  return "    from .ports import " + list + "\n\n";
}

constexpr std::string_view python_base =
    "\n\nclass OpenedByOptions:\n"
    "    \"\"\"What opens itself with its keyword arguments.\"\"\"\n\n"
    "    def _open(self, options: dict[str, Any]) -> None:\n"
    "        \"\"\"Opens it with these options, by name.\"\"\"\n";

}  // namespace

std::string python_options() {
  std::string text = std::string(options_python_head) + port_types();
  text += durations();
  text += names("LISTS", [](const Option& option) {
    return option.kind == OptionKind::texts || option.kind == OptionKind::keys;
  });
  text += names("FOLDERS", [](const Option& option) { return option.kind == OptionKind::folder; });
  text += names("CALLABLES", is_callable);
  text += python_base;
  text += class_of("Engine", on_engine);
  return text + class_of("Simulation", on_simulation);
}

}  // namespace orlop
