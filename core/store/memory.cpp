// The store in memory, which is lost when the engine closes. Every value has versions, so that readers see the state
// they began with and block no writer; the writer's own changes carry the number of the next commit, which no reader
// has reached.
#include <algorithm>
#include <array>
#include <mutex>
#include <shared_mutex>
#include <utility>

#include "base/sort_unique.h"
#include "store/memory_store.h"
#include "store/open.h"
#include "store/refusal.h"

namespace orlop {
namespace {

// Number of rows that a range read takes from the tables at a time; visitors run unlocked.
constexpr std::size_t batch_size = 64;

class MemoryTransaction final : public Transaction, public Coordination {
 public:
  // Reads the state of a checkpoint, whose snapshot the store has registered.
  MemoryTransaction(MemoryStore& store, const MemoryCheckpoint& checkpoint)
      : store_(store), access_(Access::read), snapshot_(checkpoint.number), events_(checkpoint.events) {}
  MemoryTransaction(MemoryStore& store, Access access) : store_(store), access_(access) {
    snapshot_ = access == Access::write ? store.begin_write() : store.begin_read(events_);
    if (access == Access::write) events_ = store.committed_events();
  }
  ~MemoryTransaction() override { roll_back(); }

  Result<Shared<Record>> record(const Id& id) override {
    ORLOP_TRY(held, held_record(id));
    return held ? held->share() : Shared<Record>();
  }
  Result<Shared<Machine>> machine(const Id& id) override {
    ORLOP_CHECK(require_open());
    const auto lock = reading();
    const SharedMachine* const found = store_.tables.machines.at(id, snapshot_);
    return found == nullptr ? Shared<Machine>() : *found;
  }

  Result<std::optional<Id>> find(std::string_view name_key, Expected) override {
    ORLOP_CHECK(require_open());
    const auto lock = reading();
    return store_.tables.find(name_key, snapshot_);
  }

  Result<FeedEnd> feed_end() override {
    ORLOP_CHECK(require_open());
    const auto lock = reading();
    if (access_ == Access::write || last_event() == store_.tables.events.last()) return store_.tables.events.end();
    if (events_.last == 0) return FeedEnd{};
    Event event;
    store_.tables.events.read(events_.last, event);
    return FeedEnd{event.sequence, event.at, event.id_count};
  }

  Result<RecordLinks> links(const Id& id) override {
    ORLOP_TRY(held, held_record(id));
    return held ? RecordLinks{std::string(held->name_key()), held->references()} : RecordLinks();
  }

  Result<void> records(const RecordRange& range, const RecordVisitor& visit) override;
  Result<void> machines(const MachineRange& range, const MachineVisitor& visit) override;
  Result<std::vector<RecordCount>> counts(const CountRange& range) override;
  Result<void> events(const EventRange& range, const EventVisitor& visit) override;

  Result<void> apply(Changes changes) override { return put(std::move(changes), false); }
  Result<void> apply_and_commit(Changes changes) override { return put(std::move(changes), true); }

  Coordination* coordination() override { return this; }
  Result<std::vector<Peer>> peers() override {
    return from_coordination<Peer>([](const CoordinationTables& tables) { return tables.peers(); });
  }
  Result<std::vector<Lease>> leases(PartitionSet of) override {
    return from_coordination<Lease>([&](const CoordinationTables& tables) { return tables.leases(of); });
  }
  Result<std::vector<WakeUp>> wake_ups(PartitionSet of, std::size_t limit) override {
    return from_coordination<WakeUp>([&](const CoordinationTables& tables) { return tables.wake_ups(of, limit); });
  }
  Result<std::vector<InboxReport>> reports(PartitionSet of, std::size_t limit) override {
    return from_coordination<InboxReport>([&](const CoordinationTables& tables) { return tables.reports(of, limit); });
  }

  Result<void> commit() override {
    ORLOP_CHECK(require_open());
    if (access_ == Access::read) {
      store_.end_read(snapshot_);
    } else {
      {
        const auto lock = store_.changing();
        store_.commit_write(snapshot_, own_coordination_, events_.first);
      }
      store_.end_write(is_for_others_);
    }
    state_ = State::committed;
    return {};
  }

 private:
  enum class State : std::uint8_t { open, committed, rolled_back };

  Result<void> require_open() const {
    if (state_ != State::open) return ended_transaction();
    return {};
  }

  // Returns the record as it is stored; null if none.
  Result<SharedRecord> held_record(const Id& id) const {
    ORLOP_CHECK(require_open());
    const auto lock = reading();
    const SharedRecord* const found = store_.tables.records.at(id, snapshot_);
    return found == nullptr ? SharedRecord() : *found;
  }

  // A writer needs no lock: no other thread changes the tables.
  std::shared_lock<std::shared_mutex> reading() const {
    return access_ == Access::write ? std::shared_lock<std::shared_mutex>() : std::shared_lock(store_.mutex);
  }

