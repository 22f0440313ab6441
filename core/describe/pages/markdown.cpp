#include "describe/pages/markdown.h"

#include "describe/words.h"

namespace orlop {

std::string page_head(std::string_view title) {
  return "<!-- Generated from the descriptions of the core: do not edit. -->\n# " + std::string(title) + "\n";
}

std::string table_row(std::initializer_list<std::string> cells) {
  std::string row = "|";
  for (const std::string& cell : cells) {
    row += ' ';
    for (const char letter : cell) {
      if (letter == '|') row += '\\';
      row += letter;
    }
    row += cell.empty() ? "|" : " |";
  }
  return row + "\n";
}

std::string table_head(std::initializer_list<std::string> names) {
  std::string rule = "|";
  for (std::size_t count = 0; count < names.size(); ++count) rule += "---|";
  return table_row(names) + rule + "\n";
}

std::string code(std::string_view text) { return "`" + std::string(text) + "`"; }

std::string link(std::string_view text, std::string_view target) {
  return "[" + std::string(text) + "](" + std::string(target) + ")";
}

std::string first_upper(std::string_view text) {
  return text.empty() ? "" : upper_case(text.substr(0, 1)) + std::string(text.substr(1));
}

}  // namespace orlop
