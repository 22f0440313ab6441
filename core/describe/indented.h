// Indented JSON: one member on each line, except that short values stay on one line.
#pragma once

#include <string>

#include "model/value.h"

namespace orlop {

// The text ends in a line feed.
std::string indented_json(const Value& value);

}  // namespace orlop
