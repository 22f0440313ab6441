#include "base/instant.h"

#include <array>
#include <cstddef>
#include <cstring>

#include "base/calendar.h"

namespace orlop {
namespace {

// Two digits of each number below 100.
constexpr std::array<char, 200> digit_pairs = [] {
  std::array<char, 200> table{};
  for (std::size_t number = 0; number < 100; ++number) {
    table[number * 2] = static_cast<char>('0' + number / 10);
    table[number * 2 + 1] = static_cast<char>('0' + number % 10);
  }
  return table;
}();

void put_pair(char* to, std::uint32_t below_100) { std::memcpy(to, &digit_pairs[std::size_t{below_100} * 2], 2); }

// Reads exactly `width` digits at `position`; returns -1 if they are missing.
std::int64_t take_digits(std::string_view text, std::size_t position, std::size_t width) {
  if (position + width > text.size()) return -1;
  std::int64_t value = 0;
  for (std::size_t at = position; at < position + width; ++at) {
    if (text[at] < '0' || text[at] > '9') return -1;
    value = value * 10 + (text[at] - '0');
  }
  return value;
}

bool has(std::string_view text, std::size_t position, char expected) {
  return position < text.size() && text[position] == expected;
}

bool valid_date(const Date& date) {
  constexpr std::array<std::int64_t, 12> lengths = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  if (date.month < 1 || date.month > 12 || date.day < 1) return false;
  const bool leap = (date.year % 4 == 0 && date.year % 100 != 0) || date.year % 400 == 0;
  return date.day <= lengths[static_cast<std::size_t>(date.month - 1)] + (date.month == 2 && leap ? 1 : 0);
}

// Returns the offset from UTC in minutes. The text is "Z" or "+hh:mm", and nothing may follow.
std::optional<std::int64_t> parse_offset(std::string_view rest) {
  if (rest == "Z" || rest == "z") return 0;
  if (rest.size() != 6 || rest[3] != ':' || (rest[0] != '+' && rest[0] != '-')) return std::nullopt;
  const std::int64_t hours = take_digits(rest, 1, 2);
  const std::int64_t minutes = take_digits(rest, 4, 2);
  if (hours < 0 || hours > 23 || minutes < 0 || minutes > 59) return std::nullopt;
  const std::int64_t offset = hours * 60 + minutes;
  return rest[0] == '-' ? -offset : offset;
}

}  // namespace

// RFC 3339 has no form for years before 0 and after 9999; they are written modulo 10000.
void write_text(char* to, Instant at) {
  const std::int64_t day = floor_day(at.milliseconds);
  const auto rest = static_cast<std::uint32_t>(at.milliseconds - day * day_length);
  const Date date = date_of(day);
  const auto year = static_cast<std::uint32_t>(static_cast<std::uint64_t>(date.year) % 10'000);
  const std::uint32_t seconds = rest / 1000;
  const std::uint32_t minutes = seconds / 60;
  const std::uint32_t fraction = rest % 1000;
  std::memcpy(to, "0000-00-00T00:00:00.000Z", instant_text_size);
  put_pair(to, year / 100);
  put_pair(to + 2, year % 100);
  put_pair(to + 5, static_cast<std::uint32_t>(date.month));
  put_pair(to + 8, static_cast<std::uint32_t>(date.day));
  put_pair(to + 11, minutes / 60);
  put_pair(to + 14, minutes % 60);
  put_pair(to + 17, seconds % 60);
  put_pair(to + 20, fraction / 10);
  to[22] = static_cast<char>('0' + fraction % 10);
}

void append_text(std::string& out, Instant at) {
  char text[instant_text_size];
  write_text(text, at);
  out.append(text, sizeof text);
}

std::string to_text(Instant at) {
  std::string text(instant_text_size, '\0');
  write_text(text.data(), at);
  return text;
}

std::optional<Instant> parse_instant(std::string_view text) {
  const std::int64_t year = take_digits(text, 0, 4);
  const std::int64_t month = take_digits(text, 5, 2);
  const std::int64_t day = take_digits(text, 8, 2);
  const std::int64_t hour = take_digits(text, 11, 2);
  const std::int64_t minute = take_digits(text, 14, 2);
  const std::int64_t second = take_digits(text, 17, 2);
  const bool marks = has(text, 4, '-') && has(text, 7, '-') && (has(text, 10, 'T') || has(text, 10, 't')) &&
                     has(text, 13, ':') && has(text, 16, ':');
  if (!marks || year < 0 || month < 0 || day < 0 || hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 ||
      second > 59) {
    return std::nullopt;
  }
  const Date date = {year, month, day};
  if (!valid_date(date)) return std::nullopt;

  std::size_t position = 19;
  std::int64_t fraction = 0;
  if (has(text, position, '.')) {
    std::size_t digits = 0;
    for (++position; position < text.size() && text[position] >= '0' && text[position] <= '9'; ++position, ++digits) {
      if (digits < 3) fraction = fraction * 10 + (text[position] - '0');
    }
    if (digits == 0 || digits > 9) return std::nullopt;
    for (; digits < 3; ++digits) fraction *= 10;
  }
  const std::optional<std::int64_t> offset = parse_offset(text.substr(position));
  if (!offset) return std::nullopt;
  const std::int64_t minutes = day_of(date) * 1440 + hour * 60 + minute - *offset;
  return Instant{(minutes * 60 + second) * 1000 + fraction};
}

}  // namespace orlop
