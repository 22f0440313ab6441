// The answer of an operation that asks external systems: a handler prepares the question in its transaction, the dispatcher asks it after the transaction has ended.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "externals/question.h"
#include "ops/call.h"

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

// Descriptions of operations that fail with 501 if nothing answers their question: `Operation::about` of each is one of these, by which documents know them.
inline constexpr std::string_view asks_external = "Asks the external systems of the host. Without any that answer the question: 501.";
inline constexpr std::string_view asks_external_to_check =
    "Asks the external systems of the host. 400: it is not there. Without any that answer the question: 501.";
inline constexpr std::string_view asks_external_about_git =
    "Asks the external systems of the host. 400: the service is not built from git. Without any that answer the question: 501.";
constexpr bool needs_external(const Operation& operation) {
  return operation.about == asks_external || operation.about == asks_external_to_check || operation.about == asks_external_about_git;
}
// Of operations that have a catalog.
inline constexpr std::string_view asks_external_or_catalog =
    "Asks the external systems of the host. Without any that answer the question: the built-in catalog.";

// {"results": […]}.
Answer make_list_answer(const Value& list, std::uint16_t status = 200);

}  // namespace orlop
