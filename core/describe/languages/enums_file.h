// Generates include/orlop/enums.h: the core's numbers for C.
#pragma once

#include <string>

namespace orlop {

std::string enums_header();

}  // namespace orlop
