#include "model/cron.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <vector>

#include "base/text/utf8.h"
#include "model/form.h"

namespace orlop {
namespace {

struct CronField {
  int minimum;
  int maximum;
  int last;                // up to which a range without an end goes: Sunday is 0 and 7
  std::string_view names;  // three letters each, from the minimum on
  std::string_view about;
};

constexpr std::array<CronField, 5> cron_fields = {{
    {0, 59, 59, "", "minute"},
    {0, 23, 23, "", "hour"},
    {1, 31, 31, "", "day of the month"},
    {1, 12, 12, "janfebmaraprmayjunjulaugsepoctnovdec", "month"},
    {0, 7, 6, "sunmontuewedthufrisatsun", "day of the week"},
}};

int cron_number(std::string_view text, const CronField& field) {
  int number = -1;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  if (read.ec == std::errc() && read.ptr == text.data() + text.size()) return number;
  if (text.size() != 3) return -1;
  const std::size_t at = field.names.find(lower_case(text));
  return at == std::string_view::npos || at % 3 != 0 ? -1 : field.minimum + static_cast<int>(at / 3);
}

// "*", "5", "1-5", "*/10", "1-30/2", "5/10": adds the numbers that the part stands for, one bit each. As in Kubernetes, a number with a step begins a range.
bool add_cron_part(std::string_view part, const CronField& field, std::uint64_t& numbers) {
  int step = 1;
  bool has_step = false;
  if (const std::size_t slash = part.find('/'); slash != std::string_view::npos) {
    const std::string_view text = part.substr(slash + 1);
    const auto read = std::from_chars(text.data(), text.data() + text.size(), step);
    if (read.ec != std::errc() || read.ptr != text.data() + text.size() || step < 1) return false;
    has_step = true;
    part = part.substr(0, slash);
  }
  const std::size_t dash = part.find('-');
  const bool is_any = part == "*";
  const int first = is_any ? field.minimum : cron_number(part.substr(0, dash), field);
  const int end = has_step || is_any ? std::max(first, field.last) : first;  // of what names none
  const int last = dash == std::string_view::npos ? end : cron_number(part.substr(dash + 1), field);
  if (first < field.minimum || last > field.maximum || first > last) return false;
  for (int number = first; number <= last; number += std::min(step, field.maximum + 1)) numbers |= std::uint64_t{1} << number;
  return true;
}

// The numbers that the field stands for; nothing if it cannot be read.
std::optional<std::uint64_t> cron_numbers(std::string_view text, const CronField& field) {
  std::uint64_t numbers = 0;
  while (true) {
    const std::size_t comma = text.find(',');
    if (!add_cron_part(text.substr(0, comma), field, numbers)) return std::nullopt;
    if (comma == std::string_view::npos) return numbers;
    text.remove_prefix(comma + 1);
  }
}

// As given, but not at any length.
std::string shown(std::string_view text) {
  constexpr std::size_t shown_max = 60;
  const std::string_view part = beginning(text, shown_max);
  return "\"" + std::string(part) + (part.size() < text.size() ? "…\"" : "\"");
}

std::vector<std::string_view> parts_of(std::string_view text) {
  std::vector<std::string_view> parts;
  while (true) {
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    if (text.empty()) return parts;
    const std::size_t end = std::min(text.find(' '), text.size());
    parts.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
}

// Whether one of the months has one of the days.
bool comes(std::uint64_t days, std::uint64_t months) {
  constexpr std::array<int, 13> days_of = {0, 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  for (std::size_t month = 1; month < days_of.size(); ++month) {
    if ((months >> month & 1U) != 0 && (days & ((std::uint64_t{2} << days_of[month]) - 1)) != 0) return true;
  }
  return false;
}

using CronNumbers = std::array<std::uint64_t, cron_fields.size()>;

std::string fault_of(const std::vector<std::string_view>& parts, std::string_view text, CronNumbers& numbers) {
  if (parts.size() != cron_fields.size()) return "must be a cron schedule of five fields as in */5 * * * *, not " + shown(text);
  for (std::size_t place = 0; place < cron_fields.size(); ++place) {
    const CronField& field = cron_fields[place];
    const auto read = cron_numbers(parts[place], field);
    if (!read) {
      const std::string named = field.names.empty() ? "" : " or names of three letters";
      return "must be a cron schedule: its " + std::string(field.about) + " must be * or " + std::to_string(field.minimum) + " to " +
             std::to_string(field.maximum) + named + ", with lists, ranges and steps, not " + shown(parts[place]);
    }
    numbers[place] = *read;
  }
  // Where days of the week are named too, either of the two is enough.
  if (!parts[4].starts_with('*') || comes(numbers[2], numbers[3])) return {};
  return "must be a cron schedule that comes: no month " + shown(parts[3]) + " has a day " + shown(parts[2]);
}

}  // namespace

std::string cron_fault(std::string_view text) {
  CronNumbers numbers{};
  return fault_of(parts_of(text), text, numbers);
}

std::optional<CronTimes> read_cron(std::string_view text) {
  const std::vector<std::string_view> parts = parts_of(text);
  CronNumbers numbers{};
  if (!fault_of(parts, text, numbers).empty()) return std::nullopt;
  CronTimes times{.minutes = numbers[0], .hours = numbers[1], .days = numbers[2], .months = numbers[3], .weekdays = numbers[4]};
  constexpr std::uint64_t sunday_as_7 = std::uint64_t{1} << 7;
  if ((times.weekdays & sunday_as_7) != 0) times.weekdays = (times.weekdays & ~sunday_as_7) | 1;
  times.is_any_minute = parts[0].starts_with('*');
  times.is_any_hour = parts[1].starts_with('*');
  times.is_any_day = parts[2].starts_with('*');
  times.is_any_weekday = parts[4].starts_with('*');
  return times;
}

}  // namespace orlop
