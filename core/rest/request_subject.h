// The resource that a request is about: where the caller's permission is checked.
#pragma once

#include <optional>

#include "base/result.h"
#include "rest/route.h"
#include "unit/operation.h"
#include "unit/unit.h"

namespace orlop {

// The last resource that is there of those that the path names, else the query, else the body (Family::parent_field).
// Nothing if none is.
Result<Shared<Record>> subject_of(Unit& unit, const Route& route, const Call& call);

// Whether a caller must not call the route without a subject: every write, but for the creation of a root and
// Operation::has_no_subject.
bool needs_subject(const Route& route);

// The error of such a call: not_found for the resource that it names, invalid or forbidden if it names none.
Error no_subject(const Route& route, const Call& call);

}  // namespace orlop
