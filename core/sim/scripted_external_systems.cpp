#include "sim/scripted_external_systems.h"

#include <algorithm>

#include "catalogs/nearest.h"
#include "deploy/driver/scripted_driver.h"
#include "externals/question.h"
#include "wire/json.h"

namespace orlop {
namespace {

Error invalid(std::string message) { return make_error(ErrorCode::invalid, std::move(message)); }

bool fits(const Value& pattern, const Value* given) {
  if (given == nullptr) return pattern.is_null();
  return pattern.is_text() && given->is_text() ? matches(pattern.as_text(), given->as_text()) : pattern == *given;
}

bool fits(const ScriptedExternalRule& rule, std::string_view question, const Value& input) {
  return rule.question == question &&
         std::ranges::all_of(rule.where.members(), [&](const Member& member) { return fits(member.value, input.find(member.name)); });
}

Result<Value> read_where(const QuestionFacts& question, std::string_view where) {
  if (where.empty()) return Value::object();
  ORLOP_TRY(members, parse_json(where));
  if (!members.is_object()) return invalid("where must be a JSON object of members of the question's input");
  std::vector<std::string_view> names;
  for (const Field& field : question.input->fields) names.push_back(field.name);
  for (const Member& member : members.members()) {
    if (std::ranges::find(names, member.name) != names.end()) continue;
    return invalid("where." + std::string(member.name.view()) + " is no member of the input of " + std::string(question.name) + nearest_hint(member.name, names));
  }
  return std::move(members);
}

}  // namespace

Result<ScriptedExternalRule> make_external_rule(std::string_view question, std::string_view where, std::string_view answer, std::string_view error, Duration delay,
                                                std::uint32_t times) {
  ORLOP_CHECK(check_question(question, "question"));
  const QuestionFacts& facts = *find_question(question);
  ORLOP_TRY(pattern, read_where(facts, where));
  if (answer.empty() == error.empty()) return invalid("a rule for " + std::string(question) + " has either an answer or an error");
  if (!answer.empty()) {
    const auto checked = read_answer(facts, answer);
    if (!checked) return invalid(checked.error().message);
  }
  return ScriptedExternalRule{std::string(question), std::move(pattern), std::string(answer), std::string(error), delay, times};
}

void ScriptedExternalSystems::add(ScriptedExternalRule rule) {
  const std::lock_guard lock(mutex_);
  rules_.insert(rules_.begin(), std::move(rule));
}

void ScriptedExternalSystems::clear() {
  const std::lock_guard lock(mutex_);
  rules_.clear();
}

bool ScriptedExternalSystems::answers(std::string_view question) const {
  const std::lock_guard lock(mutex_);
  return std::ranges::find(rules_, question, &ScriptedExternalRule::question) != rules_.end();
}

Result<ScriptedExternalRule> ScriptedExternalSystems::take(std::string_view question, const Value& input) {
  const std::lock_guard lock(mutex_);
  const auto found = std::ranges::find_if(rules_, [&](const ScriptedExternalRule& rule) { return fits(rule, question, input); });
  if (found == rules_.end()) {
    return make_error(ErrorCode::unanswered, "the question " + std::string(question) + " is not answered: no rule of the simulation matches it");
  }
  ScriptedExternalRule rule = *found;
  if (found->times != 0 && --found->times == 0) rules_.erase(found);
  return rule;
}

Result<std::string> ScriptedExternalSystems::ask(std::string_view question, std::string_view input) {
  ORLOP_TRY(given, parse_stored(input));
  const QuestionFacts* facts = find_question(question);
  if (facts == nullptr) return make_error(ErrorCode::internal, "there is no question " + std::string(question));
  if (auto matching = check_input(*facts, given); !matching) {
    return make_error(ErrorCode::internal, "the input of the question " + std::string(question) + " does not match: " + matching.error().message);
  }
  ORLOP_TRY(rule, take(question, given));
  if (rule.delay.milliseconds > 0) ORLOP_CHECK(pass_(std::min(rule.delay, timeout_)));
  if (rule.delay > timeout_) {
    return make_error(ErrorCode::external_timeout, "the external systems did not answer the question " + std::string(question) + " within " +
                                                       std::to_string(timeout_.milliseconds) + " ms");
  }
  if (!rule.error.empty()) return make_error(ErrorCode::external_failed, std::move(rule.error));
  return std::move(rule.answer);
}

}  // namespace orlop
