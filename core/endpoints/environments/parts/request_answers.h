// Deployment requests as the answers show them. Machines hold most of it; a request's body is read only where it must
// be, since that of one that ended lists every service.
#pragma once

#include <optional>
#include <unordered_set>
#include <vector>

#include "base/id.h"
#include "base/result.h"
#include "deploy/request/deployment_request.h"
#include "deploy/request/request_record.h"
#include "lifecycle/state.h"
#include "unit/unit.h"

namespace orlop {

// A request that waits, with the services that it will queue when it begins; those that it has queued name it
// themselves.
struct WaitingRequest {
  RequestBody body;
  std::unordered_set<Id> following;
};

struct RequestsView {
  Id environment;
  std::vector<Machine> machines;  // in the order they were asked for
  std::vector<WaitingRequest> waiting;
  std::optional<Instant> pending_mark;  // records/variables/reach.h

  // The one that runs, else the head of the queue, else the last that ended; nullptr: there never was one.
  const Machine* current() const;
  const WaitingRequest* find_waiting(const Id& request) const;
  bool concerns(const Machine& request, const Machine& service) const;
  std::int64_t count_unfinished(const Machine& service) const;
};

Result<RequestsView> view_requests(Unit& unit, const Id& environment);

inline RequestState state_of_request(const Machine& request) { return static_cast<RequestState>(request.state); }
// In the queue of its environment.
inline bool is_waiting(const Machine& request) {
  return state_of_request(request) == RequestState::waiting || state_of_request(request) == RequestState::queuing;
}

// Errors: not_found.
Result<Machine> require_request(Unit& unit, const Id& id);
Result<RequestBody> body_of_request(Unit& unit, const Id& id);

}  // namespace orlop