  // Applies the changes, and commits them if `and_commit`. Rolls back after an error.
  Result<void> put(Changes&& changes, bool and_commit) {
    ORLOP_CHECK(require_open());
    if (access_ == Access::read) return read_only_transaction();
    Result<void> applied = apply_coordination(changes.coordination);
    if (applied) {
      const auto lock = store_.changing();
      const std::size_t event_count = changes.events.size();
      applied = store_.tables.apply(std::move(changes), snapshot_, and_commit && !store_.is_read());
      if (applied && events_.last == 0 && changes.is_restore && event_count != 0)
        events_.first = last_event() + 1 - event_count;
      const std::uint64_t end = last_event();
      if (applied && end != 0) events_.first = std::min(events_.first + changes.forgotten_events, end);
      events_.last = end;
      if (applied && and_commit) store_.commit_write(snapshot_, own_coordination_, events_.first);
    }
    if (!applied) {
      roll_back();
    } else if (and_commit) {
      store_.end_write(is_for_others_);
      state_ = State::committed;
    }
    return applied;
  }

  Result<void> active_machines(const MachineRange& range, const MachineVisitor& visit);
  Result<void> apply_coordination(const CoordinationChanges& changes) {
    if (changes.empty()) return {};
    is_for_others_ = is_for_others_ || !changes.leaves_all();
    return changes.leaves_all() ? coordination_tables().check(changes.fences) : own_coordination().apply(changes);
  }
  // Returns the writer's copy of the committed data, which no other thread changes meanwhile.
  CoordinationTables& own_coordination() {
    if (own_coordination_ == nullptr)
      own_coordination_ = std::make_shared<CoordinationTables>(*store_.coordination_at(snapshot_));
    return *own_coordination_;
  }
  template <typename Row, typename Read>
  Result<std::vector<Row>> from_coordination(const Read& read) {
    ORLOP_CHECK(require_open());
    return read(coordination_tables());
  }
  // Returns the data that this transaction sees.
  const CoordinationTables& coordination_tables() {
    if (own_coordination_ != nullptr) return *own_coordination_;
    if (seen_coordination_ == nullptr) seen_coordination_ = store_.coordination_at(snapshot_);
    return *seen_coordination_;
  }

  void roll_back() {
    if (state_ != State::open) return;
    state_ = State::rolled_back;
    if (access_ == Access::write) store_.roll_back_write(snapshot_);
    else store_.end_read(snapshot_);
  }

  std::uint64_t last_event() const { return access_ == Access::write ? store_.tables.events.last() : events_.last; }

