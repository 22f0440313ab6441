// Rules of the scripted external systems as data, checked when they are added: the same for C, Python, HTTP and
// scenario files.
#include <algorithm>
#include <vector>

#include "base/text/utf8.h"
#include "catalogs/nearest.h"
#include "deploy/driver/scripted_driver.h"
#include "external_systems/question.h"
#include "sim/invalid_member.h"
#include "sim/rules/distribution.h"
#include "sim/scripted_external_systems.h"
#include "wire/json.h"

namespace orlop {
namespace {

constexpr std::size_t question_size_max = 256;  // bytes
constexpr std::size_t error_size_max = 65'536;
constexpr std::string_view external_rule_members[] = {"rule",  "question", "where", "answer", "error",
                                                      "delay", "times",    "over",  "per"};

bool is_pattern(std::string_view question) { return question.find_first_of("*?") != std::string_view::npos; }

// Returns the questions that the name or pattern matches, at least one.
Result<std::vector<const QuestionFacts*>> questions_of(std::string_view question, const std::string& path) {
  if (!is_pattern(question)) {
    ORLOP_CHECK(check_question(question, path + "question"));
    return std::vector{find_question(question)};
  }
  std::vector<const QuestionFacts*> found;
  for (const QuestionFacts& facts : all_questions()) {
    if (matches(question, facts.name)) found.push_back(&facts);
  }
  if (found.empty())
    return invalid_member(path + "question", "must be the name of a question, or a pattern that matches one, not \"" +
                                                 std::string(beginning(question, 64)) + "\"");
  return found;
}

// Checks that each member is one of the input of a question.
Result<void> check_where(const Value& where, std::string_view question,
                         const std::vector<const QuestionFacts*>& questions, const std::string& path) {
  if (!where.is_object())
    return invalid_member(path + "where", "must be a JSON object of members of the question's input");
  std::vector<std::string_view> names;
  for (const QuestionFacts* const facts : questions) {
    for (const Field& field : facts->input->fields) names.push_back(field.name);
  }
  for (const Member& member : where.members()) {
    if (std::ranges::find(names, member.name) != names.end()) continue;
    return invalid_member(
        path + "where." + std::string(beginning(member.name.view(), 64)),
        "is not a member of the input of " + std::string(question) + nearest_hint(member.name, names));
  }
  return {};
}

Result<ScriptedExternalRule> check(ScriptedExternalRule rule, const std::string& path, std::string_view brand) {
  ORLOP_TRY(questions, questions_of(rule.question, path));
  ORLOP_CHECK(check_where(rule.where, rule.question, questions, path));
  if (rule.answer.empty() == rule.error.empty())
    return invalid((path.empty() ? "" : path.substr(0, path.size() - 1) + ": ") + "a rule for " + rule.question +
                   " has either an answer or an error");
  if (!rule.answer.empty() && is_pattern(rule.question))
    return invalid_member(
        path + "question",
        "must be the name of a question where there is an answer, not the pattern \"" + rule.question + "\"");
  if (!rule.answer.empty()) {
    const auto checked = read_answer(*questions.front(), rule.answer, brand);
    if (!checked)
      return invalid((path.empty() ? "" : path.substr(0, path.size() - 1) + ": ") + checked.error().message);
  }
  ORLOP_CHECK(rule.allowance.check(path));
  return rule;
}

Result<void> read_member(ScriptedExternalRule& rule, std::string_view name, const Value& given,
                         const std::string& path) {
  if (name == "rule" || name == "question" || name == "error") {
    const std::size_t most = name == "error" ? error_size_max : question_size_max;
    if (!given.is_text() || given.as_text().size() > most)
      return invalid_member(path, "must be text of at most " + std::to_string(most) + " bytes, not " + shown(given));
    (name == "rule" ? rule.title : name == "question" ? rule.question : rule.error) = given.as_text();
  } else if (name == "where") {
    rule.where = given;
  } else if (name == "answer") {
    rule.answer = to_json(given);
  } else if (name == "delay") {
    ORLOP_TRY(delay, read_duration(given, path));
    rule.delay = delay;
  } else if (name == "over") {
    return rule.allowance.read_over(given, path);
  } else if (name == "per") {
    return rule.allowance.read_per(given, path);
  } else {
    const std::int64_t times = given.as_integer();
    if (given.type() != Value::Type::integer || times < 0 || times > UINT32_MAX)
      return invalid_member(path,
                            "must be a whole number of 0 to " + std::to_string(UINT32_MAX) + ", not " + shown(given));
    rule.times = static_cast<std::uint32_t>(times);
  }
  return {};
}

}  // namespace

Result<ScriptedExternalRule> make_external_rule(std::string_view question, std::string_view where,
                                                std::string_view answer, std::string_view error, Duration delay,
                                                std::uint32_t times, std::string_view brand) {
  ScriptedExternalRule rule;
  rule.question = question;
  rule.answer = answer;
  rule.error = error;
  rule.delay = delay;
  rule.times = times;
  ORLOP_CHECK(questions_of(question, ""));
  if (!where.empty()) {
    ORLOP_TRY(pattern, parse_json(where));
    rule.where = std::move(pattern);
  }
  return check(std::move(rule), "", brand);
}

Result<ScriptedExternalRule> read_external_rule(const Value& given, const std::string& path, std::string_view brand) {
  if (!given.is_object()) return not_an_object(path, "the rule", given);
  Value rest = given;
  ScriptedExternalRule rule;
  rule.use = AllowanceUse::read(rest);
  AllowanceUse::erase_members(rest);
  for (const Member& member : rest.members()) {
    const std::string name(beginning(member.name.view(), 64));
    if (std::ranges::find(external_rule_members, member.name.view()) == std::end(external_rule_members))
      return invalid_member(path + name, "is not a member of a rule of external systems" +
                                             nearest_hint(member.name, external_rule_members));
    ORLOP_CHECK(read_member(rule, name, member.value, path + name));
  }
  if (!given.has("question")) return invalid_member(path + "question", "is required");
  return check(std::move(rule), path, brand);
}

void write_external_rule(Writer& out, const ScriptedExternalRule& rule) {
  out.begin_object();
  if (!rule.title.empty()) out.field("rule", rule.title);
  out.field("question", rule.question);
  if (!rule.where.members().empty()) out.field("where", rule.where);
  if (!rule.answer.empty()) out.field_raw("answer", rule.answer);
  if (!rule.error.empty()) out.field("error", rule.error);
  if (rule.delay.milliseconds != 0) out.field("delay", static_cast<double>(rule.delay.milliseconds) / 1000);
  if (rule.times != 0) out.field("times", static_cast<std::int64_t>(rule.times));
  if (rule.allowance.over != 0) out.field("over", static_cast<std::int64_t>(rule.allowance.over));
  if (rule.allowance.per) out.field("per", static_cast<double>(rule.allowance.per->milliseconds) / 1000);
  rule.use.write(out, rule.allowance);
  out.end_object();
}

}  // namespace orlop
