#include "store/sealing/sealing.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>

#include "store/sealing/organization_keys.h"
#include "store/sealing/sealed_store.h"
#include "store/sealing/sealed_text.h"
#include "store/walk.h"

namespace orlop {
namespace {

constexpr std::size_t records_at_once = 1000;  // records per call of apply()

Error sealed_with_another() {
  return make_error(ErrorCode::storage_sealed,
                    "the store's secrets are sealed with another key than those that were given");
}

Error sealed() {
  return make_error(ErrorCode::storage_sealed,
                    "the store's secrets are sealed; open it with the key that it was sealed with");
}

std::string body_of_seal(std::string_view key) { return "{\"key\":\"" + name_of_key(key) + "\"}"; }

// Encrypts the secrets of a store that holds them in plain text.
class PlainStoreSealer {
 public:
  PlainStoreSealer(Transaction& store, const Cipher& host, RandomSource& random_source, std::uint64_t transaction)
      : store_(store), host_(host), maker_(random_source, transaction) {
    changes_.is_restore = true;
  }

  Result<void> seal() {
    ORLOP_CHECK(for_each_record(store_, [&](const Record& record) { return seal(record); }));
    return apply();
  }

 private:
  // Writes the record back with sealed secrets. Its machine is written, too, because erasing a record erases its
  // machine.
  Result<void> seal(const Record& record) {
    if (record.secrets.empty() || record.family == sealing_number) return {};
    if (is_sealed(record.secrets)) {
      return make_error(ErrorCode::storage_corrupt,
                        "the store holds sealed secrets, and nothing that says with which key");
    }
    ORLOP_TRY(links, store_.links(record.id));
    ORLOP_TRY(machine, store_.machine(record.id));
    RecordWrite write{record, 0, std::move(links.name_key), std::move(links.references)};
    ORLOP_TRY(cipher, cipher_of(record.organization));
    ORLOP_TRY(secrets, seal_secrets(record, *cipher));
    write.record.secrets = std::move(secrets);
    changes_.erasures.push_back(record.id);
    changes_.records.push_back(std::move(write));
    if (machine) changes_.machines.push_back(*machine);
    return changes_.records.size() < records_at_once ? Result<void>() : apply();
  }

  Result<const Cipher*> cipher_of(const Id& organization) {
    const auto known = ciphers_.find(organization);
    if (known != ciphers_.end()) return &known->second;
    const std::string data_key = maker_.make(organization);
    ORLOP_TRY(record, key_record_of(organization, data_key, host_));
    RecordWrite write;
    write.record = std::move(record);
    changes_.records.push_back(std::move(write));
    return &ciphers_.try_emplace(organization, Cipher(data_key, host_.aead())).first->second;
  }

  Result<void> apply() {
    const Result<void> applied = store_.apply(changes_);
    changes_.erasures.clear();
    changes_.records.clear();
    changes_.machines.clear();
    return applied;
  }

