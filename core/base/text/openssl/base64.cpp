// As in digest.cpp, which is compiled together with this file.
#define OPENSSL_SUPPRESS_DEPRECATED

#include "base/text/base64.h"

#include <openssl/evp.h>

#include <algorithm>
#include <cstddef>

namespace orlop {
namespace {

// OpenSSL counts in int. Number of groups of three bytes, each encoded in four letters.
constexpr std::size_t groups_at_once = std::size_t{1} << 28;

const unsigned char* start_of(std::string_view text) { return reinterpret_cast<const unsigned char*>(text.data()); }

// OpenSSL ignores blanks at both ends, and accepts = anywhere.
bool is_letter(char given) {
  return (given >= 'A' && given <= 'Z') || (given >= 'a' && given <= 'z') || (given >= '0' && given <= '9') ||
         given == '+' || given == '/';
}

// Appends the bytes of groups of four letters. Returns false if the text is not Base64.
bool append_groups(std::string_view text, std::string& bytes) {
  while (!text.empty()) {
    const std::string_view part = text.substr(0, groups_at_once * 4);
    text.remove_prefix(part.size());
    if (!is_letter(part.front()) || !is_letter(part.back())) return false;
    const std::size_t before = bytes.size();
    bytes.resize(before + part.size() / 4 * 3);
    if (EVP_DecodeBlock(reinterpret_cast<unsigned char*>(bytes.data()) + before, start_of(part),
                        static_cast<int>(part.size())) < 0)
      return false;
  }
  return true;
}

}  // namespace

std::string to_base64(std::span<const std::uint8_t> bytes) {
  std::string text((bytes.size() + 2) / 3 * 4, '\0');
  unsigned char* end = reinterpret_cast<unsigned char*>(text.data());
  while (!bytes.empty()) {
    const std::span<const std::uint8_t> part = bytes.first(std::min(bytes.size(), groups_at_once * 3));
    bytes = bytes.subspan(part.size());
    end += EVP_EncodeBlock(end, part.data(), static_cast<int>(part.size()));
  }
  return text;
}

std::optional<std::string> parse_base64(std::string_view text) {
  const bool is_padded = text.ends_with('=');
  if (is_padded && text.size() % 4 != 0) return std::nullopt;
  for (int count = 0; count < 2 && text.ends_with('='); ++count) text.remove_suffix(1);
  const std::size_t over = text.size() % 4;
  if (over == 1 || text.find('=') != std::string_view::npos) return std::nullopt;
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3 + 3);
  if (!append_groups(text.substr(0, text.size() - over), bytes)) return std::nullopt;
  if (over == 0) return bytes;
  const std::string last = std::string(text.substr(text.size() - over)).append(4 - over, 'A');
  if (!is_letter(last[over - 1]) || !append_groups(last, bytes)) return std::nullopt;
  bytes.resize(bytes.size() - (4 - over));
  return bytes;
}

}  // namespace orlop
