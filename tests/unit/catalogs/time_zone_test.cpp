#include "catalogs/time_zone.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iomanip>
#include <sstream>
#include <string>
#include <vector>

#include "catalogs/posix_zone.h"

namespace orlop {
namespace {

Instant at(std::string_view text) { return *parse_instant(text); }

const TimeZone& zone_of(std::string_view name) {
  const TimeZone* const found = TimeZones::built_in().find(name);
  EXPECT_NE(found, nullptr) << name;
  return found == nullptr ? TimeZones::built_in().find_or_utc("") : *found;
}

Duration utc_offset(std::string_view name, Instant at) { return orlop::utc_offset(zone_of(name), at); }
Instant from_local(std::string_view name, Instant local) { return orlop::from_local(zone_of(name), local); }

std::string big_endian(std::int64_t number, int size) {
  std::string bytes;
  for (int byte = size - 1; byte >= 0; --byte) bytes += static_cast<char>(number >> (8 * byte));
  return bytes;
}

std::string zone_file(const std::vector<ZoneChange>& changes, std::int32_t first_offset, std::string_view rule,
                      char version = '2') {
  const auto header = [version](std::size_t count) {
    return "TZif" + std::string(1, version) + std::string(15, '\0') + std::string(12, '\0') +
           big_endian(static_cast<std::int64_t>(count), 4) + big_endian(static_cast<std::int64_t>(count) + 1, 4) +
           big_endian(4, 4);
  };
  std::string types = big_endian(first_offset, 4) + std::string(2, '\0');
  std::string times;
  std::string indexes;
  for (std::size_t change = 0; change < changes.size(); ++change) {
    times += big_endian(changes[change].seconds, 8);
    indexes += static_cast<char>(change + 1);
    types += big_endian(changes[change].offset, 4) + std::string(2, '\0');
  }
  return header(0) + std::string(6 + 4, '\0') + header(changes.size()) + times + indexes + types +
         std::string(4, '\0') + "\n" + std::string(rule) + "\n";
}

std::string tar_entry(std::string path, std::string_view contents, char type = '0') {
  path.resize(100, '\0');
  std::string header = path + std::string(24, '\0');
  std::ostringstream size;
  size << std::oct << std::setw(11) << std::setfill('0') << contents.size();
  header += size.str() + '\0' + std::string(12, '\0') + std::string(8, ' ') + type + std::string(100, '\0') +
            std::string("ustar\00000", 8) + std::string(247, '\0');
  int sum = 0;
  for (const char byte : header) sum += static_cast<unsigned char>(byte);
  std::ostringstream digits;
  digits << std::oct << std::setw(6) << std::setfill('0') << sum;
  header.replace(148, 8, digits.str() + '\0' + ' ');
  std::string entry = header + std::string(contents);
  entry.resize((entry.size() + 511) / 512 * 512, '\0');
  return entry;
}

std::string refusal_of(const std::string& archive) {
  const auto zones = TimeZones::read(archive);
  return zones ? "none" : zones.error().message;
}

const std::string end_of_archive(1024, '\0');

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
  EXPECT_GT(count, 800);
}

TEST(TimeZone, HasAnOffsetInEachYearAndNoneWhereThereIsNoZone) {
  EXPECT_EQ(
      orlop::utc_offset(TimeZones::built_in().find_or_utc("Europe/Atlantis"), at("2026-07-01T00:00:00Z")).milliseconds,
      0);
  for (const std::string_view zone : TimeZones::built_in().names()) {
    for (const std::string_view instant :
         {"0001-01-01T00:00:00Z", "1969-12-31T23:59:59Z", "2026-07-01T00:00:00Z", "9999-12-31T23:59:59Z"}) {
      EXPECT_LE(std::abs(utc_offset(zone, at(instant)).milliseconds), 14 * 3'600'000) << zone << " " << instant;
    }
  }
}

TEST(TimeZone, LocalTimesThatClocksSkipOrRepeatAreNearTheChange) {
  EXPECT_EQ(to_text(from_local("Europe/Paris", at("2026-01-15T08:00:00Z"))), "2026-01-15T07:00:00.000Z");
  EXPECT_EQ(to_text(from_local("Europe/Paris", at("2026-07-15T08:00:00Z"))), "2026-07-15T06:00:00.000Z");
  // On 29 March clocks change from 2 to 3 o'clock.
  EXPECT_EQ(to_text(from_local("Europe/Paris", at("2026-03-29T02:30:00Z"))), "2026-03-29T01:30:00.000Z");
  EXPECT_EQ(to_text(from_local("Europe/Paris", at("2026-03-29T03:00:00Z"))), "2026-03-29T01:00:00.000Z");
  // West of Greenwich, on 8 March from 2 to 3 o'clock, and on 1 November from 2 to 1.
  EXPECT_EQ(to_text(from_local("America/New_York", at("2026-03-08T02:30:00Z"))), "2026-03-08T07:30:00.000Z");
  EXPECT_EQ(to_text(from_local("America/New_York", at("2026-03-08T03:00:00Z"))), "2026-03-08T07:00:00.000Z");
  EXPECT_EQ(to_text(from_local("America/New_York", at("2026-11-01T01:30:00Z"))), "2026-11-01T06:30:00.000Z");
  EXPECT_EQ(to_text(from_local("America/New_York", at("2026-11-01T00:30:00Z"))), "2026-11-01T04:30:00.000Z");
  // Far from Greenwich, the first hours of a day belong to another day in UTC.
  EXPECT_EQ(to_text(from_local("Pacific/Auckland", at("2026-01-15T08:00:00Z"))), "2026-01-14T19:00:00.000Z");
  EXPECT_EQ(to_text(from_local("America/Los_Angeles", at("2026-07-15T20:00:00Z"))), "2026-07-16T03:00:00.000Z");
}

TEST(TimeZone, ThatChangesByATableHasTheRuleBehindIt) {
  EXPECT_EQ(utc_offset("Africa/Casablanca", at("2026-03-01T12:00:00Z")).milliseconds, 0) << "Ramadan";
  EXPECT_EQ(utc_offset("Africa/Casablanca", at("2026-04-01T12:00:00Z")).milliseconds, 3'600'000);
  EXPECT_EQ(utc_offset("Africa/El_Aaiun", at("2026-03-01T12:00:00Z")).milliseconds, 0);
  EXPECT_EQ(utc_offset("Asia/Gaza", at("2072-09-01T12:00:00Z")).milliseconds,
            utc_offset("Asia/Hebron", at("2072-09-01T12:00:00Z")).milliseconds);
  EXPECT_EQ(utc_offset("America/Vancouver", at("2026-12-01T12:00:00Z")).milliseconds, -7 * 3'600'000)
      << "clocks stay at summer time";
}

TEST(TimeZone, IsReadFromAnArchiveOfCompiledZones) {
  const std::string moon = zone_file({{1'000, 7'200}, {2'000, 10'800}}, 3'600, "<+04>-4");
  const std::string archive = tar_entry("./Etc/UTC", zone_file({}, 0, "UTC0")) + tar_entry("Moon", "", '5') +
                              tar_entry("Moon/Copernicus", moon) + tar_entry("zone.tab", "no zone") +
                              tar_entry("right/Moon/Copernicus", "TZif no zone") +
                              tar_entry("Moon/Fixed", zone_file({}, -1'800, "")) + end_of_archive;
  const auto zones = TimeZones::read(archive);
  ASSERT_TRUE(zones) << zones.error().message;
  EXPECT_EQ((*zones)->names().size(), 3U);
  const TimeZone* const copernicus = (*zones)->find("Moon/Copernicus");
  ASSERT_NE(copernicus, nullptr);
  const auto hours = [&](std::int64_t seconds_since_1970) {
    return orlop::utc_offset(*copernicus, Instant{seconds_since_1970 * 1000}).milliseconds / 3'600'000;
  };
  EXPECT_EQ(hours(999), 1);
  EXPECT_EQ(hours(1'000), 2);
  EXPECT_EQ(hours(1'999), 2);
  EXPECT_EQ(hours(2'000), 4);
  EXPECT_EQ(orlop::utc_offset(*(*zones)->find("Moon/Fixed"), Instant{}).milliseconds, -1'800'000);
  EXPECT_EQ((*zones)->find("Europe/Paris"), nullptr);
}

TEST(TimeZone, RefusesAnArchiveWithAReason) {
  const std::string utc = tar_entry("Etc/UTC", zone_file({}, 0, "UTC0"));
  constexpr std::string_view no_zone = "must be TZif files of version 2 or later without leap seconds, unlike Moon";
  EXPECT_EQ(refusal_of(utc), "none");
  EXPECT_EQ(refusal_of(""), "must be a tar archive");
  EXPECT_EQ(refusal_of(std::string(5'000, 'x')), "must be a tar archive");
  EXPECT_EQ(refusal_of(tar_entry("Moon", std::string(2'000, 'x')).substr(0, 1'024)),
            "must be a tar archive that is whole");
  EXPECT_EQ(
      refusal_of(utc + tar_entry("Moon", "", '2')),
      "must be a tar archive without links, as tar --dereference --hard-dereference writes, not with the link Moon");
  EXPECT_EQ(refusal_of(tar_entry("Moon", zone_file({}, 0, "UTC0"))),
            "must be TZif files in folders as in /usr/share/zoneinfo, among them Etc/UTC");
  EXPECT_EQ(refusal_of(utc + utc), "must be files of different names");
  EXPECT_EQ(refusal_of(utc + tar_entry("Moon", zone_file({}, 0, "UTC0", '\0'))), no_zone);
  EXPECT_EQ(refusal_of(utc + tar_entry("Moon", zone_file({}, 0, "noon"))), no_zone);
  EXPECT_EQ(refusal_of(utc + tar_entry("Moon", zone_file({{2'000, 0}, {1'000, 0}}, 0, "UTC0"))), no_zone);
  const std::string whole = zone_file({{1'000, 7'200}}, 0, "UTC0");
  for (std::size_t size = 4; size < whole.size(); ++size)
    EXPECT_EQ(refusal_of(utc + tar_entry("Moon", whole.substr(0, size))), no_zone) << size;
}

TEST(TimeZone, ReadsEveryFormOfARule) {
  const auto hours = [](std::string_view rule, std::string_view instant) {
    return offset_by_rule(rule, at(instant))->milliseconds / 3'600'000;
  };
  EXPECT_EQ(hours("AAA0BBB,J60,J300", "2028-02-29T12:00:00Z"), 0)
      << "the 60th day without 29 February is the first of March";
  EXPECT_EQ(hours("AAA0BBB,J60,J300", "2028-03-01T02:00:00Z"), 1);
  EXPECT_EQ(hours("AAA0BBB,59,299", "2028-02-29T02:00:00Z"), 1) << "59 days after the first of January";
  EXPECT_EQ(hours("AAA0BBB,59,299", "2027-03-01T01:59:59Z"), 0);
  EXPECT_EQ(hours("AAA3BBB,0/0,J365/25", "2027-12-31T23:59:59Z"), -2) << "summer time all year";
  EXPECT_EQ(hours("<+01>-1<+02>-2,M3.5.0/-1,M10.5.0", "2027-07-01T00:00:00Z"), 2);
  for (const char* text : {"", "AAA", "0", "AAA0BBB", "AAA0BBB,M3.5.0", "AAA0BBB,M13.5.0,M10.5.0", "AAA0BBB,J0,J300",
                           "AAA0BBB,J60,J366", "AAA0 ", "<AAA0", "AAA168", "AAA0BBB,M3.5.0,M10.5.0,"}) {
    EXPECT_FALSE(offset_by_rule(text, Instant{})) << text;
  }
}

}  // namespace
}  // namespace orlop
