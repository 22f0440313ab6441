#include "records/single.h"

#include <string>
#include <utility>
#include <vector>

#include "model/registry.h"
#include "model/validate.h"
#include "records/path.h"
#include "records/record_value.h"
#include "records/render_records.h"
#include "records/tree/propagate.h"
#include "unit/edited_members.h"
#include "unit/store_record.h"
#include "unit/unit_context.h"
#include "wire/json.h"
#include "wire/writer.h"

namespace orlop {
namespace {

Record identity_below(const Family& family, const Record& parent) {
  Record record;
  record.family = family.number;
  record.parent = parent.id;
  record.organization = parent.organization;
  return record;
}

Result<std::string> defaults_of(Unit& unit, const Family& family, const Record& record) {
  UnitContext context(unit, record, nullptr);
  const Value defaults = make_defaults(family, context);
  ORLOP_CHECK(Result<void>(context.outcome()));
  return to_json(defaults);
}

Result<Shared<Record>> parent_of_call(Unit& unit, const Call& call) {
  ORLOP_TRY(id, parent_on_path(unit, call));
  return require_parent(unit, *call.family, id);
}

}  // namespace

Result<Shared<Record>> find_single(Unit& unit, const Family& family, const Id& parent) {
  RecordRange range;
  range.key = parent;
  range.family = family.number;
  range.limit = 1;
  ORLOP_TRY(records, unit.records(range));
  return records.empty() ? Shared<Record>() : Shared<Record>(std::move(records.front()));
}

namespace {

Result<std::string> render_single(Unit& unit, const Family& family, const Record& parent,
                                  const Shared<Record>& record) {
  return record ? render(unit, family, *record) : defaults_of(unit, family, identity_below(family, parent));
}

}  // namespace

Result<std::string> render_single(Unit& unit, const Family& family, const Record& parent) {
  ORLOP_TRY(record, find_single(unit, family, parent.id));
  return render_single(unit, family, parent, record);
}

Result<Answer> read_single(Unit& unit, const Call& call) {
  ORLOP_TRY(parent, parent_of_call(unit, call));
  ORLOP_TRY(record, find_single(unit, *call.family, parent->id));
  ORLOP_TRY(text, render_single(unit, *call.family, *parent, record));
  return Answer{.body = std::move(text), .revision = record ? record->revision : 0};
}

Result<Answer> edit_single(Unit& unit, const Call& call) {
  const Family& family = *call.family;
  ORLOP_TRY(parent, parent_of_call(unit, call));
  ORLOP_TRY(stored, find_single(unit, family, parent->id));
  Record record = stored ? std::move(*stored) : identity_below(family, *parent);
  Value before;
  if (stored) {
    ORLOP_TRY(value, full_value(record));
    before = std::move(value);
  } else {
    record.id = unit.make_id();
  }
  UnitContext context(unit, record, stored ? &before : nullptr);
  Violations violations;
  Value made = make_record(family, *call.body, stored ? Purpose::edit : Purpose::create, context, violations);
  ORLOP_CHECK(Result<void>(context.outcome()));
  if (!violations.empty()) return refusal(std::move(violations));
  const std::vector<std::string> changed = stored ? changed_members(before, made) : std::vector<std::string>();
  if (!stored || !changed.empty()) {
    ORLOP_TRY(put, put_value(unit, family, std::move(record), std::move(made),
                             stored ? EventKind::edited : EventKind::created, changed));
    ORLOP_CHECK(propagate(unit, family, put));
    record = std::move(put);
  }
  ORLOP_TRY(text, render(unit, family, record));
  return Answer{.status = family.edit_status, .body = std::move(text), .revision = record.revision};
}

// The defaults without a parent: the content of a new single.
Result<Answer> read_defaults(Unit& unit, const Call& call) {
  ORLOP_TRY(text, defaults_of(unit, *call.family, Record()));
  return Answer{200, std::move(text)};
}

}  // namespace orlop
