// How a simulation brings a service or cluster into a state: by the way that leads there, so that all that such a state
// needs is there (a request under way, a step at the driver, its deadline, the events). Data and pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "lifecycle/action.h"
#include "lifecycle/state.h"
#include "store/store.h"

namespace orlop {

// Where the request of a route is left.
enum class RouteStop : std::uint8_t {
  held,      // it waits behind a hold: QUEUED
  queued,    // it waits: *_QUEUED
  waiting,   // its step is at the driver and has not begun
  building,  // its build has begun
  begun,     // its step has begun
  executing,
  recap,
  contact_lost,
  canceling,  // its cancel is not answered
  canceled,
  succeeded,
  failed,
  build_failed,
  refused,  // the credentials of a cluster
};

struct StateRoute {
  Action action = Action::none;  // that is requested; none: there is nothing to do
  RouteStop stop = RouteStop::succeeded;
};

StateRoute route_to(ServiceState state);
StateRoute route_to(ClusterState state);

// The rule of the step at which the route stops, as JSON; "" if every step succeeds. `step`: its kind, which none
// stands for if it is not the build.
std::string_view rule_of(RouteStop stop);
// Whether the route stops at the build of a service.
constexpr bool stops_at_build(RouteStop stop) { return stop == RouteStop::building || stop == RouteStop::build_failed; }

// Why what the machine stands for cannot come into the state, as the end of a sentence; "" if it can.
std::string_view refusal_of(const Machine& service, ServiceState state);
std::string_view refusal_of(const Machine& cluster, ClusterState state);

}  // namespace orlop
