// A variable that comes, changes or goes puts every deployed service that sees it OUT_OF_DATE.
//
// The unit of the change marks the first reached_at_once_max services itself. The others are left to a job (ops/jobs/job.h) below the owner
// of the variable, so that no writer waits for a project with ten thousand services.
#pragma once

#include <cstddef>

#include "base/result.h"
#include "ops/jobs/job.h"
#include "ops/unit/unit.h"

namespace orlop {

inline constexpr std::size_t reached_at_once_max = 500;  // services that the commit of the change marks

// `owner`: the project, environment or service in which the variable lies.
Result<void> mark_reached(Unit& unit, const Record& owner);

// Marks the next services of this job; true if it was the last part.
Result<bool> mark_part(Unit& unit, JobPart job);

}  // namespace orlop
