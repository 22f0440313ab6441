// Effects of a record's change on services and clusters.
#pragma once

#include "base/result.h"
#include "model/family.h"
#include "unit/unit.h"

namespace orlop {

// Marks services and clusters OUT_OF_DATE according to Family::propagates. Call it for a record that was created or
// edited, and for one that is about to be deleted. The services and clusters depend only on the record's parent.
Result<void> propagate(Unit& unit, const Family& family, const Record& record);

}  // namespace orlop
