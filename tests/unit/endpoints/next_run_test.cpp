#include "endpoints/services/parts/next_run.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "base/instant.h"

namespace orlop {
namespace {

// Returns the first `count` times after `after`, in whole seconds.
std::string runs(std::string_view schedule, std::string_view zone, std::string_view after, std::size_t count,
                 CronClockChanges changes = CronClockChanges::kubernetes) {
  const auto times = read_cron(schedule);
  if (!times) return "refused";
  std::string said;
  Instant at = *parse_instant(after);
  for (std::size_t run = 0; run < count; ++run) {
    const auto next = next_run(*times, TimeZones::built_in().find_or_utc(zone), at, changes);
    if (run > 0) said += ' ';
    if (!next) return said + "never";
    at = *next;
    said += to_text(at).substr(0, 19) + 'Z';
  }
  return said;
}

std::string once(std::string_view schedule, std::string_view zone, std::string_view after, std::size_t count) {
  return runs(schedule, zone, after, count, CronClockChanges::once);
}

std::vector<std::string> parts_of(std::string_view line) {
  constexpr std::string_view separator = " | ";
  std::vector<std::string> parts;
  while (true) {
    const std::size_t end = line.find(separator);
    parts.emplace_back(line.substr(0, end));
    if (end == std::string_view::npos) return parts;
    line.remove_prefix(end + separator.size());
  }
}

// Converts a schedule from its form in the table.
std::string unquoted(std::string_view text) {
  std::string plain;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '\\') {
      plain += text[at];
      continue;
    }
    const char letter = text[++at];
    plain += letter == 't' ? "\t" : letter == 'n' ? "\n" : letter == 's' ? "\u00A0" : "\\";
  }
  return plain;
}

TEST(NextRun, IsThatOfTheParserOfKubernetes) {
  std::ifstream file(std::string(ORLOP_TEST_DATA) + "/tables/cron/times.txt");
  int count = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#')) continue;
    const std::vector<std::string> parts = parts_of(line);
    ASSERT_TRUE(parts.size() == 2 || parts.size() == 4) << line;
    ++count;
    const std::string schedule = unquoted(parts[0]);
    if (parts.size() == 2) {
      EXPECT_EQ(read_cron(schedule).has_value(), parts[1] != "refused") << line;
      continue;
    }
    const std::string& expected = parts[3];
    const std::size_t instants = 1 + static_cast<std::size_t>(std::ranges::count(expected, ' '));
    EXPECT_EQ(runs(schedule, parts[1], parts[2], instants), expected) << line;
  }
  EXPECT_GT(count, 700);
}

TEST(NextRun, OfAScheduleThatNeverComesIsFoundAtOnce) {
  for (const char* text : {"0 0 31 2 *", ", * * * *", "* , * * *", "* * , * *", "* * * , *", "* * * * ,"}) {
    const auto times = read_cron(text);
    ASSERT_TRUE(times) << text;
    EXPECT_FALSE(comes(*times)) << text;
    EXPECT_EQ(once(text, "Europe/Paris", "2026-01-01T00:00:00Z", 1), "never") << text;
  }
  EXPECT_EQ(runs("0 0 29 2 *", "Etc/UTC", "9996-03-01T00:00:00Z", 1), "never") << "later years have no text";
  EXPECT_EQ(runs("@every 2562047h", "Etc/UTC", "9900-01-01T00:00:00Z", 1), "never");
}

TEST(NextRun, OfEveryKeepsItsDistanceToTheLastRun) {
  const auto times = read_cron("@every 90m");
  ASSERT_TRUE(times);
  const Instant last = *parse_instant("2026-01-01T00:00:10Z");
  EXPECT_EQ(to_text(*next_every(*times, last, last)), "2026-01-01T01:30:10.000Z");
  EXPECT_EQ(to_text(*next_every(*times, last, *parse_instant("2026-01-01T04:30:09.999Z"))), "2026-01-01T04:30:10.000Z");
  EXPECT_EQ(to_text(*next_every(*times, last, *parse_instant("2026-01-01T04:30:10Z"))), "2026-01-01T06:00:10.000Z");
}

TEST(NextRun, OnceADayOfAFixedTime) {
  // On 29 March clocks in Paris change from 2 to 3 o'clock, on 25 October from 3 to 2.
  EXPECT_EQ(once("30 2 * * *", "Europe/Paris", "2026-03-28T00:00:00Z", 3),
            "2026-03-28T01:30:00Z 2026-03-29T01:30:00Z 2026-03-30T00:30:00Z");
  EXPECT_EQ(once("30 2 * * *", "Europe/Paris", "2026-10-24T00:00:00Z", 3),
            "2026-10-24T00:30:00Z 2026-10-25T01:30:00Z 2026-10-26T01:30:00Z");
  EXPECT_EQ(once("30 2 * * *", "America/New_York", "2026-03-07T12:00:00Z", 2),
            "2026-03-08T07:30:00Z 2026-03-09T06:30:00Z");
  // Clocks in Cairo skip midnight: 24 April has no hour from 0 to 1.
  EXPECT_EQ(once("30 0 * * *", "Africa/Cairo", "2026-04-22T23:00:00Z", 3),
            "2026-04-23T22:30:00Z 2026-04-24T21:30:00Z 2026-04-25T21:30:00Z");
}

TEST(NextRun, OnceADayChangesNothingForHoursThatPass) {
  EXPECT_EQ(once("0 * * * *", "Europe/Paris", "2026-03-28T23:30:00Z", 3),
            "2026-03-29T00:00:00Z 2026-03-29T01:00:00Z 2026-03-29T02:00:00Z");
  EXPECT_EQ(once("*/30 2 * * *", "Europe/Paris", "2026-03-28T12:00:00Z", 2),
            "2026-03-30T00:00:00Z 2026-03-30T00:30:00Z");
  EXPECT_EQ(once("?/30 2 * * *", "Europe/Paris", "2026-10-24T12:00:00Z", 5),
            "2026-10-25T00:00:00Z 2026-10-25T00:30:00Z 2026-10-25T01:00:00Z 2026-10-25T01:30:00Z 2026-10-26T01:00:00Z");
  EXPECT_EQ(once("@hourly", "Australia/Lord_Howe", "2026-10-03T14:30:00Z", 2),
            runs("0 * * * *", "Australia/Lord_Howe", "2026-10-03T14:30:00Z", 2));
}

}  // namespace
}  // namespace orlop
