// A new environment gets its machine and the default stages.
#include <string_view>
#include <utility>

#include "deploy/request/deployment_request.h"
#include "deploy/request/request_gate.h"
#include "endpoints/environments/parts/stage_list.h"
#include "endpoints/operation_set.h"

namespace orlop::operation_sets::environments::create_environment {
namespace {

Result<void> add_machine_and_stages(Unit& unit, const Creation& creation) {
  unit.put(new_environment_machine(unit, creation.record));
  for (const std::string_view name : default_stages) {
    if (auto added = add_stage(unit, creation.record.id, name); !added) return std::move(added).error();
  }
  return note_created(unit, creation.record);
}

}  // namespace

extern const OperationSet set;
constexpr OperationSet set = {
    .families = families_named("environment"),
    .created = add_machine_and_stages,
};

}  // namespace orlop::operation_sets::environments::create_environment
