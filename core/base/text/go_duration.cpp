#include "base/text/go_duration.h"

#include <algorithm>
#include <iterator>

namespace orlop {
namespace {

struct GoUnit {
  std::string_view name;
  std::uint64_t nanoseconds;
};

constexpr GoUnit go_units[] = {
    {"ns", 1},         {"us", 1'000},        {"\u00B5s", 1'000},    {"\u03BCs", 1'000},
    {"ms", 1'000'000}, {"s", 1'000'000'000}, {"m", 60'000'000'000}, {"h", 3'600'000'000'000},
};

constexpr std::uint64_t go_duration_max = std::uint64_t{1} << 63;

bool is_decimal(char letter) { return letter >= '0' && letter <= '9'; }

std::string_view take_decimals(std::string_view& text) {
  const auto end = static_cast<std::size_t>(std::ranges::find_if_not(text, is_decimal) - text.begin());
  const std::string_view digits = text.substr(0, end);
  text.remove_prefix(end);
  return digits;
}

std::optional<std::uint64_t> number_of_decimals(std::string_view digits) {
  std::uint64_t number = 0;
  for (const char digit : digits) {
    if (number > go_duration_max / 10) return std::nullopt;
    number = number * 10 + static_cast<std::uint64_t>(digit - '0');
    if (number > go_duration_max) return std::nullopt;
  }
  return number;
}

// Ignores decimals beyond the range of the number, as Go does.
double fraction_of(std::string_view digits, std::uint64_t unit) {
  std::uint64_t number = 0;
  double scale = 1;
  for (const char digit : digits) {
    if (number > (go_duration_max - 1) / 10) break;
    number = number * 10 + static_cast<std::uint64_t>(digit - '0');
    scale *= 10;
  }
  return static_cast<double>(number) * (static_cast<double>(unit) / scale);
}

// Reads one number with its unit from the beginning of the text.
std::optional<std::uint64_t> take_go_part(std::string_view& text) {
  const std::string_view whole = take_decimals(text);
  std::string_view fraction;
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    fraction = take_decimals(text);
  }
  if (whole.empty() && fraction.empty()) return std::nullopt;
  const auto end = static_cast<std::size_t>(
      std::ranges::find_if(text, [](char letter) { return letter == '.' || is_decimal(letter); }) - text.begin());
  const auto unit = std::ranges::find(go_units, text.substr(0, end), &GoUnit::name);
  const auto number = number_of_decimals(whole);
  if (unit == std::end(go_units) || !number || *number > go_duration_max / unit->nanoseconds) return std::nullopt;
  text.remove_prefix(end);
  const std::uint64_t nanoseconds =
      *number * unit->nanoseconds + static_cast<std::uint64_t>(fraction_of(fraction, unit->nanoseconds));
  return nanoseconds > go_duration_max ? std::nullopt : std::optional(nanoseconds);
}

}  // namespace

std::optional<std::int64_t> parse_go_duration(std::string_view text) {
  const bool is_negative = text.starts_with('-');
  if (is_negative || text.starts_with('+')) text.remove_prefix(1);
  if (text == "0") return 0;
  if (text.empty()) return std::nullopt;
  std::uint64_t sum = 0;
  while (!text.empty()) {
    const auto part = take_go_part(text);
    if (!part) return std::nullopt;
    sum += *part;
    if (sum > go_duration_max) return std::nullopt;
  }
  if (is_negative) return static_cast<std::int64_t>(0 - sum);
  return sum == go_duration_max ? std::nullopt : std::optional(static_cast<std::int64_t>(sum));
}

}  // namespace orlop
