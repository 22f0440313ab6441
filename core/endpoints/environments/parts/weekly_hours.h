// The hours of the week during which an environment runs. Pure.
#pragma once

#include <cstdint>
#include <optional>

#include "base/instant.h"
#include "catalogs/time_zone.h"
#include "model/value.h"

namespace orlop {

struct WeeklyHours {
  const TimeZone* zone = nullptr;
  std::uint8_t weekdays = 0;  // bits: 1 Sunday, 2 Monday … 64 Saturday: the days on which the hours begin
  std::int64_t start = 0;     // milliseconds since midnight, local time
  std::int64_t stop = 0;      // the same; not after `start`: of the next day

  friend bool operator==(const WeeklyHours&, const WeeklyHours&) = default;
};

// Of a deployment rule: its timezone, one of `zones`, weekdays, start_time and stop_time, of which only the time of day
// counts.
WeeklyHours hours_of(const Value& rule, const TimeZones& zones);

bool is_within(const WeeklyHours& hours, Instant at);
// The first instant after `at` at which is_within() changes; nothing: it never does.
std::optional<Instant> next_change(const WeeklyHours& hours, Instant at);

}  // namespace orlop
