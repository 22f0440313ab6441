// Secrets at rest. With a key of the host's, secrets are sealed before they reach a store and opened after they come from it; the store
// behind, whichever it is, never sees them.
//
// How. Each organization has a data key, drawn when its first secret is stored, under which its records' secrets are sealed
// (cipher.h). The data key lies in the store too, sealed under the host's key, as a record of sealing_number below the organization: when the
// organization is deleted it goes along, and what its store still holds of its secrets opens for nobody. One more record, at the root,
// says that the store is sealed, and names the host's key by a digest. No transaction shows these. A sealed text opens only for the record, family, organization and
// revision that it was sealed for.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/source.h"
#include "store/store.h"

namespace orlop {

struct SealingKeys {
  std::string current;                // Cipher::key_size bytes; "": secrets are stored as they are
  std::vector<std::string> previous;  // keys that the store may still be sealed with
};

// The store to be used in the place of `store`, which is `store` itself if there is no key. What lies there in plain is sealed on the way, and
// a store of a previous key is turned to the current one: each in one transaction. `random_source` must outlive the answer.
// Errors: storage_sealed (no key, or the wrong one), storage_corrupt, storage_*.
Result<std::shared_ptr<Store>> seal_store(std::shared_ptr<Store> store, const SealingKeys& keys, RandomSource& random_source);

}  // namespace orlop
