// Roles: permissions of a caller, as a level for each kind of scope. Built-in roles are data; custom roles are records
// (families/access/custom_role.cpp).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/id.h"

namespace orlop {

// Each level includes those before it.
enum class Level : std::uint8_t {
  none,
  view,        // read, except secrets that grant access
  operate,     // deploy, restart and stop; create environments in a project, assign them to a cluster
  manage,      // create, edit and delete
  administer,  // members, roles, tokens, webhooks
  own,         // delete the organization, transfer its ownership
};

// Scope of a permission: the nearest of these above a resource, or the resource itself. Usage and payments of an
// organization are in its billing scope.
enum class ScopeKind : std::uint8_t { organization, cluster, project, environment, billing };
inline constexpr std::size_t scope_kind_count = 5;

struct Role {
  std::string_view id;
  std::string_view name;  // compared without regard to case
  // Value by which members and invitations name the role in their enumeration; the nearest one if it has none.
  std::string_view enum_value;
  std::array<Level, scope_kind_count> levels;  // by ScopeKind

  constexpr Level at(ScopeKind place) const { return levels[static_cast<std::size_t>(place)]; }
};

inline constexpr Role built_in_roles[] = {
    {"01900000-0000-7000-8000-000000000a01",
     "owner",
     "OWNER",
     {Level::own, Level::own, Level::own, Level::own, Level::own}},
    {"01900000-0000-7000-8000-000000000a02",
     "admin",
     "ADMIN",
     {Level::administer, Level::administer, Level::administer, Level::administer, Level::administer}},
    {"01900000-0000-7000-8000-000000000a03",
     "devops",
     "DEVELOPER",
     {Level::operate, Level::operate, Level::operate, Level::manage, Level::none}},
    {"01900000-0000-7000-8000-000000000a05",
     "billing",
     "VIEWER",
     {Level::view, Level::none, Level::none, Level::none, Level::administer}},
    {"01900000-0000-7000-8000-000000000a04",
     "viewer",
     "VIEWER",
     {Level::view, Level::view, Level::view, Level::view, Level::none}},
};
inline constexpr const Role& owner_role = built_in_roles[0];
inline constexpr const Role& admin_role = built_in_roles[1];
inline constexpr const Role& viewer_role = built_in_roles[4];

// Finds a role by name, else by enumeration value, without regard to case. Null if there is none.
const Role* find_role(std::string_view name);
const Role* find_role(const Id& id);

// Reports whether the role may read everything in the organization except its billing.
bool sees_everything(const Role& role);

// Returns "view" …, for messages and documents.
std::string_view to_string(Level level);
std::string_view to_string(ScopeKind place);

}  // namespace orlop
