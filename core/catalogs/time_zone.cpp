#include "catalogs/time_zone.h"

#include <algorithm>

namespace orlop {
namespace {

constexpr std::string_view names[] = {
#include "catalogs/time_zones.def"
};
static_assert(std::ranges::is_sorted(names));

}  // namespace

std::span<const std::string_view> time_zones() { return names; }

bool is_time_zone(std::string_view name) { return std::ranges::binary_search(names, name); }

}  // namespace orlop
