// Adds the machine of a new task, which begins with the next tick.
#include "deploy/request/deployment_request.h"
#include "endpoints/operation_set.h"
#include "store/partition.h"

namespace orlop::operation_sets::tasks::create_task {
namespace {

Result<void> add_machine(Unit& unit, const Creation& creation) {
  unit.put(new_task_machine(unit, creation.record));
  unit.wake(creation.record.id, partition_of(creation.record.organization));
  return {};
}

}  // namespace

extern const OperationSet set;
constexpr OperationSet set = {
    .families = FamilyFilter{.machine = MachineKind::task},
    .created = add_machine,
};

}  // namespace orlop::operation_sets::tasks::create_task
