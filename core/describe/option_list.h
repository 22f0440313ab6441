// The options of options.def as text.
#pragma once

#include <string>

#include "base/options/option.h"

namespace orlop {

// Returns a JSON array with an object for each option, for `orlop serve` and bindings of other languages.
std::string options_json();
// Returns "Unit: builds. Default: 4. Bounds: 1 to 100000.", each part if the option has it. `is_c`: durations and
// instants as numbers.
std::string option_facts(const Option& option, bool is_c);

}  // namespace orlop
