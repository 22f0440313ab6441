// Encryption of the secrets in a snapshot with a key for snapshots.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "store/sealing/cipher.h"
#include "store/store.h"

namespace orlop {

class SnapshotCipher {
 public:
  // `key` has Cipher::key_size bytes; `aead` as for Cipher.
  explicit SnapshotCipher(std::string_view key, Aead* aead = built_in_aead());

  // Identifies the key in the header of the snapshot.
  const std::string& key_name() const { return key_name_; }
  // Encrypts the record's secrets. Errors: those of the AEAD.
  Result<std::string> encrypt(const Record& record) const;
  // Decrypts the secrets into the record, whose other members are already read. False if the text was changed or
  // belongs to another record.
  bool decrypt(std::string_view encrypted, Record& record) const;

 private:
  Cipher cipher_;
  std::string key_name_;
};

}  // namespace orlop
