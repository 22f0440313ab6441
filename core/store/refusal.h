// What every store says when it refuses a change.
#pragma once

#include "base/id.h"
#include "base/result.h"

namespace orlop {

Error record_lost(const Id& id);
Error machine_lost(const Id& id);
Error name_taken();
Error revision_does_not_follow();
Error machine_revision_is_zero();
Error read_only_transaction();
Error ended_transaction();

}  // namespace orlop
