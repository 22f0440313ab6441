// Members of organizations: how somebody becomes one.
#pragma once

#include <string>

#include "ops/call.h"
#include "ops/caller.h"
#include "ops/unit.h"

namespace orlop {

// The caller becomes a member with the role of this id and name.
Result<Record> add_member(Unit& unit, const Caller& caller, const Id& organization, const Id& role, std::string_view role_name);

// In the place of the plain verb: the person who makes an organization owns it. Error forbidden for an API token.
Result<Answer> create_organization(Unit& unit, const Call& call);

}  // namespace orlop
