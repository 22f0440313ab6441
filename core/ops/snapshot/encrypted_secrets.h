// Secrets in a snapshot, encrypted with a key that is given for it alone.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "store/sealing/cipher.h"
#include "store/store.h"

namespace orlop {

class SnapshotCipher {
 public:
  // `key` has Cipher::key_size bytes.
  explicit SnapshotCipher(std::string_view key) : cipher_(key) {}

  std::string encrypt(const Record& record) const;  // its secrets
  // Puts the secrets into the record, whose other members are read. False: the text was changed, or belongs to another record.
  bool decrypt(std::string_view encrypted, Record& record) const;

 private:
  Cipher cipher_;
};

}  // namespace orlop
