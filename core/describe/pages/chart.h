// Generates python/orlop/generated/states.py: the states that a service or cluster leaves by itself, the failure
// states, and the drawing of each state in charts.
#pragma once

#include <string>

namespace orlop {

std::string python_states();

}  // namespace orlop
