// The store that lives and dies with the engine. Every value has versions, so that readers see the state they began with and hold
// nobody up; the writer's own changes carry the number of the next commit, which no reader has reached.
#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <shared_mutex>

#include "store/memory_table.h"
#include "store/open.h"
#include "store/refusal.h"

namespace orlop {
namespace {

// What one step of a range takes out of the tables at a time; visitors run unlocked.
constexpr std::size_t batch_size = 64;

struct StoredRecord {
  Record record;
  std::string name_key;
  std::vector<Id> references;
};

using SharedRecord = std::shared_ptr<const StoredRecord>;
using SharedMachine = std::shared_ptr<const Machine>;

// The tables, and how one set of changes goes into them.
class Tables {
 public:
  Result<void> apply(const Changes& changes, std::uint64_t number) {
    for (const Id& id : changes.erasures) erase(id, number);
    for (const RecordWrite& write : changes.records) ORLOP_CHECK(put_record(write, number));
    for (const Machine& machine : changes.machines) ORLOP_CHECK(put_machine(machine, number));
    for (const Event& event : changes.events) {
      events.push_back(event);
      events.back().sequence = events.size();
    }
    return {};
  }

  void roll_back(std::uint64_t number, std::size_t event_count) {
    for_each([&](auto& table) { table.roll_back(number); });
    events.resize(event_count);
  }
  void commit(std::uint64_t number, const Snapshots& snapshots) {
    for_each([&](auto& table) { table.commit(number, snapshots); });
  }
  void sweep(const Snapshots& snapshots) {
    for_each([&](auto& table) { table.sweep(snapshots); });
  }

  HashTable<Id, SharedRecord> records;
  HashTable<Id, SharedMachine> machines;
  HashTable<std::string, Id> names;
  LinkTable children;   // parent -> record
  LinkTable referrers;  // record -> the records that refer to it; family 0
  LinkTable owned;      // owner -> machine
  LinkTable active;     // nil -> machine
  std::deque<Event> events;

 private:
  template <typename Act>
  void for_each(const Act& act) {
    act(records);
    act(machines);
    act(names);
    act(children);
    act(referrers);
    act(owned);
    act(active);
  }

  void erase(const Id& id, std::uint64_t number) {
    if (const SharedRecord* found = records.at(id, number)) {
      const SharedRecord old = *found;
      children.put({old->record.parent, old->record.family, id}, number, std::nullopt);
      if (!old->name_key.empty()) names.put(old->name_key, number, std::nullopt);
      for (const Id& target : old->references) referrers.put({target, 0, id}, number, std::nullopt);
      records.put(id, number, std::nullopt);
    }
    if (const SharedMachine* found = machines.at(id, number)) {
      unlink_machine(**found, number);
      machines.put(id, number, std::nullopt);
    }
  }

  Result<void> put_record(const RecordWrite& write, std::uint64_t number) {
    const Id& id = write.record.id;
    if (write.record.revision != write.expected_revision + 1) return revision_does_not_follow();
    const SharedRecord* found = records.at(id, number);
    const SharedRecord old = found == nullptr ? nullptr : *found;
    if ((old ? old->record.revision : 0) != write.expected_revision) return record_lost(id);

    auto stored = std::make_shared<StoredRecord>();
    stored->record = write.record;
    if (write.name_key) stored->name_key = *write.name_key;
    else if (old) stored->name_key = old->name_key;
    if (write.references) stored->references = *write.references;
    else if (old) stored->references = old->references;

    ORLOP_CHECK(move_name(id, old ? old->name_key : std::string(), stored->name_key, number));
    if (!old || old->record.parent != write.record.parent || old->record.family != write.record.family) {
      if (old) children.put({old->record.parent, old->record.family, id}, number, std::nullopt);
      children.put({write.record.parent, write.record.family, id}, number, Linked{});
    }
    if (write.references) {
      if (old) {
        for (const Id& target : old->references) referrers.put({target, 0, id}, number, std::nullopt);
      }
      for (const Id& target : stored->references) referrers.put({target, 0, id}, number, Linked{});
    }
    records.put(id, number, std::move(stored));
    return {};
  }

  Result<void> move_name(const Id& id, const std::string& from, const std::string& to, std::uint64_t number) {
    if (from == to) return {};
    if (!to.empty()) {
      const Id* holder = names.at(to, number);
      if (holder != nullptr && *holder != id) return name_taken();
      names.put(to, number, id);
    }
    if (!from.empty()) names.put(from, number, std::nullopt);
    return {};
  }

