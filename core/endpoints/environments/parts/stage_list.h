// Deployment stages of an environment as an ordered list.
#pragma once

#include <string_view>
#include <vector>

#include "base/id.h"
#include "base/result.h"
#include "endpoints/environments/parts/ordered_records.h"
#include "unit/operation.h"
#include "unit/unit.h"

namespace orlop {

using Stage = OrderedRecord;

const Family& stage_family();
OrderedFamily ordered_stages();

// Returns the stages in order. Of two with the same position, the older comes first.
Result<std::vector<Stage>> stages_of(Unit& unit, const Id& environment);

// Numbers the stages 0..n-1 in the order of the vector, and puts those whose number changes.
void renumber(Unit& unit, std::vector<Stage>& stages);

// Appends a new stage of this name; returns its id.
Result<Id> add_stage(Unit& unit, const Id& environment, std::string_view name);

// Returns {"results": [...]} of the environment's stages in order.
Result<Answer> answer_stages(Unit& unit, const Call& call, const Id& environment);

}  // namespace orlop
