#include "base/text/utf8.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace orlop {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";
constexpr std::size_t mark_size_max = 48;  // with any count of bytes

// Returns the number of ASCII bytes at the front.
std::size_t ascii_size(std::string_view bytes) {
  constexpr std::size_t block = 64;
  std::size_t count = 0;
  while (bytes.size() - count >= block) {
    std::uint8_t all = 0;
    for (std::size_t at = 0; at < block; ++at)
      all = static_cast<std::uint8_t>(all | static_cast<std::uint8_t>(bytes[count + at]));
    if (all >= 0x80) break;
    count += block;
  }
  constexpr std::uint64_t high_bits = 0x8080808080808080;
  for (std::uint64_t word = 0; bytes.size() - count >= sizeof word; count += sizeof word) {
    std::memcpy(&word, bytes.data() + count, sizeof word);
    if ((word & high_bits) != 0) break;
  }
  while (count < bytes.size() && static_cast<std::uint8_t>(bytes[count]) < 0x80) ++count;
  return count;
}

}  // namespace

std::size_t sequence_length(std::string_view bytes) {
  const auto byte = [&](std::size_t at) { return static_cast<std::uint8_t>(bytes[at]); };
  const auto follows = [&](std::size_t at, std::uint8_t least = 0x80, std::uint8_t most = 0xBF) {
    return at < bytes.size() && byte(at) >= least && byte(at) <= most;
  };
  const std::uint8_t first = byte(0);
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first <= 0xDF) return follows(1) ? 2 : 0;
  if (first >= 0xE0 && first <= 0xEF) {
    const std::uint8_t least = first == 0xE0 ? 0xA0 : 0x80;
    const std::uint8_t most = first == 0xED ? 0x9F : 0xBF;
    return follows(1, least, most) && follows(2) ? 3 : 0;
  }
  if (first >= 0xF0 && first <= 0xF4) {
    const std::uint8_t least = first == 0xF0 ? 0x90 : 0x80;
    const std::uint8_t most = first == 0xF4 ? 0x8F : 0xBF;
    return follows(1, least, most) && follows(2) && follows(3) ? 4 : 0;
  }
  return 0;
}

bool has_control(std::string_view text) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    const auto byte = static_cast<std::uint8_t>(text[at]);
    if (byte < 0x20 || byte == 0x7F) return true;
    const bool is_c1 = byte == 0xC2 && at + 1 < text.size() && static_cast<std::uint8_t>(text[at + 1]) <= 0x9F;
    if (is_c1) return true;
  }
  return false;
}

bool is_utf8(std::string_view bytes) {
  while (!bytes.empty()) {
    bytes.remove_prefix(ascii_size(bytes));
    if (bytes.empty()) break;
    const std::size_t length = sequence_length(bytes);
    if (length == 0) return false;
    bytes.remove_prefix(length);
  }
  return true;
}

std::string to_utf8(std::string_view bytes) {
  std::string text;
  text.reserve(bytes.size());
  while (!bytes.empty()) {
    const std::size_t length = sequence_length(bytes);
    if (length == 0) {
      text.append(replacement);
      bytes.remove_prefix(1);
    } else {
      text.append(bytes.substr(0, length));
      bytes.remove_prefix(length);
    }
  }
  return text;
}

std::string_view beginning(std::string_view text, std::size_t size) {
  if (size >= text.size()) return text;
  while (size > 0 && (static_cast<unsigned char>(text[size]) & 0xC0) == 0x80) --size;
  return text.substr(0, size);
}

std::string bounded_text(std::string_view bytes, std::size_t bound, std::size_t left_out) {
  if (left_out == 0 && bytes.size() <= bound && is_utf8(bytes)) return std::string(bytes);
  std::string text;
  text.reserve(std::min(bytes.size(), bound));
  std::string_view rest = bytes;
  std::size_t cut_size = 0;  // size of the kept text if not all fits
  std::size_t missing = rest.size();
  bool is_cut = left_out != 0;
  while (!rest.empty()) {
    const std::size_t length = sequence_length(rest);
    const std::string_view piece = length == 0 ? replacement : rest.substr(0, length);
    is_cut = is_cut || text.size() + piece.size() > bound;
    if (text.size() + piece.size() > bound) break;
    text.append(piece);
    rest.remove_prefix(std::max<std::size_t>(length, 1));
    if (text.size() + mark_size_max > bound) continue;
    cut_size = text.size();
    missing = rest.size();
  }
  if (!is_cut) return text;
  text.resize(cut_size);
  return text.append("\xE2\x80\xA6 [").append(std::to_string(missing + left_out)).append(" more bytes]");
}

}  // namespace orlop