  Result<void> put_machine(const Machine& machine, std::uint64_t number) {
    if (machine.revision == 0) return machine_revision_is_zero();
    const SharedMachine* found = machines.at(machine.id, number);
    if ((found == nullptr ? 0 : (*found)->revision) != machine.revision - 1) return machine_lost(machine.id);
    if (found != nullptr) unlink_machine(**found, number);
    owned.put({machine.owner, machine.family, machine.id}, number, Linked{});
    if (machine.active) active.put({Id{}, machine.family, machine.id}, number, Linked{});
    machines.put(machine.id, number, std::make_shared<const Machine>(machine));
    return {};
  }

  void unlink_machine(const Machine& machine, std::uint64_t number) {
    owned.put({machine.owner, machine.family, machine.id}, number, std::nullopt);
    if (machine.active) active.put({Id{}, machine.family, machine.id}, number, std::nullopt);
  }
};

class MemoryStore : public Store {
 public:
  Result<std::unique_ptr<Transaction>> begin(Access access) override;

  // The number of the next commit, for the one writer; waits for the writer before.
  std::uint64_t begin_write() {
    std::unique_lock lock(writing_mutex_);
    writing_ended_.wait(lock, [this] { return !writing_; });
    writing_ = true;
    return committed_ + 1;
  }
  // Sees the last commit; `event_count` becomes the number of its events.
  std::uint64_t begin_read(std::size_t& event_count) {
    std::unique_lock lock(mutex);
    event_count = committed_events_;
    snapshots_.insert(snapshots_.end() - 1, committed_);
    return committed_;
  }
  void end_read(std::uint64_t snapshot) {
    std::unique_lock lock(mutex);
    snapshots_.erase(std::find(snapshots_.begin(), snapshots_.end(), snapshot));
    tables.sweep(snapshots_);
  }
  void commit_write(std::uint64_t number) {
    {
      std::unique_lock lock(mutex);
      committed_ = snapshots_.back() = number;
      tables.commit(number, snapshots_);
      committed_events_ = tables.events.size();
    }
    end_write();
  }
  void roll_back_write(std::uint64_t number) {
    {
      std::unique_lock lock(mutex);
      tables.roll_back(number, committed_events_);
    }
    end_write();
  }

  std::shared_mutex mutex;  // over `tables` and what follows
  Tables tables;

 private:
  void end_write() {
    {
      std::unique_lock lock(writing_mutex_);
      writing_ = false;
    }
    writing_ended_.notify_one();
  }

  // Of the open readers; and last the state that the next one will see, which no change that is still open may take away.
  Snapshots snapshots_{0};
  std::uint64_t committed_ = 0;
  std::size_t committed_events_ = 0;

  std::mutex writing_mutex_;
  std::condition_variable writing_ended_;
  bool writing_ = false;
};

class MemoryTransaction : public Transaction {
 public:
  MemoryTransaction(MemoryStore& store, Access access) : store_(store), access_(access) {
    snapshot_ = access == Access::write ? store.begin_write() : store.begin_read(event_count_);
  }
  ~MemoryTransaction() override { roll_back(); }

  Result<std::optional<Record>> record(const Id& id) override {
    ORLOP_CHECK(require_open());
    SharedRecord found;
    {
      std::shared_lock lock(store_.mutex);
      const SharedRecord* held = store_.tables.records.at(id, snapshot_);
      if (held == nullptr) return std::optional<Record>();
      found = *held;
    }
    return std::optional<Record>(found->record);
  }

  Result<std::optional<Machine>> machine(const Id& id) override {
    ORLOP_CHECK(require_open());
    std::shared_lock lock(store_.mutex);
    const SharedMachine* found = store_.tables.machines.at(id, snapshot_);
    return found == nullptr ? std::optional<Machine>() : std::optional<Machine>(**found);
  }

  Result<std::optional<Id>> find(std::string_view name_key) override {
    ORLOP_CHECK(require_open());
    std::shared_lock lock(store_.mutex);
    const Id* found = store_.tables.names.at(name_key, snapshot_);
    return found == nullptr ? std::optional<Id>() : std::optional<Id>(*found);
  }

  Result<void> records(const RecordRange& range, const RecordVisitor& visit) override;
  Result<void> machines(const MachineRange& range, const MachineVisitor& visit) override;
  Result<void> events(std::uint64_t after, std::size_t limit, const EventVisitor& visit) override;

