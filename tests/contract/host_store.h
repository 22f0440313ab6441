// A store behind storage.h: C functions that forward everything to a store of the library.
#pragma once

#include <memory>

#include "orlop/storage.h"
#include "store/store.h"

namespace orlop::contract {

// Returns the functions; their context is a HostedStore, which release() deletes.
orlop_store functions_of_hosted_store();

struct HostedStore {
  std::unique_ptr<Store> store;
};

// Passes `store` through the C functions and back through the adapter of bindings/c. `with_counts`: whether the
// optional counts() is set.
std::unique_ptr<Store> through_c(std::unique_ptr<Store> store, bool with_counts = true);

}  // namespace orlop::contract
