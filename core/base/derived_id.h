// Ids of records that belong to another record and are read by id, many in one call.
#pragma once

#include <cstdint>

#include "base/family_number.h"
#include "base/id.h"

namespace orlop {

// Reports whether the ids of this family follow from those of their parents.
constexpr bool has_derived_id(FamilyNumber family) {
  return family == release_list_number || family == release_number || family == observation_number;
}

// Returns the id of a record of such a family. `number`: of a release, its number. It is a UUID of version 8 (RFC 9562)
// from a hash, because ids of parents may differ in one digit.
Id derived_id(FamilyNumber family, const Id& parent, std::uint32_t number = 0);

}  // namespace orlop