  Result<FeedEnd> feed_end() override {
    ORLOP_CHECK(require_open());
    std::shared_lock lock(store_.mutex);
    const std::size_t count = visible_events();
    return count == 0 ? FeedEnd{} : FeedEnd{count, store_.tables.events[count - 1].at};
  }

  Result<void> apply(const Changes& changes) override {
    ORLOP_CHECK(require_open());
    if (access_ == Access::read) return read_only_transaction();
    Result<void> applied;
    {
      std::unique_lock lock(store_.mutex);
      applied = store_.tables.apply(changes, snapshot_);
    }
    if (!applied) roll_back();
    return applied;
  }

  Result<void> commit() override {
    ORLOP_CHECK(require_open());
    if (access_ == Access::write) store_.commit_write(snapshot_);
    else store_.end_read(snapshot_);
    state_ = State::committed;
    return {};
  }

 private:
  enum class State : std::uint8_t { open, committed, rolled_back };

  Result<void> require_open() const {
    if (state_ != State::open) return ended_transaction();
    return {};
  }

  void roll_back() {
    if (state_ != State::open) return;
    state_ = State::rolled_back;
    if (access_ == Access::write) store_.roll_back_write(snapshot_);
    else store_.end_read(snapshot_);
  }

  // Under the store's lock.
  std::size_t visible_events() const { return access_ == Access::write ? store_.tables.events.size() : event_count_; }

  MemoryStore& store_;
  Access access_;
  State state_ = State::open;
  std::uint64_t snapshot_ = 0;
  std::size_t event_count_ = 0;  // of a reader
};

Result<void> MemoryTransaction::records(const RecordRange& range, const RecordVisitor& visit) {
  ORLOP_CHECK(require_open());
  const bool by_parent = range.by == RecordRange::By::parent;
  const LinkTable& links = by_parent ? store_.tables.children : store_.tables.referrers;
  Id after = range.after;
  std::size_t left = range.limit;
  std::vector<Id> ids;
  std::vector<SharedRecord> batch;
  while (left > 0) {
    ids.clear();
    batch.clear();
    {
      std::shared_lock lock(store_.mutex);
      links.entries().collect(range.key, by_parent ? range.family : FamilyNumber{0}, after, std::min(left, batch_size), snapshot_,
                              ids);
      for (const Id& id : ids) batch.push_back(*store_.tables.records.at(id, snapshot_));
    }
    for (const SharedRecord& held : batch) {
      if (range.family != 0 && held->record.family != range.family) continue;
      if (!visit(held->record)) return {};
      --left;
    }
    if (ids.empty()) return {};
    after = ids.back();
  }
  return {};
}

Result<void> MemoryTransaction::machines(const MachineRange& range, const MachineVisitor& visit) {
  ORLOP_CHECK(require_open());
  const bool by_owner = range.by == MachineRange::By::owner;
  const LinkTable& links = by_owner ? store_.tables.owned : store_.tables.active;
  Id after;
  std::vector<Id> ids;
  std::vector<SharedMachine> batch;
  do {
    ids.clear();
    batch.clear();
    {
      std::shared_lock lock(store_.mutex);
      links.entries().collect(by_owner ? range.owner : Id{}, range.family, after, batch_size, snapshot_, ids);
      for (const Id& id : ids) batch.push_back(*store_.tables.machines.at(id, snapshot_));
    }
    for (const SharedMachine& held : batch) {
      if (!visit(*held)) return {};
    }
    if (!ids.empty()) after = ids.back();
  } while (ids.size() == batch_size);
  return {};
}

Result<void> MemoryTransaction::events(std::uint64_t after, std::size_t limit, const EventVisitor& visit) {
  ORLOP_CHECK(require_open());
  std::vector<const Event*> batch;  // events never move, and committed ones never go
  while (limit > 0) {
    batch.clear();
    {
      std::shared_lock lock(store_.mutex);
      const std::size_t end = visible_events();
      for (std::size_t at = after; at < end && batch.size() < std::min(limit, batch_size); ++at)
        batch.push_back(&store_.tables.events[at]);
    }
    if (batch.empty()) return {};
    for (const Event* event : batch) {
      if (!visit(*event)) return {};
    }
    limit -= batch.size();
    after += batch.size();
  }
  return {};
}

Result<std::unique_ptr<Transaction>> MemoryStore::begin(Access access) {
  return std::unique_ptr<Transaction>(std::make_unique<MemoryTransaction>(*this, access));
}

}  // namespace

std::unique_ptr<Store> open_memory_store() { return std::make_unique<MemoryStore>(); }

}  // namespace orlop
