// What can be done with a resource that was created just now, for those who walk through the interface by its
// description.
#pragma once

#include "model/value.h"
#include "rest/route.h"

namespace orlop {

// The links of the answer to a create: every operation whose path ends with the new resource's id, and where its
// parameters come from.
Value links_of(const Route& create);

}  // namespace orlop
