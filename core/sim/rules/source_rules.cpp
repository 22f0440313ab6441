// Effect of the sources of a simulation on the rule of a step.
#include <span>

#include "sim/rules/rule_set.h"
#include "wire/json.h"

namespace orlop {
namespace {

// Members that select when a rule applies, which is decided.
constexpr std::string_view applied_members[] = {"probability", "weight", "times", "every",
                                                "over",        "per",    "from",  "until"};
constexpr std::string_view members_of_success[] = {"outcome", "outputs", "running", "crash_after"};

void erase_all(Value& given, std::span<const std::string_view> members) {
  for (const std::string_view member : members) given.erase(member);
}

void add_log_line(Value& given, const std::string& text) {
  const Value* const before = given.find("log");
  Value lines = before == nullptr ? Value::list() : *before;
  lines.items().push_back(Value(Value::Object{{"text", Value(text)}}));
  given.set("log", std::move(lines));
}

}  // namespace

void RuleSet::set_sources(const Sources* sources) {
  const std::lock_guard lock(mutex_);  // waits until no rule is being made
  sources_ = sources;
}

// The step's rule still decides its duration. A step that finds everything gets a rule, too, which keeps what it found
// when the step continues in another simulation.
std::shared_ptr<const Rule> RuleSet::with_sources(std::shared_ptr<const Rule> rule, RuledStep& step) const {
  static const auto plain = std::make_shared<const Rule>();
  const bool looks =
      reads_sources(step.step().kind) && (rule == nullptr || rule->outcome == ScriptOutcome::succeed) && has_sources();
  if (!looks) return rule;
  const SourceFinding found = sources_.load()->find(step.step(), step.configuration());
  if (rule == nullptr) rule = plain;
  Value given = rule->given;
  erase_all(given, applied_members);
  if (!found.missing.empty()) {
    erase_all(given, members_of_success);
    given.set("fails", Value(found.missing));
  } else {
    if (found.resolved.empty() && found.outputs.empty()) return rule;
    if (!found.resolved.empty()) add_log_line(given, found.resolved);
    auto outputs = found.outputs.empty() || given.has("outputs") ? Result<Value>(Value()) : parse_stored(found.outputs);
    if (outputs && outputs->is_object()) given.set("outputs", std::move(*outputs));
  }
  auto made = read_rule(given, "rule", step.step().started_at);
  return made ? std::make_shared<const Rule>(std::move(*made)) : rule;
}

}  // namespace orlop
