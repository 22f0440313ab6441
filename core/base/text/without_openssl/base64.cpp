#include "base/text/base64.h"

#include <cstddef>

namespace orlop {
namespace {

constexpr std::string_view base64_alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

}  // namespace

std::string to_base64(std::span<const std::uint8_t> bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const std::size_t given = bytes.size() - at < 3 ? bytes.size() - at : 3;
    std::uint32_t group = 0;
    for (std::size_t byte = 0; byte < 3; ++byte) group = group << 8 | (byte < given ? bytes[at + byte] : 0U);
    for (std::size_t letter = 0; letter < 4; ++letter)
      text += letter <= given ? base64_alphabet[group >> (18 - 6 * letter) & 63] : '=';
  }
  return text;
}

std::optional<std::string> parse_base64(std::string_view text) {
  if (text.ends_with('=') && text.size() % 4 != 0) return std::nullopt;
  for (int count = 0; count < 2 && text.ends_with('='); ++count) text.remove_suffix(1);
  if (text.size() % 4 == 1) return std::nullopt;
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3 + 3);
  std::uint32_t held = 0;
  int bits = 0;
  for (const char letter : text) {
    const std::size_t value = base64_alphabet.find(letter);
    if (value == std::string_view::npos) return std::nullopt;
    held = (held << 6 | static_cast<std::uint32_t>(value)) & 0xFFFF;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes += static_cast<char>(held >> bits & 0xFF);
  }
  return bytes;
}

}  // namespace orlop
