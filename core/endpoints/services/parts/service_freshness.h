// Freshness of a service, as answers show it. The mark that an edit leaves is the cheap first answer. Where it stands,
// the digest of the wanted configuration decides: a service whose edits were taken back is UP_TO_DATE.
#pragma once

#include <optional>

#include "base/instant.h"
#include "base/result.h"
#include "lifecycle/state.h"
#include "store/store.h"
#include "unit/unit.h"

namespace orlop {

// Marks alone decide in environments of more than sibling_services_max services, for services without a release that
// runs, and after a failure. `pending_mark`: of the environment (records/variables/reach.h).
Result<Freshness> freshness_of(Unit& unit, const std::optional<Instant>& pending_mark, const Machine& service);

// Reports whether freshness_of() may differ from the mark: the engine makes releases.
bool have_digests(const Unit& unit);

}  // namespace orlop
