// The families of the schedules of cron jobs, and of their runs, whose steps have the configuration of their job.
#pragma once

#include "base/family_number.h"

namespace orlop {

inline constexpr FamilyNumber cron_schedule_number = 1033;
inline constexpr FamilyNumber job_run_number = 1032;

}  // namespace orlop
