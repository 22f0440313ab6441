#include "endpoints/access/parts/sign_in.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "access/permission.h"
#include "base/family_number.h"
#include "endpoints/access/parts/membership.h"
#include "model/registry.h"
#include "model/role.h"
#include "unit/unique_name.h"
#include "unit/unit.h"
#include "wire/json.h"
#include "wire/writer.h"

namespace orlop {
namespace {

struct GivenRole {
  Id id;
  std::string name;
};

Result<std::optional<Value>> find_connection(Unit& unit, const SignIn& sign_in) {
  RecordRange range;
  range.key = sign_in.organization;
  range.family = find_family("enterprise_connection")->number;
  ORLOP_TRY(connections, unit.records(range));
  for (const Record& connection : connections) {
    ORLOP_TRY(body, unit.value_of(connection));
    if (body->text_or("connection_name", "") == sign_in.connection) return std::optional(*body);
  }
  return std::optional<Value>();
}

// Returns the role of the first mapping that names a group of the person; else the default.
std::string role_name_for(const Value& connection, const std::vector<std::string>& groups) {
  const Value* mappings = connection.find("group_mappings");
  if (mappings != nullptr) {
    for (const Member& role : mappings->members()) {
      const bool fits = std::ranges::any_of(role.value.items(), [&groups](const Value& group) {
        return std::ranges::find(groups, group.as_text()) != groups.end();
      });
      if (fits) return std::string(role.name.view());
    }
  }
  return std::string(connection.text_or("default_role", ""));
}

// Returns nullopt if the organization has no such role, or if it is the owner's, which can only be transferred.
Result<std::optional<GivenRole>> find_given_role(Unit& unit, const Id& organization, const std::string& name) {
  if (const Role* built_in = find_role(name)) {
    if (built_in == &owner_role) return std::optional<GivenRole>();
    return std::optional(GivenRole{parse_id(built_in->id).value_or(Id{}), std::string(built_in->name)});
  }
  ORLOP_TRY(id, unit.find(name_key(*find_family(custom_role_number), organization, organization, name)));
  if (!id) return std::optional<GivenRole>();
  return std::optional(GivenRole{*id, name});
}

}  // namespace

Result<bool> follow_groups(Unit& unit, const Caller& person, const SignIn& sign_in, bool is_trial) {
  ORLOP_TRY(connection, find_connection(unit, sign_in));
  if (!connection) return false;
  ORLOP_TRY(role, find_given_role(unit, sign_in.organization, role_name_for(*connection, sign_in.groups)));
  if (!role) return false;
  ORLOP_TRY(id, unit.find(member_key(sign_in.organization, person.id)));
  ORLOP_TRY(record, id ? unit.record(*id) : Result<Shared<Record>>(Shared<Record>()));
  if (!record) {
    if (!is_trial) ORLOP_CHECK(add_member(unit, person, sign_in.organization, role->id, role->name));
    return true;
  }
  ORLOP_TRY(body, parse_stored(record->body));
  const auto held = parse_id(body.text_or("role_id", ""));
  const bool stays =
      held == role->id || held == parse_id(owner_role.id) || !connection->boolean_or("enforce_group_sync", false);
  if (stays || is_trial) return !stays;
  set_role(unit, body, role->id, role->name);
  Record member = *record;
  member.body = to_json(body);
  emit_member(unit, EventKind::edited, member);
  unit.put(std::move(member));
  return true;
}

}  // namespace orlop
