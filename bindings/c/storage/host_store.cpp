#include "storage/host_store.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/flat_map.h"
#include "storage/coordination.h"
#include "storage/host_calls.h"
#include "store/refusal.h"
#include "versioned.h"

namespace orlop::c {
namespace {

// The changes of the core as C structs, with the arrays of pointers to them.
struct GivenChanges {
  explicit GivenChanges(const Changes& changes) : machines(given(changes.machines, phases)) {
    for (const Id& id : changes.erasures) erasures.push_back(id_of(id));
    rows.reserve(changes.records.size());
    writes.reserve(changes.records.size());
    references.reserve(changes.records.size());
    for (const RecordWrite& write : changes.records) add(write);
    for (const Event& event : changes.events) events.push_back(given(event));
    for (const auto& write : writes) write_places.push_back(&write);
    for (const auto& machine : machines) machine_places.push_back(&machine);
    for (const auto& event : events) event_places.push_back(&event);
    if (!changes.coordination.empty()) coordination.emplace(changes.coordination);
    all = {sizeof all,
           erasures.data(),
           erasures.size(),
           write_places.data(),
           write_places.size(),
           machine_places.data(),
           machine_places.size(),
           event_places.data(),
           event_places.size(),
           changes.is_restore ? 1 : 0,
           coordination ? &coordination->all : nullptr,
           changes.forgotten_events};
  }
  GivenChanges(const GivenChanges&) = delete;
  GivenChanges& operator=(const GivenChanges&) = delete;

  orlop_changes all{};

 private:
  void add(const RecordWrite& write) {
    rows.push_back(given(write.record));
    references.emplace_back();
    if (write.references) {
      for (const Id& target : *write.references) references.back().push_back(id_of(target));
    }
    orlop_record_write out{};
    out.size = sizeof out;
    out.record = &rows.back();
    out.expected_revision = write.expected_revision;
    if (write.name_key) out.name_key = text_of(*write.name_key);
    out.has_name_key = write.name_key ? 1 : 0;
    out.has_references = write.references ? 1 : 0;
    out.references = references.back().data();
    out.reference_count = references.back().size();
    writes.push_back(out);
  }

  std::optional<GivenCoordination> coordination;
  std::vector<orlop_id> erasures;
  std::vector<orlop_record> rows;
  std::vector<std::vector<orlop_id>> references;
  std::vector<orlop_record_write> writes;
  std::vector<orlop_phase> phases;  // of all machines, in their order
  std::vector<orlop_machine> machines;
  std::vector<orlop_event> events;
  std::vector<const orlop_record_write*> write_places;
  std::vector<const orlop_machine*> machine_places;
  std::vector<const orlop_event*> event_places;
};

class HostTransaction final : public Transaction, public Coordination {
 public:
  HostTransaction(const orlop_store& store, const void* host, void* held, Access access)
      : store_(store), host_(host), held_(held), access_(access) {}
  ~HostTransaction() override { end(); }

  Result<Shared<Record>> record(const Id& id) override { return one<Record, orlop_record>(id, store_.record); }
  Result<Shared<Machine>> machine(const Id& id) override { return one<Machine, orlop_machine>(id, store_.machine); }
  Result<std::optional<Id>> find(std::string_view name_key, Expected expected) override {
    const bool is_unlikely = expected == Expected::absent && store_.find_unlikely != nullptr;
    return find_by(is_unlikely ? store_.find_unlikely : store_.find, name_key);
  }
  Result<RecordLinks> links(const Id& id) override {
    LinksTaken taken;
    const orlop_id given = id_of(id);
    ORLOP_CHECK(call([&] { return store_.links(held_, &given, LinksTaken::take, &taken); }));
    ORLOP_CHECK(taken.outcome);
    return std::move(taken.links);
  }
  Result<void> records(const RecordRange& range, const RecordVisitor& visit) override {
    Id last = range.after;
    Visit<Record, orlop_record> rows(visit, range.limit,
                                     [&](const Record& record) { return in_order(record, range.family, last); });
    const orlop_range given_range = given(range);
    ORLOP_CHECK(call([&] { return store_.records(held_, &given_range, rows.take, &rows); }));
    return rows.outcome();
  }
  Result<void> machines(const MachineRange& range, const MachineVisitor& visit) override {
    Id last;
    Visit<Machine, orlop_machine> rows(visit, UINT64_MAX, [&](const Machine& machine) {
      const bool is_elsewhere =
          range.by == MachineRange::By::active && range.partition && machine.partition != *range.partition;
      return is_elsewhere ? "it gave a machine of another partition than was asked for"
                          : in_order(machine, range.family, last);
    });
    const orlop_range given_range = given(range);
    ORLOP_CHECK(call([&] { return store_.machines(held_, &given_range, rows.take, &rows); }));
    return rows.outcome();
  }
  bool reads_in_batches() const override { return store_.records_by_ids != nullptr; }
  Result<Rows> rows(const RowKeys& keys) override {
    if (!reads_in_batches()) return Transaction::rows(keys);
    Rows found;
    const auto id_of_record = [](const Record& record) { return record.id; };
    const auto id_of_machine = [](const Machine& machine) { return machine.id; };
    const auto parent_of = [](const Record& record) { return record.parent; };
    std::unordered_map<Id, Id> last;  // last child of each parent
    const auto is_next = [&last](const Record& record) {
      return record.id > std::exchange(last[record.parent], record.id);
    };
    ORLOP_CHECK((batch<Record, orlop_record>(keys.records, found.records, store_.records_by_ids, id_of_record)));
    ORLOP_CHECK((batch<Machine, orlop_machine>(keys.machines, found.machines, store_.machines_by_ids, id_of_machine)));
    ORLOP_CHECK((batch<Record, orlop_record>(keys.parents, found.children, store_.records_below, parent_of, is_next)));
    return found;
  }
  Result<std::vector<RecordCount>> counts(const CountRange& range) override;
  Result<void> events(const EventRange& range, const EventVisitor& visit) override;

