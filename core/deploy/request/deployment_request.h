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
// machine beside it. Of its machine: owner is the environment, state a RequestState, action an Action, and number its
// place: requests of one environment are numbered from 1 in the order of their creation, which ids of one instant do
// not show.
//
// Where a deployment request stands: Machine::state of its machine.
enum class RequestState : std::uint8_t {
  waiting = 1,
  running = 2,
  canceling = 3,  // a running one, or a waiting one whose services come to rest in several commits
  ended = 4,
  queuing = 5,  // waits, and is too large for one commit: its services are being queued (queuing.h)
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
  // What each service is to be deployed at (git commit, chart version …): JSON object text by service id; "" for none.
  std::string overrides;
};

// The requests of an environment in order of creation: ended ones, the running one, waiting ones.
Result<std::vector<Machine>> request_machines(Unit& unit, const Id& environment);

// Queues the order, or merges it into a waiting one of the same author and action. Answers the request's id; nil if
// nothing is left to be done (all that was to be deleted was never deployed, or a forced event that no service has).
// Errors: not_found; conflict (a machine refuses; busy and the policy is reject), naming the service and the states
// allowed. An order for a whole environment includes the services that can go, and refuses only if it has services and
// none can. Deleting services that were never deployed removes them at once. An environment that is deleted as a whole
// goes, with all that is below it, when its request ends well; at once, if none of its services was ever deployed.
Result<Id> enqueue(Unit& unit, const Order& order);

// Cancels the running and the waiting requests of an environment, or one request of its queue.
// Errors: not_found; conflict if there is nothing to cancel.
Result<void> cancel_environment(Unit& unit, const Id& environment, CancelMode mode);
Result<void> cancel_request(Unit& unit, const Id& request, CancelMode mode);

// A cluster's deploy, dry_run, upgrade, restart, stop or remove. Guards that are no state (lock, provider, next
// version) are checked here.
Result<void> place_cluster(Unit& unit, const Id& cluster, Action action, std::string_view author);
Result<void> check_cluster(Unit& unit, const Id& cluster, Action action);  // these guards alone
Result<void> cancel_cluster(Unit& unit, const Id& cluster);

// What a service's or cluster's new record brings along: its machine in READY, NEVER_DEPLOYED, in its stage.
Machine new_service_machine(Unit& unit, const Record& record, std::uint32_t plan_flags, const Id& stage);
Machine new_cluster_machine(Unit& unit, const Record& record, std::uint32_t plan_flags);
Machine new_environment_machine(Unit& unit, const Record& record);
// In QUEUED; it begins with the next tick.
Machine new_task_machine(Unit& unit, const Record& record);

// An edit has reached this service or cluster: UP_TO_DATE becomes OUT_OF_DATE, and a deploy that runs now will end so
// too.
Result<void> touch(Unit& unit, const Id& subject);
Result<void> touch(Unit& unit, const Id& organization, Machine machine);

}  // namespace orlop
