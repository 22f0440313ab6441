// Cron schedules as the parser of Kubernetes reads them (robfig/cron 3.0.1): five fields, or a descriptor such as
// @hourly or @every 1h30m.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/instant.h"

namespace orlop {

// One bit for each number. A field is any if a part of its list is * or ? with step 1. If neither kind of day is any,
// one of the two is enough.
struct CronTimes {
  std::uint64_t minutes = 0;
  std::uint64_t hours = 0;
  std::uint64_t days = 0;      // bits 1 to 31
  std::uint64_t months = 0;    // bits 1 to 12
  std::uint64_t weekdays = 0;  // bits 0 to 6, from Sunday
  bool is_any_day = false;
  bool is_any_weekday = false;
  // Hour and minute both begin with neither * nor ?.
  bool is_fixed = true;
  // Of @every: the time between two runs, at least a second. Zero of any other schedule.
  Duration every{};
};

// Nothing: cron_fault() (form.h) says why.
std::optional<CronTimes> read_cron(std::string_view text);

// False: no date has one of the days, as in 0 0 31 2 *.
bool comes(const CronTimes& times);

}  // namespace orlop
