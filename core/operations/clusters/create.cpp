// A new cluster gets its machine.
#include "deploy/request/request.h"
#include "operations/operation_set.h"

namespace orlop {
namespace {

Result<void> add_machine(Unit& unit, const Creation& creation) {
  unit.put(new_cluster_machine(unit, creation.record, creation.plan_flags));
  return {};
}

}  // namespace

namespace operation_sets::clusters {
extern const OperationSet create;
constexpr OperationSet create = {
    .families = families_named("cluster"),
    .created = add_machine,
};
}  // namespace operation_sets::clusters

}  // namespace orlop
