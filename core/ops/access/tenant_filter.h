// A transaction without the resources of organizations of which the caller is not a member, so that they are answered like resources that do not exist.
#pragma once

#include <memory>

#include "ops/access/caller.h"
#include "store/store.h"

namespace orlop {

// The transaction itself if the caller is the host. Unique names remain taken across organizations.
std::unique_ptr<Transaction> for_caller(const Caller& caller, std::unique_ptr<Transaction> transaction);

}  // namespace orlop
