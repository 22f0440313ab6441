// The data keys of organizations: where they lie, and what is sealed with them.
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
#include "store/cipher.h"
#include "store/store.h"

namespace orlop {

// The record of an organization's key; follows from the organization, so that it is found without a search.
Id key_id_of(const Id& organization);
// The one record that says a store is sealed.
Id seal_id();
// Names a host's key without giving it away.
std::string name_of_key(std::string_view key);

// A data key as it lies in the store, and back. `host`: of the host's key.
Record key_record_of(const Id& organization, std::string_view data_key, const Cipher& host);
Result<std::string> data_key_of(const Record& record, const Cipher& host);

// Sealed text of a record's secrets, and back. Errors: storage_corrupt.
std::string seal_secrets(const Record& record, const Cipher& cipher);
Result<std::string> open_secrets(const Record& record, const Cipher& cipher);

using SharedCipher = std::shared_ptr<const Cipher>;

// Keys that transactions have read and committed, by the id of their record. Safe on every thread.
class KeyCache {
 public:
  SharedCipher find(const Id& key_id) const;
  void put(const Id& key_id, SharedCipher cipher);
  void erase(const Id& key_id);

 private:
  mutable std::mutex mutex_;
  std::unordered_map<Id, SharedCipher> ciphers_;
};

// Draws data keys in one transaction: a function of the feed's end, so that a seed repeats them, and of no number that ids are made from.
class KeyMaker {
 public:
  KeyMaker(RandomSource& random_source, std::uint64_t transaction) : random_source_(random_source), transaction_(transaction) {}
  std::string make(const Id& organization);

 private:
  RandomSource& random_source_;
  std::uint64_t transaction_;
  std::uint64_t count_ = 0;
};

}  // namespace orlop
