// Deployment requests in the form of answers. Their machines hold most of it; a request's body is read only where
// necessary, since the body of an ended request lists every service.
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

// Waiting request, with the services that it will queue when it begins. Services already queued refer to their request.
struct WaitingRequest {
  RequestBody body;
  std::unordered_set<Id> following;
};

struct RequestsView {
  Id environment;
  std::vector<Machine> machines;  // in the order of creation
  std::vector<WaitingRequest> waiting;
  std::optional<Instant> pending_mark;  // records/variables/reach.h

  // Returns the running request, else the head of the queue, else the last that ended; null if there was none.
  const Machine* current() const;
  const WaitingRequest* find_waiting(const Id& request) const;
  bool concerns(const Machine& request, const Machine& service) const;
  std::int64_t count_unfinished(const Machine& service) const;
};

Result<RequestsView> view_requests(Unit& unit, const Id& environment);

inline RequestState state_of_request(const Machine& request) { return static_cast<RequestState>(request.state); }
// Reports whether the request is in the queue of its environment.
inline bool is_waiting(const Machine& request) {
  return state_of_request(request) == RequestState::waiting || state_of_request(request) == RequestState::queuing;
}

// Error not_found if it does not exist.
Result<Machine> require_request(Unit& unit, const Id& id);
Result<RequestBody> body_of_request(Unit& unit, const Id& id);

}  // namespace orlop
