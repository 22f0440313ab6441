#include "endpoints/overviews/parts/visible_records.h"

#include <array>
#include <cassert>
#include <string>
#include <utility>

#include "access/permission.h"
#include "model/registry.h"
#include "unit/operation.h"
#include "unit/unique_name.h"
#include "wire/object_member.h"
#include "wire/writer.h"

namespace orlop {
namespace {

Result<std::vector<Record>> visible(Unit& unit, const Call& call, const RecordRange& range) {
  ORLOP_TRY(records, unit.records(range));
  ORLOP_CHECK(Permissions(unit, *call.caller).filter(records));
  return std::move(records);
}

}  // namespace

Result<std::vector<Record>> visible_children(Unit& unit, const Call& call, const Id& parent, std::string_view family) {
  RecordRange range;
  range.key = parent;
  range.family = find_family(family)->number;
  return visible(unit, call, range);
}

Result<std::vector<Record>> visible_referrers(Unit& unit, const Call& call, const Id& target, std::string_view family) {
  RecordRange range;
  range.by = RecordRange::By::reference;
  range.key = target;
  range.family = family.empty() ? FamilyNumber{0} : find_family(family)->number;
  return visible(unit, call, range);
}

Result<std::string> service_type_of(Unit& unit, const Record& service) {
  const Family& family = *find_family(service.family);
  if (family.service_kind != "JOB") return std::string(family.service_kind);
  ORLOP_TRY(body, unit.value_of(service));
  return std::string(body->text_or("job_type", "LIFECYCLE"));
}

Result<void> write_texts(Unit& unit, const Record& record, std::span<const std::string_view> names, Writer& out) {
  std::array<std::string_view, 8> texts;
  assert(names.size() <= texts.size());
  if (raw_members(record.body, names, std::span(texts).first(names.size()))) {
    for (std::size_t at = 0; at < names.size(); ++at) out.field_raw(names[at], texts[at].empty() ? "\"\"" : texts[at]);
    return {};
  }
  ORLOP_TRY(body, unit.value_of(record));
  for (const std::string_view name : names) out.field(name, body->text_or(name, ""));
  return {};
}

Result<void> write_environment_place(Unit& unit, const Id& environment, Writer& out) {
  ORLOP_TRY(place, unit.record(environment));
  ORLOP_TRY(project, unit.record(place ? place->parent : Id{}));
  out.field("project_id", project ? project->id : Id{})
      .field("project_name", project ? name_of(*project) : std::string());
  out.field("environment_id", environment).field("environment_name", place ? name_of(*place) : std::string());
  return {};
}

}  // namespace orlop