  Transaction& store_;
  const Cipher& host_;
  KeyMaker maker_;
  Changes changes_;
  std::unordered_map<Id, Cipher> ciphers_;
};

Result<void> seal_plain(Store& store, std::string_view key, Aead* aead, RandomSource& random_source) {
  ORLOP_TRY(transaction, store.begin(Access::write));
  // Another process may have sealed the store meanwhile.
  ORLOP_TRY(seal, transaction->record(seal_id()));
  if (seal) return seal->body == body_of_seal(key) ? Result<void>() : sealed_with_another();
  ORLOP_TRY(end, transaction->feed_end());
  const Cipher host(key, aead);
  ORLOP_CHECK(PlainStoreSealer(*transaction, host, random_source, end.sequence).seal());
  Changes changes;
  RecordWrite& write = changes.records.emplace_back();
  write.record.id = seal_id();
  write.record.family = sealing_number;
  write.record.revision = 1;
  write.record.body = body_of_seal(key);
  ORLOP_CHECK(transaction->apply(changes));
  return transaction->commit();
}

// Keys of organizations lie below their organizations, which are roots; the key of records without an organization is a
// root itself.
Result<void> turn_key(Transaction& store, const Id& organization, const Cipher& from, const Cipher& to,
                      Changes& changes) {
  ORLOP_TRY(record, store.record(key_id_of(organization)));
  if (!record) return {};
  ORLOP_TRY(data_key, data_key_of(*record, from));
  ORLOP_TRY(turned, key_record_of(organization, data_key, to));
  RecordWrite& write = changes.records.emplace_back();
  write.record = std::move(turned);
  write.expected_revision = record->revision;
  write.record.revision = record->revision + 1;
  return {};
}

Result<void> turn(Store& store, std::string_view from_key, std::string_view to_key, Aead* aead) {
  ORLOP_TRY(transaction, store.begin(Access::write));
  ORLOP_TRY(seal, transaction->record(seal_id()));
  if (!seal) return make_error(ErrorCode::storage_corrupt, "the store's seal was taken away while it was opened");
  if (seal->body == body_of_seal(to_key)) return {};
  if (seal->body != body_of_seal(from_key)) return sealed_with_another();
  const Cipher from(from_key, aead);
  const Cipher to(to_key, aead);
  std::vector<Id> organizations = {Id{}};
  RecordRange roots;
  roots.fields = RecordRange::Fields::no_text;
  ORLOP_CHECK(transaction->records(roots, [&](const Record& root) { return organizations.push_back(root.id), true; }));
  Changes changes;
  for (const Id& organization : organizations) ORLOP_CHECK(turn_key(*transaction, organization, from, to, changes));
  RecordWrite& write = changes.records.emplace_back();
  write.record = *seal;
  write.expected_revision = seal->revision;
  ++write.record.revision;
  write.record.body = body_of_seal(to_key);
  ORLOP_CHECK(transaction->apply(changes));
  return transaction->commit();
}

// Returns the previous key with which the store is sealed.
auto used_of(const SealingKeys& keys, const Record& seal) {
  return std::ranges::find_if(keys.previous, [&](const std::string& key) { return seal.body == body_of_seal(key); });
}

// Returns the store's seal; null if it has none. Error storage_sealed: the seal is not of any of the keys.
Result<Shared<Record>> seal_for(Transaction& store, const SealingKeys& keys) {
  ORLOP_TRY(seal, store.record(seal_id()));
  if (!seal) return Shared<Record>();
  if (keys.current.empty()) return sealed();
  if (seal->body != body_of_seal(keys.current) && used_of(keys, *seal) == keys.previous.end())
    return sealed_with_another();
  return std::move(seal);
}

}  // namespace

Result<std::shared_ptr<Store>> seal_store(std::shared_ptr<Store> store, const SealingKeys& keys,
                                          RandomSource& random_source) {
  Shared<Record> seal;
  {
    ORLOP_TRY(transaction, store->begin(Access::read));
    ORLOP_TRY(found, seal_for(*transaction, keys));
    seal = std::move(found);
  }
  if (keys.current.empty()) return store;
  ORLOP_CHECK(require_aead(keys.aead));
  if (!seal) {
    ORLOP_CHECK(seal_plain(*store, keys.current, keys.aead, random_source));
  } else if (seal->body != body_of_seal(keys.current)) {
    ORLOP_CHECK(turn(*store, *used_of(keys, *seal), keys.current, keys.aead));
  }
  return open_sealed_store(std::move(store), Cipher(keys.current, keys.aead), random_source);
}

Result<void> require_key(Transaction& store, const SealingKeys& keys) {
  const auto seal = seal_for(store, keys);
  return seal ? Result<void>() : seal.error();
}

Result<bool> has_seal(Store& store) {
  ORLOP_TRY(transaction, store.begin(Access::read));
  ORLOP_TRY(seal, transaction->record(seal_id()));
  return seal.has_value();
}

Result<void> take_seal_off(Store& store) {
  ORLOP_TRY(transaction, store.begin(Access::write));
  Changes changes;
  changes.erasures.push_back(seal_id());
  ORLOP_CHECK(transaction->apply(changes));
  return transaction->commit();
}

}  // namespace orlop
