// The times that a cron schedule names.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace orlop {

// One bit for each number. A field that begins with * restricts nothing by itself: of the two kinds of days, where both are restricted,
// either is enough.
struct CronTimes {
  std::uint64_t minutes = 0;
  std::uint64_t hours = 0;
  std::uint64_t days = 0;      // bits 1 to 31
  std::uint64_t months = 0;    // bits 1 to 12
  std::uint64_t weekdays = 0;  // bits 0 to 6, from Sunday
  bool is_any_minute = false;
  bool is_any_hour = false;
  bool is_any_day = false;
  bool is_any_weekday = false;
};

// Nothing: cron_fault() (form.h) says why.
std::optional<CronTimes> read_cron(std::string_view text);

}  // namespace orlop
