#include "base/id.h"

namespace orlop {
namespace {

constexpr char digits[] = "0123456789abcdef";

int value_of(char digit) {
  if (digit >= '0' && digit <= '9') return digit - '0';
  if (digit >= 'a' && digit <= 'f') return digit - 'a' + 10;
  if (digit >= 'A' && digit <= 'F') return digit - 'A' + 10;
  return -1;
}

bool is_dash_position(std::size_t position) {
  return position == 8 || position == 13 || position == 18 || position == 23;
}

}  // namespace

void append_text(std::string& out, const Id& id) {
  char text[36];
  std::size_t position = 0;
  for (const std::uint8_t byte : id.bytes) {
    if (is_dash_position(position)) text[position++] = '-';
    text[position++] = digits[byte >> 4];
    text[position++] = digits[byte & 15];
  }
  out.append(text, sizeof text);
}

std::string to_text(const Id& id) {
  std::string text;
  append_text(text, id);
  return text;
}

std::optional<Id> parse_id(std::string_view text) {
  if (text.size() != 36) return std::nullopt;
  Id id;
  std::size_t position = 0;
  for (std::uint8_t& byte : id.bytes) {
    if (is_dash_position(position) && text[position++] != '-') return std::nullopt;
    const int high = value_of(text[position++]);
    const int low = value_of(text[position++]);
    if (high < 0 || low < 0) return std::nullopt;
    byte = static_cast<std::uint8_t>(high * 16 + low);
  }
  return id;
}

Instant birth_of(const Id& id) {
  std::int64_t milliseconds = 0;
  for (std::size_t place = 0; place < 6; ++place) milliseconds = milliseconds * 256 + id.bytes[place];
  return Instant{milliseconds};
}

// Layout (RFC 9562, 5.7): 48 bits of milliseconds, version 7, 12 bits that count within the transaction, variant, 62
// bits of chance. The counter keeps the order of birth inside one millisecond.
Id IdMaker::make() {
  const auto milliseconds = static_cast<std::uint64_t>(now_.milliseconds);
  const std::uint16_t count = counter_;
  counter_ = static_cast<std::uint16_t>(counter_ + 1);
  if (counter_ == 0x1000) {
    counter_ = 0;
    now_ = now_ + Duration{1};
  }
  const std::uint64_t chance = draw();
  Id id;
  for (std::size_t place = 0; place < 6; ++place) {
    id.bytes[place] = static_cast<std::uint8_t>(milliseconds >> (40 - 8 * place));
  }
  id.bytes[6] = static_cast<std::uint8_t>(0x70 | (count >> 8));
  id.bytes[7] = static_cast<std::uint8_t>(count & 0xFF);
  for (std::size_t place = 0; place < 8; ++place) {
    id.bytes[8 + place] = static_cast<std::uint8_t>(chance >> (56 - 8 * place));
  }
  id.bytes[8] = static_cast<std::uint8_t>(0x80 | (id.bytes[8] & 0x3F));
  return id;
}

}  // namespace orlop
