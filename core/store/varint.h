// Variable-length integers (LEB128): seven bits per byte, lowest first; the highest bit of a byte is set if another
// follows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace orlop {

inline constexpr std::size_t varint_size_max = 10;  // bytes of a 64-bit number

// Returns the end of the number.
inline char* put_varint(char* to, std::uint64_t number) {
  for (; number >= 128; number >>= 7) *to++ = static_cast<char>(number | 128);
  *to++ = static_cast<char>(number);
  return to;
}
inline void put_varint(std::string& out, std::uint64_t number) {
  char bytes[varint_size_max];
  out.append(bytes, static_cast<std::size_t>(put_varint(bytes, number) - bytes));
}

// Advances `from` past the number.
inline std::uint64_t take_varint(const char*& from) {
  std::uint64_t number = 0;
  for (unsigned shift = 0;; shift += 7) {
    const auto byte = static_cast<std::uint8_t>(*from++);
    number |= std::uint64_t{byte & 127U} << shift;
    if (byte < 128) return number;
  }
}

}  // namespace orlop
