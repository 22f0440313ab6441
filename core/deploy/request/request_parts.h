// Functions for making, canceling, running and ending a request: its record, its machine and its services.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "base/id.h"
#include "base/result.h"
#include "deploy/request/deployment_request.h"
#include "deploy/request/request_history.h"
#include "deploy/request/request_record.h"
#include "unit/unit.h"

namespace orlop {

struct StoredRequest {
  Machine machine;
  Record record;
  RequestBody body;
};

constexpr RequestState request_state(const Machine& request) { return static_cast<RequestState>(request.state); }
constexpr bool is_unfinished(const Machine& request) { return request_state(request) != RequestState::ended; }

// Reports whether the request has changed the service or will change it.
bool names(const StoredRequest& request, const Machine& service);

// Errors: not_found.
Result<StoredRequest> require_stored_request(Unit& unit, const Id& request);
Result<StoredRequest> stored_request(Unit& unit, Machine machine);

// Writes the machine into the unit, and the record if it has changed.
void put_request(Unit& unit, StoredRequest&& request);

void emit_request(Unit& unit, const StoredRequest& request, EventKind kind, ServiceState to, std::string detail = {});

// Returns the services of an environment, ascending by id.
Result<std::vector<Machine>> services_of(Unit& unit, const Id& environment);

// Reads the records and machines of these rows, where the store reads in batches.
Result<void> load_rows(Unit& unit, const std::vector<Machine>& rows);

// Returns the services that a request names, in any state; ascending by id.
Result<std::vector<Machine>> services_named(Unit& unit, const RequestBody& body);

// Returns the services that the request has changed or will change; ascending by id. `expected`: estimated number, to
// reserve memory.
Result<std::vector<Machine>> services_moved(Unit& unit, const RequestBody& body, std::size_t expected = 0);
// Visits the services of services_moved() without copying them, in any order. `visit` must not use the unit.
Result<void> visit_moved(Unit& unit, const RequestBody& body, const std::function<void(const Machine&)>& visit);

// Ends a request: writes result, times and history into the record, and updates the environment's machine.
Result<void> end_request(Unit& unit, StoredRequest&& request, ServiceState status);
// Ends a request whose complete history the caller has made.
Result<void> end_request(Unit& unit, StoredRequest&& request, ServiceState status, RequestHistory history);

// Sets the service to the action's *_QUEUED for the request, or to QUEUED if the request is held (holds.h). The state
// machine must allow it.
void enqueue_service(Unit& unit, const Id& organization, Machine service, const RequestBody& body,
                     bool is_held = false);

}  // namespace orlop
