// What placing, cancelling, running and ending a request share: its two rows and the services it has.
#pragma once

#include <vector>

#include "base/id.h"
#include "base/result.h"
#include "deploy/request/request.h"
#include "deploy/request/request_record.h"
#include "ops/unit.h"

namespace orlop {

// A request as it is stored.
struct StoredRequest {
  Machine machine;
  Record record;
  RequestBody body;
};

constexpr RequestState request_state(const Machine& request) { return static_cast<RequestState>(request.state); }
constexpr bool is_unfinished(const Machine& request) { return request_state(request) != RequestState::ended; }

// Errors: not_found.
Result<StoredRequest> require_stored_request(Unit& unit, const Id& request);
Result<StoredRequest> stored_request(Unit& unit, Machine machine);

// Both rows go into the unit, the body as text.
void put_request(Unit& unit, StoredRequest request);

void emit_request(Unit& unit, const StoredRequest& request, EventKind kind, ServiceState to, std::string detail = {});

// The services of an environment, ascending by id.
Result<std::vector<Machine>> services_of(Unit& unit, const Id& environment);

// The services that the order of a request names, whatever they do now; ascending by id.
Result<std::vector<Machine>> services_named(Unit& unit, const RequestBody& body);

// Those that the request has moved, or is about to.
Result<std::vector<Machine>> services_moved(Unit& unit, const RequestBody& body);

// The end of a request: result, timings and history go into the record, the environment's row follows.
Result<void> end_request(Unit& unit, StoredRequest request, ServiceState status);

// Moves the service to the action's *_QUEUED for the request. The machine must accept it.
void enqueue_service(Unit& unit, const Id& organization, Machine service, const RequestBody& body);

}  // namespace orlop
