// Queuing the services of a large request in several commits.
//
// A request of up to queued_at_once_max services is queued in one commit. A larger one is stored in the state
// `queuing`, with the list of its services, and a job of the engine (endpoints/bulk_jobs.h) queues them, one part for
// each commit; the request's machine counts them (`progress`). Where a whole environment has many services and no other
// request, the list is of all of them, and each part decides about those that it comes to. The operation that made the
// request waits for the job before it is answered; after a crash the ticks continue it. The request waits in its
// environment's queue from its first commit on, but does not begin before its last service is queued. Whatever decides
// about the requests of the environment meanwhile (another request, a cancel) waits for the job and is then tried
// again, so that nothing is decided about a request that is queued in part.
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

inline constexpr std::size_t queued_at_once_max = 1000;  // services that the commit of a request queues
inline constexpr std::size_t queued_by_commit = 1000;    // services that one commit queues of a larger request at most

// Whether an environment has so many services that what is made of them, such as its status, is read when the commit of
// a request is over.
Result<bool> has_many_services(Unit& unit, const Id& environment);
// Whether a request names so many, or all services of such an environment.
Result<bool> has_many_services(Unit& unit, const RequestBody& body);

// Whether a request is about this service of its environment, which may not allow the action.
bool is_meant(const Machine& service, const RequestBody& body);

// The services of an environment whose family is wanted, ascending by id. Their machines are not read: a large
// environment is worked on in parts, which read those of theirs.
Result<std::vector<Id>> service_ids(Unit& unit, const Id& environment, bool (*is_wanted)(FamilyNumber) = is_service);

// Queues these services in this unit.
Result<void> queue_now(Unit& unit, const StoredRequest& request, std::vector<Machine> services);

// Leaves these services, ascending by id, to later commits. The caller stores the request.
void begin_queuing(Unit& unit, StoredRequest& request, std::vector<Id> services);

// The request of the part before, so that not every part reads its long list. To be dropped when a part was not
// committed.
struct QueuedBefore {
  std::optional<StoredRequest> request;
  std::uint64_t revision = 0;  // that the part has given to the request's machine
};

// Queues the next services of a request in the state `queuing`; true if they were the last ones. A service that was
// deleted meanwhile is left out.
Result<bool> queue_part(Unit& unit, const Machine& request, QueuedBefore& before);

// Error conflict while one of the requests is being queued; the unit then waits for its job (Unit::wait_for).
Result<void> require_queued(Unit& unit, const std::vector<Machine>& requests);

// The plan is made from the stages and flags of the services at the time when they were queued. This makes it those of
// now, for at most `limit` services whose values have changed since; true if no other one has changed.
Result<bool> capture(Unit& unit, std::vector<Machine>& services, std::size_t limit);
// The same in two units: the first reads which services have changed, at most `limit`, the second writes them.
Result<std::vector<Id>> not_captured(Unit& unit, const std::vector<Machine>& services, std::size_t limit);
Result<void> capture(Unit& unit, const std::vector<Id>& services);

}  // namespace orlop
