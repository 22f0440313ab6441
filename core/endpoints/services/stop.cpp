// Stop of a service, which keeps its data.
#include <cstdint>

#include "endpoints/operation_set.h"
#include "endpoints/services/parts/service_action.h"

namespace orlop::operation_sets::services::stop {
namespace {

Result<Answer> stop_service(Unit& unit, const Call& call) { return ask_service(unit, call, Action::stop); }

constexpr Operation operations[] = {
    service_action("{flat}/stop", "stop_{family}", stop_service, nullptr, {}, "Stop {one}",
                   "Queues a stop request, which keeps data, and returns the status of the service. 409: the state of "
                   "the service does "
                   "not allow a stop."),
};

}  // namespace

extern const OperationSet set;
constexpr OperationSet set = {
    .families =
        services_of(static_cast<std::uint8_t>(deployable_kinds & ~static_cast<std::uint8_t>(ServiceKind::terraform))),
    .operations = operations,
    .python_class = "Stoppable",
};

}  // namespace orlop::operation_sets::services::stop