  MemoryStore& store_;
  Access access_;
  State state_ = State::open;
  std::uint64_t snapshot_ = 0;
  EventBounds events_;  // that the transaction sees; `last` is only for readers
  std::shared_ptr<const CoordinationTables> seen_coordination_;
  std::shared_ptr<CoordinationTables> own_coordination_;
  bool is_for_others_ = false;  // a commit notifies the other engines
};

Result<void> MemoryTransaction::records(const RecordRange& range, const RecordVisitor& visit) {
  ORLOP_CHECK(require_open());
  const bool by_parent = range.by == RecordRange::By::parent;
  const LinkTable& links = by_parent ? store_.tables.children : store_.tables.referrers;
  Id after = range.after;
  std::size_t left = range.limit;
  std::vector<Id> ids;
  std::vector<SharedRecord> batch;
  Record room;
  while (left > 0) {
    ids.clear();
    batch.clear();
    const std::size_t wanted = std::min(left, batch_size);
    {
      const auto lock = reading();
      links.entries().collect(range.key, by_parent ? range.family : FamilyNumber{0}, after, wanted, snapshot_, ids);
      batch.reserve(ids.size());
      for (const Id& id : ids) batch.push_back(*store_.tables.records.at(id, snapshot_));
    }
    for (const SharedRecord& held : batch) {
      if (range.family != 0 && held->family() != range.family) continue;
      if (!visit(range.with_text() ? held->seen(room) : held->head(room))) return {};
      --left;
    }
    if (ids.size() < wanted) return {};
    after = ids.back();
  }
  return {};
}

Result<void> MemoryTransaction::machines(const MachineRange& range, const MachineVisitor& visit) {
  ORLOP_CHECK(require_open());
  if (range.by == MachineRange::By::active) return active_machines(range, visit);
  const bool is_alone = access_ == Access::write;  // a writer's rows do not change while it visits them
  Id after;
  std::vector<Id> ids;
  std::vector<SharedMachine> batch;
  std::array<const Machine*, batch_size> rows;
  do {
    ids.clear();
    batch.clear();
    {
      const auto lock = reading();
      store_.tables.owned.entries().collect(range.owner, range.family, after, batch_size, snapshot_, ids);
      for (std::size_t place = 0; place < ids.size(); ++place) {
        const SharedMachine& found = *store_.tables.machines.at(ids[place], snapshot_);
        rows[place] = &*found;
        if (!is_alone) batch.push_back(found);
      }
    }
    for (std::size_t at = 0; at < ids.size(); ++at) {
      if (!visit(*rows[at])) return {};
    }
    if (!ids.empty()) after = ids.back();
  } while (ids.size() == batch_size);
  return {};
}

// Visits those of the noted machines that are active for this transaction.
Result<void> MemoryTransaction::active_machines(const MachineRange& range, const MachineVisitor& visit) {
  const auto fits = [&range](const Machine& row) {
    return row.active && (range.family == 0 || row.family == range.family) &&
           row.partition == range.partition.value_or(row.partition);
  };
  std::vector<Id> ids;
  {
    const auto lock = reading();
    store_.tables.active.for_each([&ids](const Id& id) { ids.push_back(id); });
  }
  sort_unique(ids);
  std::vector<SharedMachine> batch;
  for (std::size_t at = 0; at < ids.size();) {
    batch.clear();
    {
      const auto lock = reading();
      for (const std::size_t end = std::min(ids.size(), at + batch_size); at < end; ++at) {
        const SharedMachine* const held = store_.tables.machines.at(ids[at], snapshot_);
        if (held != nullptr && fits(**held)) batch.push_back(*held);
      }
    }
    for (const SharedMachine& held : batch) {
      if (!visit(*held)) return {};
    }
  }
  return {};
}

Result<std::vector<RecordCount>> MemoryTransaction::counts(const CountRange& range) {
  ORLOP_CHECK(require_open());
  std::vector<RecordCount> found;
  const auto lock = reading();
  if (range.by == RecordRange::By::parent && !is_counted(range.family)) {
    for (const Id& key : range.keys) {
      store_.tables.children.entries().count(key, snapshot_, range.enough,
                                             [&](FamilyNumber family, std::uint64_t count) {
                                               if (range.family == 0 || range.family == family)
                                                 found.push_back({key, family, count});
                                             });
    }
    return found;
  }
  const auto& counts = range.by == RecordRange::By::parent ? store_.tables.child_counts : store_.tables.referrer_counts;
  for (const Id& key : range.keys) {
    const FamilyCounts* const of_key = counts.at(key, snapshot_);
    if (of_key == nullptr) continue;
    for (const auto& [family, count] : *of_key) {
      if (range.family == 0 || range.family == family) found.push_back({key, family, count});
    }
  }
  return found;
}

Result<void> MemoryTransaction::events(const EventRange& range, const EventVisitor& visit) {
  ORLOP_CHECK(require_open());
  std::uint64_t after = std::max(range.after, events_.first - 1);
  std::uint64_t before = std::min(range.before, last_event() + 1);
  const EventLog& events = store_.tables.events;
  const bool is_of_one = !range.organization.is_nil() || !range.request.is_nil() || !range.subject.is_nil();
  for (bool is_indexed = !is_of_one; !is_indexed && after < before;) {
    const auto lock = store_.changing();
    is_indexed = store_.tables.events.index(before - 1);
  }
  std::vector<std::uint64_t> numbers;
  std::vector<Event> batch;
  for (std::size_t left = range.limit; left > 0 && after < before; left -= numbers.size()) {
    numbers.clear();
    {
      std::shared_lock lock(store_.mutex);  // a writer, too: another thread may extend the indexes
      events.collect(range, after, before, std::min(left, batch_size), numbers);
      if (batch.size() < numbers.size()) batch.resize(numbers.size());
      for (std::size_t at = 0; at < numbers.size(); ++at) events.read(numbers[at], batch[at]);
    }
    if (numbers.empty()) return {};
    for (std::size_t at = 0; at < numbers.size(); ++at) {
      if (!visit(batch[at])) return {};
    }
    (range.order == EventRange::Order::ascending ? after : before) = numbers.back();
  }
  return {};
}

}  // namespace

Result<std::unique_ptr<Transaction>> MemoryStore::read(const StoreCheckpoint& checkpoint) {
  const auto* const known = dynamic_cast<const MemoryCheckpoint*>(&checkpoint);
  if (known == nullptr || &known->store != this || !begin_read_at(*known)) return checkpoint_is_gone();
  return std::unique_ptr<Transaction>(std::make_unique<MemoryTransaction>(*this, *known));
}

Result<std::unique_ptr<Transaction>> MemoryStore::begin(Access access) {
  return std::unique_ptr<Transaction>(std::make_unique<MemoryTransaction>(*this, access));
}

std::unique_ptr<Store> open_memory_store() { return std::make_unique<MemoryStore>(); }

}  // namespace orlop
