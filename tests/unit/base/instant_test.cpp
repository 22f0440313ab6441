#include "base/instant.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>
#include <limits>

namespace orlop {
namespace {

TEST(Instant, WritesRfc3339WithMilliseconds) {
  EXPECT_EQ(to_text(Instant{0}), "1970-01-01T00:00:00.000Z");
  EXPECT_EQ(to_text(Instant{1'767'225'600'000}), "2026-01-01T00:00:00.000Z");
  EXPECT_EQ(to_text(Instant{-1}), "1969-12-31T23:59:59.999Z");
  EXPECT_EQ(to_text(Instant{951'782'400'007}), "2000-02-29T00:00:00.007Z");
}

TEST(Instant, ReadsOffsetsAndFractions) {
  EXPECT_EQ(parse_instant("2026-01-01T00:00:00Z")->milliseconds, 1'767'225'600'000);
  EXPECT_EQ(parse_instant("2026-01-01T02:30:00+02:30")->milliseconds, 1'767'225'600'000);
  EXPECT_EQ(parse_instant("2025-12-31T23:00:00-01:00")->milliseconds, 1'767'225'600'000);
  EXPECT_EQ(parse_instant("2026-01-01T00:00:00.5Z")->milliseconds, 1'767'225'600'500);
  EXPECT_EQ(parse_instant("2026-01-01T00:00:00.123456789Z")->milliseconds, 1'767'225'600'123);
}

TEST(Instant, RefusesWhatIsNoInstant) {
  for (const char* text :
       {"", "2026-01-01", "2026-13-01T00:00:00Z", "2026-02-29T00:00:00Z", "2026-01-01T24:00:00Z",
        "2026-01-01T00:00:60Z", "2026-01-01T00:00:00", "2026-01-01T00:00:00.Z", "2026-01-01T00:00:00+2",
        "2026-01-01 00:00:00Z", "2026-01-00T00:00:00Z", "2026-01-01T00:00:00.1234567890Z"}) {
    EXPECT_FALSE(parse_instant(text)) << text;
  }
}

// Every day of 800 years, in both directions.
TEST(Instant, EveryDayRoundTrips) {
  const std::int64_t first = parse_instant("1600-01-01T12:34:56.789Z")->milliseconds;
  for (std::int64_t day = 0; day < 292'194; ++day) {
    const Instant at{first + day * 86'400'000};
    ASSERT_EQ(parse_instant(to_text(at)), at) << to_text(at);
  }
}

// Formats the instant with the standard library's calendar.
std::string plain_text(Instant at) {
  const std::chrono::sys_time<std::chrono::milliseconds> time{std::chrono::milliseconds(at.milliseconds)};
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(time - day);
  char text[64];
  std::snprintf(text, sizeof text, "%04d-%02u-%02uT%02d:%02d:%02d.%03dZ", static_cast<int>(date.year()),
                static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                static_cast<int>(clock.hours().count()), static_cast<int>(clock.minutes().count()),
                static_cast<int>(clock.seconds().count()), static_cast<int>(clock.subseconds().count()));
  return text;
}

constexpr std::int64_t year_0 = -62'167'219'200'000;
constexpr std::int64_t year_10000 = 253'402'300'800'000;

TEST(Instant, IsWrittenAsTheStandardLibraryWritesIt) {
  EXPECT_EQ(to_text(Instant{year_0}), "0000-01-01T00:00:00.000Z");
  EXPECT_EQ(to_text(Instant{year_10000 - 1}), "9999-12-31T23:59:59.999Z");
  // Every few days, at a different time of day.
  for (std::int64_t at = year_0; at < year_10000; at += 1'234'567'891)
    ASSERT_EQ(to_text(Instant{at}), plain_text(Instant{at})) << at;
  // Around the ends of years and of Februaries.
  for (int year = 0; year < 10'000; ++year) {
    for (const unsigned month : {1U, 3U}) {
      const std::chrono::sys_days first = std::chrono::year(year) / static_cast<int>(month) / 1;
      const std::int64_t begin = std::chrono::sys_time<std::chrono::milliseconds>(first).time_since_epoch().count();
      for (const std::int64_t at : {begin - 1, begin}) {
        if (at < year_0) continue;
        ASSERT_EQ(to_text(Instant{at}), plain_text(Instant{at})) << at;
      }
    }
  }
}

// Every second of a day, and every fraction of a second, also before 1970.
TEST(Instant, HasEverySecondOfADay) {
  for (const std::int64_t day : {std::int64_t{-1}, std::int64_t{20'454}}) {
    for (std::int64_t second = 0; second < 86'400; ++second) {
      const Instant at{(day * 86'400 + second) * 1000 + second % 1000};
      ASSERT_EQ(to_text(at), plain_text(at)) << at.milliseconds;
    }
  }
}

// There is no text for such years, but the buffer must be large enough for the digits.
TEST(Instant, OfAYearWithoutATextHasDigitsAllTheSame) {
  for (const std::int64_t at :
       {year_0 - 1, year_10000, -(std::int64_t{1} << 49), std::int64_t{1} << 49,
        std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::min() + 100'000'000}) {
    const std::string text = to_text(Instant{at});
    EXPECT_EQ(text.size(), instant_text_size);
    EXPECT_EQ(text.find_first_not_of("0123456789-T:.Z"), std::string::npos) << text;
  }
}

TEST(OptionalInstant, EqualsAnOptionalOneAndAnInstant) {
  constexpr Instant one{1};
  const OptionalInstant none;
  const OptionalInstant some(one);
  const std::optional<Instant> no_instant;
  EXPECT_TRUE(none == no_instant && no_instant == none);
  EXPECT_TRUE(some == std::optional(one) && std::optional(one) == some);
  EXPECT_FALSE(some == no_instant || no_instant == some || none == std::optional(one) || std::optional(one) == none);
  EXPECT_FALSE(some == std::optional(Instant{2}));
  EXPECT_TRUE(some == one && one == some);
  EXPECT_FALSE(none == one || some == Instant{2});
  EXPECT_TRUE(none == std::nullopt && some != std::nullopt);
  EXPECT_EQ(std::optional<Instant>(none), no_instant);
  EXPECT_EQ(std::optional<Instant>(some), one);
}

}  // namespace
}  // namespace orlop
