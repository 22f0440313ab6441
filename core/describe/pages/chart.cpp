#include "describe/pages/chart.h"

#include <map>
#include <set>
#include <string_view>

#include "lifecycle/state.h"

namespace orlop {
namespace {

std::string phases() {
  std::string text;
#define ORLOP_CHART_PHASE(name, glyph, colour, meaning) \
  text.append("    \"" #name "\": Phase(\"").append(glyph).append("\", \"" colour "\", \"" meaning "\"),\n");
#include "lifecycle/states.def"
  return text;
}

// Returns the drawing of each state. States that services and clusters share have the same name and drawing.
std::map<std::string_view, std::string_view> chart_of_states() {
  std::map<std::string_view, std::string_view> charts;
#define ORLOP_SERVICE_STATE(name, number, spelling, action, nature, phase, status, chart, ...) \
  charts.emplace(spelling, #chart);
#define ORLOP_CLUSTER_STATE(name, number, spelling, action, nature, chart, ...) charts.emplace(spelling, #chart);
#include "lifecycle/states.def"
  return charts;
}

// Returns the states of one nature as a Python set.
std::string set_of(StateNature nature) {
  std::set<std::string_view> states;
#define ORLOP_SERVICE_STATE(name, number, spelling, action, its_nature, ...) \
  if (StateNature::its_nature == nature) states.insert(spelling);
#define ORLOP_CLUSTER_STATE(name, number, spelling, action, its_nature, ...) \
  if (StateNature::its_nature == nature) states.insert(spelling);
#include "lifecycle/states.def"
  std::string text = "frozenset({\n";
  for (const std::string_view state : states) text.append("    \"").append(state).append("\",\n");
  return text + "})\n";
}

}  // namespace

std::string python_states() {
  std::string text =
      "\"\"\"The states of services and clusters, and how charts draw them. Generated from the table of states: do not "
      "edit.\"\"\"\n\n"
      "from typing import NamedTuple\n\n\n"
      "class Phase(NamedTuple):\n"
      "    \"\"\"How states of one sort are drawn: a character, a colour, and what they mean.\"\"\"\n\n"
      "    glyph: str\n"
      "    colour: str\n"
      "    meaning: str\n\n\n"
      "PHASES: dict[str, Phase] = {\n" +
      phases() + "}\n\nPHASE_OF_STATE: dict[str, str] = {\n";
  for (const auto& [state, chart] : chart_of_states()) {
    text.append("    \"").append(state).append("\": \"").append(chart).append("\",\n");
  }
  return text +
         "}\n\n"
         "TRANSIENT: frozenset[str] = " +
         set_of(StateNature::transient) +
         "\"\"\"The states that a service or cluster leaves without a request.\"\"\"\n\n"
         "ERROR: frozenset[str] = " +
         set_of(StateNature::error) + "\"\"\"The states that a failed action leads to.\"\"\"\n";
}

}  // namespace orlop
