// The options of options.def as a list for programs.
#pragma once

#include <string>

#include "base/options/option.h"

namespace orlop {

// For `orlop serve` and for bindings of other languages: a JSON list, an object for each option.
std::string options_json();
// "Unit: builds. Default: 4. Bounds: 1 to 100000.", each where there is one. `is_c`: durations and instants as numbers.
std::string option_facts(const Option& option, bool is_c);

}  // namespace orlop
