#include "catalogs/time_zone.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

namespace orlop {
namespace {

Instant at(std::string_view text) { return *parse_instant(text); }

TEST(TimeZone, OffsetsAreThoseOfTheCompiledZones) {
  std::ifstream file(std::string(ORLOP_TEST_DATA) + "/tables/time_zones.txt");
  int count = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line.front() == '#') continue;
    std::istringstream words(line);
    std::string zone;
    std::string instant;
    std::int64_t minutes = 0;
    words >> zone >> instant >> minutes;
    EXPECT_EQ(utc_offset(zone, at(instant)).milliseconds / 60'000, minutes) << line;
    ++count;
  }
  EXPECT_GT(count, 200);
}

TEST(TimeZone, HasAnOffsetInEachYearAndNoneWhereThereIsNoZone) {
  EXPECT_EQ(utc_offset("Europe/Atlantis", at("2026-07-01T00:00:00Z")).milliseconds, 0);
  for (const std::string_view zone : time_zones()) {
    for (const std::string_view instant : {"0001-01-01T00:00:00Z", "1969-12-31T23:59:59Z", "2026-07-01T00:00:00Z", "9999-12-31T23:59:59Z"}) {
      EXPECT_LE(std::abs(utc_offset(zone, at(instant)).milliseconds), 14 * 3'600'000) << zone << " " << instant;
    }
  }
}

TEST(TimeZone, LocalTimesThatClocksSkipOrRepeatAreNearTheChange) {
  EXPECT_EQ(to_text(from_local("Europe/Paris", at("2026-01-15T08:00:00Z"))), "2026-01-15T07:00:00.000Z");
  EXPECT_EQ(to_text(from_local("Europe/Paris", at("2026-07-15T08:00:00Z"))), "2026-07-15T06:00:00.000Z");
  // On 29 March clocks go from 2 to 3 o'clock.
  EXPECT_EQ(to_text(from_local("Europe/Paris", at("2026-03-29T02:30:00Z"))), "2026-03-29T01:30:00.000Z");
  EXPECT_EQ(to_text(from_local("Europe/Paris", at("2026-03-29T03:00:00Z"))), "2026-03-29T01:00:00.000Z");
  // West of Greenwich, on 8 March from 2 to 3 o'clock, and on 1 November from 2 to 1.
  EXPECT_EQ(to_text(from_local("America/New_York", at("2026-03-08T02:30:00Z"))), "2026-03-08T07:30:00.000Z");
  EXPECT_EQ(to_text(from_local("America/New_York", at("2026-03-08T03:00:00Z"))), "2026-03-08T07:00:00.000Z");
  EXPECT_EQ(to_text(from_local("America/New_York", at("2026-11-01T01:30:00Z"))), "2026-11-01T06:30:00.000Z");
  EXPECT_EQ(to_text(from_local("America/New_York", at("2026-11-01T00:30:00Z"))), "2026-11-01T04:30:00.000Z");
  // Far from Greenwich, a day's first hours are another day in UTC.
  EXPECT_EQ(to_text(from_local("Pacific/Auckland", at("2026-01-15T08:00:00Z"))), "2026-01-14T19:00:00.000Z");
  EXPECT_EQ(to_text(from_local("America/Los_Angeles", at("2026-07-15T20:00:00Z"))), "2026-07-16T03:00:00.000Z");
}

}  // namespace
}  // namespace orlop
