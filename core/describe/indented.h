// JSON for people: one member in a line, but what fits into one line stays in one.
#pragma once

#include <string>

#include "model/value.h"

namespace orlop {

// Ends with a line feed.
std::string indented_json(const Value& value);

}  // namespace orlop
