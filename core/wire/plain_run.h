// The letters that stand for themselves in a JSON string, eight at a time.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

namespace orlop {

// The first byte from `at` on that is no printable ASCII, a quote or a backslash; `end` if there is none.
inline const char* skip_plain(const char* at, const char* end) {
  constexpr std::uint64_t each = 0x0101010101010101ULL;
  while (end - at >= 8) {
    std::uint64_t letters = 0;
    std::memcpy(&letters, at, 8);
    // The highest bit of a byte of each term: it is less than a space, a quote, a backslash, or no ASCII. A borrow from another byte can
    // only come from one that is found already.
    const std::uint64_t found = ((letters - each * 0x20) | ((letters ^ each * '"') - each) | ((letters ^ each * '\\') - each) | letters) & each * 0x80;
    if (found == 0) {
      at += 8;
      continue;
    }
    if constexpr (std::endian::native == std::endian::little) return at + std::countr_zero(found) / 8;  // the first, which no borrow has made
    break;
  }
  while (at != end) {
    const auto letter = static_cast<unsigned char>(*at);
    if (letter < 0x20 || letter >= 0x80 || letter == '"' || letter == '\\') break;
    ++at;
  }
  return at;
}

}  // namespace orlop
