// Bytes as UTF-8.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace orlop {

bool is_utf8(std::string_view bytes);

// The length of the sequence at the front of `bytes`, which are not empty; 0 if it is not well formed (overlong, a
// surrogate, over U+10FFFF).
std::size_t sequence_length(std::string_view bytes);

// Whether the text, in UTF-8, has a control character: U+0000 to U+001F, U+007F to U+009F.
bool has_control(std::string_view text);

// The same text; bytes that are no UTF-8 become U+FFFD, one for each byte.
std::string to_utf8(std::string_view bytes);

// The same within `bound` bytes, which must be 100 or more: a longer text is cut at a character and ends in a mark such
// as "… [4464 more bytes]", which counts bytes of the given text, and those that were left out behind it.
std::string bounded_text(std::string_view bytes, std::size_t bound, std::size_t left_out = 0);

// The beginning of a text in UTF-8, at most so many bytes of it, that ends with a character.
std::string_view beginning(std::string_view text, std::size_t size);

}  // namespace orlop
