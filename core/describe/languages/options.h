// What follows from options.def outside of the core: headers for C and C++, the arguments in Python, and a list for programs.
#pragma once

#include <string>

#include "base/options/option.h"

namespace orlop {

// include/orlop/options.h and options.hpp.
std::string options_header();
std::string options_face();
// python/orlop/options.py.
std::string python_options();
// For `orlop serve` and for bindings of other languages: a JSON list, an object for each option.
std::string options_json();

// "Unit: builds. Default: 4. Bounds: 1 to 100000.", each where there is one. `is_c`: durations and instants as numbers.
std::string option_facts(const Option& option, bool is_c);
// The member of orlop_options that holds the option: its name, with the unit last.
std::string member_of(const Option& option);
// Words in lines of at most `width` bytes, each after `prefix`.
std::string wrapped(std::string_view text, std::string_view prefix, std::size_t width);

}  // namespace orlop
