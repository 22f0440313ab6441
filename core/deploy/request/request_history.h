// The services of a request as they are when it ends ("stages", request_record.h). The history of a large request is
// made in a unit that only reads, before the unit that ends the request: its services do not change in between.
//
// The request's record holds up to history_part_max services. More are stored in records of family deployment_history
// below it. Ticks write these one after the other while the request still runs, so that no other writer waits for all
// of them; the tick that ends the request writes the last one. After a crash the missing parts are made again, for the
// services after those that the records name.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/id.h"
#include "base/instant.h"
#include "base/result.h"
#include "deploy/request/request_record.h"
#include "unit/unit.h"

namespace orlop {

inline constexpr std::size_t history_part_max = 1000;  // services of one record

struct RequestHistory {
  std::vector<std::string> parts;  // "stages" of at most history_part_max services each, in their order; at least one
  std::size_t stored = 0;          // number of the next record: parts before it are stored
  Instant ended_at;

  // Makes the history of the services that the request has moved or deleted, without those that stored parts name.
  // `expected`: estimated number of services, to reserve memory.
  static Result<RequestHistory> of(Unit& unit, const RequestBody& body, std::size_t expected = 0);
  // `rows`: the services that the request has moved, as they are in the unit.
  static Result<RequestHistory> of(Unit& unit, const RequestBody& body, const std::vector<Machine>& rows);
};

// Stores the first of several parts in a record below the request and removes it from `history`. Returns false if the
// record exists already; the history has to be made again.
Result<bool> store_history_part(Unit& unit, const Record& request, RequestHistory& history);

// Calls `act` with the "stages" of each part that is stored below a request, in their order; not at all if the history
// is in the request's own record.
Result<void> visit_history(Unit& unit, const Id& request,
                           const std::function<Result<void>(std::string_view stages)>& act);

// Erases the parts below a request; the caller erases the request.
Result<void> erase_history(Unit& unit, const Id& request);

}  // namespace orlop
