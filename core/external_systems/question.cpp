#include "external_systems/question.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "catalogs/nearest.h"
#include "external_systems/question_shapes.h"
#include "model/validate.h"
#include "wire/json.h"

namespace orlop {
namespace {

constexpr QuestionFacts questions[] = {
#define ORLOP_QUESTION(name, input, answer, otherwise, about) \
  {#name, &question_shapes::input, question_shapes::answer, otherwise, about},
#include "external_systems/questions.def"
};

constexpr std::string_view answer_name = "answer";

Error does_not_match(const QuestionFacts& question, const std::string& fault) {
  return make_error(ErrorCode::external_failed,
                    "the answer to the question " + std::string(question.name) + " does not match: " + fault);
}

}  // namespace

std::span<const QuestionFacts> all_questions() { return questions; }

const QuestionFacts& facts_of(Question question) { return questions[static_cast<std::size_t>(question)]; }

const QuestionFacts* find_question(std::string_view name) {
  const auto found = std::ranges::find(questions, name, &QuestionFacts::name);
  return found == std::end(questions) ? nullptr : &*found;
}

Result<void> check_question(std::string_view name, std::string_view what) {
  if (find_question(name) != nullptr) return {};
  std::vector<std::string_view> names;
  for (const QuestionFacts& question : questions) names.push_back(question.name);
  const std::string reason = "must be the name of a question, not \"" + std::string(name.substr(0, name_size_max)) +
                             "\"" + nearest_hint(name, names);
  Error error = invalid(std::string(what) + " " + reason);
  error.violations.push_back({std::string(what), reason});
  return error;
}

Result<void> check_input(const QuestionFacts& question, const Value& input) {
  Violations violations;
  (void)make_body(question.input->fields, input, violations);
  if (!violations.empty()) return refusal(std::move(violations));
  return {};
}

Result<Value> read_answer(const QuestionFacts& question, std::string_view text, std::string_view brand) {
  if (text.empty()) return does_not_match(question, "it is empty; it must be JSON");
  auto given = parse_json(text, answer_size_max);
  if (!given) return does_not_match(question, given.error().message);
  Value body = Value::object();
  body.add(answer_name, std::move(*given));
  Violations violations;
  Value checked = make_body({&question.answer, 1}, body, violations, brand);
  if (!violations.empty()) return does_not_match(question, refusal(std::move(violations)).message);
  Value* answer = checked.find(answer_name);
  return answer == nullptr ? Value() : std::move(*answer);
}

}  // namespace orlop
