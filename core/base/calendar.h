// Days and dates of the proleptic Gregorian calendar. Days are counted from 1970-01-01, which is day 0.
#pragma once

#include <cstdint>

namespace orlop {

inline constexpr std::int64_t day_length = 86'400'000;  // milliseconds

struct Date {
  std::int64_t year = 1970;
  std::int64_t month = 1;  // 1 to 12
  std::int64_t day = 1;    // 1 to 31
};

std::int64_t day_of(const Date& date);
Date date_of(std::int64_t day);

// 0: Sunday … 6: Saturday.
constexpr std::int64_t weekday_of(std::int64_t day) { return ((day + 4) % 7 + 7) % 7; }

// Returns the day that contains this number of milliseconds since 1970.
constexpr std::int64_t floor_day(std::int64_t milliseconds) {
  return (milliseconds >= 0 ? milliseconds : milliseconds - day_length + 1) / day_length;
}

}  // namespace orlop
