#include "base/id.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace orlop {
namespace {

constexpr char digits[] = "0123456789abcdef";

// Two hexadecimal digits for each byte.
constexpr std::array<char, 512> pairs = [] {
  std::array<char, 512> table{};
  for (std::size_t byte = 0; byte < 256; ++byte) {
    table[byte * 2] = digits[byte >> 4];
    table[byte * 2 + 1] = digits[byte & 15];
  }
  return table;
}();

// Offset of each byte's digits in the text.
constexpr std::array<std::uint8_t, 16> text_places = {0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34};

}  // namespace

void write_text(char* to, const Id& id) {
  to[8] = to[13] = to[18] = to[23] = '-';
  for (std::size_t place = 0; place < id.bytes.size(); ++place)
    std::memcpy(to + text_places[place], &pairs[std::size_t{id.bytes[place]} * 2], 2);
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

namespace {

constexpr std::uint64_t each_byte = 0x0101010101010101ULL;

// Reads eight hexadecimal digits, two times four, into four bytes. Handles all at once, with one byte of `letters` for
// each. Returns false if one of them is not a hexadecimal digit.
bool take_hexadecimal(const char* first, const char* second, std::uint8_t* to) {
  std::uint64_t letters = 0;
  if constexpr (std::endian::native == std::endian::little) {
    std::memcpy(&letters, first, 4);
    std::memcpy(reinterpret_cast<char*>(&letters) + 4, second, 4);
  } else {
    for (std::size_t place = 8; place-- > 0;)
      letters = letters << 8 | static_cast<std::uint8_t>(place < 4 ? first[place] : second[place - 4]);
  }
  const std::uint64_t further = letters >> 6 & each_byte;  // 1 for a letter from a to f, if it is a digit at all
  std::uint64_t values = (letters & each_byte * 0x0F) + further * 9;
  const std::uint64_t begins = ((letters | further << 5) & each_byte * 0xF0) ^ (each_byte * 0x30 + further * 0x30);
  // Values 0 to 9 for digits, 10 to 15 for letters.
  const std::uint64_t ends = (values & each_byte * 0x10) | (((values + each_byte * 6) >> 4 & each_byte) ^ further);
  if ((begins | ends) != 0) return false;
  values = values << 4 | values >> 8;  // each pair becomes a byte: every other one
  for (std::size_t place = 0; place < 4; ++place) to[place] = static_cast<std::uint8_t>(values >> place * 16);
  return true;
}

}  // namespace

std::optional<Id> parse_id(std::string_view text) {
  if (text.size() != id_text_size) return std::nullopt;
  const char* const from = text.data();
  if (from[8] != '-' || from[13] != '-' || from[18] != '-' || from[23] != '-') return std::nullopt;
  Id id;
  std::uint8_t* const to = id.bytes.data();
  const bool is_id = take_hexadecimal(from, from + 4, to) && take_hexadecimal(from + 9, from + 14, to + 4) &&
                     take_hexadecimal(from + 19, from + 24, to + 8) && take_hexadecimal(from + 28, from + 32, to + 12);
  return is_id ? std::optional(id) : std::nullopt;
}

namespace {

// Milliseconds are stored in 50 bits, which reach from before year 1 to after year 9999.
constexpr std::int64_t first_milliseconds = -(std::int64_t{1} << 49);

std::uint64_t number_at(const Id& id, std::size_t first, std::size_t size) {
  std::uint64_t number = 0;
  for (std::size_t place = first; place < first + size; ++place) number = number << 8 | id.bytes[place];
  return number;
}

// Writes eight bytes, most significant first.
void put_number(Id& id, std::size_t first, std::uint64_t number) {
  if constexpr (std::endian::native == std::endian::little) number = __builtin_bswap64(number);
  std::memcpy(id.bytes.data() + first, &number, sizeof number);
}

}  // namespace

Instant created_at_of(const Id& id) {
  if (id.bytes[6] >> 4 != 8) return Instant{static_cast<std::int64_t>(number_at(id, 0, 6))};
  const std::uint64_t milliseconds =
      number_at(id, 4, 2) << 34 | (number_at(id, 6, 2) & 0xFFF) << 22 | (number_at(id, 8, 3) & 0x3FFFFF);
  return Instant{static_cast<std::int64_t>(milliseconds) + first_milliseconds};
}

std::uint32_t id_count_of(const Id& id) { return static_cast<std::uint32_t>(number_at(id, 0, 4)); }

// Layout (RFC 9562, 5.8): a counter of 32 bits, 50 bits of milliseconds around version and variant, 40 random bits.
Id IdMaker::make() {
  const bool has_ended = count_ == id_count_max;
  if (!has_ended) ++count_;
  const auto milliseconds = static_cast<std::uint64_t>(now_.milliseconds - first_milliseconds);
  const std::uint64_t place = index_;
  const std::uint64_t random = draw();
  Id id;
  put_number(id, 0,
             std::uint64_t{count_} << 32 | (milliseconds >> 34 & 0xFFFF) << 16 | 0x8000 | (milliseconds >> 22 & 0xFFF));
  const std::uint64_t end = has_ended ? transaction_ << 20 | (place & 0xFFFFF) : random >> 24;
  put_number(id, 8, (0x800000 | (milliseconds & 0x3FFFFF)) << 40 | (end & 0xFFFFFFFFFF));
  return id;
}

}  // namespace orlop
