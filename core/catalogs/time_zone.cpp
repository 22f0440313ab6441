#include "catalogs/time_zone.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/text/tar.h"
#include "catalogs/posix_zone.h"
#include "catalogs/time_zone_file.h"

namespace orlop {
namespace {

#define ORLOP_ZONE_CHANGES(name, ...) constexpr ZoneChange name[] = {__VA_ARGS__};
#define ORLOP_ZONE(...)
#include "catalogs/time_zones.def"
constexpr std::span<const ZoneChange> no_changes;

constexpr TimeZone built_in_zones[] = {
#define ORLOP_ZONE_CHANGES(...)
#define ORLOP_ZONE(name, rule, first_offset, changes) {name, rule, first_offset, changes},
#include "catalogs/time_zones.def"
};
static_assert(std::ranges::is_sorted(built_in_zones, {}, &TimeZone::name));

constexpr TimeZone utc{.name = "Etc/UTC", .rule = "UTC0", .first_offset = 0, .changes = {}};

// Skips files that are not time zones, and two folders that repeat all time zones, one of them with leap seconds.
bool is_passed_over(std::string_view name) {
  return name == "localtime" || name == "posixrules" || name.starts_with("posix/") || name.starts_with("right/");
}

}  // namespace

Duration utc_offset(const TimeZone& zone, Instant at) {
  const auto next = std::ranges::upper_bound(zone.changes, at.milliseconds, {},
                                             [](const ZoneChange& change) { return change.seconds * 1000; });
  const bool is_behind_all = next == zone.changes.end();
  if (is_behind_all && !zone.rule.empty()) return offset_by_rule(zone.rule, at).value_or(Duration{});
  return seconds(next == zone.changes.begin() ? zone.first_offset : std::prev(next)->offset);
}

Instant from_local(const TimeZone& zone, Instant local) {
  // No zone is half a day or more away from UTC, and no zone changes its clocks twice within that time.
  constexpr Duration away = seconds(15 * 3600);
  const Duration before = utc_offset(zone, local - away);
  const Duration after = utc_offset(zone, local + away);
  const Instant as_after = local - after;
  return utc_offset(zone, as_after) == after ? as_after : local - before;
}

const TimeZones& TimeZones::built_in() {
  static const TimeZones* const made = [] {
    static TimeZones zones;
    zones.zones_ = built_in_zones;
    zones.index();
    return &zones;
  }();
  return *made;
}

Result<std::shared_ptr<const TimeZones>> TimeZones::read(std::string_view archive) {
  ORLOP_TRY(files, read_tar(archive));
  const std::shared_ptr<TimeZones> made(new TimeZones());
  for (const TarFile& file : files) {
    if (is_passed_over(file.path) || !is_zone_file(file.contents)) continue;
    auto zone = read_zone_file(file.contents);
    if (!zone)
      return make_error(ErrorCode::invalid,
                        "must be TZif files of version 2 or later without leap seconds, unlike " + file.path);
    const std::string& name = made->texts_.emplace_back(file.path);
    const std::string& rule = made->texts_.emplace_back(zone->rule);
    const std::vector<ZoneChange>& changes = made->changes_.emplace_back(std::move(zone->changes));
    made->read_.push_back({name, rule, zone->first_offset, changes});
  }
  std::ranges::sort(made->read_, {}, &TimeZone::name);
  if (std::ranges::adjacent_find(made->read_, {}, &TimeZone::name) != made->read_.end())
    return make_error(ErrorCode::invalid, "must be files of different names");
  made->zones_ = made->read_;
  made->index();
  if (made->find(utc.name) == nullptr)
    return make_error(ErrorCode::invalid,
                      "must be TZif files in folders as in /usr/share/zoneinfo, among them Etc/UTC");
  return std::shared_ptr<const TimeZones>(made);
}

void TimeZones::index() {
  names_.reserve(zones_.size());
  for (const TimeZone& zone : zones_) names_.push_back(zone.name);
}

const TimeZone* TimeZones::find(std::string_view name) const {
  const auto found = std::ranges::lower_bound(zones_, name, {}, &TimeZone::name);
  return found == zones_.end() || found->name != name ? nullptr : &*found;
}

const TimeZone& TimeZones::find_or_utc(std::string_view name) const {
  const TimeZone* const found = find(name);
  return found == nullptr ? utc : *found;
}

}  // namespace orlop
