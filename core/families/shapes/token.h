// Rules that both kinds of tokens share.
#pragma once

#include "families/shapes/role_field.h"

namespace orlop::shapes {

inline constexpr VerbNeed token_needs[] = {
    {Verb::create, Level::administer}, {Verb::list, Level::administer}, {Verb::remove, Level::administer}};

void check_token(const Value& record, ValidationContext& context, Violations& violations);
void complete_token(Value& record, ValidationContext& context);

}  // namespace orlop::shapes
