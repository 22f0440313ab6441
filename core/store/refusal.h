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
// Checks that the revision is the expected one + 1; for a restore, any but 0, with 0 expected.
bool may_put(const RecordWrite& write, const Changes& changes);
Error machine_revision_is_zero();
Error read_only_transaction();
Error ended_transaction();
Error lease_lost(std::uint8_t partition);
Error not_shared();

// Reports whether the outcome follows from what the transaction has read. Returns false if the store has failed, or the
// transaction has lost an update; that error says more than a failed validation.
bool is_decided(const Result<void>& outcome);

}  // namespace orlop
