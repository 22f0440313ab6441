// The answers about the state of services and environments.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/id.h"
#include "base/result.h"
#include "endpoints/environments/parts/request_answers.h"
#include "lifecycle/environment_state.h"
#include "unit/unit.h"
#include "wire/writer.h"

namespace orlop {

// An environment as its status sees it, read once for all its services.
struct EnvironmentView {
  RequestsView requests;
  ServiceTally tally;
};

Result<EnvironmentView> view_environment(Unit& unit, const Id& environment);
// The same where all its services are at hand.
Result<EnvironmentView> view_environment(Unit& unit, const Id& environment, const std::vector<Machine>& services);
// The services of an environment, ascending by id.
Result<std::vector<Machine>> service_machines(Unit& unit, const Id& environment);

// What the environment shows.
Result<ServiceState> state_of(Unit& unit, const EnvironmentView& view);
// What it shows, or showed at the end, under this request alone.
Result<ServiceState> state_under(Unit& unit, const Machine& request, const EnvironmentView& view);

// The deployment status object of one service.
Result<void> write_status(Unit& unit, Writer& out, const Machine& service, const RequestsView& requests);
Result<std::string> service_status(Unit& unit, const Id& service);
// The same as the answer to the request `asked`: it is named even while the service still belongs to an earlier one.
// Nil: none was made.
Result<std::string> service_status_after(Unit& unit, const Id& service, const Id& asked);

// {"action", "status", "sub_action", "reason"} of a service; no `reason`: no such member.
void write_status_details(Writer& out, Action action, ServiceState state, std::string_view sub_action,
                          std::string_view reason);

Result<void> write_environment_status(Unit& unit, Writer& out, const EnvironmentView& view);
Result<std::string> environment_status(Unit& unit, const Id& environment);

// Which members the answer to an action on an environment has: those of an environment's status, or with them those of
// a service's, which the interface names for some of these actions.
enum class StatusForm : std::uint8_t { environment, environment_and_service };

// The environment's status as the answer to the request `asked`, which is shown even while an earlier one runs. Nil:
// none was made.
Result<std::string> environment_status_after(Unit& unit, const Id& environment, const Id& asked, StatusForm form);

}  // namespace orlop
