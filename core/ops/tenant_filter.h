// A transaction as somebody sees it: what belongs to an organization that they are no member of is not there, so that every answer about
// it is the answer about nothing.
#pragma once

#include <memory>

#include "ops/caller.h"
#include "store/store.h"

namespace orlop {

// The transaction itself if the caller is the host. Names stay taken, whoever took them.
std::unique_ptr<Transaction> for_caller(const Caller& caller, std::unique_ptr<Transaction> transaction);

}  // namespace orlop
