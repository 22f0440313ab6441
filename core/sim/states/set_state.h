// Brings a service or cluster of a simulation into any of its states, at one instant of virtual time (route.h).
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/id.h"
#include "base/result.h"
#include "deploy/driver/scripted_driver.h"
#include "deploy/request/deployment_request.h"
#include "engine.h"
#include "sim/rules/rule_set.h"
#include "sim/states/path_to_state.h"

namespace orlop {

// Used by one thread at a time. All arguments must outlive it.
class StateSetter {
 public:
  // `settle`: does all work that is due now.
  using Settle = std::function<Result<void>()>;
  StateSetter(Engine& engine, RuleSet& rules, ScriptedDriver& script, Settle settle)
      : engine_(engine), rules_(rules), script_(script), settle_(std::move(settle)) {}

  // Brings the resource into the state. First cancels what runs of it, and does what has to come before the state (a
  // deployment before a restart, the cluster of the environment). In a transient state the resource stays until it is
  // released, its deadline passes or it is canceled. Errors: not_found; invalid (no such state); conflict (the resource
  // cannot come into it, or is busy together with others).
  Result<void> set(const Id& resource, std::string_view state);

 private:
  struct Subject {
    Machine machine;
    std::string label;  // container "web"
  };

  Result<Subject> look(const Id& resource);
  Result<void> set_service(const Subject& service, ServiceState state);
  Result<void> set_cluster(const Subject& cluster, ClusterState state);
  Result<void> bring_to_rest(const Subject& service);
  Result<void> bring_cluster_to_rest(const Subject& cluster);
  Result<void> prepare(const Subject& service, const StateRoute& route, ServiceState state);
  Result<void> request(const Subject& service, const StateRoute& route);
  Result<void> open_gate(const Subject& service);
  Result<void> require_idle(const Subject& service);
  void force(const Subject& subject, RouteStop stop);
  Result<void> check(const Id& resource, std::string_view label, std::uint8_t state, std::string_view spelling,
                     bool may_be_gone);

  Engine& engine_;
  RuleSet& rules_;
  ScriptedDriver& script_;
  Settle settle_;
};

}  // namespace orlop
