// Numbers of the families of cron schedules and of job runs. The steps of a run have the configuration of its job.
#pragma once

#include "base/family_number.h"

namespace orlop {

inline constexpr FamilyNumber cron_schedule_number = 1033;
inline constexpr FamilyNumber job_run_number = 1032;

}  // namespace orlop
