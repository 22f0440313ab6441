// Deployment requests: what the operations on environments, services and clusters ask of the engine. Each function works inside
// the unit of the operation: it moves machines to *_QUEUED, keeps the request, and wakes the environment or cluster.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/id.h"
#include "base/result.h"
#include "deploy/driver.h"
#include "lifecycle/state.h"
#include "ops/unit.h"

namespace orlop {

// Where a deployment request stands: Machine::state of its machine (family deployment_request_number).
enum class RequestState : std::uint8_t { waiting = 1, running = 2, canceling = 3, ended = 4 };

// Which event of a job is forced (query forceEvent of a job's deploy).
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

// Queues the order, or merges it into a waiting one of the same author and action. Answers the request's id.
// Errors: not_found; conflict (a machine refuses; busy and the policy is reject), naming the service and the states allowed.
// A whole environment takes along the services that can go, and refuses only if a request for it is impossible.
// Deleting services that were never deployed removes them at once.
Result<Id> place(Unit& unit, const Order& order);

// Cancels the running request and the waiting ones of an environment, or one request of its queue.
// Errors: not_found; conflict if there is nothing to cancel.
Result<void> cancel_environment(Unit& unit, const Id& environment, CancelMode mode);
Result<void> cancel_request(Unit& unit, const Id& request, CancelMode mode);

// A cluster's deploy, dry_run, upgrade, restart, stop or remove. Guards that are no state (lock, provider, next version) are checked here.
Result<void> place_cluster(Unit& unit, const Id& cluster, Action action, std::string_view author);
Result<void> cancel_cluster(Unit& unit, const Id& cluster);

// What a service's or cluster's new record brings along: its machine in READY, NEVER_DEPLOYED, in its stage.
Machine new_service_machine(Unit& unit, const Record& record, std::uint32_t traits, const Id& stage);
Machine new_cluster_machine(Unit& unit, const Record& record, std::uint32_t traits);
Machine new_environment_machine(Unit& unit, const Record& record);

// An edit has reached this service or cluster: UP_TO_DATE becomes OUT_OF_DATE, and a deploy that runs now will end so too.
Result<void> touch(Unit& unit, const Id& subject);

// The catalogue of Kubernetes versions: the version after `version` that a cluster can be upgraded to; "" if it is the newest.
std::string_view next_cluster_version(std::string_view version);
// The version a new cluster gets.
std::string_view default_cluster_version();

}  // namespace orlop
