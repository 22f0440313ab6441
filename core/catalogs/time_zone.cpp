#include "catalogs/time_zone.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "catalogs/posix_zone.h"

namespace orlop {
namespace {

struct Zone {
  std::string_view name;
  std::string_view rule;
};

constexpr Zone zones[] = {
#include "catalogs/time_zones.def"
};
static_assert(std::ranges::is_sorted(zones, {}, &Zone::name));

constexpr auto names = [] {
  std::array<std::string_view, std::size(zones)> made;
  std::ranges::transform(zones, made.begin(), &Zone::name);
  return made;
}();

}  // namespace

std::span<const std::string_view> time_zones() { return names; }

bool is_time_zone(std::string_view name) { return std::ranges::binary_search(names, name); }

Duration utc_offset(std::string_view zone, Instant at) {
  const auto found = std::ranges::lower_bound(zones, zone, {}, &Zone::name);
  return found == std::end(zones) || found->name != zone ? Duration{} : offset_by_rule(found->rule, at);
}

Instant from_local(std::string_view zone, Instant local) {
  // Half a day and more away from UTC there is no zone, and no zone changes its clocks twice within that time.
  constexpr Duration away = seconds(15 * 3600);
  const Duration before = utc_offset(zone, local - away);
  const Duration after = utc_offset(zone, local + away);
  const Instant as_after = local - after;
  return utc_offset(zone, as_after) == after ? as_after : local - before;
}

}  // namespace orlop
