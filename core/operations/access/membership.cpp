// The traits `membership` and `invitation`: who belongs to an organization, and in which role.
#include "operations/access/membership.h"

#include <string>
#include <utility>

#include "base/family_number.h"
#include "model/form.h"
#include "model/registry.h"
#include "ops/permission.h"
#include "ops/store_record.h"
#include "ops/verbs.h"
#include "operations/operations.h"
#include "operations/services/subject.h"
#include "ops/record_event.h"
#include "wire/json.h"
#include "wire/writer.h"

namespace orlop {
namespace {

const Family& member_family() { return *find_family(member_number); }

void emit_member(Unit& unit, EventKind kind, const Record& record) {
  emit_about(unit, record, kind, kind == EventKind::deleted ? record.revision : record.revision + 1);
}

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
  ORLOP_TRY(record, id ? unit.record(*id) : Result<std::optional<Record>>(std::nullopt));
  if (!record) return make_error(ErrorCode::not_found, "there is no member " + std::string(call.body->text_or("user_id", "")));
  ORLOP_TRY(body, parse_stored(record->body));
  return Member{std::move(*record), std::move(body)};
}

void set_role(Unit& unit, Value& body, const Id& role, std::string_view name) {
  body.set("updated_at", Value(to_text(unit.now())));
  body.set("role_id", Value(to_text(role)));
  body.set("role_name", Value(name));
  if (const Role* built_in = find_role(role)) body.set("role", Value(built_in->enum_value));
  else body.erase("role");
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
    return invalid_field("role_id", held ? "must not be that of OWNER: ownership is transferred" : "must name a role of this organization");
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

// Who accepts must be who was invited: to anybody else the invitation is not there.
Result<Answer> accept_invitation(Unit& unit, const Call& call) {
  ORLOP_TRY(invitation, require(unit, *call.family, call.ids.back()));
  ORLOP_TRY(body, parse_stored(invitation.body));
  const Caller& caller = *call.caller;
  const bool is_invited = invitation.parent == call.ids.front() && caller.kind == Caller::Kind::user && !caller.email.empty() &&
                          lower_case(caller.email) == lower_case(body.text_or("email", ""));
  if (!is_invited) return not_found("invitation", call.ids.back());
  ORLOP_TRY(text, render(unit, *call.family, invitation));
  if (text.find("\"invitation_status\":\"EXPIRED\"") != std::string::npos) {
    return make_error(ErrorCode::conflict, "the invitation has expired; ask for another one");
  }
  const Id role = parse_id(body.text_or("role_id", "")).value_or(Id{});
  ORLOP_TRY(member, add_member(unit, caller, invitation.organization, role, body.text_or("role_name", "")));
  (void)member;
  unit.erase(invitation.id);
  return Answer{201, std::move(text)};
}

constexpr Field user_fields[] = {uuid("user_id", "The person.").required()};
constexpr Field role_fields[] = {uuid("user_id", "The person.").required(), uuid("role_id", "The role from now on.").required()};
constexpr Shape user_shape{.name = "MemberReference", .fields = user_fields};
constexpr Shape role_shape{.name = "MemberRoleUpdateRequest", .fields = role_fields};
constexpr Shape transfer_shape{.name = "TransferOwnershipRequest", .fields = user_fields};

constexpr Operation member_operations[] = {
    {.method = Method::put,
     .path = "{collection}",
     .name = "edit_{family}_role",
     .status = 200,
     .access = Access::write,
     .handle = edit_role,
     .body = &role_shape,
     .is_body_required = true,
     .about = "Gives a member another role.",
     .need = Level::administer},
    {.method = Method::remove,
     .path = "{collection}",
     .name = "delete_{family}",
     .status = 204,
     .access = Access::write,
     .handle = remove_member,
     .body = &user_shape,
     .is_body_required = true,
     .about = "Takes a member out of the organization.",
     .need = Level::administer},
    {.method = Method::post,
     .path = "/organization/{organizationId}/transferOwnership",
     .name = "transfer_ownership",
     .status = 204,
     .access = Access::write,
     .handle = transfer_ownership,
     .body = &transfer_shape,
     .is_body_required = true,
     .about = "Makes a member the owner; who was it before becomes an administrator.",
     .need = Level::own},
};

constexpr Operation acceptance[] = {
    {.method = Method::post,
     .path = "{item}",
     .name = "accept_{family}",
     .status = 201,
     .access = Access::write,
     .handle = accept_invitation,
     .form = AnswerForm::record,
     .about = "Accepts an invitation: who was invited becomes a member.",
     .bypasses_tenancy = true},
};

}  // namespace

Result<Answer> create_organization(Unit& unit, const Call& call) {
  if (call.caller->kind == Caller::Kind::token) {
    return make_error(ErrorCode::forbidden, "an API token belongs to one organization and cannot make another");
  }
  ORLOP_TRY(organization, create_record(unit, *call.family, {}, *call.body));
  if (call.caller->kind == Caller::Kind::user) {
    ORLOP_TRY(owner, add_member(unit, *call.caller, organization.id, *parse_id(owner_role.id), owner_role.name));
    (void)owner;
  }
  ORLOP_TRY(text, render(unit, *call.family, organization));
  return Answer{call.family->create_status, std::move(text)};
}

std::span<const Operation> membership_operations() { return member_operations; }
std::span<const Operation> invitation_operations() { return acceptance; }

Result<Record> add_member(Unit& unit, const Caller& caller, const Id& organization, const Id& role, std::string_view role_name) {
  const std::string key = member_key(organization, caller.id);
  ORLOP_TRY(known, unit.find(key));
  if (known) return make_error(ErrorCode::conflict, "the caller is a member of the organization already");
  Value body = Value::object();
  body.set("id", Value(to_text(caller.id)));
  body.set("created_at", Value(to_text(unit.now())));
  body.set("name", Value(caller.name));
  body.set("email", Value(caller.email));
  set_role(unit, body, role, role_name);
  Record record;
  record.id = unit.make_id();
  record.family = member_family().number;
  record.parent = organization;
  record.organization = organization;
  record.body = to_json(body);
  emit_member(unit, EventKind::created, record);
  unit.put(record, key);
  return record;
}

}  // namespace orlop
