#include "operations/environments/after_create.h"

#include <algorithm>
#include <vector>

#include "deploy/request/request.h"
#include "model/value.h"
#include "ops/verbs.h"
#include "operations/services/master_credentials.h"
#include "operations/services/service_kind.h"
#include "operations/environments/stage_list.h"
#include "wire/member.h"
#include "wire/writer.h"

namespace orlop {
namespace {

Result<void> append_stage(Unit& unit, const Record& record) {
  ORLOP_TRY(stages, stages_of(unit, record.parent));
  const auto found = std::ranges::find(stages, record.id, [](const Stage& stage) { return stage.record.id; });
  std::rotate(found, found + 1, stages.end());
  renumber(unit, stages);
  return {};
}

Result<Id> add_stage(Unit& unit, const Id& environment, std::string_view name) {
  Value body;
  body.set("name", Value(name));
  ORLOP_TRY(record, create_record(unit, stage_family(), environment, body));
  return record.id;
}

// The one stage of that name; nil: there is none, or several. Told by the texts, without parsing them.
Result<Id> only_stage_called(Unit& unit, const Id& environment, std::string_view name) {
  RecordRange range;
  range.key = environment;
  range.family = stage_family().number;
  ORLOP_TRY(records, unit.records(range));
  const std::string wanted = to_json(Value(name));
  Id found;
  for (const Record& record : records) {
    // Most texts do not hold the name anywhere, which is told at once.
    const bool may_be = record.body.find(std::string_view(wanted).substr(1, wanted.size() - 2)) != std::string::npos;
    if (!may_be || raw_member(record.body, "name") != wanted) continue;
    if (!found.is_nil()) return Id{};
    found = record.id;
  }
  return found;
}

// The stage of the service's kind; the last one if it was renamed or deleted; a new one if there is none at all.
Result<Id> stage_for(Unit& unit, const Family& family, const Id& environment) {
  const std::string_view wanted = names_of_kind(family)->default_stage;
  ORLOP_TRY(only, only_stage_called(unit, environment, wanted));
  if (!only.is_nil()) return only;
  ORLOP_TRY(stages, stages_of(unit, environment));
  for (const Stage& stage : stages) {
    if (stage.body.text_or("name", "") == wanted) return stage.record.id;
  }
  if (!stages.empty()) return stages.back().record.id;
  return add_stage(unit, environment, wanted);
}

Result<void> complete_environment(Unit& unit, const Record& record) {
  unit.put(new_environment_machine(unit, record));
  for (const std::string_view name : default_stages) {
    if (auto added = add_stage(unit, record.id, name); !added) return std::move(added).error();
  }
  return {};
}

}  // namespace

Result<void> complete_service(Unit& unit, const Family& family, const Record& record, std::uint32_t traits, const Id& stage) {
  unit.put(new_service_machine(unit, record, traits, stage));
  const bool is_database = names_of_kind(family)->kind == ServiceKind::database;
  return is_database ? add_master_credentials(unit, record) : Result<void>();
}

Result<void> complete_creation(Unit& unit, const Family& family, const Record& record, std::uint32_t traits) {
  switch (family.machine) {
    case MachineKind::service: {
      ORLOP_TRY(stage, stage_for(unit, family, record.parent));
      return complete_service(unit, family, record, traits, stage);
    }
    case MachineKind::cluster:
      unit.put(new_cluster_machine(unit, record, traits));
      return {};
    case MachineKind::environment:
      return complete_environment(unit, record);
    case MachineKind::none:
      if (&family == &stage_family()) return append_stage(unit, record);
      return {};
  }
  return {};
}

}  // namespace orlop
