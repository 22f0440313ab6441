// Deletion of a service: by a deployment request if it was deployed, else at once.
#include <string>
#include <utility>

#include "deploy/plan/expand.h"
#include "deploy/request/deployment_request.h"
#include "endpoints/operation_set.h"
#include "endpoints/services/parts/deploy_body.h"
#include "endpoints/services/parts/resource_and_machine.h"
#include "lifecycle/state.h"
#include "records/write_record.h"
#include "unit/operation.h"

namespace orlop::operation_sets::services::delete_service {
namespace {

// Query skipReconcile: removes the record at once and leaves deployed resources running.
Result<Answer> remove_service(Unit& unit, const Call& call) {
  ORLOP_TRY(subject, subject_of(unit, call));
  if (query_flag(call, "skipReconcile")) {
    ORLOP_CHECK(remove_tree(unit, subject.record));
    return Answer{204, {}};
  }
  Order order;
  order.environment = subject.record.parent;
  order.action = Action::remove;
  order.services.push_back(subject.record.id);
  order.author = std::string(call.author);
  set_overrides(order, subject.record.id, overrides_of_removal(call));
  if (query_flag(call, "resources_only")) {
    // The service stays; without resources there is nothing to delete.
    if (is_untouched(subject.machine)) return Answer{204, {}};
    order.action = Action::uninstall;
  }
  if (auto placed = enqueue(unit, order); !placed) return std::move(placed).error();
  return Answer{204, {}};
}

constexpr Field skip_reconcile =
    boolean("skipReconcile", "Delete only the stored configuration and keep the deployed resources. Default: false.");
constexpr Field plain_query[] = {skip_reconcile};
constexpr std::string_view terraform_actions[] = {"SKIP_DESTROY"};
constexpr Field terraform_query[] = {
    skip_reconcile,
    boolean("resources_only", "Delete the resources that Terraform created and keep the service. Default: false."),
    enumeration("force_terraform_action", terraform_actions,
                "Keep the resources that Terraform created (`SKIP_DESTROY`). Absent: they are destroyed."),
};

constexpr auto terraform = static_cast<std::uint8_t>(ServiceKind::terraform);
constexpr auto all_but_terraform = static_cast<std::uint8_t>(every_kind & ~terraform);
constexpr ReplacedVerb replaced[] = {
    {.verb = Verb::remove, .handle = remove_service, .query = terraform_query, .only = services_of(terraform)},
    {.verb = Verb::remove, .handle = remove_service, .query = plain_query, .only = services_of(all_but_terraform)},
};

}  // namespace

extern const OperationSet set;
constexpr OperationSet set = {
    .families = all_services,
    .replaced = replaced,
};

}  // namespace orlop::operation_sets::services::delete_service
