// Answers from stored text: only what a family presents otherwise is parsed; what is derived is spliced in before the last brace.
#include <algorithm>

#include "base/family_number.h"
#include "lifecycle/state.h"
#include "model/registry.h"
#include "model/validate.h"
#include "ops/unit_context.h"
#include "ops/verbs.h"
#include "wire/json.h"
#include "wire/member.h"
#include "wire/writer.h"

namespace orlop {
namespace {

// The stored text with what the family changes in it at a read.
Result<std::string> presented(Unit& unit, const Family& family, const Record& record) {
  if (family.present == nullptr) return record.body;
  ORLOP_TRY(value, parse_stored(record.body));
  UnitContext context(unit, record, nullptr);
  family.present(value, context);
  ORLOP_CHECK(Result<void>(context.outcome()));
  arrange(family.fields, value);
  return to_json(value);
}

Result<std::int64_t> count_records(Unit& unit, RecordRange range, bool services_only) {
  range.with_text = false;
  ORLOP_TRY(found, unit.records(range));
  return static_cast<std::int64_t>(std::ranges::count_if(found, [services_only](const Record& record) {
    const Family* family = find_family(record.family);
    return !services_only || (family != nullptr && is_service(*family));
  }));
}

Result<void> write_stage_services(Unit& unit, const Record& stage, std::string_view name, Writer& out) {
  ORLOP_TRY(machines, unit.machines(stage.parent));
  out.key(name).begin_list();
  for (const Machine& machine : machines) {
    const Family* family = find_family(machine.family);
    if (machine.stage != stage.id || family == nullptr) continue;
    out.begin_object().field("id", machine.id).field("created_at", created_at_of(machine.id));
    out.field("service_id", machine.id).field("service_type", family->service_kind);
    out.field("is_skipped", has(machine.traits, PlanFlag::skipped)).end_object();
  }
  out.end_list();
  return {};
}

constexpr Duration invitation_life = seconds(7 * 86'400);

Result<void> write_last_use(Unit& unit, const Record& token, std::string_view name, Writer& out) {
  RecordRange range;
  range.key = token.id;
  range.family = token_digest_number;
  ORLOP_TRY(digests, unit.records(range));
  const std::string_view used = digests.empty() ? std::string_view() : raw_member(digests.front().body, "last_used_at");
  out.field_raw(name, used.empty() ? "null" : used);
  return {};
}

Result<void> write_computed(Unit& unit, const Record& record, const Field& field, Writer& out) {
  switch (field.computed) {
    case Computed::none:
      return {};
    case Computed::cluster_status: {
      ORLOP_TRY(machine, require_machine(unit, record.id));
      out.field(field.name, to_string(static_cast<ClusterState>(machine.state)));
      return {};
    }
    case Computed::cluster_freshness: {
      ORLOP_TRY(machine, require_machine(unit, record.id));
      out.field(field.name, to_string(static_cast<Freshness>(machine.freshness)));
      return {};
    }
    case Computed::referring_services:
    case Computed::referring_items: {
      RecordRange range;
      range.by = RecordRange::By::reference;
      range.key = record.id;
      ORLOP_TRY(count, count_records(unit, range, field.computed == Computed::referring_services));
      out.field(field.name, count);
      return {};
    }
    case Computed::environments_count: {
      RecordRange range;
      range.key = record.id;
      ORLOP_TRY(count, count_records(unit, range, false));
      out.field(field.name, count);
      return {};
    }
    case Computed::invitation_status: {
      const bool is_pending = unit.now() < created_at_of(record.id) + invitation_life;
      out.field(field.name, is_pending ? "PENDING" : "EXPIRED");
      return {};
    }
    case Computed::token_last_use:
      return write_last_use(unit, record, field.name, out);
    case Computed::stage_services:
      return write_stage_services(unit, record, field.name, out);
  }
  return {};
}

}  // namespace

bool has_computed(const Family& family) {
  return family.present != nullptr || std::ranges::any_of(family.fields, [](const Field& field) { return field.computed != Computed::none; });
}

Result<std::string> render(Unit& unit, const Family& family, const Record& record) {
  if (!has_computed(family)) return record.body;
  ORLOP_TRY(body, presented(unit, family, record));
  Writer out(body.size() + 256);
  out.raw(std::string_view(body).substr(0, body.size() - 1));
  for (const Field& field : family.fields) ORLOP_CHECK(write_computed(unit, record, field, out));
  out.end_object();
  return std::move(out).take();
}

}  // namespace orlop
