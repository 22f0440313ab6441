#include "store/sealing/organization_keys.h"

#include <algorithm>
#include <array>

#include "store/sealing/sealed_text.h"

namespace orlop {
namespace {

constexpr std::uint64_t first_index = std::uint64_t{1} << 62;  // greater than all indices used for ids

std::string_view text_of(const Id& id) { return {reinterpret_cast<const char*>(id.bytes.data()), id.bytes.size()}; }

// Derives an id from a text: a UUID of version 8 (RFC 9562).
Id id_from(std::string_view text) {
  const Digest digest = sha256(text);
  Id id;
  std::copy_n(digest.begin(), id.bytes.size(), id.bytes.begin());
  id.bytes[6] = static_cast<std::uint8_t>((id.bytes[6] & 0x0F) | 0x80);
  id.bytes[8] = static_cast<std::uint8_t>((id.bytes[8] & 0x3F) | 0x80);
  return id;
}

void append(std::string& out, std::uint64_t number) {
  for (int shift = 56; shift >= 0; shift -= 8) out.push_back(static_cast<char>((number >> shift) & 0xFF));
}

// Returns the context that binds sealed secrets to their record. All its parts have a fixed size.
std::string context_of(const Record& record) {
  std::string context("secrets 1");
  context.append(text_of(record.organization)).append(text_of(record.id));
  append(context, record.family);
  append(context, record.revision);
  return context;
}

std::string context_of_key(const Id& organization) { return std::string("key 1").append(text_of(organization)); }

}  // namespace

Id key_id_of(const Id& organization) {
  return id_from(std::string("orlop key of organization ").append(text_of(organization)));
}

Id seal_id() { return id_from("orlop seal of the store"); }

std::string name_of_key(std::string_view key) { return to_hex(hmac_sha256(key, "orlop 1 name")); }

Result<Record> key_record_of(const Id& organization, std::string_view data_key, const Cipher& host) {
  ORLOP_TRY(sealed, host.seal(data_key, context_of_key(organization)));
  Record record;
  record.id = key_id_of(organization);
  record.family = sealing_number;
  record.parent = organization;
  record.organization = organization;
  record.revision = 1;
  record.body = "{}";
  record.secrets = std::string(sealed_prefix) + sealed;
  return record;
}

Result<std::string> data_key_of(const Record& record, const Cipher& host) {
  if (is_sealed(record.secrets)) {
    auto key =
        host.open(std::string_view(record.secrets).substr(sealed_prefix.size()), context_of_key(record.organization));
    if (key && key->size() == Cipher::key_size) return std::move(*key);
  }
  return make_error(ErrorCode::storage_corrupt,
                    "the key of organization " + to_text(record.organization) + " was changed by another program");
}

Result<std::string> seal_secrets(const Record& record, const Cipher& cipher) {
  ORLOP_TRY(sealed, cipher.seal(record.secrets, context_of(record)));
  return std::string(sealed_prefix) + sealed;
}

Result<std::string> open_secrets(const Record& record, const Cipher& cipher) {
  if (is_sealed(record.secrets)) {
    auto secrets = cipher.open(std::string_view(record.secrets).substr(sealed_prefix.size()), context_of(record));
    if (secrets) return std::move(*secrets);
  }
  return make_error(ErrorCode::storage_corrupt, "the secrets of record " + to_text(record.id) +
                                                    " were changed by another program, or belong to another record");
}

SharedCipher KeyCache::find(const Id& key_id) const {
  const std::lock_guard lock(mutex_);
  const auto found = ciphers_.find(key_id);
  return found == ciphers_.end() ? nullptr : found->second;
}

void KeyCache::put(const Id& key_id, SharedCipher cipher) {
  const std::lock_guard lock(mutex_);
  ciphers_[key_id] = std::move(cipher);
}

void KeyCache::erase(const Id& key_id) {
  const std::lock_guard lock(mutex_);
  ciphers_.erase(key_id);
}

std::string KeyMaker::make(const Id& organization) {
  std::string random;
  for (int draw = 0; draw < 4; ++draw) append(random, random_source_.draw(transaction_, first_index + count_++));
  return std::string(text_of(hmac_sha256(random, text_of(organization))));
}

}  // namespace orlop