  Coordination* coordination() override { return store_.join == nullptr ? nullptr : this; }
  Result<std::vector<Peer>> peers() override {
    return all<Peer, orlop_peer>(
        UINT64_MAX, [](const Peer& a, const Peer& b) { return a.engine < b.engine; },
        [&](auto visit, void* visitor) { return store_.peers(held_, visit, visitor); });
  }
  Result<std::vector<Lease>> leases(PartitionSet of) override {
    ORLOP_TRY(found, (all<Lease, orlop_lease>(
                         UINT64_MAX, [](const Lease& a, const Lease& b) { return a.partition < b.partition; },
                         [&](auto visit, void* visitor) { return store_.leases(held_, of.bits(), visit, visitor); })));
    return of_partitions(of, std::move(found));
  }
  Result<std::vector<WakeUp>> wake_ups(PartitionSet of, std::size_t limit) override {
    ORLOP_TRY(
        found,
        (all<WakeUp, orlop_wake_up>(
            limit, [](const WakeUp& a, const WakeUp& b) { return a < b; },
            [&](auto visit, void* visitor) { return store_.wake_ups(held_, of.bits(), limit, visit, visitor); })));
    return of_partitions(of, std::move(found));
  }
  Result<std::vector<InboxReport>> reports(PartitionSet of, std::size_t limit) override {
    ORLOP_TRY(found,
              (all<InboxReport, orlop_inbox_report>(
                  limit, [](const InboxReport& a, const InboxReport& b) { return a.number < b.number; },
                  [&](auto visit, void* visitor) { return store_.reports(held_, of.bits(), limit, visit, visitor); })));
    return of_partitions(of, std::move(found));
  }

  Result<void> apply(Changes changes) override {
    if (is_over_) return ended_transaction();
    if (access_ == Access::read) return read_only_transaction();
    Result<void> applied = apply_all(changes, store_.apply);
    if (applied) applied = note_last_number(changes);
    if (!applied) end();
    return applied;
  }
  Result<void> validate() override {
    if (access_ != Access::optimistic) return {};
    return call([&] { return store_.validate(held_); });
  }
  Result<void> check(const FaultVisitor& visit) override {
    if (store_.check == nullptr) return {};
    return call([&] { return store_.check(held_, take_fault, const_cast<FaultVisitor*>(&visit)); });
  }
  std::optional<std::uint64_t> last_number() const override { return last_number_; }
  Result<void> apply_and_commit(Changes changes) override {
    if (store_.apply_and_commit == nullptr) {
      ORLOP_CHECK(apply(std::move(changes)));
      return commit();
    }
    if (is_over_) return ended_transaction();
    if (access_ == Access::read) return read_only_transaction();
    const Result<void> applied = apply_all(changes, store_.apply_and_commit);
    // The commit has succeeded, even if the number of its last event cannot be read.
    if (applied) (void)note_last_number(changes);
    end();
    return applied;
  }
  Result<void> commit() override {
    const Result<void> committed = call([&] { return store_.commit(held_); });
    end();
    return committed;
  }

 private:
  template <typename Call>
  Result<void> call(const Call& call) {
    if (is_over_) return ended_transaction();
    return call_store(host_, call);
  }

  template <typename Row, typename Given, typename Function>
  Result<Shared<Row>> one(const Id& id, const Function& function) {
    std::optional<Row> found;
    const std::function<bool(const Row&)> keep = [&](const Row& row) { return found = row, false; };
    Visit<Row, Given> rows(keep, 1, [&](const Row& row) {
      return row.id == id ? nullptr : "it gave another than the one that was asked for";
    });
    const orlop_id given = id_of(id);
    ORLOP_CHECK(call([&] { return function(held_, &given, rows.take, &rows); }));
    ORLOP_CHECK(rows.outcome());
    return found ? Shared<Row>(std::move(*found)) : Shared<Row>();
  }

