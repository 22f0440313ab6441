// Answers about the state of services and environments.
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

// Data for the status of an environment, read once for all its services.
struct EnvironmentView {
  RequestsView requests;
  ServiceTally tally;
};

Result<EnvironmentView> view_environment(Unit& unit, const Id& environment);
// view_environment() with services that were already read.
Result<EnvironmentView> view_environment(Unit& unit, const Id& environment, const std::vector<Machine>& services);
// Returns the services of an environment, ascending by id.
Result<std::vector<Machine>> service_machines(Unit& unit, const Id& environment);

Result<ServiceState> state_of(Unit& unit, const EnvironmentView& view);
// Returns the environment's state during this request, or at its end.
Result<ServiceState> state_under(Unit& unit, const Machine& request, const EnvironmentView& view);

Result<void> write_status(Unit& unit, Writer& out, const Machine& service, const RequestsView& requests);
// Reads in one call what write_status() needs of these services beside their machines.
Result<void> load_observations(Unit& unit, const std::vector<Machine>& services);
Result<std::string> service_status(Unit& unit, const Id& service);
// Returns the status as the answer to the request `asked`, which is shown even while the service still belongs to an
// earlier one. Nil: no request was made.
Result<std::string> service_status_after(Unit& unit, const Id& service, const Id& asked);

// Writes {"action", "status", "sub_action", "reason"} of a service; omits an empty `reason`.
void write_status_details(Writer& out, Action action, ServiceState state, std::string_view sub_action,
                          std::string_view reason);

Result<void> write_environment_status(Unit& unit, Writer& out, const EnvironmentView& view);
Result<std::string> environment_status(Unit& unit, const Id& environment);

// Members of the answer to an action on an environment: those of an environment's status; with
// `environment_and_service` also those of a service's, which the interface defines for some actions.
enum class StatusForm : std::uint8_t { environment, environment_and_service };

// Returns the environment's status as the answer to the request `asked`, which is shown even while an earlier one runs.
// Nil: no request was made.
Result<std::string> environment_status_after(Unit& unit, const Id& environment, const Id& asked, StatusForm form);

}  // namespace orlop
