#include "sim/scripted_external_systems.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "deploy/driver/scripted_driver.h"
#include "external_systems/question.h"
#include "sim/invalid_member.h"
#include "sim/rules/distribution.h"
#include "wire/json.h"

namespace orlop {
namespace {

bool fits(const Value& pattern, const Value* given) {
  if (given == nullptr) return pattern.is_null();
  return pattern.is_text() && given->is_text() ? matches(pattern.as_text(), given->as_text()) : pattern == *given;
}

bool fits(const ScriptedExternalRule& rule, std::string_view question, const Value& input) {
  return matches(rule.question, question) && std::ranges::all_of(rule.where.members(), [&](const Member& member) {
           return fits(member.value, input.find(member.name));
         });
}

constexpr std::size_t external_rules_max = 100'000;

bool is_limit(const ScriptedExternalRule& rule) { return rule.allowance.over != 0 && !rule.error.empty(); }

// Sorts in the order of checking.
void sort(std::vector<ScriptedExternalRule>& rules) {
  std::stable_partition(rules.begin(), rules.end(),
                        [](const ScriptedExternalRule& rule) { return rule.allowance.over != 0; });
}

Result<void> check_count(std::size_t count) {
  if (count <= external_rules_max) return {};
  return invalid_member(
      "externals", "must be at most " + std::to_string(external_rules_max) + " rules, not " + std::to_string(count));
}

// Reads a rule, or a document of rules.
Result<std::vector<ScriptedExternalRule>> external_rules_in(const Value& given, std::string_view brand) {
  std::vector<ScriptedExternalRule> rules;
  const Value* const list = given.find("externals");
  if (list == nullptr || given.members().size() != 1) {
    ORLOP_TRY(rule, read_external_rule(given, "", brand));
    rules.push_back(std::move(rule));
    return rules;
  }
  if (!list->is_list()) return invalid_member("externals", "must be a list, not " + shown(*list));
  ORLOP_CHECK(check_count(list->items().size()));
  for (std::size_t at = 0; at < list->items().size(); ++at) {
    ORLOP_TRY(rule, read_external_rule(list->items()[at], "externals[" + std::to_string(at) + "].", brand));
    rules.push_back(std::move(rule));
  }
  return rules;
}

}  // namespace

void ScriptedExternalSystems::add(ScriptedExternalRule rule) {
  const std::lock_guard lock(mutex_);
  rules_.insert(rules_.begin(), std::move(rule));
  sort(rules_);
}

Result<void> ScriptedExternalSystems::add(const Value& given) {
  ORLOP_TRY(added, external_rules_in(given, brand_));
  const std::lock_guard lock(mutex_);
  ORLOP_CHECK(check_count(rules_.size() + added.size()));
  std::ranges::reverse(added);  // the last one first
  rules_.insert(rules_.begin(), std::make_move_iterator(added.begin()), std::make_move_iterator(added.end()));
  sort(rules_);
  return {};
}

void ScriptedExternalSystems::write(Writer& out) const {
  const std::lock_guard lock(mutex_);
  out.begin_object().key("externals").begin_list();
  for (auto rule = rules_.rbegin(); rule != rules_.rend(); ++rule) write_external_rule(out, *rule);
  out.end_list().end_object();
}

bool ScriptedExternalSystems::has_limits() const {
  const std::lock_guard lock(mutex_);
  return std::ranges::any_of(rules_, is_limit);
}

void ScriptedExternalSystems::write_limits(Writer& out) const {
  const std::lock_guard lock(mutex_);
  out.begin_object().key("externals").begin_list();
  for (auto rule = rules_.rbegin(); rule != rules_.rend(); ++rule) {
    if (is_limit(*rule)) write_external_rule(out, *rule);
  }
  out.end_list().end_object();
}

Result<void> ScriptedExternalSystems::restore_limits(const Value& given) {
  ORLOP_TRY(limits, external_rules_in(given, brand_));
  const std::lock_guard lock(mutex_);
  std::erase_if(rules_, is_limit);
  std::ranges::reverse(limits);  // the last one first
  rules_.insert(rules_.begin(), std::make_move_iterator(limits.begin()), std::make_move_iterator(limits.end()));
  sort(rules_);
  return {};
}

void ScriptedExternalSystems::clear() {
  const std::lock_guard lock(mutex_);
  rules_.clear();
}

bool ScriptedExternalSystems::answers(std::string_view question) const {
  const std::lock_guard lock(mutex_);
  return std::ranges::find(rules_, question, &ScriptedExternalRule::question) != rules_.end() ||
         fallback_for(question) != nullptr;
}

// Null if none answers the question.
ExternalSystems* ScriptedExternalSystems::fallback_for(std::string_view question) const {
  const auto found = std::ranges::find_if(
      fallbacks_, [question](const ExternalSystems* fallback) { return fallback->answers(question); });
  return found == fallbacks_.end() ? nullptr : *found;
}

Result<ScriptedExternalRule> ScriptedExternalSystems::take(std::string_view question, const Value& input) {
  const std::lock_guard lock(mutex_);
  const Instant now = now_();
  const auto found = std::ranges::find_if(rules_, [&](ScriptedExternalRule& rule) {
    return fits(rule, question, input) && rule.use.goes_over(rule.allowance, now);
  });
  if (found == rules_.end()) {
    return make_error(ErrorCode::unanswered, "the question " + std::string(question) +
                                                 " is not answered: no rule of the simulation matches it");
  }
  ScriptedExternalRule rule = *found;
  if (is_limit(rule)) {
    const Id organization = parse_id(input.text_or("organization_id", "")).value_or(Id());
    refusals_.push_back({rule.title.empty() ? rule.question : rule.title, std::string(question), rule.error,
                         rule.allowance, organization});
    has_refusals_ = true;
  }
  if (found->times != 0 && --found->times == 0) rules_.erase(found);
  return rule;
}

std::vector<ExternalRefusal> ScriptedExternalSystems::take_refusals() {
  const std::lock_guard lock(mutex_);
  has_refusals_ = false;
  return std::exchange(refusals_, {});
}

Result<std::string> ScriptedExternalSystems::ask(std::string_view question, std::string_view input) {
  ORLOP_TRY(given, parse_stored(input));
  const QuestionFacts* facts = find_question(question);
  if (facts == nullptr) return make_error(ErrorCode::internal, "there is no question " + std::string(question));
  if (auto matching = check_input(*facts, given); !matching) {
    return make_error(ErrorCode::internal, "the input of the question " + std::string(question) +
                                               " does not match: " + matching.error().message);
  }
  auto taken = take(question, given);
  if (!taken && taken.error().code == ErrorCode::unanswered) {
    if (ExternalSystems* const fallback = fallback_for(question)) return fallback->ask(question, input);
  }
  ORLOP_TRY(rule, std::move(taken));
  if (rule.delay.milliseconds > 0) ORLOP_CHECK(pass_(std::min(rule.delay, timeout_)));
  if (rule.delay > timeout_) {
    return make_error(ErrorCode::external_timeout, "the external systems did not answer the question " +
                                                       std::string(question) + " within " +
                                                       std::to_string(timeout_.milliseconds) + " ms");
  }
  if (!rule.error.empty()) return make_error(ErrorCode::external_failed, std::move(rule.error));
  return std::move(rule.answer);
}

}  // namespace orlop
