// Imports a part of a snapshot into the store of an engine.
#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "check/check_records.h"
#include "endpoints/imports/parts/import_tree.h"
#include "engine.h"
#include "model/check_value.h"
#include "snapshot/encrypted_secrets.h"
#include "unit/without_deleted.h"

namespace orlop {
namespace {

// Maximum number of tries if resources with the same ids are created meanwhile.
constexpr int tries_max = 3;

// Opens the snapshot as a store. If its secrets are encrypted, one of the keys must decrypt them.
Result<std::shared_ptr<Store>> opened(std::string_view snapshot, std::string_view secrets_key, const SealingKeys& own,
                                      RandomSource& random_source) {
  std::vector<std::string> keys = {std::string(secrets_key), own.current};
  keys.insert(keys.end(), own.previous.begin(), own.previous.end());
  std::erase(keys, std::string());
  ORLOP_TRY(key, key_of_snapshot(snapshot, keys));
  if (!keys.empty()) ORLOP_CHECK(require_aead(own.aead));
  std::shared_ptr<Store> store = open_memory_store();
  std::optional<SnapshotCipher> cipher;
  if (key != nullptr) cipher.emplace(*key, own.aead);
  ORLOP_CHECK(restore_snapshot(*store, snapshot, PlainSecrets::left_out, cipher ? &*cipher : nullptr));
  ORLOP_TRY(is_sealed, has_seal(*store));
  if (!is_sealed && key == nullptr && !secrets_key.empty())
    return make_error(ErrorCode::misuse, "secrets_key must be left out: the snapshot was taken without a key");
  if (!is_sealed) return store;
  if (keys.empty())
    return make_error(ErrorCode::storage_sealed,
                      "the secrets of the snapshot are encrypted: secrets_key must be the secret_key of the store that "
                      "it was taken of");
  SealingKeys sealing;
  sealing.aead = own.aead;
  sealing.current = keys.front();
  sealing.previous.assign(keys.begin() + 1, keys.end());
  return seal_store(store, sealing, random_source);
}

// Error invalid: the tree has faults. Omitted secrets are not faults.
Result<void> require_sound(Unit& unit, const Subtree& tree) {
  FaultList faults;
  ORLOP_CHECK(check_records(unit, faults));
  std::unordered_set<std::string> ids;
  for (const Record& record : tree.records) ids.insert(to_text(record.id));
  for (const FoundFault& fault : faults.faults()) {
    if (fault.advice != advice::secret && ids.contains(fault.id))
      return invalid("the snapshot is faulty: the " + fault.type + " " + fault.id + " " + fault.fault);
  }
  return {};
}

// Returns the ids of the tree that exist in the store, also in what is being deleted.
Result<std::unordered_set<Id>> taken_ids(Transaction& store, const Subtree& tree) {
  std::vector<Id> ids;
  for (const Record& record : tree.records) ids.push_back(record.id);
  std::unordered_set<Id> taken;
  ORLOP_TRY(found, store.rows({.records = ids}));
  for (const Shared<Record>& record : found.records) taken.insert(record->id);
  return taken;
}

}  // namespace

Result<ImportSummary> Engine::import_from(std::string_view snapshot, const ImportRequest& request,
                                          std::string_view secrets_key) {
  ORLOP_TRY(store, opened(snapshot, secrets_key, options_.keys, *options_.random_source));
  ORLOP_TRY(begun, store->begin(Access::read));
  ORLOP_TRY(source, without_deleted(std::move(begun)));
  ORLOP_TRY(root, find_by_path(*source, request.family, request.root, "the snapshot"));
  ORLOP_TRY(tree, subtree_of(*source, std::move(root)));
  Unit reading(*source, *options_.random_source, {}, now(), options_.settings);
  ORLOP_CHECK(require_sound(reading, tree));
  Result<ImportSummary> imported = make_error(ErrorCode::internal, "nothing was imported");
  for (int tries = 0; tries < tries_max; ++tries) {
    ORLOP_TRY(here, store_->begin(Access::read));
    ORLOP_TRY(taken, taken_ids(*here, tree));
    here.reset();
    committer_.note_given(id_count_of(tree, taken));
    const auto done = perform_for_host([&](Unit& unit) -> Result<void> {
      unit.set_author("host");
      imported = import_tree(unit, *source, tree, request, taken);
      return imported ? Result<void>() : Result<void>(imported.error());
    });
    if (!done) imported = done.error();
    if (done || done.error().code != ErrorCode::lost_update) break;
  }
  if (imported) log_missing(imported->missing_secrets);
  return imported;
}

}  // namespace orlop
