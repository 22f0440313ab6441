#include <utility>

#include "model/registry.h"
#include "model/validate.h"
#include "records/path.h"
#include "records/render_records.h"
#include "records/tree/propagate.h"
#include "records/verbs.h"
#include "records/write_record.h"
#include "unit/store_record.h"
#include "unit/unique_name.h"
#include "unit/unit_context.h"

namespace orlop {
namespace {

// Returns the id that the host has chosen for a new record; nil if none.
Result<Id> chosen_id(const Call& call) {
  const Value* given = call.is_trusted && call.body->is_object() ? call.body->find("id") : nullptr;
  if (given == nullptr || given->is_null()) return Id{};
  const auto id = given->is_text() ? parse_id(given->as_text()) : std::nullopt;
  if (id && !id->is_nil()) return *id;
  return refusal({{"id", "must be a uuid that is not nil" +
                             (given->is_text() ? ", not \"" + given->as_text().substr(0, 60) + "\"" : std::string())}});
}

Result<void> require_free(Unit& unit, const Id& id) {
  ORLOP_TRY(holder, unit.record(id));
  if (!holder) return {};
  return make_error(ErrorCode::conflict, "id " + to_text(id) + " is that of another resource");
}

}  // namespace

Result<NewRecord> put_new_record(Unit& unit, const Family& family, const Id& parent, const Value& body,
                                 const Id& chosen) {
  Record record;
  record.family = family.number;
  record.parent = parent;
  if (!chosen.is_nil()) ORLOP_CHECK(require_free(unit, chosen));
  record.id = chosen.is_nil() ? unit.make_id() : chosen;
  record.organization = record.id;
  if (!is_root(family)) {
    ORLOP_TRY(holder, require_parent(unit, family, parent));
    record.organization = holder->organization;
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

Result<Record> create_record(Unit& unit, const Family& family, const Id& parent, const Value& body, const Id& chosen) {
  ORLOP_TRY(made, put_new_record(unit, family, parent, body, chosen));
  if (family.propagates != Propagation::self) ORLOP_CHECK(propagate(unit, family, made.record));
  if (unit.hooks().created == nullptr) return std::move(made.record);
  ORLOP_CHECK(unit.hooks().created(unit, family, made.record, made.plan_flags));
  // The hook may have changed the record.
  ORLOP_TRY(put, unit.record(made.record.id));
  return put ? Record(*put) : std::move(made.record);
}

Result<Answer> create(Unit& unit, const Call& call) {
  ORLOP_TRY(parent, parent_on_path(unit, call));
  ORLOP_TRY(chosen, chosen_id(call));
  ORLOP_TRY(record, create_record(unit, *call.family, parent, *call.body, chosen));
  const std::uint64_t revision = record.revision;
  ORLOP_TRY(text, render(unit, *call.family, std::move(record)));
  return Answer{.status = call.family->create_status,
                .body = std::move(text),
                .revision = revision,
                .warning = warning_of(*call.family, *call.body)};
}

}  // namespace orlop
