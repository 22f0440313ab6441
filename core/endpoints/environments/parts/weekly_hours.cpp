#include "endpoints/environments/parts/weekly_hours.h"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "base/calendar.h"

namespace orlop {
namespace {

constexpr std::string_view weekday_names[] = {"SUNDAY",   "MONDAY", "TUESDAY", "WEDNESDAY",
                                              "THURSDAY", "FRIDAY", "SATURDAY"};

std::int64_t time_of_day(const Value& rule, std::string_view member) {
  const Instant at = parse_instant(rule.text_or(member, "")).value_or(Instant{});
  return at.milliseconds - floor_day(at.milliseconds) * day_length;
}

bool begins_on(const WeeklyHours& hours, std::int64_t day) { return ((hours.weekdays >> weekday_of(day)) & 1) != 0; }

Instant begin_on(const WeeklyHours& hours, std::int64_t day) {
  return from_local(*hours.zone, {day * day_length + hours.start});
}

Instant end_on(const WeeklyHours& hours, std::int64_t day) {
  const std::int64_t end_day = hours.stop > hours.start ? day : day + 1;
  return from_local(*hours.zone, {end_day * day_length + hours.stop});
}

std::int64_t local_day(const WeeklyHours& hours, Instant at) {
  return floor_day((at + utc_offset(*hours.zone, at)).milliseconds);
}

}  // namespace

WeeklyHours hours_of(const Value& rule, const TimeZones& zones) {
  WeeklyHours hours;
  hours.zone = &zones.find_or_utc(rule.text_or("timezone", ""));
  hours.start = time_of_day(rule, "start_time");
  hours.stop = time_of_day(rule, "stop_time");
  const Value* weekdays = rule.find("weekdays");
  if (weekdays == nullptr || !weekdays->is_list()) return hours;
  for (const Value& weekday : weekdays->items()) {
    const auto name = std::ranges::find(weekday_names, weekday.as_text());
    if (name != std::end(weekday_names))
      hours.weekdays |= static_cast<std::uint8_t>(1U << (name - std::begin(weekday_names)));
  }
  return hours;
}

bool is_within(const WeeklyHours& hours, Instant at) {
  const std::int64_t today = local_day(hours, at);
  for (std::int64_t day = today - 1; day <= today; ++day) {
    if (begins_on(hours, day) && begin_on(hours, day) <= at && at < end_on(hours, day)) return true;
  }
  return false;
}

std::optional<Instant> next_change(const WeeklyHours& hours, Instant at) {
  const bool is_now = is_within(hours, at);
  std::optional<Instant> next;
  const std::int64_t today = local_day(hours, at);
  for (std::int64_t day = today - 1; day <= today + 8; ++day) {
    if (!begins_on(hours, day)) continue;
    for (const Instant change : {begin_on(hours, day), end_on(hours, day)}) {
      const bool is_sooner = change > at && (!next || change < *next);
      if (is_sooner && is_within(hours, change) != is_now) next = change;
    }
  }
  return next;
}

}  // namespace orlop
