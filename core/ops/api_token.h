// API tokens as text: "{brand}_", 256 random bits in 43 letters, and a checksum of 6, so that a token can be told from other text, and a
// mistyped one from a foreign one, without asking anybody.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace orlop {

// From four draws of 64 bits.
std::string make_api_token(std::string_view brand, const std::array<std::uint64_t, 4>& random);

// Whether the text has the form of this brand's tokens and the right checksum.
bool is_api_token(std::string_view text, std::string_view brand);

}  // namespace orlop
