#include "base/calendar.h"

namespace orlop {

// Counts in eras of 400 years that start in March.
std::int64_t day_of(const Date& date) {
  const std::int64_t year = date.month <= 2 ? date.year - 1 : date.year;
  const std::int64_t era = (year >= 0 ? year : year - 399) / 400;
  const std::int64_t year_of_era = year - era * 400;
  const std::int64_t month_from_march = (date.month + 9) % 12;
  const std::int64_t day_of_year = (153 * month_from_march + 2) / 5 + date.day - 1;
  return era * 146097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719468;
}

// Computes in 32 bits where they suffice: divisions by constants are cheaper there.
Date date_of(std::int64_t day) {
  day += 719468;
  const std::int64_t era = (day >= 0 ? day : day - 146096) / 146097;
  const auto day_of_era = static_cast<std::uint32_t>(day - era * 146097);
  const std::uint32_t year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
  const std::uint32_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const std::uint32_t month_from_march = (5 * day_of_year + 2) / 153;
  const std::uint32_t month = month_from_march < 10 ? month_from_march + 3 : month_from_march - 9;
  return {year_of_era + era * 400 + (month <= 2 ? 1 : 0), month, day_of_year - (153 * month_from_march + 2) / 5 + 1};
}

}  // namespace orlop
