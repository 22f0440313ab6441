// The answers about the state of services and environments.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/id.h"
#include "base/result.h"
#include "lifecycle/environment_state.h"
#include "ops/unit.h"
#include "traits/requests.h"
#include "wire/writer.h"

namespace orlop {

// An environment as its statuses see it, read once for all its services.
struct EnvironmentView {
  RequestsView requests;
  std::vector<Machine> services;  // ascending id
};

Result<EnvironmentView> view_environment(Unit& unit, const Id& environment);

// What the environment shows.
Result<ServiceState> state_of(Unit& unit, const EnvironmentView& view);
// What it shows, or showed at the end, under this request alone.
Result<ServiceState> state_under(Unit& unit, const Machine& request, const EnvironmentView& view);

// The deployment status object of one service.
Result<void> write_status(Unit& unit, Writer& out, const Machine& service, const RequestsView& requests);
Result<std::string> service_status(Unit& unit, const Id& service);

// {"action", "status", "sub_action"} of a service; "" stands for no sub-action.
void write_status_details(Writer& out, Action action, ServiceState state, std::string_view sub_action);

Result<void> write_environment_status(Unit& unit, Writer& out, const EnvironmentView& view);
Result<std::string> environment_status(Unit& unit, const Id& environment);

}  // namespace orlop
