// Sensitive outputs of jobs: records below the jobs, whose contents are sealed with the other secrets of a store.
#pragma once

#include <string_view>

#include "base/result.h"
#include "deploy/run/run.h"
#include "unit/unit.h"

namespace orlop {

// Stores the sensitive outputs of a run of the job; they replace those of an earlier run.
Result<void> store_sensitive_outputs(Unit& unit, const Id& job, std::string_view outputs);

// Puts them back into the outputs of the run's ended jobs, which come from the stored rows.
Result<void> restore_sensitive_outputs(Unit& unit, Run& run);

}  // namespace orlop
