// Fields that name a time zone.
#pragma once

#include <string_view>

#include "model/family.h"

namespace orlop::shapes {

// Refuses a text that is not a time zone of the engine.
void check_time_zone(std::string_view zone, std::string_view field, const ValidationContext& context,
                     Violations& violations);

}  // namespace orlop::shapes
