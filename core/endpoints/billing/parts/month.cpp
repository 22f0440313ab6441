#include "endpoints/billing/parts/month.h"

#include <array>
#include <chrono>
#include <string_view>

namespace orlop {
namespace {

using std::chrono::days;
using std::chrono::milliseconds;
using std::chrono::sys_days;
using std::chrono::year_month;
using std::chrono::year_month_day;

year_month month_of(Instant at) {
  const std::chrono::sys_time<milliseconds> time{milliseconds{at.milliseconds}};
  const year_month_day date{std::chrono::floor<days>(time)};
  return {date.year(), date.month()};
}

Instant begin_of(year_month month) {
  const std::chrono::sys_time<milliseconds> begin = sys_days{month / 1};
  return {begin.time_since_epoch().count()};
}

}  // namespace

Instant month_begin(Instant at) { return begin_of(month_of(at)); }
Instant month_end(Instant at) { return begin_of(month_of(at) + std::chrono::months{1}); }

std::string month_name(Instant at) {
  constexpr std::array<std::string_view, 12> names = {"January",   "February", "March",    "April",
                                                      "May",       "June",     "July",     "August",
                                                      "September", "October",  "November", "December"};
  const year_month month = month_of(at);
  return std::string(names[static_cast<unsigned>(month.month()) - 1]) + " " +
         std::to_string(static_cast<int>(month.year()));
}

}  // namespace orlop
