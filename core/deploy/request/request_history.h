// The services of a request as they are when it ends ("stages", request.h). That of a large request is made before the
// unit that ends the request, in one that only reads: its services stay as they are until then.
//
// Up to history_part_max services stand in the request's record. More are stored in records of family
// deployment_history below it, which ticks write one after the other while the request still runs, so that no other
// writer waits for all of them. The last one is written by the tick that ends the request. After a crash what is left
// is made again, for the services behind those that the records name.
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
  std::size_t stored = 0;          // numbers of records that are given, to parts in front of these
  Instant ended_at;

  // Of the services that the request has moved and those that it has deleted, but for those that records name already.
  // `expected`: how many they perhaps are, for the memory.
  static Result<RequestHistory> of(Unit& unit, const RequestBody& body, std::size_t expected = 0);
  // `rows`: the services that it has moved, as they are in the unit.
  static Result<RequestHistory> of(Unit& unit, const RequestBody& body, const std::vector<Machine>& rows);
};

// Stores the first of several parts in a record below the request and takes it out of the history. False: there is one
// already, so that the history is to be made again.
Result<bool> store_history_part(Unit& unit, const Record& request, RequestHistory& history);

// Calls `act` with the "stages" of each part that is stored below a request, in their order. None: its history stands
// in its own record.
Result<void> visit_history(Unit& unit, const Id& request,
                           const std::function<Result<void>(std::string_view stages)>& act);

// Erases what is stored below a request that is erased itself.
Result<void> erase_history(Unit& unit, const Id& request);

}  // namespace orlop
