#include "base/id.h"

#include <cstring>

namespace orlop {
namespace {

constexpr char digits[] = "0123456789abcdef";

// What a hexadecimal digit stands for; 16 for every other byte.
constexpr std::array<std::uint8_t, 256> values = [] {
  std::array<std::uint8_t, 256> table{};
  table.fill(16);
  for (std::uint8_t value = 0; value < 16; ++value) {
    const char digit = digits[value];
    table[static_cast<unsigned char>(digit)] = value;
    if (value > 9) table[static_cast<unsigned char>(digit - 'a' + 'A')] = value;
  }
  return table;
}();

// The two digits of each byte.
constexpr std::array<char, 512> pairs = [] {
  std::array<char, 512> table{};
  for (std::size_t byte = 0; byte < 256; ++byte) {
    table[byte * 2] = digits[byte >> 4];
    table[byte * 2 + 1] = digits[byte & 15];
  }
  return table;
}();

// Where each byte's digits stand in the text.
constexpr std::array<std::uint8_t, 16> text_places = {0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34};

}  // namespace

void write_text(char* to, const Id& id) {
  to[8] = to[13] = to[18] = to[23] = '-';
  for (std::size_t place = 0; place < id.bytes.size(); ++place) std::memcpy(to + text_places[place], &pairs[std::size_t{id.bytes[place]} * 2], 2);
}

void append_text(std::string& out, const Id& id) {
  char text[id_text_size];
  write_text(text, id);
  out.append(text, sizeof text);
}

std::string to_text(const Id& id) {
  std::string text;
  append_text(text, id);
  return text;
}

std::optional<Id> parse_id(std::string_view text) {
  if (text.size() != id_text_size) return std::nullopt;
  if (text[8] != '-' || text[13] != '-' || text[18] != '-' || text[23] != '-') return std::nullopt;
  Id id;
  std::uint8_t seen = 0;
  for (std::size_t place = 0; place < id.bytes.size(); ++place) {
    const char* const digit = text.data() + text_places[place];
    const std::uint8_t high = values[static_cast<unsigned char>(digit[0])];
    const std::uint8_t low = values[static_cast<unsigned char>(digit[1])];
    seen |= high | low;
    id.bytes[place] = static_cast<std::uint8_t>(high << 4 | (low & 15));
  }
  if (seen > 15) return std::nullopt;
  return id;
}

Instant created_at_of(const Id& id) {
  std::int64_t milliseconds = 0;
  for (std::size_t place = 0; place < 6; ++place) milliseconds = milliseconds * 256 + id.bytes[place];
  return Instant{milliseconds};
}

// Layout (RFC 9562, 5.7 and 6.2): 48 bits of milliseconds, version 7, a counter of 42 bits around the variant, 32 random bits. The
// counter is the transaction's number and the count within it, so that ids of one millisecond keep their order of birth too.
Id IdMaker::make() {
  constexpr std::uint64_t count_max = 0xFFF;
  const auto milliseconds = static_cast<std::uint64_t>(now_.milliseconds);
  const std::uint64_t counter = ((transaction_ & 0x3FFFFFFF) << 12) | count_;
  count_ = count_ == count_max ? 0 : count_ + 1;
  if (count_ == 0) now_ = now_ + Duration{1};
  const std::uint64_t random = draw();
  Id id;
  const auto put = [&id](std::size_t first, std::size_t size, std::uint64_t number) {
    for (std::size_t place = 0; place < size; ++place) {
      id.bytes[first + place] = static_cast<std::uint8_t>(number >> (8 * (size - 1 - place)));
    }
  };
  put(0, 6, milliseconds);
  put(6, 2, 0x7000 | (counter >> 30));
  put(8, 4, 0x80000000 | (counter & 0x3FFFFFFF));
  put(12, 4, random >> 32);
  return id;
}

}  // namespace orlop
