// Brings a service or cluster of a simulation into a state by the transitions that lead to it, so that everything that
// it needs exists (a request under way, a step at the driver, its deadline, the events). Data and pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "lifecycle/action.h"
#include "lifecycle/state.h"
#include "store/store.h"

namespace orlop {

// Point at which the request of a route stops.
enum class RouteStop : std::uint8_t {
  held,      // it waits behind a hold: QUEUED
  queued,    // it waits: *_QUEUED
  waiting,   // its step is at the driver and has not begun
  building,  // its build has begun
  begun,     // its step has begun
  executing,
  recap,
  contact_lost,
  canceling,  // its cancel has no reply yet
  canceled,
  succeeded,
  failed,
  build_failed,
  refused,  // the credentials of a cluster
};

struct StateRoute {
  Action action = Action::none;  // requested action; none if there is nothing to do
  RouteStop stop = RouteStop::succeeded;
};

StateRoute route_to(ServiceState state);
StateRoute route_to(ClusterState state);

// Returns the rule of the step at which the route stops, as JSON; a rule by which every step succeeds if there is none.
std::string_view rule_of(RouteStop stop);
constexpr bool stops_at_build(RouteStop stop) { return stop == RouteStop::building || stop == RouteStop::build_failed; }

// Returns why the resource cannot come into the state, as the end of a sentence; empty if it can.
std::string_view refusal_of(const Machine& service, ServiceState state);
std::string_view refusal_of(const Machine& cluster, ClusterState state);

}  // namespace orlop
