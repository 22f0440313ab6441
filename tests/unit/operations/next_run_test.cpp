#include "operations/services/parts/next_run.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "base/instant.h"

namespace orlop {
namespace {

// The first `count` times after `after`, without seconds and year, one after the other.
std::string runs(std::string_view schedule, std::string_view zone, std::string_view after, int count = 1) {
  const auto times = read_cron(schedule);
  if (!times) return "unreadable";
  std::string said;
  Instant at = *parse_instant(after);
  for (int run = 0; run < count; ++run) {
    const auto next = next_run(*times, zone, at);
    if (!next) return said + "never";
    at = *next;
    said += (run == 0 ? "" : " ") + to_text(at).substr(5, 11);
  }
  return said;
}

TEST(NextRun, IsTheFirstTimeAfterTheInstant) {
  EXPECT_EQ(runs("0 3 * * *", "Etc/UTC", "2026-01-01T00:00:00Z", 2), "01-01T03:00 01-02T03:00");
  EXPECT_EQ(runs("0 3 * * *", "Etc/UTC", "2026-01-01T03:00:00Z"), "01-02T03:00");
  EXPECT_EQ(runs("*/15 9-10 * * *", "Etc/UTC", "2026-01-01T10:29:59.999Z", 4), "01-01T10:30 01-01T10:45 01-02T09:00 01-02T09:15");
  EXPECT_EQ(runs("* * * * *", "Etc/UTC", "2026-12-31T23:58:30Z", 2), "12-31T23:59 01-01T00:00");
  EXPECT_EQ(runs("30 6,18 * jun *", "Etc/UTC", "2026-01-01T00:00:00Z", 3), "06-01T06:30 06-01T18:30 06-02T06:30");
}

TEST(NextRun, OfANumberWithAStepGoesOnFromIt) {
  EXPECT_EQ(runs("5/20 * * * *", "Etc/UTC", "2026-01-01T00:00:00Z", 4), "01-01T00:05 01-01T00:25 01-01T00:45 01-01T01:05");
  EXPECT_EQ(runs("0 20/2,3 * * *", "Etc/UTC", "2026-01-01T00:00:00Z", 4), "01-01T03:00 01-01T20:00 01-01T22:00 01-02T03:00");
  EXPECT_EQ(runs("0 0 * * mon/2", "Etc/UTC", "2026-01-01T00:00:00Z", 4), "01-02T00:00 01-05T00:00 01-07T00:00 01-09T00:00");  // not on Sundays
  EXPECT_EQ(runs("0 0 * * 7/2", "Etc/UTC", "2026-01-01T00:00:00Z", 2), "01-04T00:00 01-11T00:00");
}

TEST(NextRun, CountsEitherKindOfDayWhereBothAreRestricted) {
  // The first of January 2026 is a Thursday.
  EXPECT_EQ(runs("0 0 * * mon", "Etc/UTC", "2026-01-01T00:00:00Z", 2), "01-05T00:00 01-12T00:00");
  EXPECT_EQ(runs("0 0 * * 7", "Etc/UTC", "2026-01-01T00:00:00Z"), "01-04T00:00");
  EXPECT_EQ(runs("0 0 13 * *", "Etc/UTC", "2026-01-01T00:00:00Z", 2), "01-13T00:00 02-13T00:00");
  EXPECT_EQ(runs("0 0 13 * fri", "Etc/UTC", "2026-01-01T00:00:00Z", 4), "01-02T00:00 01-09T00:00 01-13T00:00 01-16T00:00");
  // With a star in front, a field restricts the other: odd days that are Mondays.
  EXPECT_EQ(runs("0 0 */2 * mon", "Etc/UTC", "2026-01-01T00:00:00Z", 2), "01-05T00:00 01-19T00:00");
}

TEST(NextRun, FindsDaysThatAreRare) {
  EXPECT_EQ(runs("0 0 29 2 *", "Etc/UTC", "2026-01-01T00:00:00Z", 2), "02-29T00:00 02-29T00:00");
  EXPECT_EQ(runs("0 0 29 2 *", "Etc/UTC", "2096-03-01T00:00:00Z"), "02-29T00:00");  // 2100 has no such day
  const auto times = read_cron("0 0 29 2 */6");
  ASSERT_TRUE(times);
  EXPECT_EQ(to_text(*next_run(*times, "Etc/UTC", *parse_instant("2026-01-01T00:00:00Z"))), "2032-02-29T00:00:00.000Z");  // a Sunday
}

TEST(NextRun, FollowsTheClocksOfTheZone) {
  EXPECT_EQ(runs("0 3 * * *", "Europe/Paris", "2026-01-15T00:00:00Z"), "01-15T02:00");
  EXPECT_EQ(runs("0 3 * * *", "Europe/Paris", "2026-07-15T00:00:00Z"), "07-15T01:00");
  EXPECT_EQ(runs("0 0 * * *", "Pacific/Auckland", "2026-01-15T00:00:00Z"), "01-15T11:00");
  EXPECT_EQ(runs("15 0 1 * *", "Asia/Kathmandu", "2026-01-15T00:00:00Z"), "01-31T18:30");
}

TEST(NextRun, OfAFixedTimeComesOnceOnEachDay) {
  // On 29 March clocks in Paris go from 2 to 3 o'clock, on 25 October from 3 to 2.
  EXPECT_EQ(runs("30 2 * * *", "Europe/Paris", "2026-03-28T00:00:00Z", 3), "03-28T01:30 03-29T01:30 03-30T00:30");
  EXPECT_EQ(runs("30 2 * * *", "Europe/Paris", "2026-10-24T00:00:00Z", 3), "10-24T00:30 10-25T01:30 10-26T01:30");
  EXPECT_EQ(runs("30 2 * * *", "America/New_York", "2026-03-07T12:00:00Z", 2), "03-08T07:30 03-09T06:30");
  // Clocks in Cairo go on from midnight: 24 April has no hour from 0 to 1.
  EXPECT_EQ(runs("30 0 * * *", "Africa/Cairo", "2026-04-22T23:00:00Z", 3), "04-23T22:30 04-24T21:30 04-25T21:30");
}

TEST(NextRun, OfEveryHourComesInEachHourThatPasses) {
  EXPECT_EQ(runs("0 * * * *", "Europe/Paris", "2026-03-28T23:30:00Z", 4), "03-29T00:00 03-29T01:00 03-29T02:00 03-29T03:00");
  EXPECT_EQ(runs("0 * * * *", "Europe/Paris", "2026-10-24T23:30:00Z", 4), "10-25T00:00 10-25T01:00 10-25T02:00 10-25T03:00");
  EXPECT_EQ(runs("*/30 2 * * *", "Europe/Paris", "2026-03-28T12:00:00Z", 2), "03-30T00:00 03-30T00:30");
  EXPECT_EQ(runs("*/30 2 * * *", "Europe/Paris", "2026-10-24T12:00:00Z", 5), "10-25T00:00 10-25T00:30 10-25T01:00 10-25T01:30 10-26T01:00");
  // By half an hour.
  EXPECT_EQ(runs("0 * * * *", "Australia/Lord_Howe", "2026-10-03T14:30:00Z", 3), "10-03T16:00 10-03T17:00 10-03T18:00");
}

}  // namespace
}  // namespace orlop
