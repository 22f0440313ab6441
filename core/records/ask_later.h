// The answer of an operation that asks external systems: a handler prepares the question in its transaction, the
// dispatcher asks it after the transaction has ended.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "external_systems/question.h"
#include "unit/operation.h"

namespace orlop {

// Nothing in it may refer to the unit.
struct Asked {
  Question question;
  Value input = Value::object();
  // Makes the operation's answer. nullptr: the answer to the question is the body; a list is put into {"results": […]}.
  std::function<Result<Answer>(Value answer)> reply = nullptr;
  // The answer where nothing answers the question: the catalog's. nullptr: the operation fails with 501.
  std::function<Result<Value>()> otherwise = nullptr;
  std::uint16_t status = 200;
};

Answer ask_later(Unit& unit, Asked asked);

// Whether the operation fails with 501 where nothing answers its question.
inline bool needs_external(const Operation& operation) {
  return operation.asks && facts_of(*operation.asks).is_required();
}

// {"results": […]}.
Answer make_list_answer(const Value& list, std::uint16_t status = 200);

}  // namespace orlop
