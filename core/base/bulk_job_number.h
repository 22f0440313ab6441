// Number of the family of bulk jobs, which the engine uses directly.
#pragma once

#include "base/family_number.h"

namespace orlop {

inline constexpr FamilyNumber bulk_job_number = 1010;

}  // namespace orlop
