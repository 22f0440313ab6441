// Creates a part of a snapshot in a store in use, in one unit.
#pragma once

#include <cstdint>
#include <unordered_set>

#include "base/id.h"
#include "base/result.h"
#include "endpoints/imports/parts/import_request.h"
#include "endpoints/imports/parts/subtree.h"
#include "unit/unit.h"

namespace orlop {

// `taken`: ids that records of the store have which the unit may not see, as those that are being deleted. `source`:
// the snapshot, whose secrets are read. Errors: not_found (the parent), conflict (names that are taken and what is
// missing here, all of them; limits of the plan).
Result<ImportSummary> import_tree(Unit& unit, Transaction& source, Subtree tree, const ImportRequest& request,
                                  const std::unordered_set<Id>& taken);

// The greatest number of ids that the ids which are kept say had been given, so that later ones differ from them in
// their first digits too.
std::uint32_t id_count_of(const Subtree& tree, const std::unordered_set<Id>& taken);

}  // namespace orlop
