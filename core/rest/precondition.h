// Optimistic concurrency control: the ETag of a resource, and the header If-Match of a write. The tag is the revision
// of the stored record. Computed members of an answer, such as counts, names of other resources and states, do not
// change it.
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

// Returns the ETag, such as "\"5\"".
std::string etag_of(std::uint64_t revision);

// Condition of a header If-Match: the last resource of the path has one of these revisions.
struct Precondition {
  bool is_any = false;  // `*`: the resource exists
  std::vector<std::uint64_t> revisions;
};

// Returns nullopt without the header. Errors: invalid.
Result<std::optional<Precondition>> precondition_of(const Request& request);

// Checks the precondition. Accepts a resource that does not exist, which the handler refuses. Errors:
// precondition_failed.
Result<void> require_precondition(Unit& unit, const Route& route, const Call& call, const Precondition& precondition);

}  // namespace orlop
