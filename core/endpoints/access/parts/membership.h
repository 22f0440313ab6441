// Members of organizations.
#pragma once

#include <string_view>

#include "model/value.h"
#include "unit/caller.h"
#include "unit/unit.h"

namespace orlop {

// Emits the event of a member that was added, changed or removed.
void emit_member(Unit& unit, EventKind kind, const Record& record);

void set_role(Unit& unit, Value& body, const Id& role, std::string_view name);

Result<Record> add_member(Unit& unit, const Caller& caller, const Id& organization, const Id& role,
                          std::string_view role_name);

}  // namespace orlop
