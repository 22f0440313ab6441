// A store that encrypts and decrypts secrets, in front of another one. The records of the keys are not visible in its
// transactions.
#pragma once

#include <memory>

#include "base/source.h"
#include "store/sealing/organization_keys.h"
#include "store/store.h"

namespace orlop {

// `store` must already be encrypted under `host` (sealing.h).
std::shared_ptr<Store> open_sealed_store(std::shared_ptr<Store> store, const Cipher& host, RandomSource& random_source);

}  // namespace orlop
