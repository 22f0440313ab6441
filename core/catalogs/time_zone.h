// Time zones: their names, and the local time in them.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/instant.h"
#include "base/result.h"

namespace orlop {

// From this instant on clocks show another time.
struct ZoneChange {
  std::int64_t seconds;  // since 1970-01-01T00:00:00Z
  std::int32_t offset;   // local time minus UTC, in seconds
};

// Until the last change they decide, from it on the rule does.
struct TimeZone {
  std::string_view name;
  std::string_view rule;                // POSIX TZ; "": the last change holds for good
  std::int32_t first_offset = 0;        // before the first change; without changes the rule holds always
  std::span<const ZoneChange> changes;  // ascending
};

// Local time minus UTC.
Duration utc_offset(const TimeZone& zone, Instant at);

// The instant at which clocks in the zone show `local`, which is given as if it were UTC. Of a time that clocks skip:
// the instant at which they would have shown it without the change; of one that they show twice: one of the two.
Instant from_local(const TimeZone& zone, Instant local);

// A set of time zones. Immutable, for any thread.
class TimeZones {
 public:
  // Those of the IANA database that the library was made with, exact from 2020 on. Earlier instants have the offset
  // that was in force then, or the rule's.
  static const TimeZones& built_in();
  // `given`, or the built-in ones in place of nullptr.
  static const TimeZones& or_built_in(const TimeZones* given) { return given == nullptr ? built_in() : *given; }
  // Those of an archive (tar) of TZif files, whose paths end in the names of the zones. Errors: invalid.
  static Result<std::shared_ptr<const TimeZones>> read(std::string_view archive);

  // nullptr: there is none of that name. Names are compared as they are spelled.
  const TimeZone* find(std::string_view name) const;
  // The same; UTC for a name that is none.
  const TimeZone& find_or_utc(std::string_view name) const;
  std::span<const std::string_view> names() const { return names_; }  // ascending

 private:
  TimeZones() = default;
  void index();

  std::span<const TimeZone> zones_;  // ascending by name
  std::vector<std::string_view> names_;
  // Of those that were read.
  std::vector<TimeZone> read_;
  std::deque<std::string> texts_;
  std::deque<std::vector<ZoneChange>> changes_;
};

}  // namespace orlop
