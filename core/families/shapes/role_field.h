// The role of a member or token: a built-in one, or a custom role of the organization.
#pragma once

#include <cstdint>

#include "families/shapes/rule_functions.h"

namespace orlop::shapes {

inline constexpr std::string_view role_values[] = {"ADMIN", "DEVELOPER", "OWNER", "VIEWER"};

// `transferred`: OWNER is refused, because ownership of a person can only be transferred.
enum class Ownership : std::uint8_t { given, transferred };

// Refuses a `role_id` that is not a role of the organization.
void check_role(const Value& record, Ownership ownership, ValidationContext& context, Violations& violations);
// Sets role_id and role_name: from role_id, else from `role`, else from `absent`.
void complete_role(Value& record, ValidationContext& context, std::string_view absent);
// Family::present: sets role_name to the current name of the role.
void present_role(Value& record, ValidationContext& context);

}  // namespace orlop::shapes
