// Data keys of organizations: their records, and encryption with them.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/family_number.h"
#include "base/result.h"
#include "base/source.h"
#include "store/sealing/cipher.h"
#include "store/store.h"

namespace orlop {

// Returns the id of the record of an organization's key. It is computed from the organization's id, so that no search
// is needed.
Id key_id_of(const Id& organization);
// Returns the id of the record that marks a store as encrypted.
Id seal_id();
// Returns a digest that identifies a host's key.
std::string name_of_key(std::string_view key);

// Encrypts and decrypts a data key under the host's key `host`. Errors: those of its AEAD; storage_corrupt.
Result<Record> key_record_of(const Id& organization, std::string_view data_key, const Cipher& host);
Result<std::string> data_key_of(const Record& record, const Cipher& host);

// Encrypts and decrypts a record's secrets. Errors: those of the AEAD; storage_corrupt.
Result<std::string> seal_secrets(const Record& record, const Cipher& cipher);
Result<std::string> open_secrets(const Record& record, const Cipher& cipher);

using SharedCipher = std::shared_ptr<const Cipher>;

// Cache of committed keys by the id of their record. Thread-safe.
class KeyCache {
 public:
  SharedCipher find(const Id& key_id) const;
  void put(const Id& key_id, SharedCipher cipher);
  void erase(const Id& key_id);

 private:
  mutable std::mutex mutex_;
  std::unordered_map<Id, SharedCipher> ciphers_;
};

// Makes the data keys of one transaction. The random numbers depend on the last event, so that a seed reproduces them,
// and are not used for ids.
class KeyMaker {
 public:
  KeyMaker(RandomSource& random_source, std::uint64_t transaction)
      : random_source_(random_source), transaction_(transaction) {}
  std::string make(const Id& organization);

 private:
  RandomSource& random_source_;
  std::uint64_t transaction_;
  std::uint64_t count_ = 0;
};

}  // namespace orlop
