#include "model/cron.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>
#include <vector>

#include "base/text/go_duration.h"
#include "base/text/utf8.h"
#include "model/form.h"

namespace orlop {
namespace {

struct CronField {
  unsigned minimum;
  unsigned maximum;
  std::string_view names;  // three letters each, starting with the minimum
  std::string_view about;
};

constexpr std::array<CronField, 5> cron_fields = {{
    {0, 59, "", "minute"},
    {0, 23, "", "hour"},
    {1, 31, "", "day of the month"},
    {1, 12, "janfebmaraprmayjunjulaugsepoctnovdec", "month"},
    {0, 6, "sunmontuewedthufrisat", "day of the week"},
}};

struct CronNumbers {
  std::uint64_t bits = 0;
  bool is_any = false;
};

using CronSet = std::array<CronNumbers, cron_fields.size()>;

// Parses a whole number with an optional plus; returns nullopt for any other text.
std::optional<unsigned> whole_number(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  std::int64_t number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.starts_with('-') || read.ec != std::errc() || read.ptr != text.data() + text.size()) return std::nullopt;
  return static_cast<unsigned>(std::min<std::int64_t>(number, 1000));  // above the maximum of every field
}

std::optional<unsigned> number_or_name(std::string_view text, const CronField& field) {
  if (text.size() == 3) {
    const std::size_t at = field.names.find(lower_case(text));
    if (at != std::string_view::npos && at % 3 == 0) return field.minimum + static_cast<unsigned>(at / 3);
  }
  return whole_number(text);
}

// Adds the numbers of a part: "*", "5", "1-5", "*/10", "1-30/2", "5/10". A number with a step begins a range. After *
// and ? the parser of Kubernetes ignores the text up to the step.
bool add_part(std::string_view part, const CronField& field, CronNumbers& numbers) {
  const std::size_t slash = part.find('/');
  const auto step = slash == std::string_view::npos ? 1 : whole_number(part.substr(slash + 1));
  if (!step || *step == 0) return false;
  const std::string_view range = part.substr(0, slash);
  const std::size_t dash = range.find('-');
  const std::string_view begin = range.substr(0, dash);
  const bool is_any = begin == "*" || begin == "?";
  const auto first = is_any ? field.minimum : number_or_name(begin, field);
  auto last = first;
  if (is_any || (dash == std::string_view::npos && slash != std::string_view::npos)) {
    last = field.maximum;
  } else if (dash != std::string_view::npos) {
    last = number_or_name(range.substr(dash + 1), field);
  }
  if (!first || !last || *first < field.minimum || *last > field.maximum || *first > *last) return false;
  for (unsigned number = *first; number <= *last; number += *step) numbers.bits |= std::uint64_t{1} << number;
  numbers.is_any = numbers.is_any || (is_any && *step == 1);
  return true;
}

// Returns nullopt if the field is malformed. Skips empty parts of the list.
std::optional<CronNumbers> numbers_of(std::string_view text, const CronField& field) {
  CronNumbers numbers;
  while (true) {
    const std::size_t comma = text.find(',');
    const std::string_view part = text.substr(0, comma);
    if (!part.empty() && !add_part(part, field, numbers)) return std::nullopt;
    if (comma == std::string_view::npos) return numbers;
    text.remove_prefix(comma + 1);
  }
}

// Returns the text in quotes, cut at a maximum length.
std::string shown(std::string_view text) {
  constexpr std::size_t shown_max = 60;
  const std::string_view part = beginning(text, shown_max);
  return "\"" + std::string(part) + (part.size() < text.size() ? "…\"" : "\"");
}

// Returns the size in bytes of the white space at the front (Unicode's White_Space); 0 if there is none.
std::size_t space_size(std::string_view text) {
  static constexpr std::string_view spaces[] = {" ",      "\t",     "\n",     "\v",     "\f",     "\r",     "\u0085",
                                                "\u00A0", "\u1680", "\u2000", "\u2001", "\u2002", "\u2003", "\u2004",
                                                "\u2005", "\u2006", "\u2007", "\u2008", "\u2009", "\u200A", "\u2028",
                                                "\u2029", "\u202F", "\u205F", "\u3000"};
  const auto found = std::ranges::find_if(spaces, [text](std::string_view space) { return text.starts_with(space); });
  return found == std::end(spaces) ? 0 : found->size();
}

std::vector<std::string_view> fields_of(std::string_view text) {
  std::vector<std::string_view> fields;
  while (true) {
    while (const std::size_t size = space_size(text)) text.remove_prefix(size);
    if (text.empty()) return fields;
    std::size_t end = 0;
    while (end < text.size() && space_size(text.substr(end)) == 0) ++end;
    fields.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
}

// Returns the five fields of a descriptor; empty for any other text.
std::string_view fields_of_descriptor(std::string_view text) {
  if (text == "@yearly" || text == "@annually") return "0 0 1 1 *";
  if (text == "@monthly") return "0 0 1 * *";
  if (text == "@weekly") return "0 0 * * 0";
  if (text == "@daily" || text == "@midnight") return "0 0 * * *";
  return text == "@hourly" ? "0 * * * *" : "";
}

std::string fault_of_field(std::string_view text, const CronField& field) {
  const std::string named = field.names.empty() ? "" : " or names of three letters";
  const bool is_weekday = field.about == cron_fields[4].about;
  const std::string hint = is_weekday && text.find('7') != std::string_view::npos ? "; Sunday is 0" : "";
  return "must be a cron schedule: its " + std::string(field.about) + " must be * or " + std::to_string(field.minimum) +
         " to " + std::to_string(field.maximum) + named + ", with lists, ranges and steps, not " + shown(text) + hint;
}

// Reads the text into `times`. Returns the fault, or "" if there is none.
std::string read(std::string_view text, CronTimes& times) {
  if (text.find("TZ") != std::string_view::npos) {
    return "must be a cron schedule without a time zone, which is given in `timezone`, not " + shown(text);
  }
  constexpr std::string_view every = "@every ";
  if (text.starts_with(every)) {
    constexpr std::int64_t second = 1'000'000'000;
    const auto nanoseconds = parse_go_duration(text.substr(every.size()));
    if (!nanoseconds)
      return "must be a cron schedule: @every must be followed by one space and a duration as in @every 1h30m, not " +
             shown(text);
    times.every = seconds(std::max<std::int64_t>(1, *nanoseconds / second));
    times.is_fixed = false;
    return {};
  }
  if (text.starts_with('@')) {
    const std::string_view fields = fields_of_descriptor(text);
    if (fields.empty()) {
      return "must be a cron schedule: its descriptor must be one of @yearly, @annually, @monthly, @weekly, @daily, "
             "@midnight, @hourly and @every with a duration, not " +
             shown(text);
    }
    return read(fields, times);
  }
  const std::vector<std::string_view> fields = fields_of(text);
  if (fields.size() != cron_fields.size())
    return "must be a cron schedule of five fields as in */5 * * * *, not " + shown(text);
  CronSet numbers{};
  for (std::size_t place = 0; place < cron_fields.size(); ++place) {
    const auto found = numbers_of(fields[place], cron_fields[place]);
    if (!found) return fault_of_field(fields[place], cron_fields[place]);
    numbers[place] = *found;
  }
  const auto begins_with_any = [&](std::size_t place) {
    return fields[place].starts_with('*') || fields[place].starts_with('?');
  };
  times = {.minutes = numbers[0].bits,
           .hours = numbers[1].bits,
           .days = numbers[2].bits,
           .months = numbers[3].bits,
           .weekdays = numbers[4].bits,
           .is_any_day = numbers[2].is_any,
           .is_any_weekday = numbers[4].is_any,
           .is_fixed = !begins_with_any(0) && !begins_with_any(1)};
  return {};
}

// Reports whether one of the months has one of the days.
bool has_date(std::uint64_t days, std::uint64_t months) {
  constexpr std::array<int, 13> days_of = {0, 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  for (std::size_t month = 1; month < days_of.size(); ++month) {
    if ((months >> month & 1U) != 0 && (days & ((std::uint64_t{2} << days_of[month]) - 1)) != 0) return true;
  }
  return false;
}

}  // namespace

std::string cron_fault(std::string_view text) {
  CronTimes times;
  return read(text, times);
}

std::optional<CronTimes> read_cron(std::string_view text) {
  CronTimes times;
  return read(text, times).empty() ? std::optional(times) : std::nullopt;
}

bool comes(const CronTimes& times) {
  if (times.every > Duration{}) return true;
  if (times.minutes == 0 || times.hours == 0 || times.months == 0) return false;
  const bool has_day = has_date(times.days, times.months);
  return times.is_any_day || times.is_any_weekday ? has_day && times.weekdays != 0 : has_day || times.weekdays != 0;
}

}  // namespace orlop
