#include "endpoints/operation_set.h"
#include "endpoints/services/parts/service_action.h"

namespace orlop::operation_sets::services::restart {
namespace {

Result<Answer> restart_service(Unit& unit, const Call& call) { return ask_service(unit, call, Action::restart); }

constexpr Operation operations[] = {
    service_action("{flat}/restart-service", "restart_{family}", restart_service, nullptr, {}, "Restart {one}",
                   "Queues a restart request and returns the status of the service. 409: the service was never "
                   "deployed, or its state "
                   "does not allow a restart."),
};

}  // namespace

extern const OperationSet set;
constexpr OperationSet set = {
    .families = families_named("application", "container", "database"),
    .operations = operations,
    .python_class = "Restartable",
};

}  // namespace orlop::operation_sets::services::restart
