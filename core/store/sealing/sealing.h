// Encryption of stored secrets. With a key of the host, secrets are encrypted before they reach a store and decrypted
// after they are read; no store sees plain secrets.
//
// Each organization has a data key, made when its first secret is stored, which encrypts the secrets of its records
// (cipher.h). The data key is stored as a record of family sealing_number below the organization, encrypted under the
// host's key. It is erased with the organization, after which remaining copies of its secrets cannot be decrypted. One
// record at the root marks the store as encrypted and contains a digest of the host's key. These records are not
// visible in transactions. An encrypted text can be decrypted only for the record, family, organization and revision
// for which it was made.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/source.h"
#include "store/sealing/cipher.h"
#include "store/store.h"

namespace orlop {

struct SealingKeys {
  std::string current;                // Cipher::key_size bytes; empty: secrets are stored in plain text
  std::vector<std::string> previous;  // keys under which the store may still be encrypted
  Aead* aead = built_in_aead();       // must outlive stores opened with the keys; null only without a key
};

// Returns the store to use instead of `store`; `store` itself if there is no key. Encrypts plain secrets, and
// re-encrypts the keys of a store of a previous key: each in one transaction. `random_source` must outlive the result.
// Errors: misuse (a key without an AEAD), storage_sealed (no key, or the wrong one), storage_corrupt, storage_*, those
// of the AEAD.
Result<std::shared_ptr<Store>> seal_store(std::shared_ptr<Store> store, const SealingKeys& keys,
                                          RandomSource& random_source);

// Errors: storage_sealed (the store is sealed, and not with one of these keys), storage_*.
Result<void> require_key(Transaction& store, const SealingKeys& keys);

// Reports whether secrets in the store are sealed, under any key. Errors: storage_*.
Result<bool> has_seal(Store& store);

// Removes the seal of a store that holds nothing else, which restores its state before sealing. Errors: storage_*.
Result<void> take_seal_off(Store& store);

}  // namespace orlop
