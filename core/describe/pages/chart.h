// python/orlop/generated/states.py: which states a service or cluster leaves by itself, which ones are failures, and
// how charts draw each.
#pragma once

#include <string>

namespace orlop {

std::string python_states();

}  // namespace orlop
