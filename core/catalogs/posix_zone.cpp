#include "catalogs/posix_zone.h"

#include <cstdint>

#include "base/calendar.h"

namespace orlop {
namespace {

constexpr std::int64_t second = 1000;

bool is_ascii_letter(char letter) { return (letter >= 'A' && letter <= 'Z') || (letter >= 'a' && letter <= 'z'); }
bool is_ascii_digit(char letter) { return letter >= '0' && letter <= '9'; }

// Reads a rule from start to end. has_failed() reports whether any part was malformed.
class RuleReader {
 public:
  explicit RuleReader(std::string_view rule) : rest_(rule) {}

  bool has_failed() const { return has_failed_; }
  bool is_at_end() const { return rest_.empty(); }
  bool next_is(char letter) const { return rest_.starts_with(letter); }
  bool take(char letter) {
    if (!next_is(letter)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  void require(char letter) { has_failed_ = !take(letter) || has_failed_; }

  // Skips a name like "CET" or "<+01>".
  void skip_name() {
    const bool is_quoted = take('<');
    const std::size_t before = rest_.size();
    while (!rest_.empty() && (is_quoted ? !next_is('>') : is_ascii_letter(rest_.front()))) rest_.remove_prefix(1);
    has_failed_ = has_failed_ || before == rest_.size();
    if (is_quoted) require('>');
  }

  std::int64_t number(std::int64_t least, std::int64_t most) {
    std::int64_t value = 0;
    const std::size_t before = rest_.size();
    while (!rest_.empty() && is_ascii_digit(rest_.front()) && value < 1000) {
      value = value * 10 + (rest_.front() - '0');
      rest_.remove_prefix(1);
    }
    has_failed_ = has_failed_ || before == rest_.size() || value < least || value > most;
    return value;
  }

  // Reads a time like "-3:30". Returns milliseconds.
  std::int64_t time() {
    const bool is_negative = take('-');
    if (!is_negative) (void)take('+');
    std::int64_t value = number(0, 167) * 3600;
    if (take(':')) value += number(0, 59) * 60;
    if (take(':')) value += number(0, 59);
    return (is_negative ? -value : value) * second;
  }

 private:
  std::string_view rest_;
  bool has_failed_ = false;
};

// Change of the clocks on a day of the year: "M3.5.0/3" the fifth (last) Sunday of March, "J60" the 60th day, 29
// February not counted, "59" the day after 59 others. At 2 o'clock if the time is missing.
struct ClockChange {
  enum class Form : std::uint8_t { weekday, day_without_leap, day };
  Form form = Form::weekday;
  std::int64_t month = 1;
  std::int64_t week = 1;
  std::int64_t day = 0;  // weekday, 0: Sunday; in the other forms a day of the year
  std::int64_t time = 2 * 3600 * second;
};

ClockChange take_change(RuleReader& rule) {
  ClockChange change;
  rule.require(',');
  if (rule.take('M')) {
    change.month = rule.number(1, 12);
    rule.require('.');
    change.week = rule.number(1, 5);
    rule.require('.');
    change.day = rule.number(0, 6);
  } else {
    change.form = rule.take('J') ? ClockChange::Form::day_without_leap : ClockChange::Form::day;
    change.day = rule.number(change.form == ClockChange::Form::day ? 0 : 1, 365);
  }
  if (rule.take('/')) change.time = rule.time();
  return change;
}

std::int64_t day_of_change(const ClockChange& change, std::int64_t year) {
  const std::int64_t new_year = day_of({year, 1, 1});
  if (change.form == ClockChange::Form::day) return new_year + change.day;
  if (change.form == ClockChange::Form::day_without_leap) {
    const bool is_behind_leap_day = change.day >= 60 && day_of({year, 3, 1}) - new_year == 60;
    return new_year + change.day - (is_behind_leap_day ? 0 : 1);
  }
  const std::int64_t first = day_of({year, change.month, 1});
  const std::int64_t to_weekday = (change.day - weekday_of(first) + 7) % 7;
  std::int64_t day = first + to_weekday + (change.week - 1) * 7;
  const std::int64_t next_month = change.month == 12 ? day_of({year + 1, 1, 1}) : day_of({year, change.month + 1, 1});
  while (day >= next_month) day -= 7;
  return day;
}

// Returns the local time of the change in this year, in milliseconds since 1970.
std::int64_t local_time_of(const ClockChange& change, std::int64_t year) {
  return day_of_change(change, year) * day_length + change.time;
}

}  // namespace

std::optional<Duration> offset_by_rule(std::string_view text, Instant at) {
  RuleReader rule(text);
  rule.skip_name();
  const std::int64_t standard = -rule.time();  // POSIX counts positive to the west
  if (rule.has_failed()) return std::nullopt;
  if (rule.is_at_end()) return Duration{standard};
  rule.skip_name();
  const std::int64_t summer = rule.next_is(',') ? standard + 3600 * second : -rule.time();
  const ClockChange begin = take_change(rule);
  const ClockChange end = take_change(rule);
  if (rule.has_failed() || !rule.is_at_end()) return std::nullopt;
  const std::int64_t year = date_of(floor_day(at.milliseconds + standard)).year;
  const std::int64_t begins = local_time_of(begin, year) - standard;
  const std::int64_t ends = local_time_of(end, year) - summer;
  const bool is_summer = begins < ends ? at.milliseconds >= begins && at.milliseconds < ends
                                       : at.milliseconds >= begins || at.milliseconds < ends;
  return Duration{is_summer ? summer : standard};
}

}  // namespace orlop
