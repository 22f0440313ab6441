#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "model/held_flag.h"
#include "model/registry.h"
#include "model/validate.h"
#include "records/path.h"
#include "records/record_value.h"
#include "records/render_records.h"
#include "records/tree/propagate.h"
#include "records/variables/reach.h"
#include "records/verbs.h"
#include "records/write_record.h"
#include "unit/edited_members.h"
#include "unit/store_record.h"
#include "unit/unit_context.h"

namespace orlop {
namespace {

// Returns `made` with the id and created_at of `before` and a new updated_at.
Value with_base_of(const Family& family, const Value& before, Instant now, Value made) {
  if (family.is_internal) return made;
  Value value = Value::object();
  for (const std::string_view name : {"id", "created_at"}) {
    if (const Value* kept = before.find(name)) value.set(name, *kept);
  }
  value.set("updated_at", Value(to_text(now)));
  for (Member& member : made.members()) value.members().push_back(std::move(member));
  return value;
}

// Completes a record again that embeds members of the edited one; a service or cluster that uses it goes out of date.
Result<void> reach_referrer(Unit& unit, const Family& edited, Record referrer) {
  const Family* family = find_family(referrer.family);
  if (family == nullptr) return {};
  const bool has_copies =
      std::ranges::any_of(family->fields, [](const Field& field) { return !field.copy.reference.empty(); });
  if (family->complete != nullptr || has_copies) {
    ORLOP_TRY(before, full_value(referrer));
    Value after = before;
    UnitContext context(unit, referrer, &before);
    if (family->complete != nullptr) family->complete(after, context);
    fill_copies(*family, after, context);
    arrange(family->fields, after);
    ORLOP_CHECK(Result<void>(context.outcome()));
    if (const auto changed = changed_members(before, after); !changed.empty()) {
      ORLOP_TRY(stored, put_value(unit, *family, referrer, std::move(after), EventKind::edited, changed));
      referrer = std::move(stored);
    }
  }
  const bool is_made_with_it = is_service(*family) || family->machine == MachineKind::cluster;
  const bool reaches = is_made_with_it && edited.machine != MachineKind::cluster && unit.hooks().edited != nullptr;
  return reaches ? unit.hooks().edited(unit, referrer.id) : Result<void>();
}

Result<void> reach(Unit& unit, const Family& family, const Record& record) {
  if (family.is_internal) return {};  // nothing refers to it
  ORLOP_CHECK(propagate(unit, family, record));
  RecordRange range;
  range.by = RecordRange::By::reference;
  range.key = record.id;
  ORLOP_TRY(referrers, unit.records(range));
  for (Record& referrer : referrers) ORLOP_CHECK(reach_referrer(unit, family, std::move(referrer)));
  return {};
}

Result<void> refresh_plan_flags(Unit& unit, const Family& family, const Id& id, const Value& value) {
  if (family.plan_flags == nullptr) return {};
  ORLOP_TRY(machine, unit.machine(id));
  if (!machine) return {};
  const std::uint32_t kept = machine->plan_flags & (PlanFlag::skipped | held_flag);
  const std::uint32_t plan_flags = family.plan_flags(value) | kept;
  if (plan_flags == machine->plan_flags) return {};
  Machine edited = *machine;
  edited.plan_flags = plan_flags;
  unit.put(std::move(edited));
  return {};
}

}  // namespace

Result<Record> edit_record(Unit& unit, const Family& family, Record record, const Value& body) {
  ORLOP_TRY(before, full_value(record));
  UnitContext context(unit, record, &before);
  Violations violations;
  Value made = make_record(family, body, Purpose::edit, context, violations);
  if (!context.outcome()) return context.outcome().error();
  if (!violations.empty()) return refusal(std::move(violations));

  Value after = with_base_of(family, before, unit.now(), std::move(made));
  const auto changed = changed_members(before, after);
  if (changed.empty()) return record;
  ORLOP_CHECK(refresh_plan_flags(unit, family, record.id, after));
  ORLOP_TRY(built_ins, built_ins_before(unit, family, record, changed));
  ORLOP_TRY(stored, put_value(unit, family, std::move(record), std::move(after), EventKind::edited, changed));
  ORLOP_CHECK(reach(unit, family, stored));
  ORLOP_CHECK(mark_built_ins(unit, family, stored, changed, built_ins));
  return std::move(stored);
}

Result<Answer> edit(Unit& unit, const Call& call) {
  ORLOP_TRY(record, record_on_path(unit, call));
  ORLOP_TRY(edited, edit_record(unit, *call.family, std::move(record), *call.body));
  const std::uint64_t revision = edited.revision;
  ORLOP_TRY(text, render(unit, *call.family, std::move(edited)));
  return Answer{.status = call.family->edit_status,
                .body = std::move(text),
                .revision = revision,
                .warning = warning_of(*call.family, *call.body)};
}

}  // namespace orlop
