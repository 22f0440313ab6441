// Members: their roles, their removal, and transfer of ownership.
#include "endpoints/access/parts/membership.h"

#include <string>
#include <utility>

#include "access/permission.h"
#include "base/family_number.h"
#include "endpoints/operation_set.h"
#include "endpoints/services/parts/resource_and_machine.h"
#include "model/form.h"
#include "model/registry.h"
#include "unit/find_record.h"
#include "unit/operation.h"
#include "unit/store_record.h"
#include "wire/json.h"
#include "wire/writer.h"

namespace orlop::operation_sets::access::organization_members {
namespace {

struct Member {
  Record record;
  Value body;
  bool is_owner() const { return parse_id(body.text_or("role_id", "")) == parse_id(owner_role.id); }
};

Result<Member> require_member(Unit& unit, const Call& call) {
  const Id& organization = call.ids.front();
  if (auto found = require(unit, *find_family("organization"), organization); !found) return std::move(found).error();
  const auto user = parse_id(call.body->text_or("user_id", ""));
  ORLOP_TRY(id, user ? unit.find(member_key(organization, *user)) : Result<std::optional<Id>>(std::nullopt));
  ORLOP_TRY(record, id ? unit.record(*id) : Result<Shared<Record>>(Shared<Record>()));
  if (!record)
    return make_error(ErrorCode::not_found, "there is no member " + std::string(call.body->text_or("user_id", "")));
  ORLOP_TRY(body, parse_stored(record->body));
  return Member{*record, std::move(body)};
}

void put_role(Unit& unit, Member member, const Id& role, std::string_view name) {
  set_role(unit, member.body, role, name);
  member.record.body = to_json(member.body);
  emit_member(unit, EventKind::edited, member.record);
  unit.put(std::move(member.record));
}

Error owner_stays() {
  return make_error(ErrorCode::conflict, "the member owns the organization; transfer its ownership first");
}

Result<Answer> edit_role(Unit& unit, const Call& call) {
  ORLOP_TRY(member, require_member(unit, call));
  const Id role = parse_id(call.body->text_or("role_id", "")).value_or(Id{});
  ORLOP_TRY(held, find_held_role(unit, call.ids.front(), role));
  if (!held || held->built_in == &owner_role) {
    return invalid_field("role_id", held ? "must not be that of OWNER: ownership is transferred"
                                         : "must name a role of this "
                                           "organization");
  }
  if (member.is_owner()) return owner_stays();
  const std::string name(held->built_in != nullptr ? held->built_in->name : held->custom->text_or("name", ""));
  put_role(unit, std::move(member), role, name);
  return Answer{200, ""};
}

Result<Answer> remove_member(Unit& unit, const Call& call) {
  ORLOP_TRY(member, require_member(unit, call));
  if (member.is_owner()) return owner_stays();
  emit_member(unit, EventKind::deleted, member.record);
  unit.erase(member.record.id);
  return Answer{204, ""};
}

Result<Answer> transfer_ownership(Unit& unit, const Call& call) {
  ORLOP_TRY(new_owner, require_member(unit, call));
  if (new_owner.is_owner()) return Answer{204, ""};
  RecordRange range;
  range.key = call.ids.front();
  range.family = member_number;
  ORLOP_TRY(records, unit.records(range));
  for (Record& record : records) {
    ORLOP_TRY(body, parse_stored(record.body));
    Member member{std::move(record), std::move(body)};
    if (member.is_owner()) put_role(unit, std::move(member), *parse_id(admin_role.id), admin_role.name);
  }
  put_role(unit, std::move(new_owner), *parse_id(owner_role.id), owner_role.name);
  return Answer{204, ""};
}

constexpr Field user_fields[] = {uuid("user_id", "ID of the member: the ID of the person.").required()};
constexpr Field role_fields[] = {
    uuid("user_id", "ID of the member: the ID of the person.").required(),
    uuid("role_id", "ID of the new role: a built-in role or a custom role of the organization. OWNER is refused.")
        .required()};
constexpr Shape user_shape{.name = "MemberReference", .fields = user_fields};
constexpr Shape role_shape{.name = "MemberRoleUpdateRequest", .fields = role_fields};
constexpr Shape transfer_shape{.name = "TransferOwnershipRequest", .fields = user_fields};

constexpr Operation operations[] = {
    {.method = Method::put,
     .path = "{collection}",
     .name = "edit_{family}_role",
     .status = 200,
     .access = Access::write,
     .handle = edit_role,
     .body = &role_shape,
     .is_body_required = true,
     .summary = "Change the role of a member",
     .about = "The owner's role cannot be changed; transfer the ownership instead.",
     .need = Level::administer},
    {.method = Method::remove,
     .path = "{collection}",
     .name = "delete_{family}",
     .status = 204,
     .access = Access::write,
     .handle = remove_member,
     .body = &user_shape,
     .is_body_required = true,
     .summary = "Remove a member from an organization",
     .about = "The owner cannot be removed; transfer the ownership first.",
     .need = Level::administer},
    {.method = Method::post,
     .path = "/organization/{organizationId}/transferOwnership",
     .name = "transfer_ownership",
     .status = 204,
     .access = Access::write,
     .handle = transfer_ownership,
     .body = &transfer_shape,
     .is_body_required = true,
     .summary = "Transfer the ownership of an organization",
     .about = "The given member becomes the owner; the previous owner becomes an administrator.",
     .need = Level::own},
};

}  // namespace

extern const OperationSet set;
constexpr OperationSet set = {
    .families = families_named("member"),
    .operations = operations,
};

}  // namespace orlop::operation_sets::access::organization_members
