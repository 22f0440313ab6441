// Deletion of what lies above deployed things: their services and clusters are deleted by steps before the records go.
//
// The trees are marked (unit/deletions.h), so that no request sees them any more. The job of the mark goes over
// them in passes: it asks for the deletion of each environment, as a request does, and then for that of each cluster
// that nothing uses any more. It waits while a request or an operation is under way, and is begun again when one of the
// organization ends. What has nothing deployed is erased. What could not be deleted stays in DELETE_ERROR, and is shown
// again with all that lies above it when the job ends.
#pragma once

#include <span>

#include "base/result.h"
#include "records/bulk_jobs/job_parts.h"
#include "store/store.h"
#include "unit/unit.h"

namespace orlop {

// Deletes these records, which are of one organization, with all that lies below them: in this unit or a job as
// remove_tree() does where nothing is deployed, else as above. A record that others of them refer to comes behind
// these. Errors: conflict (a record outside refers to one of them; an environment is being cloned to another tree; a
// deployment runs or waits, and Settings::busy says reject).
Result<void> delete_trees(Unit& unit, std::span<const Record> roots);

// A part of the job of a mark.
Result<PartEnd> deletion_part(Unit& unit, JobPart job);

}  // namespace orlop
