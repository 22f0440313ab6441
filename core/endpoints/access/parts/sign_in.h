// The sign-in of a person by an enterprise connection: the groups of the identity provider give the role in the
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
  std::vector<std::string> groups;  // of the person
};

// The person becomes a member with the role of its groups; a member gets that role if the connection enforces it,
// unless it owns the organization. Answers whether anything was, or with `is_trial` would be, changed. Nothing is
// without such a connection, or if a mapping names no role of the organization.
Result<bool> follow_groups(Unit& unit, const Caller& person, const SignIn& sign_in, bool is_trial);

}  // namespace orlop