  // Reads the rows of many keys into `found` by a batch function of the host. `key_of` returns the key of a row.
  // Without `is_next` each key has at most one row.
  template <typename Row, typename Given, typename Function, typename KeyOf>
  Result<void> batch(std::span<const Id> keys, std::vector<Shared<Row>>& found, const Function& function, KeyOf key_of,
                     const std::function<bool(const Row&)>& is_next = nullptr) {
    if (keys.empty()) return {};
    FlatMap<Id, bool> wanted;  // true once the row of the key has come
    for (const Id& key : keys) wanted[key];
    const std::function<bool(const Row&)> keep = [&found](const Row& row) {
      return found.emplace_back(Row(row)), true;
    };
    Visit<Row, Given> rows(keep, UINT64_MAX, [&](const Row& row) -> const char* {
      bool* const has_come = wanted.find(key_of(row));
      if (has_come == nullptr) return "it gave another than those that were asked for";
      const bool is_right = is_next ? is_next(row) : !std::exchange(*has_come, true);
      return is_right ? nullptr : "it gave one twice, or out of order";
    });
    std::vector<orlop_id> given_keys;
    given_keys.reserve(keys.size());
    for (const Id& key : keys) given_keys.push_back(id_of(key));
    ORLOP_CHECK(call([&] { return function(held_, given_keys.data(), given_keys.size(), rows.take, &rows); }));
    return rows.outcome();
  }

  template <typename Row>
  static const char* in_order(const Row& row, FamilyNumber family, Id& last) {
    if (family != 0 && row.family != family) return "it gave one of another family than was asked for";
    if (row.id <= last && !last.is_nil()) return "it gave ids out of their order";
    last = row.id;
    return nullptr;
  }

  // Reads the rows that a function of the host visits, at most `limit`, in ascending order.
  template <typename Row, typename Given, typename Function>
  Result<std::vector<Row>> all(std::uint64_t limit, bool (*is_before)(const Row&, const Row&),
                               const Function& function) {
    std::vector<Row> found;
    const std::function<bool(const Row&)> keep = [&](const Row& row) { return found.push_back(row), true; };
    Visit<Row, Given> rows(keep, limit, [&](const Row& row) {
      return found.empty() || is_before(found.back(), row) ? nullptr
                                                           : "it gave rows for several engines out of their order";
    });
    ORLOP_CHECK(call([&] { return function(&Visit<Row, Given>::take, &rows); }));
    ORLOP_CHECK(rows.outcome());
    return found;
  }
  Result<std::optional<Id>> find_by(decltype(orlop_store::find) function, std::string_view name_key) {
    orlop_id found{};
    ORLOP_CHECK(call([&] { return function(held_, text_of(name_key), &found); }));
    const Id id = id_of(found);
    return id.is_nil() ? std::optional<Id>() : std::optional<Id>(id);
  }
  template <typename Row>
  static Result<std::vector<Row>> of_partitions(PartitionSet of, std::vector<Row> rows) {
    for (const Row& row : rows) {
      if (!of.contains(row.partition)) return broken_promise("it gave rows of another partition than was asked for");
    }
    return rows;
  }

  // Checks the changes and calls `function`, apply or apply_and_commit.
  Result<void> apply_all(const Changes& changes, decltype(orlop_store::apply) function) {
    if (!changes.coordination.empty() && store_.join == nullptr) return not_shared();
    for (const RecordWrite& write : changes.records) {
      if (!may_put(write, changes)) return revision_does_not_follow();
    }
    for (const Machine& machine : changes.machines) {
      if (machine.revision == 0) return machine_revision_is_zero();
    }
    const GivenChanges given_changes(changes);
    return call([&] { return function(held_, &given_changes.all); });
  }

  Result<void> note_last_number(const Changes& changes) {
    if (access_ != Access::optimistic || changes.events.empty()) return {};
    ORLOP_TRY(last, feed_end());
    last_number_ = last.sequence;
    return {};
  }

  void end() {
    if (is_over_) return;
    is_over_ = true;
    guard_or(0, [&] {
      const Inside inside(host_, Callback::store);
      store_.end(held_);
      return 1;
    });
  }

