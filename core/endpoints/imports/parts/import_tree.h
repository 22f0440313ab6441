// Imports a part of a snapshot into a store in use, in one unit.
#pragma once

#include <cstdint>
#include <unordered_set>

#include "base/id.h"
#include "base/result.h"
#include "endpoints/imports/parts/import_request.h"
#include "endpoints/imports/parts/subtree.h"
#include "unit/unit.h"

namespace orlop {

// `taken`: ids of records that the unit may not see, such as those being deleted. `source`: the snapshot, whose secrets
// are read. Errors: not_found (the parent), conflict (lists all names that are taken and all records that are missing
// in this store; limits of the plan).
Result<ImportSummary> import_tree(Unit& unit, Transaction& source, Subtree tree, const ImportRequest& request,
                                  const std::unordered_set<Id>& taken);

// Returns the greatest count of given ids that the kept ids show, so that later ids differ from them in their first
// digits too.
std::uint32_t id_count_of(const Subtree& tree, const std::unordered_set<Id>& taken);

}  // namespace orlop
