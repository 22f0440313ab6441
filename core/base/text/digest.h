// Hashes and comparisons of secrets.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace orlop {

using Digest = std::array<std::uint8_t, 32>;

// SHA-256 (FIPS 180-4).
Digest sha256(std::string_view text);
// HMAC with SHA-256 (RFC 2104).
Digest hmac_sha256(std::string_view key, std::string_view text);

inline std::string_view text_of(const Digest& digest) {
  return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}
// Returns two lower-case digits for each byte.
std::string to_hex(const Digest& digest);

// Takes the same time for all texts of the same size.
bool is_equal_in_constant_time(std::string_view left, std::string_view right);

}  // namespace orlop
