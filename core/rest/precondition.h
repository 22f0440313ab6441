// Optimistic concurrency control: the ETag of a resource, and the header If-Match of a write. The tag is the revision
// of the stored record: what the engine computes for an answer, such as counts, names of other resources and states, is
// not part of it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "rest/exchange.h"
#include "rest/route.h"
#include "unit/unit.h"

namespace orlop {

// "\"5\""
std::string etag_of(std::uint64_t revision);

// The condition of a header If-Match: that the last resource which the path names has one of these revisions.
struct Precondition {
  bool is_any = false;  // `*`: it exists
  std::vector<std::uint64_t> revisions;
};

// Nothing without the header. Errors: invalid.
Result<std::optional<Precondition>> precondition_of(const Request& request);

// A resource that does not exist is left to the handler. Errors: precondition_failed.
Result<void> require_precondition(Unit& unit, const Route& route, const Call& call, const Precondition& precondition);

}  // namespace orlop
