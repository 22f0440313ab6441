// Answers of operations that ask external systems: a handler prepares the question in its transaction, the dispatcher
// asks it after the transaction has ended.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "external_systems/question.h"
#include "unit/operation.h"

namespace orlop {

// No member may refer to the unit.
struct Asked {
  Question question;
  Value input = Value::object();
  // Makes the operation's answer. Null: the answer to the question is the body; a list becomes {"results": […]}.
  std::function<Result<Answer>(Value answer)> reply = nullptr;
  // Makes the answer from a catalog if nothing answers the question. Null: the operation fails with 501.
  std::function<Result<Value>()> otherwise = nullptr;
  std::uint16_t status = 200;
};

Answer ask_later(Unit& unit, Asked asked);

// Reports whether the operation fails with 501 if nothing answers its question.
inline bool needs_external(const Operation& operation) {
  return operation.asks && facts_of(*operation.asks).is_required();
}

// Returns {"results": […]}.
Answer make_list_answer(const Value& list, std::uint16_t status = 200);

}  // namespace orlop
