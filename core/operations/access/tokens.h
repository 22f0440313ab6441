// Making and listing API tokens, in the place of the plain verbs.
#pragma once

#include <span>

#include "ops/call.h"

namespace orlop {

// Answers with the token, this once.
Result<Answer> create_token(Unit& unit, const Call& call);
Result<Answer> list_tokens(Unit& unit, const Call& call);
std::span<const Field> list_tokens_query(const Family& family);

}  // namespace orlop
