#include "base/instant.h"

#include <gtest/gtest.h>

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
  for (const char* text : {"", "2026-01-01", "2026-13-01T00:00:00Z", "2026-02-29T00:00:00Z", "2026-01-01T24:00:00Z",
                           "2026-01-01T00:00:60Z", "2026-01-01T00:00:00", "2026-01-01T00:00:00.Z", "2026-01-01T00:00:00+2",
                           "2026-01-01 00:00:00Z", "2026-01-00T00:00:00Z", "2026-01-01T00:00:00.1234567890Z"}) {
    EXPECT_FALSE(parse_instant(text)) << text;
  }
}

// Every day of 800 years, both ways.
TEST(Instant, EveryDayRoundTrips) {
  const std::int64_t first = parse_instant("1600-01-01T12:34:56.789Z")->milliseconds;
  for (std::int64_t day = 0; day < 292'194; ++day) {
    const Instant at{first + day * 86'400'000};
    ASSERT_EQ(parse_instant(to_text(at)), at) << to_text(at);
  }
}

}  // namespace
}  // namespace orlop
