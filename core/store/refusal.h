// Errors of refused changes, common to all stores.
#pragma once

#include "base/id.h"
#include "base/result.h"
#include "store/store.h"

namespace orlop {

Error record_lost(const Id& id);
Error machine_lost(const Id& id);
Error name_taken();
Error revision_does_not_follow();
// Checks that the revision of a written record is the expected one + 1.
bool may_put(const RecordWrite& write, const Changes& changes);
Error machine_revision_is_zero();
Error read_only_transaction();
Error ended_transaction();
Error lease_lost(std::uint8_t partition);
Error not_shared();

// Whether work has come to an end that follows from what it has read. False: the store has failed, and its error says
// more than that its transaction cannot be validated.
bool is_decided(const Result<void>& outcome);

}  // namespace orlop
