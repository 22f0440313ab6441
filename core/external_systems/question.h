// The questions that the engine asks of external systems: git providers, registries, clouds, log stores, policy
// engines. questions.def lists them, each with the schema of its input and of its answer. From the list follow the
// reference page, include/orlop/questions.h and the methods of orlop.ExternalSystems in Python.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "model/field.h"
#include "model/value.h"

namespace orlop {

// enum class Question : std::uint16_t { find_webhook, … }
enum class Question : std::uint16_t {
#define ORLOP_QUESTION(name, input, answer, otherwise, about) name,
#include "external_systems/questions.def"
};

struct QuestionFacts {
  std::string_view name = {};
  const Shape* input = nullptr;     // of the JSON object that the question is asked with
  Field answer = {};                // its name is "answer"
  std::string_view otherwise = {};  // what the engine does where nothing answers the question
  std::string_view about = {};

  // Whether there is nothing to answer with where nothing answers the question.
  constexpr bool is_required() const { return otherwise == "501"; }
};

// In the order of their numbers.
std::span<const QuestionFacts> all_questions();
const QuestionFacts& facts_of(Question question);
// nullptr: there is no question of this name.
const QuestionFacts* find_question(std::string_view name);
// Error invalid if there is no question of this name: it gives the nearest one. `what` names the value in the message.
Result<void> check_question(std::string_view name, std::string_view what);

// Bytes of an answer.
inline constexpr std::size_t answer_size_max = std::size_t{4} << 20;

// A JSON object against the schema of the question's input, for tests.
Result<void> check_input(const QuestionFacts& question, const Value& input);
// The answer's JSON text as a value of its schema, with the defaults of fields that it leaves out. Error
// external_failed: the text is no JSON, or does not match; the message names the question and the field. `brand`: that
// of the engine.
Result<Value> read_answer(const QuestionFacts& question, std::string_view text, std::string_view brand);

}  // namespace orlop
