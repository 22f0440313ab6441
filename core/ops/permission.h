// What a caller may do, from the roles that the store holds at this moment.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "model/role.h"
#include "model/value.h"
#include "ops/caller.h"
#include "ops/unit.h"

namespace orlop {

// A role as somebody holds it: a built-in one, or the custom one's body.
struct HeldRole {
  const Role* built_in = nullptr;
  std::optional<Value> custom;
};

// The role of this id in the organization; nothing if there is none.
Result<std::optional<HeldRole>> find_held_role(Unit& unit, const Id& organization, const Id& role);

// Where the record's permissions are given: the nearest cluster, project or environment above it or itself, else its organization.
struct Scope {
  ScopeKind place = ScopeKind::organization;
  Record record;
};
Result<Scope> scope_of(Unit& unit, const Record& record);

class Permissions {
 public:
  Permissions(Unit& unit, const Caller& caller) : unit_(unit), caller_(caller) {}

  // `none` in an organization that the caller does not belong to.
  Result<Level> level_at(const Record& record);
  // Error forbidden if the caller's level at the record is less.
  Result<void> require(const Record& record, Level needed);
  // Takes out what the caller's role hides from it.
  Result<void> filter(std::vector<Record>& records);
  // After a request: that the caller may manage each resource that it created, edited or erased, wherever the handler went.
  Result<void> require_changes();

 private:
  Result<const HeldRole*> role_in(const Id& organization);
  Result<std::optional<Id>> role_id_in(const Id& organization);
  Result<void> require_cluster(const Record& environment);

  Unit& unit_;
  const Caller& caller_;
  std::unordered_map<Id, std::optional<HeldRole>> roles_;  // by organization
};

// The key under which a member is found: a user in an organization.
std::string member_key(const Id& organization, const Id& user);
// The key under which the digest of an API token is found.
std::string token_key(std::string_view token_digest);

}  // namespace orlop
