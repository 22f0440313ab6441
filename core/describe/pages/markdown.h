// Parts of Markdown pages.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

namespace orlop {

// Returns the head of every page: a note that it is generated, and its title.
std::string page_head(std::string_view title);
// Returns a row of a table; bars inside a cell are escaped.
std::string table_row(std::initializer_list<std::string> cells);
std::string table_head(std::initializer_list<std::string> names);
std::string code(std::string_view text);
std::string link(std::string_view text, std::string_view target);
// Returns "A cluster" for "a cluster".
std::string first_upper(std::string_view text);

}  // namespace orlop
