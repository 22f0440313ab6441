// What a change of a record means for the services and clusters around it.
#pragma once

#include "base/result.h"
#include "model/family.h"
#include "unit/unit.h"

namespace orlop {

// Marks the services and clusters OUT_OF_DATE that the family says (Family::propagates). Called for a record that was
// created or edited, and for one that is about to be deleted. Which of them are marked depends on the record's parent
// only.
Result<void> propagate(Unit& unit, const Family& family, const Record& record);

}  // namespace orlop