  const orlop_store& store_;
  const void* host_;
  void* held_;
  Access access_;
  bool is_over_ = false;
  std::optional<std::uint64_t> last_number_;
};

Result<void> HostTransaction::events(const EventRange& range, const EventVisitor& visit) {
  const bool is_newest_first = range.order == EventRange::Order::newest_first;
  std::uint64_t after = range.after;
  std::uint64_t before = range.before;
  Visit<Event, orlop_event> rows(visit, range.limit, [&](const Event& event) {
    if (event.sequence <= after || event.sequence >= before) return "it gave events out of their bounds or order";
    if (!range.request.is_nil() && event.request != range.request)
      return "it gave an event of another request than was asked for";
    if (!range.subject.is_nil() && event.subject != range.subject)
      return "it gave an event about another subject than was asked for";
    (is_newest_first ? before : after) = event.sequence;
    return static_cast<const char*>(nullptr);
  });
  const orlop_event_range given_range = given(range);
  ORLOP_CHECK(call([&] { return store_.events(held_, &given_range, rows.take, &rows); }));
  return rows.outcome();
}

Result<std::vector<RecordCount>> HostTransaction::counts(const CountRange& range) {
  if (store_.counts == nullptr) return counted(range);
  std::vector<RecordCount> found;
  const std::function<bool(const RecordCount&)> keep = [&](const RecordCount& count) {
    return found.push_back(count), true;
  };
  std::set<std::pair<Id, FamilyNumber>> given_before;
  const std::set<Id> keys(range.keys.begin(), range.keys.end());
  Visit<RecordCount, orlop_record_count> rows(keep, UINT64_MAX, [&](const RecordCount& count) {
    const bool was_asked = keys.contains(count.key) && (range.family == 0 || range.family == count.family);
    if (!was_asked) return "it gave the count of a key or family that was not asked for";
    if (count.count == 0) return "it gave a count of 0";
    return given_before.emplace(count.key, count.family).second ? nullptr : "it gave a count twice";
  });
  std::vector<orlop_id> given_keys;
  for (const Id& key : range.keys) given_keys.push_back(id_of(key));
  orlop_count_range given_range{};
  given_range.size = sizeof given_range;
  given_range.keys = given_keys.data();
  given_range.key_count = given_keys.size();
  given_range.by = range.by == RecordRange::By::parent ? ORLOP_BY_PARENT : ORLOP_BY_REFERENCE;
  given_range.family = range.family;
  ORLOP_CHECK(call([&] { return store_.counts(held_, &given_range, rows.take, &rows); }));
  ORLOP_CHECK(rows.outcome());
  return found;
}

}  // namespace

namespace {

orlop_access access_of(Access access) {
  switch (access) {
    case Access::read: return ORLOP_ACCESS_READ;
    case Access::write: return ORLOP_ACCESS_WRITE;
    case Access::optimistic: return ORLOP_ACCESS_OPTIMISTIC;
  }
  return ORLOP_ACCESS_READ;
}

}  // namespace

HostStore::~HostStore() {
  if (is_owned_ && given_.release != nullptr) given_.release(given_.context);
}

Result<std::unique_ptr<Transaction>> HostStore::begin(Access access) {
  void* transaction = nullptr;
  ORLOP_CHECK(call_store(host_, [&] { return given_.begin(given_.context, access_of(access), &transaction); }));
  return std::unique_ptr<Transaction>(std::make_unique<HostTransaction>(given_, host_, transaction, access));
}

Result<std::unique_ptr<Membership>> HostStore::join(const Id& engine, std::function<void()> notify) {
  if (given_.join == nullptr) return std::unique_ptr<Membership>();
  auto membership = std::make_unique<HostMembership>(given_, host_, std::move(notify));
  ORLOP_CHECK(membership->join(engine));
  return std::unique_ptr<Membership>(std::move(membership));
}

Result<orlop_store> read_store(const orlop_store* given) {
  ORLOP_TRY(store, read_versioned(given, orlop_store{}, offsetof(orlop_store, release), "the store"));
  const bool is_whole = store.begin != nullptr && store.record != nullptr && store.machine != nullptr &&
                        store.find != nullptr && store.links != nullptr && store.records != nullptr &&
                        store.machines != nullptr && store.events != nullptr && store.apply != nullptr &&
                        store.commit != nullptr && store.end != nullptr;
  if (!is_whole)
    return misuse(
        "a function of the store is NULL; only release, counts, those from join to reports and those from "
        "records_by_ids on may be");
  const int shared = (store.join != nullptr) + (store.changes != nullptr) + (store.has_ended != nullptr) +
                     (store.leave != nullptr) + (store.peers != nullptr) + (store.leases != nullptr) +
                     (store.wake_ups != nullptr) + (store.reports != nullptr);
  if (shared != 0 && shared != 8)
    return misuse("of the store's functions from join to reports some are NULL; either all are, or none");
  const int batches =
      (store.records_by_ids != nullptr) + (store.machines_by_ids != nullptr) + (store.records_below != nullptr);
  if (batches != 0 && batches != 3)
    return misuse(
        "of the store's functions records_by_ids, machines_by_ids and records_below some are NULL; either all are, or "
        "none");
  return store;
}

}  // namespace orlop::c
