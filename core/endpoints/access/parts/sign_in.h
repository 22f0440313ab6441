// Sign-in of a person by an enterprise connection: groups of the identity provider determine the role in the
// organization.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "unit/caller.h"
#include "unit/unit.h"

namespace orlop {

struct SignIn {
  Id organization;
  std::string connection;           // name of the enterprise connection
  std::vector<std::string> groups;  // groups of the person
};

// Makes the person a member with the role of its groups. An existing member gets that role if the connection enforces
// it, unless it owns the organization. Returns true if something changed, or, with `is_trial`, would change. No effect
// without such a connection, or if a mapping names a role that the organization lacks.
Result<bool> follow_groups(Unit& unit, const Caller& person, const SignIn& sign_in, bool is_trial);

}  // namespace orlop
