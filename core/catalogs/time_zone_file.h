// Reader of compiled time zones (TZif, RFC 9636).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "catalogs/time_zone.h"

namespace orlop {

struct ZoneFile {
  std::string_view rule;  // view into the file
  std::int32_t first_offset = 0;
  std::vector<ZoneChange> changes;
};

bool is_zone_file(std::string_view contents);

// Returns nullopt if the file is of version 1, counts leap seconds, or is damaged.
std::optional<ZoneFile> read_zone_file(std::string_view contents);

}  // namespace orlop
