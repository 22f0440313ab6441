// A store behind storage.h: C functions that pass everything on to a store of the library's.
#pragma once

#include <memory>

#include "orlop/storage.h"
#include "store/store.h"

namespace orlop::contract {

// The functions; their context is a HostedStore, which release() deletes.
orlop_store functions_of_hosted_store();

struct HostedStore {
  std::unique_ptr<Store> store;
};

// `store` through the functions and back through the adapter of bindings/c.
// `with_counts`: whether the optional counts() is there.
std::unique_ptr<Store> through_c(std::unique_ptr<Store> store, bool with_counts = true);

}  // namespace orlop::contract
