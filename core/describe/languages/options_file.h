// Generated code for options.def outside of the core: headers for C and C++, and the arguments in Python.
#pragma once

#include <string>

#include "base/options/option.h"
#include "describe/option_list.h"

namespace orlop {

// Generate include/orlop/options.h and options.hpp.
std::string options_header();
std::string options_face();
// Generates python/orlop/generated/options.py.
std::string python_options();

// Returns the option's member of orlop_options: its name, with the unit last.
std::string member_of(const Option& option);
// Widths of generated lines, in columns.
constexpr std::size_t header_line_width = 120;
constexpr std::size_t python_line_width = 120;

// Returns a literal for C++ and Python.
std::string quoted(std::string_view text);
// Wraps the text into lines of at most `width` bytes, each with `prefix`.
std::string wrapped(std::string_view text, std::string_view prefix, std::size_t width);

}  // namespace orlop
