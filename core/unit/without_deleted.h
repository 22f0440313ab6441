// The store as requests see it: without the trees that are being deleted.
#pragma once

#include <memory>

#include "base/result.h"
#include "store/store.h"

namespace orlop {

// A transaction in which neither the roots of what is being deleted (deletions.h) nor what lies below them is found,
// listed or counted. Unique names remain taken, and events remain visible. It is `transaction` itself while nothing is
// being deleted. Reads the marks once: what the transaction itself marks is still seen in it.
Result<std::unique_ptr<Transaction>> without_deleted(std::unique_ptr<Transaction> transaction);

}  // namespace orlop
