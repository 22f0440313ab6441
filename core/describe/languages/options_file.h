// What follows from options.def outside of the core: headers for C and C++, and the arguments in Python.
#pragma once

#include <string>

#include "base/options/option.h"
#include "describe/option_list.h"

namespace orlop {

// include/orlop/options.h and options.hpp.
std::string options_header();
std::string options_face();
// python/orlop/generated/options.py.
std::string python_options();

// The member of orlop_options that holds the option: its name, with the unit last.
std::string member_of(const Option& option);
// Columns of the lines that are written.
constexpr std::size_t header_line_width = 120;
constexpr std::size_t python_line_width = 120;

// A literal of C++ and Python.
std::string quoted(std::string_view text);
// Words in lines of at most `width` bytes, each after `prefix`.
std::string wrapped(std::string_view text, std::string_view prefix, std::size_t width);

}  // namespace orlop
