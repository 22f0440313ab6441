// Check that a server, and poolers in front of it, can serve the store.
#pragma once

#include "server/settings.h"
#include "server/status.h"

namespace orlop::postgresql {

// Refuses a server whose connections share one session (PGlite), a server that gives no second connection, and a pooler
// that holds back the end of a transaction, so that it reports changes as stored that are not (Pgpool-II). The message
// names the reason. Uses two separate connections, for some round trips. The schema must have its tables. Errors:
// STORAGE_FAILED, STORAGE_BUSY (not reached).
Status probe(const Settings& settings);

}  // namespace orlop::postgresql
