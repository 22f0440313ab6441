#include <algorithm>
#include <utility>

#include "model/registry.h"
#include "model/validate.h"
#include "ops/unit/unit_context.h"
#include "ops/name.h"
#include "ops/path.h"
#include "ops/store_record.h"
#include "ops/verbs.h"

namespace orlop {

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

  const std::uint32_t plan_flags = family.plan_flags == nullptr ? 0 : family.plan_flags(made);
  ORLOP_TRY(stored, put_new_value(unit, family, std::move(record), std::move(made)));
  return NewRecord{std::move(stored), plan_flags};
}

Result<Record> create_record(Unit& unit, const Family& family, const Id& parent, const Value& body) {
  ORLOP_TRY(made, put_new_record(unit, family, parent, body));
  if (unit.hooks().created == nullptr) return std::move(made.record);
  ORLOP_CHECK(unit.hooks().created(unit, family, made.record, made.plan_flags));
  // The hook may have completed it.
  const auto& writes = unit.changes().records;
  const auto write = std::ranges::find(writes, made.record.id, [](const RecordWrite& each) { return each.record.id; });
  if (write != writes.end() && write->record.body != made.record.body) return write->record;
  return std::move(made.record);
}

Result<Answer> create(Unit& unit, const Call& call) {
  ORLOP_TRY(parent, parent_on_path(unit, call));
  ORLOP_TRY(record, create_record(unit, *call.family, parent, *call.body));
  ORLOP_TRY(text, render(unit, *call.family, record));
  return Answer{call.family->create_status, std::move(text)};
}

}  // namespace orlop
