#include "operations/services/parts/next_run.h"

#include <algorithm>
#include <cstdint>

#include "base/calendar.h"
#include "catalogs/time_zone.h"

namespace orlop {
namespace {

constexpr std::int64_t minute_length = 60'000;
constexpr std::int64_t hour_length = 60 * minute_length;
// The days of the year come back on the same days of the week after 28 years, and 40 across a century without a leap day.
constexpr std::int64_t days_searched = 41 * 366;

bool has_bit(std::uint64_t bits, std::int64_t place) { return ((bits >> static_cast<std::uint64_t>(place)) & 1U) != 0; }

bool comes_on(const CronTimes& times, std::int64_t day) {
  const Date date = date_of(day);
  if (!has_bit(times.months, date.month)) return false;
  const bool is_day = has_bit(times.days, date.day);
  const bool is_weekday = has_bit(times.weekdays, weekday_of(day));
  const bool is_either_enough = !times.is_any_day && !times.is_any_weekday;
  return is_either_enough ? is_day || is_weekday : is_day && is_weekday;
}

// Of a schedule with a fixed hour and minute.
std::optional<Instant> fixed_on(const CronTimes& times, std::string_view zone, std::int64_t day, Instant after) {
  std::optional<Instant> first;
  for (std::int64_t hour = 0; hour < 24; ++hour) {
    if (!has_bit(times.hours, hour)) continue;
    for (std::int64_t minute = 0; minute < 60; ++minute) {
      if (!has_bit(times.minutes, minute)) continue;
      const Instant at = from_local(zone, {day * day_length + hour * hour_length + minute * minute_length});
      if (at > after && (!first || at < *first)) first = at;
    }
  }
  return first;
}

// Of any other: what clocks show, minute by minute. An hour that does not count is passed at once.
std::optional<Instant> shown_on(const CronTimes& times, std::string_view zone, std::int64_t day, Instant after) {
  const Instant begin = std::max(Instant{from_local(zone, {day * day_length}).milliseconds - clock_change_max.milliseconds}, after);
  const Instant end{from_local(zone, {(day + 1) * day_length}).milliseconds + clock_change_max.milliseconds};
  Instant at{(begin.milliseconds / minute_length + 1) * minute_length};
  while (at < end) {
    const Instant local = at + utc_offset(zone, at);
    const std::int64_t of_day = local.milliseconds - floor_day(local.milliseconds) * day_length;
    if (floor_day(local.milliseconds) != day || !has_bit(times.hours, of_day / hour_length)) {
      at = at + Duration{hour_length - of_day % hour_length};
      continue;
    }
    if (has_bit(times.minutes, of_day % hour_length / minute_length)) return at;
    at = at + Duration{minute_length};
  }
  return std::nullopt;
}

}  // namespace

std::optional<Instant> next_run(const CronTimes& times, std::string_view zone, Instant after) {
  const std::int64_t today = floor_day((after + utc_offset(zone, after)).milliseconds);
  for (std::int64_t day = today - 1; day <= today + days_searched; ++day) {
    if (!comes_on(times, day)) continue;
    if (const auto at = is_fixed(times) ? fixed_on(times, zone, day, after) : shown_on(times, zone, day, after)) return at;
  }
  return std::nullopt;
}

}  // namespace orlop
