// Bytes as UTF-8.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace orlop {

bool is_utf8(std::string_view bytes);

// Returns the length of the sequence at the front of `bytes`, which must not be empty; 0 if it is malformed (overlong,
// a surrogate, over U+10FFFF).
std::size_t sequence_length(std::string_view bytes);

// Reports whether the UTF-8 text has a control character: U+0000 to U+001F, U+007F to U+009F.
bool has_control(std::string_view text);

// Replaces each byte that is not UTF-8 with U+FFFD.
std::string to_utf8(std::string_view bytes);

// Does the same within `bound` bytes, which must be 100 or more: cuts a longer text between characters and appends a
// mark such as "… [4464 more bytes]". The mark counts bytes of the given text, plus `left_out` bytes that the caller
// already removed behind it.
std::string bounded_text(std::string_view bytes, std::size_t bound, std::size_t left_out = 0);

// Returns the longest beginning of a UTF-8 text that has at most `size` bytes and ends with a whole character.
std::string_view beginning(std::string_view text, std::size_t size);

}  // namespace orlop
