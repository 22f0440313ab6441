#include "external_systems/ask.h"

#include <string>

#include "wire/writer.h"

namespace orlop {

Result<Value> ask(ExternalSystems* systems, Question question, const Value& input, std::string_view brand) {
  const QuestionFacts& facts = facts_of(question);
  if (systems == nullptr) {
    return make_error(ErrorCode::unanswered, "the question " + std::string(facts.name) +
                                                 " is not answered: the engine has no external systems");
  }
  ORLOP_TRY(text, systems->ask(facts.name, to_json(input)));
  return read_answer(facts, text, brand);
}

}  // namespace orlop
