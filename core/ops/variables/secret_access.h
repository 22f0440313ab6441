// Accesses to secret managers, which lie in the clusters' records.
#pragma once

#include <string_view>

#include "base/result.h"
#include "ops/unit/unit.h"

namespace orlop {

// Error invalid unless this is an access of the cluster on which the owner runs; of a project: of any cluster of the organization.
Result<void> require_secret_manager_access(Unit& unit, const Record& owner, std::string_view access);

}  // namespace orlop
