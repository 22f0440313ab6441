// The services of a request as they are when it ends: the text that its record keeps ("stages", request.h). That of a large request is written before the unit that ends
// the request, in one that only reads: its services stay as they are until then.
#pragma once

#include <string>
#include <vector>

#include "base/instant.h"
#include "base/result.h"
#include "deploy/request/request_record.h"
#include "ops/unit/unit.h"

namespace orlop {

struct RequestHistory {
  std::string stages;
  Instant ended_at;

  // Of the services that the request has moved and those that it has deleted.
  static Result<RequestHistory> of(Unit& unit, const RequestBody& body);
  // `services`: those that it has moved, ascending by id, as they are in the unit.
  static Result<RequestHistory> of(Unit& unit, const RequestBody& body, const std::vector<Machine>& services);
};

}  // namespace orlop
