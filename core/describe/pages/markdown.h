// Pieces of pages in Markdown.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

namespace orlop {

// The head of every page: who wrote it, and its title.
std::string page_head(std::string_view title);
// Every cell in its place; bars inside a cell are escaped.
std::string table_row(std::initializer_list<std::string> cells);
std::string table_head(std::initializer_list<std::string> names);
std::string code(std::string_view text);
std::string link(std::string_view text, std::string_view target);
// "a cluster" is "A cluster".
std::string first_upper(std::string_view text);

}  // namespace orlop
