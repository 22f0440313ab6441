// Deletion of records with deployments below them: steps delete the services and clusters before the records are
// erased.
//
// The trees are marked (unit/deletions.h), so that requests no longer see them. The job of the mark visits them in
// passes: it requests the deletion of each environment, and then of each cluster that nothing uses any more. It waits
// while a request or an operation of the organization is running, and is begun again when one ends. Records without
// deployments are erased. Resources that could not be deleted stay in DELETE_ERROR, and become visible again with their
// ancestors when the job ends.
#pragma once

#include <span>

#include "base/result.h"
#include "records/bulk_jobs/job_parts.h"
#include "store/store.h"
#include "unit/unit.h"

namespace orlop {

// Deletes these records, which are of one organization, with all that lies below them: without deployments in this unit
// or a job like remove_tree(), else as described above. A record must come after those that refer to it. Errors:
// conflict (a record outside refers to one of them; an environment is being cloned to another tree; a deployment runs
// or waits, and Settings::busy is reject).
Result<void> delete_trees(Unit& unit, std::span<const Record> roots);

Result<PartEnd> deletion_part(Unit& unit, JobPart job);

}  // namespace orlop
