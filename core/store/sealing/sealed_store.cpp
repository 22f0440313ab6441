#include "store/sealing/sealed_store.h"

#include <algorithm>
#include <new>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "store/forwarding_transaction.h"

namespace orlop {
namespace {

// Changes of a transaction to the known keys, which other transactions may see only after its commit.
struct KeyChanges {
  std::unordered_map<Id, SharedCipher> own;  // made or read
  std::unordered_set<Id> erased;             // ids of erased keys
};

struct Sealing {
  std::shared_ptr<Store> store;
  Cipher host;
  RandomSource& random_source;
  KeyCache cache;

  // Called after a successful commit, so it must not fail: a key that does not fit into memory is read again later.
  void keep(KeyChanges& keys) noexcept {
    for (const Id& id : keys.erased) cache.erase(id);
    try {
      for (auto& [key_id, cipher] : keys.own) cache.put(key_id, std::move(cipher));
    } catch (const std::bad_alloc&) { return; }
  }
};

class SealedTransaction : public ForwardingTransaction {
 public:
  // `later`: receives the keys at commit(), if the commit becomes durable only later. Null: commit() publishes them.
  SealedTransaction(std::unique_ptr<Transaction> inner, Access access, Sealing& shared, KeyChanges* later = nullptr)
      : ForwardingTransaction(std::move(inner)), access_(access), shared_(shared), later_(later) {}

  Result<Shared<Record>> record(const Id& id) override {
    ORLOP_TRY(found, behind().record(id));
    if (!found || found->family == sealing_number) return Shared<Record>();
    return opened(std::move(found));
  }
  Result<Rows> rows(const RowKeys& keys) override {
    ORLOP_TRY(found, behind().rows(keys));
    for (auto* const records : {&found.records, &found.children}) {
      std::erase_if(*records, [](const Shared<Record>& record) { return record->family == sealing_number; });
      for (Shared<Record>& record : *records) {
        ORLOP_TRY(clear, opened(std::move(record)));
        record = std::move(clear);
      }
    }
    return found;
  }
  Result<void> records(const RecordRange& range, const RecordVisitor& visit) override;
  Result<std::vector<RecordCount>> counts(const CountRange& range) override {
    ORLOP_TRY(found, behind().counts(range));
    std::erase_if(found, [](const RecordCount& count) { return count.family == sealing_number; });
    return std::move(found);
  }
  Result<void> apply(Changes changes) override;
  Result<void> commit() override;
  Result<void> apply_and_commit(Changes changes) override;

 private:
  class Walk;

  Result<Shared<Record>> opened(Shared<Record> record) {
    if (record->secrets.empty()) return record;
    ORLOP_TRY(clear, open(*record));
    return Shared<Record>(std::move(clear));
  }

  Result<Record> open(Record record) {
    ORLOP_TRY(cipher, cipher_of(record.organization));
    if (cipher == nullptr) {
      return make_error(ErrorCode::storage_corrupt,
                        "the key of organization " + to_text(record.organization) + " is gone");
    }
    ORLOP_TRY(secrets, open_secrets(record, *cipher));
    record.secrets = std::move(secrets);
    return record;
  }

  // Returns null if the organization has no key yet.
  Result<SharedCipher> cipher_of(const Id& organization) {
    const Id key_id = key_id_of(organization);
    if (SharedCipher known = known_cipher(key_id)) return known;
    ORLOP_TRY(record, behind().record(key_id));
    if (!record) return SharedCipher();
    ORLOP_TRY(data_key, data_key_of(*record, shared_.host));
    auto cipher = std::make_shared<const Cipher>(data_key, shared_.host.aead());
    // A writer may read the key of another one in the same shared commit, which may still fail.
    if (access_ == Access::read) shared_.cache.put(key_id, cipher);
    else keys_.own[key_id] = cipher;
    return SharedCipher(std::move(cipher));
  }
  SharedCipher known_cipher(const Id& key_id) const {
    if (const auto own = keys_.own.find(key_id); own != keys_.own.end()) return own->second;
    return keys_.erased.contains(key_id) ? nullptr : shared_.cache.find(key_id);
  }

  // Returns the organization's cipher; if it has no key, makes one and adds it to `changes`.
  Result<SharedCipher> cipher_for(const Id& organization, Changes& changes) {
    ORLOP_TRY(known, cipher_of(organization));
    if (known != nullptr) return std::move(known);
    if (!maker_) {
      ORLOP_TRY(end, behind().feed_end());
      maker_.emplace(shared_.random_source, end.sequence);
    }
    const std::string data_key = maker_->make(organization);
    ORLOP_TRY(record, key_record_of(organization, data_key, shared_.host));
    RecordWrite write;
    write.record = std::move(record);
    changes.records.push_back(std::move(write));
    auto cipher = std::make_shared<const Cipher>(data_key, shared_.host.aead());
    keys_.own[key_id_of(organization)] = cipher;
    return SharedCipher(std::move(cipher));
  }

  void erase_keys(const Changes& changes, Changes& sealed);
  // Returns the changes for the store behind; nullopt if they can be passed unchanged.
  Result<std::optional<Changes>> sealed_changes(const Changes& changes);
  void keep_keys() {
    if (later_ == nullptr) shared_.keep(keys_);
    else std::swap(*later_, keys_);
  }

  Access access_;
  Sealing& shared_;
  KeyChanges* later_;
  KeyChanges keys_;  // only used by a writer
  std::optional<KeyMaker> maker_;
};

// One walk over the store behind, up to the first record whose key is not known yet, because a visitor must not call
// the transaction.
class SealedTransaction::Walk {
 public:
  Walk(const RecordRange& range, const SealedTransaction& transaction, const RecordVisitor& visit)
      : left_(range.limit), range_(range), transaction_(transaction), visit_(visit) {}

