// The permissions of a caller, from the roles in the store.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "model/role.h"
#include "model/value.h"
#include "unit/caller.h"
#include "unit/unit.h"

namespace orlop {

// An assigned role: a built-in one, or the body of a custom one.
struct HeldRole {
  const Role* built_in = nullptr;
  std::optional<Value> custom;
};

// Finds the role with this id in the organization; nullopt if it does not exist.
Result<std::optional<HeldRole>> find_held_role(Unit& unit, const Id& organization, const Id& role);

// Scope of a record: the nearest cluster, project or environment among the record and its ancestors, else its
// organization.
struct Scope {
  ScopeKind place = ScopeKind::organization;
  Record record;
};
Result<Scope> scope_of(Unit& unit, const Record& record);

class Permissions {
 public:
  Permissions(Unit& unit, const Caller& caller) : unit_(unit), caller_(caller) {}

  // Returns `none` in an organization of which the caller is not a member.
  Result<Level> level_at(const Record& record);
  // Reports whether the caller's role lets it see everything in the organization. False also if it sees a part.
  Result<bool> sees_all_of(const Id& organization);
  // Error forbidden if the caller's level at the record is lower.
  Result<void> require(const Record& record, Level needed);
  // require() for the billing of the record's organization.
  Result<void> require_in_billing(const Record& record, Level needed);
  // Removes the records that the caller's role hides.
  Result<void> filter(std::vector<Record>& records);
  // After a request: checks that the caller may manage each resource that was created, edited or erased.
  // `organization`: that of the request's subject, in which a built-in role has been checked.
  Result<void> require_changes(const Id& organization);

 private:
  Result<const HeldRole*> role_in(const Id& organization);
  Result<std::optional<Id>> role_id_in(const Id& organization);
  Result<void> require_cluster(const Record& environment);

  Unit& unit_;
  const Caller& caller_;
  std::unordered_map<Id, std::optional<HeldRole>> roles_;  // by organization
};

// Name key of a member: a user in an organization.
std::string member_key(const Id& organization, const Id& user);
// Name key of the digest of an API token.
std::string token_key(std::string_view token_digest);

}  // namespace orlop
