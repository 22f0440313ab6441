#include "endpoints/access/parts/membership.h"

#include <utility>

#include "access/permission.h"
#include "base/family_number.h"
#include "endpoints/billing/parts/limits_of_plan.h"
#include "model/role.h"
#include "unit/store_record.h"
#include "wire/json.h"
#include "wire/writer.h"

namespace orlop {

void emit_member(Unit& unit, EventKind kind, const Record& record) {
  emit_about(unit, record, kind, kind == EventKind::deleted ? record.revision : record.revision + 1);
}

void set_role(Unit& unit, Value& body, const Id& role, std::string_view name) {
  body.set("updated_at", Value(to_text(unit.now())));
  body.set("role_id", Value(to_text(role)));
  body.set("role_name", Value(name));
  if (const Role* built_in = find_role(role)) body.set("role", Value(built_in->enum_value));
  else body.erase("role");
}

Result<Record> add_member(Unit& unit, const Caller& caller, const Id& organization, const Id& role,
                          std::string_view role_name) {
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
  record.family = member_number;
  record.parent = organization;
  record.organization = organization;
  record.body = to_json(body);
  emit_member(unit, EventKind::created, record);
  unit.put(record, key);
  ORLOP_CHECK(require_room(unit, organization, "members"));
  return record;
}

}  // namespace orlop
