// Cron schedules as the parser of Kubernetes reads them (robfig/cron 3.0.1): five fields, or a descriptor such as
// @hourly or @every 1h30m.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/instant.h"

namespace orlop {

// Numbers of each field, as bits. A field is "any" if a part of its list is * or ? with step 1. If neither field of
// days is "any", a date has to match only one of them.
struct CronTimes {
  std::uint64_t minutes = 0;
  std::uint64_t hours = 0;
  std::uint64_t days = 0;      // bits 1 to 31
  std::uint64_t months = 0;    // bits 1 to 12
  std::uint64_t weekdays = 0;  // bits 0 to 6, from Sunday
  bool is_any_day = false;
  bool is_any_weekday = false;
  // True if neither hour nor minute begins with * or ?.
  bool is_fixed = true;
  // Interval of @every, at least a second. Zero for any other schedule.
  Duration every{};
};

// Returns nullopt for a malformed schedule; cron_fault() (form.h) returns the reason.
std::optional<CronTimes> read_cron(std::string_view text);

// Returns false if no date matches, as in 0 0 31 2 *.
bool comes(const CronTimes& times);

}  // namespace orlop
