#include "endpoints/services/parts/next_run.h"

#include <cstdint>
#include <utility>

#include "base/calendar.h"

namespace orlop {
namespace {

constexpr std::int64_t second_length = 1000;
constexpr std::int64_t minute_length = 60 * second_length;
constexpr std::int64_t hour_length = 60 * minute_length;
constexpr std::int64_t years_searched = 5;

bool has_bit(std::uint64_t bits, std::int64_t place) { return ((bits >> static_cast<std::uint64_t>(place)) & 1U) != 0; }

bool comes_on(const CronTimes& times, std::int64_t day) {
  const bool is_day = has_bit(times.days, date_of(day).day);
  const bool is_weekday = has_bit(times.weekdays, weekday_of(day));
  return times.is_any_day || times.is_any_weekday ? is_day && is_weekday : is_day || is_weekday;
}

// Search of robfig/cron 3.0.1, SpecSchedule.Next, with its behavior where clocks change: it advances by the largest
// unit that does not match, and starts over when the next larger unit has changed.
class KubernetesSearch {
 public:
  KubernetesSearch(const CronTimes& times, const TimeZone& zone, Instant after)
      : times_(times), zone_(zone), at_{(after.milliseconds / second_length + 1) * second_length} {}

  std::optional<Instant> run() {
    const std::int64_t last_year = date().year + years_searched;
    while (date().year <= last_year) {
      if (find_month() && find_day() && find_hour() && find_minute() && find_second()) return at_;
    }
    return std::nullopt;
  }

 private:
  std::int64_t local() const { return (at_ + utc_offset(zone_, at_)).milliseconds; }
  std::int64_t day() const { return floor_day(local()); }
  Date date() const { return date_of(day()); }
  std::int64_t time_of_day() const { return local() - day() * day_length; }
  std::int64_t hour() const { return time_of_day() / hour_length; }
  std::int64_t minute() const { return time_of_day() % hour_length / minute_length; }

  // Like Go's time.Date: a time that clocks skip or repeat gets one of the two offsets.
  void set_local(std::int64_t local) {
    const Duration near = utc_offset(zone_, {local});
    at_ = Instant{local} - utc_offset(zone_, Instant{local} - near);
  }
  // The first advance goes to the beginning of the unit.
  bool begins() { return !std::exchange(has_begun_, true); }

  // The find functions return false if a larger unit has changed.
  bool find_month() {
    while (!has_bit(times_.months, date().month)) {
      if (begins()) set_local(day_of({date().year, date().month, 1}) * day_length);
      const Date from = date();
      const bool is_december = from.month == 12;
      const std::int64_t first = day_of({from.year + (is_december ? 1 : 0), is_december ? 1 : from.month + 1, 1});
      set_local((first + from.day - 1) * day_length + time_of_day());
      if (date().month == 1) return false;
    }
    return true;
  }

  bool find_day() {
    while (!comes_on(times_, day())) {
      if (begins()) set_local(day() * day_length);
      set_local((day() + 1) * day_length + time_of_day());
      // Clocks may skip midnight.
      if (const std::int64_t shown = hour(); shown != 0)
        at_ = at_ + Duration{(shown > 12 ? 24 - shown : -shown) * hour_length};
      if (date().day == 1) return false;
    }
    return true;
  }

  bool find_hour() {
    while (!has_bit(times_.hours, hour())) {
      if (begins()) set_local(day() * day_length + hour() * hour_length);
      at_ = at_ + Duration{hour_length};
      if (hour() == 0) return false;
    }
    return true;
  }

  bool find_minute() {
    while (!has_bit(times_.minutes, minute())) {
      if (begins()) at_.milliseconds -= at_.milliseconds % minute_length;
      at_ = at_ + Duration{minute_length};
      if (minute() == 0) return false;
    }
    return true;
  }

  bool find_second() {
    const std::int64_t past = at_.milliseconds % minute_length;
    if (past == 0) return true;
    has_begun_ = true;
    at_ = at_ + Duration{minute_length - past};
    return false;
  }

  const CronTimes& times_;
  const TimeZone& zone_;
  Instant at_;
  bool has_begun_ = false;
};

// For a schedule with a fixed hour and minute that comes once on each of its days.
std::optional<Instant> once_on(const CronTimes& times, const TimeZone& zone, std::int64_t day, Instant after) {
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

std::optional<Instant> next_once(const CronTimes& times, const TimeZone& zone, Instant after) {
  const std::int64_t today = floor_day((after + utc_offset(zone, after)).milliseconds);
  const std::int64_t end = day_of({date_of(today).year + years_searched + 1, 1, 1});
  for (std::int64_t day = today - 1; day < end; ++day) {
    if (!has_bit(times.months, date_of(day).month) || !comes_on(times, day)) continue;
    if (const auto at = once_on(times, zone, day, after)) return at;
  }
  return std::nullopt;
}

// Later instants have no text form.
constexpr Instant instant_max{253'402'300'799'999};

std::optional<Instant> within_calendar(Instant at) { return at > instant_max ? std::nullopt : std::optional(at); }

}  // namespace

std::optional<Instant> next_run(const CronTimes& times, const TimeZone& zone, Instant after, CronClockChanges changes) {
  if (!comes(times)) return std::nullopt;
  if (times.every > Duration{})
    return within_calendar(Instant{after.milliseconds - after.milliseconds % second_length} + times.every);
  const auto next = changes == CronClockChanges::once && times.is_fixed ? next_once(times, zone, after)
                                                                        : KubernetesSearch(times, zone, after).run();
  return next ? within_calendar(*next) : std::nullopt;
}

std::optional<Instant> next_every(const CronTimes& times, Instant last, Instant after) {
  const std::int64_t passed = (after - last).milliseconds / times.every.milliseconds;
  return within_calendar(last + Duration{(passed + 1) * times.every.milliseconds});
}

}  // namespace orlop
