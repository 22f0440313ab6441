// Questions of the engine to external systems: git providers, registries, clouds, log stores, policy engines.
// questions.def lists them, each with the schemas of its input and answer. The reference page,
// include/orlop/questions.h and the methods of orlop.ExternalSystems in Python are generated from the list.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "model/field.h"
#include "model/value.h"

namespace orlop {

// Expands to enum class Question : std::uint16_t { find_webhook, … }
enum class Question : std::uint16_t {
#define ORLOP_QUESTION(name, input, answer, otherwise, about) name,
#include "external_systems/questions.def"
};

struct QuestionFacts {
  std::string_view name = {};
  const Shape* input = nullptr;     // schema of the JSON object with the question's input
  Field answer = {};                // its name is "answer"
  std::string_view otherwise = {};  // behaviour of the engine if no system answers the question
  std::string_view about = {};

  // True if the operation fails without an answer.
  constexpr bool is_required() const { return otherwise == "501"; }
};

// Returns the questions ordered by number.
std::span<const QuestionFacts> all_questions();
const QuestionFacts& facts_of(Question question);
// Returns the question of this name, or null if there is none.
const QuestionFacts* find_question(std::string_view name);
// Error invalid if there is no question of this name; the message suggests the nearest one. `what` names the value in
// the message.
Result<void> check_question(std::string_view name, std::string_view what);

// Maximum size of an answer in bytes.
inline constexpr std::size_t answer_size_max = std::size_t{4} << 20;

// Checks a JSON object against the schema of the question's input, for tests.
Result<void> check_input(const QuestionFacts& question, const Value& input);
// Reads the answer's JSON text by its schema and sets defaults. Error external_failed: the text is not JSON or does not
// match; the message names the question and the field. `brand`: brand of the engine.
Result<Value> read_answer(const QuestionFacts& question, std::string_view text, std::string_view brand);

}  // namespace orlop
