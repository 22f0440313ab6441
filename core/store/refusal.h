// What every store says when it refuses a change.
#pragma once

#include "base/id.h"
#include "base/result.h"
#include "store/store.h"

namespace orlop {

Error record_lost(const Id& id);
Error machine_lost(const Id& id);
Error name_taken();
Error revision_does_not_follow();
// Whether the revision of a record that is put follows from the one it was made from.
bool may_put(const RecordWrite& write, const Changes& changes);
Error machine_revision_is_zero();
Error read_only_transaction();
Error ended_transaction();

}  // namespace orlop
