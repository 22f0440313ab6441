// Fields of alert rules that are computed from their machines: one query for each rule.
#include <functional>
#include <string>
#include <vector>

#include "base/alert_state.h"
#include "unit/computations.h"
#include "unit/find_record.h"
#include "unit/unit.h"

namespace orlop::computations {
namespace {

using Texts = std::vector<std::string>;

Result<Texts> of_machines(Unit& unit, std::span<const Record> rules,
                          const std::function<std::string(const Record& rule, const Machine& machine)>& text_of) {
  Texts texts;
  for (const Record& rule : rules) {
    ORLOP_TRY(machine, require_machine(unit, rule.id));
    texts.push_back(text_of(rule, machine));
  }
  return texts;
}

std::string in_quotes(std::string_view text) { return "\"" + std::string(text) + "\""; }

}  // namespace

Result<Texts> alert_state(Unit& unit, std::span<const Record> rules) {
  return of_machines(unit, rules, [](const Record&, const Machine& machine) {
    return in_quotes(to_string(static_cast<AlertState>(machine.state)));
  });
}

Result<Texts> alert_is_up_to_date(Unit& unit, std::span<const Record> rules) {
  return of_machines(unit, rules, [](const Record& rule, const Machine& machine) {
    return std::string(machine.configured == rule.revision ? "true" : "false");
  });
}

Result<Texts> alert_start(Unit& unit, std::span<const Record> rules) {
  return of_machines(unit, rules, [](const Record&, const Machine& machine) {
    return machine.step_started_at ? in_quotes(to_text(*machine.step_started_at)) : std::string("null");
  });
}

}  // namespace orlop::computations
