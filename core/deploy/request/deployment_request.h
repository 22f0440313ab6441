// Deployment requests. Each function works inside the unit of an operation: it sets machines to *_QUEUED, stores the
// request, and wakes the environment or cluster.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/id.h"
#include "base/result.h"
#include "deploy/driver/driver.h"
#include "lifecycle/state.h"
#include "unit/unit.h"

namespace orlop {

// A request is a record of family deployment (families/environments/deployment.cpp) below its environment, and a
// machine with the same id. The machine's owner is the environment, state a RequestState, action an Action, and number
// its position: requests of one environment are numbered from 1 in order of creation, which ids made in one instant do
// not show.
//
// State of a deployment request: Machine::state of its machine.
enum class RequestState : std::uint8_t {
  waiting = 1,
  running = 2,
  canceling = 3,  // running, or waiting with services that are canceled in several commits
  ended = 4,
  queuing = 5,  // waiting, and too large for one commit: its services are being queued (queuing.h)
};

// The forced event of a job (query forceEvent of a job's deploy).
enum class ForcedEvent : std::uint8_t { none = 0, start = 1, stop = 2, remove = 3, cron = 4 };

struct Order {
  Id environment;
  Action action = Action::deploy;
  bool whole_environment = false;  // else `services`
  std::vector<Id> services;
  std::string author;
  std::string origin = "API";
  ForcedEvent forced = ForcedEvent::none;
  // Version of each service to deploy (git commit, chart version …): JSON object text by service id; empty if none.
  std::string overrides;
};

// Returns the requests of an environment in order of creation: ended ones, the running one, waiting ones.
Result<std::vector<Machine>> request_machines(Unit& unit, const Id& environment);

// Queues the order, or merges it into a waiting request of the same author and action. Returns the request's id; nil if
// nothing has to be done (no service to delete was ever deployed, or no service has the forced event).
// Errors: not_found; conflict (a machine refuses; busy and the policy is reject), naming the service and the states
// allowed. An order for a whole environment includes the services that allow the action, and is refused only if it has
// services and none does. Services that were never deployed are deleted at once. An environment deleted as a whole is
// removed, with everything below it, when its request succeeds; at once if none of its services was ever deployed.
Result<Id> enqueue(Unit& unit, const Order& order);

// Cancels the running and the waiting requests of an environment, or one request of its queue.
// Errors: not_found; conflict if there is nothing to cancel.
Result<void> cancel_environment(Unit& unit, const Id& environment, CancelMode mode);
Result<void> cancel_request(Unit& unit, const Id& request, CancelMode mode);

// Requests deploy, dry_run, upgrade, restart, stop or remove of a cluster. Checks the conditions other than the state
// (lock, provider, next version).
Result<void> place_cluster(Unit& unit, const Id& cluster, Action action, std::string_view author);
Result<void> check_cluster(Unit& unit, const Id& cluster, Action action);  // these conditions alone
Result<void> cancel_cluster(Unit& unit, const Id& cluster);

// Machine of a new service or cluster: READY, NEVER_DEPLOYED, in its stage.
Machine new_service_machine(Unit& unit, const Record& record, std::uint32_t plan_flags, const Id& stage);
Machine new_cluster_machine(Unit& unit, const Record& record, std::uint32_t plan_flags);
Machine new_environment_machine(Unit& unit, const Record& record);
// Machine of a new task: QUEUED; the next tick begins it.
Machine new_task_machine(Unit& unit, const Record& record);

// Marks a service or cluster out of date after an edit: UP_TO_DATE becomes OUT_OF_DATE, and a running deploy ends
// OUT_OF_DATE.
Result<void> touch(Unit& unit, const Id& subject);
Result<void> touch(Unit& unit, const Id& organization, Machine machine);

}  // namespace orlop
