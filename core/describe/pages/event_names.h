// Generates python/orlop/generated/event_names.py: the kinds of events, and the values of their `from` and `to`.
#pragma once

#include <string>

namespace orlop {

std::string python_event_names();

}  // namespace orlop
