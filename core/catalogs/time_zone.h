// Time zones: names and local times.
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

// Offset from an instant on.
struct ZoneChange {
  std::int64_t seconds;  // since 1970-01-01T00:00:00Z
  std::int32_t offset;   // local time minus UTC, in seconds
};

// Before the last change, `changes` apply; from it on, `rule` applies.
struct TimeZone {
  std::string_view name;
  std::string_view rule;                // POSIX TZ; empty: the offset of the last change remains
  std::int32_t first_offset = 0;        // before the first change; without changes only the rule applies
  std::span<const ZoneChange> changes;  // ascending
};

// Returns local time minus UTC.
Duration utc_offset(const TimeZone& zone, Instant at);

// Returns the instant at which clocks in the zone show `local`, which is expressed as if it were UTC. For a local time
// that clocks skip: the instant without the change. For one that occurs twice: one of the two.
Instant from_local(const TimeZone& zone, Instant local);

// Set of time zones. Immutable and thread-safe.
class TimeZones {
 public:
  // Returns the zones of the IANA database at build time, exact from 2020 on. Earlier instants have the offset in force
  // at that time, or the rule's.
  static const TimeZones& built_in();
  // Returns `given`, or the built-in zones if it is null.
  static const TimeZones& or_built_in(const TimeZones* given) { return given == nullptr ? built_in() : *given; }
  // Reads a tar archive of TZif files, whose paths end in the names of the zones. Error: invalid.
  static Result<std::shared_ptr<const TimeZones>> read(std::string_view archive);

  // Returns the zone of that name, or null if it is unknown. Case-sensitive.
  const TimeZone* find(std::string_view name) const;
  // Returns UTC if the name is unknown.
  const TimeZone& find_or_utc(std::string_view name) const;
  std::span<const std::string_view> names() const { return names_; }  // ascending

 private:
  TimeZones() = default;
  void index();

  std::span<const TimeZone> zones_;  // ascending by name
  std::vector<std::string_view> names_;
  // Storage of zones read from an archive.
  std::vector<TimeZone> read_;
  std::deque<std::string> texts_;
  std::deque<std::vector<ZoneChange>> changes_;
};

}  // namespace orlop
