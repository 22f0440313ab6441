// Base64 (RFC 4648, the alphabet with + and /).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace orlop {

// Encodes with padding (=).
std::string to_base64(std::span<const std::uint8_t> bytes);
// Decodes with or without padding; returns nullopt for any other text.
std::optional<std::string> parse_base64(std::string_view text);

}  // namespace orlop
