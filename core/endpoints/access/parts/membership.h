// Members of organizations: how a person becomes one.
#pragma once

#include <string_view>

#include "model/value.h"
#include "unit/caller.h"
#include "unit/unit.h"

namespace orlop {

// The event of a member that came, changed or left.
void emit_member(Unit& unit, EventKind kind, const Record& record);

// Gives the member's body this role.
void set_role(Unit& unit, Value& body, const Id& role, std::string_view name);

// The caller becomes a member with the role of this id and name.
Result<Record> add_member(Unit& unit, const Caller& caller, const Id& organization, const Id& role,
                          std::string_view role_name);

}  // namespace orlop
