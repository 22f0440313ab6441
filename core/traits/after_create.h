// What a new record brings along besides itself.
#pragma once

#include "base/result.h"
#include "model/family.h"
#include "ops/unit.h"

namespace orlop {

// The `created` hook of a unit: create_record calls it for each record that it has put. An environment gets its machine and its
// default stages, a service its machine in its kind's stage, a cluster its machine, a deployment stage the last place of its
// environment. Other families: nothing.
Result<void> complete_creation(Unit& unit, const Family& family, const Record& record);

}  // namespace orlop
