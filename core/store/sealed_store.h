// The store in front of another that keeps its secrets sealed. What sealing itself stores, no transaction shows.
#pragma once

#include <memory>

#include "base/source.h"
#include "store/organization_keys.h"
#include "store/store.h"

namespace orlop {

// `store` is sealed under `host` already (sealing.h).
std::shared_ptr<Store> open_sealed_store(std::shared_ptr<Store> store, const Cipher& host, RandomSource& random_source);

}  // namespace orlop
