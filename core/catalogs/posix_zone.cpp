#include "catalogs/posix_zone.h"

#include <cstdint>

#include "base/calendar.h"

namespace orlop {
namespace {

constexpr std::int64_t second = 1000;

// Reads a rule from its begin to its end.
class Reader {
 public:
  explicit Reader(std::string_view rule) : rest_(rule) {}

  bool is_at_end() const { return rest_.empty(); }
  bool take(char letter) {
    if (rest_.empty() || rest_.front() != letter) return false;
    rest_.remove_prefix(1);
    return true;
  }

  // "CET" or "<+01>".
  void skip_name() {
    if (take('<')) {
      while (!rest_.empty() && !take('>')) rest_.remove_prefix(1);
      return;
    }
    while (!rest_.empty() && ((rest_.front() >= 'A' && rest_.front() <= 'Z') || (rest_.front() >= 'a' && rest_.front() <= 'z'))) rest_.remove_prefix(1);
  }

  std::int64_t number() {
    std::int64_t value = 0;
    while (!rest_.empty() && rest_.front() >= '0' && rest_.front() <= '9' && value < 1000) {
      value = value * 10 + (rest_.front() - '0');
      rest_.remove_prefix(1);
    }
    return value;
  }

  // "-3:30", as milliseconds.
  std::int64_t time() {
    const bool is_negative = take('-');
    if (!is_negative) (void)take('+');
    std::int64_t value = number() * 3600;
    if (take(':')) value += number() * 60;
    if (take(':')) value += number();
    return (is_negative ? -value : value) * second;
  }

 private:
  std::string_view rest_;
};

// "M3.5.0/3": the time on the fifth (last) Sunday of March, 2 o'clock where none is given.
struct Change {
  std::int64_t month = 1;
  std::int64_t week = 1;
  std::int64_t weekday = 0;  // 0: Sunday
  std::int64_t time = 2 * 3600 * second;
};

Change take_change(Reader& rule) {
  Change change;
  (void)rule.take(',');
  (void)rule.take('M');
  change.month = rule.number();
  (void)rule.take('.');
  change.week = rule.number();
  (void)rule.take('.');
  change.weekday = rule.number();
  if (rule.take('/')) change.time = rule.time();
  return change;
}

// Local milliseconds since 1970 at which clocks change in this year.
std::int64_t local_time_of(const Change& change, std::int64_t year) {
  const std::int64_t first = day_of({year, change.month, 1});
  const std::int64_t to_weekday = (change.weekday - weekday_of(first) + 7) % 7;
  std::int64_t day = first + to_weekday + (change.week - 1) * 7;
  const std::int64_t next_month = change.month == 12 ? day_of({year + 1, 1, 1}) : day_of({year, change.month + 1, 1});
  while (day >= next_month) day -= 7;
  return day * day_length + change.time;
}

}  // namespace

Duration offset_by_rule(std::string_view text, Instant at) {
  Reader rule(text);
  rule.skip_name();
  const std::int64_t standard = -rule.time();  // POSIX counts to the west
  if (rule.is_at_end()) return {standard};
  rule.skip_name();
  std::int64_t summer = standard + 3600 * second;
  Reader ahead = rule;
  if (!ahead.take(',')) summer = -rule.time();
  const Change begin = take_change(rule);
  const Change end = take_change(rule);
  const std::int64_t year = date_of(floor_day(at.milliseconds + standard)).year;
  const std::int64_t begins = local_time_of(begin, year) - standard;
  const std::int64_t ends = local_time_of(end, year) - summer;
  const bool is_summer = begins < ends ? at.milliseconds >= begins && at.milliseconds < ends : at.milliseconds >= begins || at.milliseconds < ends;
  return {is_summer ? summer : standard};
}

}  // namespace orlop