  bool take(const Record& record) {
    ++seen_;
    after_ = record.id;
    if (record.family == sealing_number) return true;
    if (record.secrets.empty()) return pass(record);
    if (!range_.with_text()) return pass_with(record, "");
    const SharedCipher cipher = transaction_.known_cipher(key_id_of(record.organization));
    if (cipher == nullptr) {
      waiting_ = record;
      return false;
    }
    auto secrets = open_secrets(record, *cipher);
    if (secrets) return pass_with(record, std::move(*secrets));
    outcome_ = std::move(secrets).error();
    return false;
  }
  bool pass(const Record& record) {
    --left_;
    is_stopped_ = !visit_(record);
    return !is_stopped_ && left_ > 0;
  }

  std::optional<Record>& waiting() { return waiting_; }
  const Result<void>& outcome() const { return outcome_; }
  // Reports whether there is more to visit, and sets `rest` to the remaining range.
  bool goes_on(RecordRange& rest) const {
    const bool has_more = waiting_ || seen_ == rest.limit;
    rest.after = after_;
    rest.limit = left_;
    return has_more && !is_stopped_ && left_ > 0;
  }

 private:
  bool pass_with(const Record& record, std::string secrets) {
    Record opened = record;
    opened.secrets = std::move(secrets);
    return pass(opened);
  }

  std::size_t left_;
  std::size_t seen_ = 0;
  Id after_;
  bool is_stopped_ = false;
  std::optional<Record> waiting_;
  Result<void> outcome_;
  RecordRange range_;
  const SealedTransaction& transaction_;
  const RecordVisitor& visit_;
};

Result<void> SealedTransaction::records(const RecordRange& range, const RecordVisitor& visit) {
  RecordRange rest = range;
  for (bool goes_on = true; goes_on;) {
    Walk walk(rest, *this, visit);
    ORLOP_CHECK(behind().records(rest, [&](const Record& record) { return walk.take(record); }));
    ORLOP_CHECK(walk.outcome());
    if (walk.waiting()) {
      ORLOP_TRY(opened, open(std::move(*walk.waiting())));
      walk.pass(opened);
    }
    goes_on = walk.goes_on(rest);
  }
  return {};
}

// Erases the keys of erased organizations.
void SealedTransaction::erase_keys(const Changes& changes, Changes& sealed) {
  std::unordered_set<Id> written;
  for (const RecordWrite& write : changes.records) written.insert(write.record.id);
  for (const Id& id : changes.erasures) {
    if (written.contains(id)) continue;  // the record is replaced, not removed
    sealed.erasures.push_back(key_id_of(id));
    keys_.own.erase(key_id_of(id));
    keys_.erased.insert(key_id_of(id));
  }
}

Result<std::optional<Changes>> SealedTransaction::sealed_changes(const Changes& changes) {
  const bool is_plain =
      std::ranges::none_of(changes.records, [](const RecordWrite& write) { return !write.record.secrets.empty(); });
  if (is_plain && changes.erasures.empty()) return std::optional<Changes>();
  Changes sealed = changes;
  erase_keys(changes, sealed);
  for (std::size_t at = 0; at < changes.records.size(); ++at) {
    const Record& record = changes.records[at].record;
    if (record.secrets.empty()) continue;
    ORLOP_TRY(cipher, cipher_for(record.organization, sealed));
    ORLOP_TRY(secrets, seal_secrets(record, *cipher));
    sealed.records[at].record.secrets = std::move(secrets);
  }
  return std::optional<Changes>(std::move(sealed));
}

Result<void> SealedTransaction::apply(Changes changes) {
  ORLOP_TRY(sealed, sealed_changes(changes));
  return behind().apply(std::move(sealed ? *sealed : changes));
}

Result<void> SealedTransaction::apply_and_commit(Changes changes) {
  ORLOP_TRY(sealed, sealed_changes(changes));
  ORLOP_CHECK(behind().apply_and_commit(std::move(sealed ? *sealed : changes)));
  keep_keys();
  return {};
}

Result<void> SealedTransaction::commit() {
  ORLOP_CHECK(behind().commit());
  keep_keys();
  return {};
}

class SealedStore : public Store {
 public:
  SealedStore(std::shared_ptr<Store> store, const Cipher& host, RandomSource& random_source)
      : shared_{std::move(store), host, random_source, {}} {}

  Result<std::unique_ptr<Transaction>> begin(Access access) override {
    ORLOP_TRY(inner, shared_.store->begin(access));
    return std::unique_ptr<Transaction>(std::make_unique<SealedTransaction>(
        std::move(inner), access == Access::optimistic ? Access::write : access, shared_));
  }
  bool is_optimistic() const override { return shared_.store->is_optimistic(); }
  Result<void> read(const Act& act) override {
    return shared_.store->read([&](std::unique_ptr<Transaction> inner) {
      return act(std::make_unique<SealedTransaction>(std::move(inner), Access::read, shared_));
    });
  }
  Result<void> write(const Act& act) override {
    KeyChanges later;
    ORLOP_CHECK(shared_.store->write([&](std::unique_ptr<Transaction> inner) {
      return act(std::make_unique<SealedTransaction>(std::move(inner), Access::write, shared_, &later));
    }));
    shared_.keep(later);
    return {};
  }
  Result<std::unique_ptr<Membership>> join(const Id& engine, std::function<void()> notify) override {
    return shared_.store->join(engine, std::move(notify));
  }

 private:
  Sealing shared_;
};

}  // namespace

std::shared_ptr<Store> open_sealed_store(std::shared_ptr<Store> store, const Cipher& host,
                                         RandomSource& random_source) {
  return std::make_shared<SealedStore>(std::move(store), host, random_source);
}

}  // namespace orlop
