// Links of OpenAPI from a created resource to further operations, for clients that follow the description.
#pragma once

#include "model/value.h"
#include "rest/route.h"

namespace orlop {

// Returns the links of the answer to a create: every operation whose last path parameter is the new resource's id, and
// the sources of its parameters.
Value links_of(const Route& create);

}  // namespace orlop
