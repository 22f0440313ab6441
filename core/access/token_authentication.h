// API tokens as text: "{brand}_", 256 random bits in 43 characters, and a checksum of 6, so that a token can be
// recognized, and a typing error detected, without a look-up.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace orlop {

// Makes a token from four random numbers of 64 bits.
std::string make_api_token(std::string_view brand, const std::array<std::uint64_t, 4>& random);

// Reports whether the text has the form of a token of any brand and a correct checksum. The brand is not compared: the
// engine may have had another one when it made the token.
bool is_api_token(std::string_view text);

}  // namespace orlop
