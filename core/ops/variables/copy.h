// Copies of variables, for clones of services and environments.
#pragma once

#include "base/result.h"
#include "ops/unit/unit.h"
#include "ops/variables/visible.h"

namespace orlop {

// What is copied, and to where: the owners above both, of the same depth.
struct VariableCopy {
  VariableOwners source;
  VariableOwners copy;
};
Result<VariableCopy> variable_copy(Unit& unit, const Record& source, const Record& copy);

// Copies the variables that lie in the nearest owner of `source` itself to that of `copy`. Aliases and overrides name the copies of what they named.
// Left to copy_sibling_links(): aliases and overrides of built-ins of other services, which may not have been copied yet. True: there are some.
Result<bool> copy_variables(Unit& unit, const VariableCopy& places);

// The rest, once all services are copied. What names a service that has no copy of its name there is left out.
Result<void> copy_sibling_links(Unit& unit, const VariableCopy& places);

}  // namespace orlop
