#include "model/registry.h"
#include "model/validate.h"
#include "ops/unit/unit_context.h"
#include "ops/name.h"
#include "ops/path.h"
#include "ops/store_record.h"
#include "ops/verbs.h"

namespace orlop {
namespace {

// {id, created_at, updated_at} and then the family's own fields; of an internal family, these alone.
Value with_base(const Family& family, const Id& id, Instant now, Value made) {
  if (family.is_internal) return made;
  Value value = Value::object();
  value.members().reserve(made.members().size() + 3);
  value.set("id", Value(to_text(id)));
  value.set("created_at", Value(to_text(now)));
  value.set("updated_at", Value(to_text(now)));
  for (Member& member : made.members()) value.members().push_back(std::move(member));
  return value;
}

}  // namespace

Result<NewRecord> put_new_record(Unit& unit, const Family& family, const Id& parent, const Value& body) {
  Record record;
  record.family = family.number;
  record.parent = parent;
  record.id = unit.make_id();
  record.organization = record.id;
  if (!is_root(family)) {
    ORLOP_TRY(holder, require_parent(unit, family, parent));
    record.organization = holder.organization;
  }
  UnitContext context(unit, record, nullptr);
  Violations violations;
  Value made = make_record(family, body, Purpose::create, context, violations);
  if (!context.outcome()) return context.outcome().error();
  if (!violations.empty()) return refusal(std::move(violations));

  Value value = with_base(family, record.id, unit.now(), std::move(made));
  const std::uint32_t plan_flags = family.plan_flags == nullptr ? 0 : family.plan_flags(value);
  ORLOP_TRY(stored, put_value(unit, family, std::move(record), std::move(value), EventKind::created));
  return NewRecord{std::move(stored), plan_flags};
}

Result<Record> create_record(Unit& unit, const Family& family, const Id& parent, const Value& body) {
  ORLOP_TRY(made, put_new_record(unit, family, parent, body));
  if (unit.hooks().created == nullptr) return std::move(made.record);
  ORLOP_CHECK(unit.hooks().created(unit, family, made.record, made.plan_flags));
  return require(unit, family, made.record.id);  // the hook may have completed it
}

Result<Answer> create(Unit& unit, const Call& call) {
  ORLOP_TRY(parent, parent_on_path(unit, call));
  ORLOP_TRY(record, create_record(unit, *call.family, parent, *call.body));
  ORLOP_TRY(text, render(unit, *call.family, record));
  return Answer{call.family->create_status, std::move(text)};
}

}  // namespace orlop
