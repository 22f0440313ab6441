// Deletions in progress. A mark in the store, a record of family `deletion` without a parent, names the roots of the
// trees. From the commit of the mark on, requests of every process read the store without these trees
// (without_deleted.h). The engine itself sees them: its job erases them, and its ticks begin only deletions in them.
// The mark is erased with the last record of its trees.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "base/id.h"
#include "base/result.h"
#include "unit/unit.h"

namespace orlop {

struct Deletion {
  Id id;  // id of the mark
  Id organization;
  std::vector<Id> roots;
};

// Returns all deletions in progress, ascending by id. Errors: storage_corrupt.
Result<std::vector<Deletion>> deletions_in(Transaction& store);
Result<std::vector<Deletion>> deletions_in(Unit& unit);
// Returns the deletion of this mark. Errors: storage_corrupt.
Result<Deletion> deletion_of(const Record& mark);

// Reports whether the record is in a tree that is being deleted.
Result<bool> is_being_deleted(Unit& unit, const Id& id);

// Begins the jobs of the organization's deletions again, which may wait for work that has ended.
Result<void> resume_deletions(Unit& unit, const Id& organization);

// Marks these trees, which are in one organization. Returns the mark, for which the caller begins a job.
Record mark_deleted(Unit& unit, const Id& organization, std::span<const Id> roots);

}  // namespace orlop
