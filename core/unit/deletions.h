// What is being deleted. A mark says so in the store: a record of family `deletion` without a parent, which names the
// roots of the trees. From the commit that makes it on, requests of every process read the store as if these trees were
// not there (without_deleted.h). The engine itself sees them: its job erases them, and its ticks begin nothing in them
// but what deletes. The mark goes with the last record of its trees.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "base/id.h"
#include "base/result.h"
#include "unit/unit.h"

namespace orlop {

struct Deletion {
  Id id;  // of the mark
  Id organization;
  std::vector<Id> roots;
};

// All that are under way, ascending by id. Errors: storage_corrupt.
Result<std::vector<Deletion>> deletions_in(Transaction& store);
Result<std::vector<Deletion>> deletions_in(Unit& unit);
// The one of this mark. Errors: storage_corrupt.
Result<Deletion> deletion_of(const Record& mark);

// Whether the record is in a tree that is being deleted.
Result<bool> is_being_deleted(Unit& unit, const Id& id);

// What is deleted in the organization may wait for something of it that is over: begins the jobs again.
Result<void> resume_deletions(Unit& unit, const Id& organization);

// Marks these trees, which are of one organization. Answers the mark, to which the caller gives a job.
Record mark_deleted(Unit& unit, const Id& organization, std::span<const Id> roots);

}  // namespace orlop
