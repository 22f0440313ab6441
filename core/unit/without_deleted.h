// View of the store without the trees that are being deleted, for requests.
#pragma once

#include <memory>

#include "base/result.h"
#include "store/store.h"

namespace orlop {

// Returns a transaction that neither finds, lists nor counts records in trees that are being deleted (deletions.h).
// Unique names remain taken, and events remain visible. Returns `transaction` itself if nothing is being deleted. Reads
// the marks once: trees that the transaction itself marks remain visible in it.
Result<std::unique_ptr<Transaction>> without_deleted(std::unique_ptr<Transaction> transaction);

}  // namespace orlop
