// Accesses to secret managers, which are stored in the records of clusters.
#pragma once

#include <optional>
#include <string_view>

#include "base/result.h"
#include "unit/unit.h"

namespace orlop {

// Returns the cluster whose record holds this access; null if none.
Result<Shared<Record>> cluster_of_secret_access(Unit& unit, const Id& access);

// Error invalid unless this is an access of the cluster on which the owner runs; for a project, of any cluster of the
// organization.
Result<void> require_secret_manager_access(Unit& unit, const Record& owner, std::string_view access);

}  // namespace orlop
