// A new cluster gets its machine.
#include "deploy/request/deployment_request.h"
#include "endpoints/operation_set.h"

namespace orlop::operation_sets::clusters::create_cluster {
namespace {

Result<void> add_machine(Unit& unit, const Creation& creation) {
  unit.put(new_cluster_machine(unit, creation.record, creation.plan_flags));
  return {};
}

}  // namespace

extern const OperationSet set;
constexpr OperationSet set = {
    .families = families_named("cluster"),
    .created = add_machine,
};

}  // namespace orlop::operation_sets::clusters::create_cluster
