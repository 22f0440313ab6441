// python/orlop/generated/event_names.py: the kinds of events, and what their `from` and `to` can be.
#pragma once

#include <string>

namespace orlop {

std::string python_event_names();

}  // namespace orlop
