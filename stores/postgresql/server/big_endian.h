// Big-endian numbers: the server's byte order, and that of the library's packed data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

namespace orlop::postgresql {

template <typename Number>
void append_number(std::string& out, Number value) {
  using Bits = std::make_unsigned_t<Number>;
  char bytes[sizeof value];
  for (std::size_t at = 0; at < sizeof value; ++at)
    bytes[at] = static_cast<char>(static_cast<Bits>(value) >> (8 * (sizeof value - 1 - at)));
  out.append(bytes, sizeof value);
}

// Reads all bytes; 8 at most.
inline std::uint64_t number_of(std::string_view bytes) {
  std::uint64_t value = 0;
  for (const char byte : bytes) value = value << 8 | static_cast<std::uint8_t>(byte);
  return value;
}

}  // namespace orlop::postgresql
