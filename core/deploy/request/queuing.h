// Queuing the services of a large request in several commits.
//
// A request of up to queued_at_once_max services is queued in one commit. A larger one is stored in the state
// `queuing`, with the list of its services, and a job of the engine (endpoints/bulk_jobs.h) queues them, one part for
// each commit; the request's machine counts them (`progress`). For a whole environment with many services and no other
// request, the list has all of them, and each part decides which to queue. The operation that made the request waits
// for the job before it returns; after a crash the ticks continue it. The request has its position in the environment's
// queue from its first commit on, but does not begin before its last service is queued. An operation that decides about
// requests of the environment meanwhile (another request, a cancel) waits for the job and is then tried again, so that
// it never sees a request that is queued in part.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/result.h"
#include "deploy/request/request_parts.h"
#include "model/registry.h"
#include "unit/unit.h"

namespace orlop {

inline constexpr std::size_t queued_at_once_max = 1000;  // services queued in the commit of the request
inline constexpr std::size_t queued_by_commit = 1000;    // services of a larger request queued in one commit, at most

// Reports whether an environment has more than queued_at_once_max services. Values computed from these, such as its
// status, are read after the commit of a request.
Result<bool> has_many_services(Unit& unit, const Id& environment);
// Reports whether a request names more than queued_at_once_max services, or all services of such an environment.
Result<bool> has_many_services(Unit& unit, const RequestBody& body);

// Reports whether a request includes this service of its environment; the service may still not allow the action.
bool is_meant(const Machine& service, const RequestBody& body);

// Returns the services of an environment whose family is wanted, ascending by id. Reads no machines: a large
// environment is processed in parts, which read their own.
Result<std::vector<Id>> service_ids(Unit& unit, const Id& environment, bool (*is_wanted)(FamilyNumber) = is_service);

// Queues these services in this unit.
Result<void> queue_now(Unit& unit, const StoredRequest& request, std::vector<Machine> services);

// Leaves these services, ascending by id, to later commits. The caller stores the request.
void begin_queuing(Unit& unit, StoredRequest& request, std::vector<Id> services);

// Request of the previous part, so that not every part reads its long list. The caller drops it when a part was not
// committed.
struct QueuedBefore {
  std::optional<StoredRequest> request;
  std::uint64_t revision = 0;  // revision of the request's machine after that part
};

// Queues the next services of a request in the state `queuing`, without those deleted meanwhile. Returns true if they
// were the last ones.
Result<bool> queue_part(Unit& unit, const Machine& request, QueuedBefore& before);

// Error conflict while one of the requests is being queued; the unit then waits for its job (Unit::wait_for).
Result<void> require_queued(Unit& unit, const std::vector<Machine>& requests);

// Updates the stages and flags that the plan uses, which services get when they are queued, to the current ones. Writes
// at most `limit` services; returns true if no other one has changed.
Result<bool> capture(Unit& unit, std::vector<Machine>& services, std::size_t limit);
// capture() in two units: the first returns at most `limit` services that have changed, the second writes them.
Result<std::vector<Id>> not_captured(Unit& unit, const std::vector<Machine>& services, std::size_t limit);
Result<void> capture(Unit& unit, const std::vector<Id>& services);

}  // namespace orlop
