// Copies of variables, for clones of services and environments.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/result.h"
#include "ops/unit/unit.h"
#include "ops/variables/visible.h"

namespace orlop {

// What is copied, and to where: the owners above both, of the same depth.
struct VariableCopy {
  VariableOwners source;
  VariableOwners copy;
  bool is_in_parts = false;  // others may have written there since the first part: a key that is taken is left out
};
Result<VariableCopy> variable_copy(Unit& unit, const Record& source, const Record& copy);

// Which variables of an owner one call copies: so many behind this one.
struct CopyRange {
  Id after = {};
  std::size_t limit = SIZE_MAX;
};
struct CopiedVariables {
  bool has_sibling_links = false;
  Id last;  // of the variables, behind which there are more; nil: all are copied
};

// Copies the variables that lie in the nearest owner of `source` itself to that of `copy`. Aliases and overrides name the copies of what they named, and are copied
// by the call that reaches the last variable. Left to copy_sibling_links(): aliases and overrides of built-ins of other services, which may not have been copied yet.
Result<CopiedVariables> copy_variables(Unit& unit, const VariableCopy& places, const CopyRange& range = {});

// The rest, once all services are copied. What names a service that has no copy of its name there is left out.
Result<void> copy_sibling_links(Unit& unit, const VariableCopy& places);

}  // namespace orlop
