// Comparison of texts without regard to case: Unicode's simple case folding.
#pragma once

#include <string>
#include <string_view>

namespace orlop {

// Appends the text with its case folded: two texts are equal without regard to case if their folded forms are equal.
// Bytes that are not UTF-8 stay. The length may change.
void append_folded(std::string& out, std::string_view text);
std::string fold_case(std::string_view text);

}  // namespace orlop
