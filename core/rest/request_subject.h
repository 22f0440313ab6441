// The resource that a request is about, in whose scope the caller's permission is checked.
#pragma once

#include <optional>

#include "base/result.h"
#include "rest/route.h"
#include "unit/operation.h"
#include "unit/unit.h"

namespace orlop {

// Returns the last existing resource that the path names, else the query, else the body (Family::parent_field); null if
// none exists.
Result<Shared<Record>> subject_of(Unit& unit, const Route& route, const Call& call);

// Reports whether the route requires a subject: every write, except the creation of a root and operations with
// Operation::has_no_subject.
bool needs_subject(const Route& route);

// Makes the error of a call without a subject: not_found for the resource that it names, invalid or forbidden if it
// names none.
Error no_subject(const Route& route, const Call& call);

}  // namespace orlop
