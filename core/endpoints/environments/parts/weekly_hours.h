// Hours of the week during which an environment runs. Pure.
#pragma once

#include <cstdint>
#include <optional>

#include "base/instant.h"
#include "catalogs/time_zone.h"
#include "model/value.h"

namespace orlop {

struct WeeklyHours {
  const TimeZone* zone = nullptr;
  std::uint8_t weekdays = 0;  // days on which the hours begin, as bits: 1 Sunday, 2 Monday … 64 Saturday
  std::int64_t start = 0;     // milliseconds since midnight, local time
  std::int64_t stop = 0;      // like `start`; on the next day unless after `start`

  friend bool operator==(const WeeklyHours&, const WeeklyHours&) = default;
};

// Reads the hours of a deployment rule: its timezone, one of `zones`, weekdays, and the time of day of start_time and
// stop_time.
WeeklyHours hours_of(const Value& rule, const TimeZones& zones);

bool is_within(const WeeklyHours& hours, Instant at);
// Returns the first instant after `at` at which is_within() changes; nullopt if it never does.
std::optional<Instant> next_change(const WeeklyHours& hours, Instant at);

}  // namespace orlop
