#include "base/id.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace orlop {
namespace {

constexpr char digits[] = "0123456789abcdef";

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
  // The digits without the dashes, so that many are read at once.
  std::array<std::uint8_t, 32> letters;
  char* const to = reinterpret_cast<char*>(letters.data());
  const char* const from = text.data();
  std::memcpy(to, from, 8);
  std::memcpy(to + 8, from + 9, 4);
  std::memcpy(to + 12, from + 14, 4);
  std::memcpy(to + 16, from + 19, 4);
  std::memcpy(to + 20, from + 24, 12);
  std::uint8_t wrong = 0;
  for (std::uint8_t& letter : letters) {
    const auto digit = static_cast<std::uint8_t>(letter - '0');
    const auto further = static_cast<std::uint8_t>((letter | 0x20) - 'a');
    wrong |= static_cast<std::uint8_t>((digit > 9) & (further > 5));
    letter = digit <= 9 ? digit : static_cast<std::uint8_t>(further + 10);
  }
  if (wrong != 0) return std::nullopt;
  Id id;
  for (std::size_t place = 0; place < id.bytes.size(); ++place) {
    id.bytes[place] = static_cast<std::uint8_t>(letters[place * 2] << 4 | letters[place * 2 + 1]);
  }
  return id;
}

namespace {

// Before year 1 to after year 9999, in 50 bits.
constexpr std::int64_t first_milliseconds = -(std::int64_t{1} << 49);

std::uint64_t number_at(const Id& id, std::size_t first, std::size_t size) {
  std::uint64_t number = 0;
  for (std::size_t place = first; place < first + size; ++place) number = number << 8 | id.bytes[place];
  return number;
}

void put_number(Id& id, std::size_t first, std::size_t size, std::uint64_t number) {
  for (std::size_t place = 0; place < size; ++place) id.bytes[first + place] = static_cast<std::uint8_t>(number >> (8 * (size - 1 - place)));
}

}  // namespace

Instant created_at_of(const Id& id) {
  if (id.bytes[6] >> 4 != 8) return Instant{static_cast<std::int64_t>(number_at(id, 0, 6))};
  const std::uint64_t milliseconds = number_at(id, 4, 2) << 34 | (number_at(id, 6, 2) & 0xFFF) << 22 | (number_at(id, 8, 3) & 0x3FFFFF);
  return Instant{static_cast<std::int64_t>(milliseconds) + first_milliseconds};
}

std::uint32_t id_count_of(const Id& id) { return static_cast<std::uint32_t>(number_at(id, 0, 4)); }

// Layout (RFC 9562, 5.8): a counter of 32 bits, then 50 bits of milliseconds around version and variant, then 40 random bits.
Id IdMaker::make() {
  const bool has_ended = count_ == id_count_max;
  if (!has_ended) ++count_;
  const auto milliseconds = static_cast<std::uint64_t>(now_.milliseconds - first_milliseconds);
  const std::uint64_t place = index_;
  const std::uint64_t random = draw();
  Id id;
  put_number(id, 0, 4, count_);
  put_number(id, 4, 2, milliseconds >> 34);
  put_number(id, 6, 2, 0x8000 | ((milliseconds >> 22) & 0xFFF));
  put_number(id, 8, 3, 0x800000 | (milliseconds & 0x3FFFFF));
  put_number(id, 11, 5, has_ended ? transaction_ << 20 | (place & 0xFFFFF) : random >> 24);
  return id;
}

}  // namespace orlop
