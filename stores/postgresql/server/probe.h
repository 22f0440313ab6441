// Whether a server, and what stands between, can serve the store at all.
#pragma once

#include "server/settings.h"
#include "server/status.h"

namespace orlop::postgresql {

// Refuses by name a server whose connections share one session (PGlite), one that gives no second connection, and a
// pooler that holds back the end of a transaction, after which it answers changes as stored that are not (Pgpool-II).
// Uses two connections of its own, for some round trips. The schema must have its tables. Errors: STORAGE_FAILED,
// STORAGE_BUSY (not reached).
Status probe(const Settings& settings);

}  // namespace orlop::postgresql
