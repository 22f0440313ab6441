// Adds the machine of a new service, in a deployment stage.
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "deploy/request/deployment_request.h"
#include "endpoints/environments/parts/stage_list.h"
#include "endpoints/operation_set.h"
#include "wire/object_member.h"

namespace orlop::operation_sets::services::create_service {
namespace {

// Returns the only stage with this name, which must need no escapes; nil if none or several. Compares stored texts
// without parsing them.
Result<Id> only_stage_called(Unit& unit, const Id& environment, std::string_view name) {
  RecordRange range;
  range.key = environment;
  range.family = stage_family().number;
  Id found;
  bool is_only = true;
  const auto visit = [&](const Record& record) {
    // Cheap check first: most texts do not contain the name.
    if (record.body.find(name) == std::string::npos) return true;
    const std::string_view text = raw_member(record.body, "name");
    const bool is_called = text.size() == name.size() + 2 && text.substr(1, name.size()) == name;
    if (!is_called) return true;
    is_only = found.is_nil();
    found = record.id;
    return is_only;
  };
  ORLOP_CHECK(unit.visit(range, std::ref(visit)));
  return is_only ? found : Id{};
}

// Returns the default stage of the service's kind; if that was renamed or deleted, the last stage; creates one if there
// is none.
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

Result<void> add_machine(Unit& unit, const Creation& creation) {
  Id stage = creation.stage;
  if (stage.is_nil()) {
    ORLOP_TRY(usual, stage_for(unit, creation.family, creation.record.parent));
    stage = usual;
  }
  unit.put(new_service_machine(unit, creation.record, creation.plan_flags, stage));
  return {};
}

}  // namespace

extern const OperationSet set;
constexpr OperationSet set = {
    .families = all_services,
    .created = add_machine,
};

}  // namespace orlop::operation_sets::services::create_service
