#include "snapshot/encrypted_secrets.h"

#include <utility>

#include "base/id.h"
#include "store/sealing/organization_keys.h"

namespace orlop {
namespace {

std::string snapshot_context(const Record& record) {
  return "snapshot 1 " + to_text(record.organization) + " " + to_text(record.id) + " " + std::to_string(record.family) +
         " " + std::to_string(record.revision);
}

}  // namespace

SnapshotCipher::SnapshotCipher(std::string_view key, Aead* aead) : cipher_(key, aead), key_name_(name_of_key(key)) {}

Result<std::string> SnapshotCipher::encrypt(const Record& record) const {
  return cipher_.seal(record.secrets, snapshot_context(record));
}

bool SnapshotCipher::decrypt(std::string_view encrypted, Record& record) const {
  auto secrets = cipher_.open(encrypted, snapshot_context(record));
  if (secrets) record.secrets = std::move(*secrets);
  return secrets.has_value();
}

}  // namespace orlop
