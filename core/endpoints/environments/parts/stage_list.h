// The deployment stages of an environment as an ordered list.
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

// In their order. Where two claim one place, the older comes first.
Result<std::vector<Stage>> stages_of(Unit& unit, const Id& environment);

// Numbers the stages 0..n-1 as they stand here, and puts those whose number changes.
void renumber(Unit& unit, std::vector<Stage>& stages);

// Puts a new stage of this name at the end; answers its id.
Result<Id> add_stage(Unit& unit, const Id& environment, std::string_view name);

// {"results": [...]} of the environment's stages in their order.
Result<Answer> answer_stages(Unit& unit, const Call& call, const Id& environment);

}  // namespace orlop
