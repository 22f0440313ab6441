// The sensitive outputs of jobs: records of their own below the jobs, whose contents are sealed with the other secrets
// of a store.
#pragma once

#include <string_view>

#include "base/result.h"
#include "deploy/run/run.h"
#include "unit/unit.h"

namespace orlop {

// Stores those among the outputs of a run of the job, in the place of those of an earlier run.
Result<void> store_sensitive_outputs(Unit& unit, const Id& job, std::string_view outputs);

// Puts them back into the outputs of the jobs that the run has behind it, which are those of the stored rows.
Result<void> restore_sensitive_outputs(Unit& unit, Run& run);

}  // namespace orlop
