// Accesses to secret managers, which lie in the clusters' records.
#pragma once

#include <optional>
#include <string_view>

#include "base/result.h"
#include "unit/unit.h"

namespace orlop {

// The cluster whose record holds this access; nothing: there is none.
Result<Shared<Record>> cluster_of_secret_access(Unit& unit, const Id& access);

// Error invalid unless this is an access of the cluster on which the owner runs; of a project: of any cluster of the
// organization.
Result<void> require_secret_manager_access(Unit& unit, const Record& owner, std::string_view access);

}  // namespace orlop
