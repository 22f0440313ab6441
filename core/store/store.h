// The storage contract. A store holds records, machines and one append-only feed of events: all data of the engine.
//
// A store guarantees:
//  - A transaction is open, committed or rolled back. One that is destroyed while open is rolled back.
//  - A write transaction sees its own changes; others see them after commit only. At most one write transaction is open
//    at a time: begin(Access::write) waits for the other. Read transactions see one consistent state, and block no
//    writer.
//  - When commit() has returned success, the transaction survives the loss of power (for stores that claim durability);
//    when it has returned an error, nothing of it is kept.
//  - Event numbers start at 1, have no gaps, and follow the order of commits. Events are removed from the front only,
//    and never the last one: what is kept has no gaps either, and numbers go on.
//  - A change names the revision from which it was made. If the store holds another one, apply() returns lost_update
//    and the transaction can only be rolled back.
//  - A store does not interpret bodies, names or states. It stores and compares bytes.
//  - commit() knows its outcome: a store that loses its server during a commit finds out whether it took place before
//    it returns.
//
// Several engines may share a store that says so (join()): it then also keeps what coordination.h describes.
//
// Threads: a Store may be used from any thread; a Transaction by one thread at a time. Transactions end before their
// store does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/family_number.h"
#include "base/id.h"
#include "base/instant.h"
#include "base/result.h"
#include "base/shared.h"
#include "store/coordination.h"
#include "store/copy_on_write.h"
#include "store/event_detail.h"
#include "store/found_fault.h"
#include "store/inline_vector.h"

namespace orlop {

// One resource. `body` is its public answer as JSON text, without what the engine derives when it answers; `secrets` is
// JSON text of what never leaves, "" if there are none.
struct Record {
  Id id;
  FamilyNumber family = 0;
  Id parent;        // nil for a root
  Id organization;  // the organization it belongs to; its own id for an organization
  std::uint64_t revision = 0;
  std::string body;
  std::string secrets;
  friend bool operator==(const Record&, const Record&) = default;
};

// Where the revision that an action applies stands.
enum class ConfigurationState : std::uint8_t {
  none = 0,       // no action has begun yet
  pending = 1,    // the action has begun, and its first step has not read the record yet
  read = 2,       // Machine::configured is the record's revision that the action applies
  overtaken = 3,  // an edit came after the action had begun: no revision is known to be applied
};

// The time that an action spent in one phase. Numbers are those of deploy/run/detail.h, from 1; a store keeps them as
// they are.
inline constexpr std::uint8_t phase_max = 5;
inline constexpr std::uint8_t phase_status_max = 3;
class PhaseTiming {
 public:
  PhaseTiming() = default;
  // `spent` in milliseconds, less than a million years. Nothing where a number is greater than a row can hold.
  static constexpr std::optional<PhaseTiming> of(std::int64_t phase, std::int64_t status, std::int64_t spent) {
    const bool is_held =
        phase >= 0 && phase < 16 && status >= 0 && status < 16 && spent >= -spent_max && spent <= spent_max;
    if (!is_held) return std::nullopt;
    PhaseTiming timing;
    timing.packed_ = spent * 256 + phase * 16 + status;
    return timing;
  }
  constexpr std::uint8_t phase() const { return static_cast<std::uint8_t>(packed_ >> 4 & 15); }
  constexpr std::uint8_t status() const { return static_cast<std::uint8_t>(packed_ & 15); }
  constexpr Duration spent() const { return {packed_ >> 8}; }
  friend bool operator==(const PhaseTiming&, const PhaseTiming&) = default;

 private:
  static constexpr std::int64_t spent_max = INT64_MAX / 256;
  std::int64_t packed_ = 0;
};

// What is known of the current or last action of a service or cluster beside its times. Cold: the plan needs none of
// it, and what a request's services have in common they share.
struct ActionDetail {
  std::string execution_id;
  std::string triggered_by;  // of a cluster; a service's is in its request
  std::string reason;        // of a failure, or of a lost contact
  std::string outputs;       // of a job: JSON object text; "" for none
  std::string commit;        // that the driver says it used: JSON object text; "" for none
  friend bool operator==(const ActionDetail&, const ActionDetail&) = default;
};

// An action of up to four phases, as nearly all have, needs no memory outside of its row.
using PhaseTimings = InlineVector<PhaseTiming, 4>;

// The times of the current or last action.
struct ActionTiming {
  PhaseTimings phases;          // in the order in which they began
  OptionalInstant started_at;   // when the action's first step was committed
  OptionalInstant ended_at;     // when the action came to rest
  OptionalInstant canceled_at;  // when the driver was to be asked for the running step's end
  OptionalInstant reported_at;  // when a report of the running step was last taken
  friend bool operator==(const ActionTiming&, const ActionTiming&) = default;
};

// The part of a resource that moves: a service, cluster, environment, deployment request or job, under that resource's
// own id. Numbers are those of the lifecycle's enums; a store keeps them as they are. There are many rows, so that
// members lie in the order of their sizes.
struct Machine {
  Id id;
  // Service: its environment; cluster: organization; environment: project; request: environment.
  Id owner;
  Id request;                          // current or last deployment request (a cluster: operation)
  Id stage;                            // a service's deployment stage
  Id step;                             // the running step; nil while none runs
  std::uint64_t revision = 0;          // of this row; counts its changes
  std::uint64_t progress = 0;          // of a job: how many of its items are done
  std::uint64_t configured = 0;        // the record's revision that the current action applies, once it was read
  std::uint64_t deployed = 0;          // the record's revision that was last deployed; 0: none
  OptionalInstant step_started_at;     // when the running or last step was committed
  OptionalInstant deadline;            // of the running step, or of the transient state
  Instant changed_at;                  // last change of state
  OptionalInstant last_deployment_at;  // nothing: never
  ActionTiming timing;
  CopyOnWrite<ActionDetail> detail;
  std::uint32_t plan_flags = 0;     // bits of PlanFlag: what planning needs to know without reading the body
  std::uint32_t planned_flags = 0;  // the same as they were when the current request began
  std::int32_t stage_order = 0;     // of its stage when its request began; capture, not the live order
  // Of a deployment request: its place in the order of its environment's requests; of a service: that of a request
  // which takes it up once it is free (RequestBody::has_following_rows); 0: none.
  std::int32_t number = 0;
  FamilyNumber family = 0;
  std::uint16_t attempt = 0;      // of the running step, from 1
  std::uint8_t partition = 0;     // partition_of(its organization)
  std::uint8_t state = 0;         // ServiceState, ClusterState, or RequestState
  std::uint8_t origin_state = 0;  // the state before the current action began
  std::uint8_t action = 0;        // Action: current or last
  std::uint8_t freshness = 0;     // Freshness
  std::uint8_t running = 0;       // RunningState
  std::uint8_t step_kind = 0;     // StepKind of the running step; 0 while none runs
  ConfigurationState configuration = ConfigurationState::none;
  bool active = false;  // needs the engine's attention: on the list that is read at open
  friend bool operator==(const Machine&, const Machine&) = default;
};

enum class EventKind : std::uint8_t {
  created = 1,
  edited = 2,
  deleted = 3,
  state_changed = 4,  // `from` and `to` are states of the subject's machine
  request_queued = 5,
  request_started = 6,
  request_ended = 7,  // `to`: the ServiceState that the environment ended in
  step_started = 8,   // `to`: StepKind; detail names step and attempt
  step_ended = 9,
  progress = 10,  // the driver's report on a running step
  log_line = 11,
  running_changed = 12,    // `from` and `to` are RunningState
  freshness_changed = 13,  // `from` and `to` are Freshness
};

struct Event {
  std::uint64_t sequence = 0;  // given by the store
  Instant at;
  EventKind kind = EventKind::created;
  FamilyNumber family = 0;  // of the subject
  std::uint8_t from = 0;
  std::uint8_t to = 0;
  Id subject;  // resource or request
  Id owner;    // the subject's parent
  Id organization;
  Id request;                  // nil outside a deployment
  std::uint64_t revision = 0;  // the subject's revision after the event; 0 where none changed
  std::string author;          // who caused it by a request, "host" for the host; "" for what follows by itself
  EventDetail detail;
  // Of a transaction's last event: how many ids the store has given until then (base/id.h); 0 on the others.
  std::uint32_t id_count = 0;
  friend bool operator==(const Event&, const Event&) = default;
};

struct RecordWrite {
  Record record;                        // its revision is expected_revision + 1
  std::uint64_t expected_revision = 0;  // 0: it must not be there yet
  // The key under which find() answers this record; unique over all records. nullopt: unchanged; "": none.
  std::optional<std::string> name_key;
  // The records this one refers to, so that referrers() finds it. nullopt: unchanged.
  std::optional<std::vector<Id>> references;
};

// What a record is found by beside its id and its parent.
struct RecordLinks {
  std::string name_key;        // "": none
  std::vector<Id> references;  // each once, ascending
};

// What one transaction changes. Applied in this order: coordination, erasures, records, machines, events,
// forgotten_events.
struct Changes {
  std::vector<Id> erasures;  // records that go, with their machines, keys and outgoing references
  std::vector<RecordWrite> records;
  std::vector<Machine> machines;  // row.revision is the new one: 1 for a new row, else the stored revision + 1
  std::vector<Event> events;      // `sequence` is ignored: the store numbers them; but see is_restore
  // Records and machines are put back as they were: with any revision from 1, where there is none (expected_revision is
  // 0; one that is there already gives lost_update). With their erasure in front they take the place of what is there.
  // Where there are no events, the first one keeps its `sequence`, and the numbers go on from it.
  bool is_restore = false;
  std::uint32_t forgotten_events = 0;  // how many events are removed, the oldest first; the last one stays
  CoordinationChanges coordination;    // misuse in a store that one engine uses alone
  bool empty() const {
    return erasures.empty() && records.empty() && machines.empty() && events.empty() && coordination.empty() &&
           forgotten_events == 0;
  }
};

// Which records to visit, in ascending order of id.
struct RecordRange {
  enum class By : std::uint8_t { parent, reference };
  // What of each record is wanted; a store may leave the rest empty, which is cheaper.
  enum class Fields : std::uint8_t {
    all,
    no_text,  // all but body and secrets
    place     // id, family and parent
  };
  By by = By::parent;
  Id key = {};              // the parent (nil: roots), or the record referred to
  FamilyNumber family = 0;  // only this family; 0: any
  Id after = {};            // only ids greater than this one
  std::size_t limit = SIZE_MAX;
  Fields fields = Fields::all;
  bool with_text() const { return fields == Fields::all; }
};

// How many records to count, for each of many keys in one call.
struct CountRange {
  RecordRange::By by = RecordRange::By::parent;
  std::span<const Id> keys = {};  // the parents, or the records referred to; each once
  FamilyNumber family = 0;        // only records of this family; 0: any
  // What is more than this may be answered as this, for a key and family that the store has to count.
  std::uint64_t enough = UINT64_MAX;
};

// The records of one family below a parent, or of one family that refer to a record.
struct RecordCount {
  Id key;
  FamilyNumber family = 0;
  std::uint64_t count = 0;  // at least 1: what has none is not named
  friend bool operator==(const RecordCount&, const RecordCount&) = default;
};

struct MachineRange {
  enum class By : std::uint8_t { owner, active };
  By by = By::owner;
  Id owner = {};                               // By::owner: whose machines. By::active: ignored
  FamilyNumber family = 0;                     // only this family; 0: any
  std::optional<std::uint8_t> partition = {};  // By::active: only those of this partition
  // By::owner. False: only id, family, state, freshness and plan_flags need to be given, in any order, which is
  // cheaper.
  bool with_detail = true;
};

// Which events to visit, in ascending order of number or from the newest back.
struct EventRange {
  enum class Order : std::uint8_t { ascending, newest_first };
  std::uint64_t after = 0;            // only numbers greater than this one
  std::uint64_t before = UINT64_MAX;  // only numbers less than this one
  // At most one of these is set.
  Id organization = {};  // only those of this organization that have an author
  Id request = {};       // only those of this deployment request
  Id subject = {};       // only those about this resource or request
  Order order = Order::ascending;
  std::size_t limit = SIZE_MAX;
};

// A visitor returns false to stop. What it is given lives until it returns; it must not call the transaction.
using RecordVisitor = std::function<bool(const Record&)>;
using MachineVisitor = std::function<bool(const Machine&)>;
using EventVisitor = std::function<bool(const Event&)>;

struct FeedEnd {
  std::uint64_t sequence = 0;  // of the last event; 0: there is none
  Instant at;                  // of the last event
  std::uint32_t id_count = 0;  // of the last event: how many ids the store has given
};

// Rows that one call reads, whose ids are given once each.
struct RowKeys {
  std::span<const Id> records = {};
  std::span<const Id> machines = {};
  std::span<const Id> parents = {};  // whose children are read
};

// In any order, but children of one parent after each other and by id. A row that is not there is left out.
struct Rows {
  std::vector<Shared<Record>> records;
  std::vector<Shared<Machine>> machines;
  std::vector<Shared<Record>> children;
};

// What a caller of find() expects.
enum class Expected : std::uint8_t {
  any,
  // Most likely no record has the key: an optimistic transaction may take that for granted, and finds out when it is
  // validated.
  absent
};

// Implementations override what is pure; the others have an answer that is right for every store, and that a store may
// give sooner.
class Transaction {
 public:
  virtual ~Transaction() = default;
  // One row, which stays as it was read for as long as it is held. Empty: there is none.
  virtual Result<Shared<Record>> record(const Id& id) = 0;
  virtual Result<Shared<Machine>> machine(const Id& id) = 0;
  virtual Result<Rows> rows(const RowKeys& keys);
  // Whether rows() costs less than its reads one by one, so that it is worth to know before what will be read.
  virtual bool reads_in_batches() const { return false; }
  virtual Result<std::optional<Id>> find(std::string_view name_key, Expected expected) = 0;
  Result<std::optional<Id>> find(std::string_view name_key) { return find(name_key, Expected::any); }
  virtual Result<RecordLinks> links(const Id& id) = 0;  // nothing in them if there is no such record
  virtual Result<void> records(const RecordRange& range, const RecordVisitor& visit) = 0;
  virtual Result<void> machines(const MachineRange& range, const MachineVisitor& visit) = 0;  // ascending id
  // Each pair of key and family once, in any order. A store keeps the numbers of referring records, and of records
  // below a parent for the families that is_counted() names, and changes them in the transaction that changes the
  // records: it does not count to answer.
  virtual Result<std::vector<RecordCount>> counts(const CountRange& range) = 0;
  virtual Result<void> events(const EventRange& range, const EventVisitor& visit) = 0;
  // The end of the feed; every write begins with it.
  virtual Result<FeedEnd> feed_end();
  // Visits what is wrong where no other read looks, such as tables that do not fit together. Error storage_corrupt:
  // pages or an index are damaged.
  virtual Result<void> check(const FaultVisitor& visit) { return (void)visit, Result<void>(); }
  // What engines that share the store keep in it; nullptr: one engine uses this store alone.
  virtual Coordination* coordination() { return nullptr; }

  // Errors: lease_lost (a fence does not hold) before all others, lost_update (a revision does not match), conflict (a
  // name key is taken), storage_*. Of one record lost_update goes before conflict; of several a store may say either.
  // An id stands once among the records and once among the machines of one call: a caller sees to that, and a store
  // need not. After any error the transaction can only be destroyed.
  virtual Result<void> apply(Changes changes) = 0;
  virtual Result<void> commit() = 0;
  // Both in one call, which a store behind a network answers in one round trip. After it, also after an error, the
  // transaction can only be destroyed.
  virtual Result<void> apply_and_commit(Changes changes);
  // Of an optimistic transaction: lost_update if what was read is no longer so.
  virtual Result<void> validate() { return {}; }
  // The number of the last event that apply() has stored, if that need not be the next ones after feed_end(): an
  // optimistic transaction may begin with an end that is not the last.
  virtual std::optional<std::uint64_t> last_number() const { return std::nullopt; }

  // No part of the contract: what counts() answers, by walking over the records.
  Result<std::vector<RecordCount>> counted(const CountRange& range);
};

// optimistic: a write transaction for work that is done again, with `write`, where apply(), commit() or validate() says
// lost_update. It need not wait for another one: it answers from what the store knows to have been so, and finds out
// later whether it still is. orlop_access in orlop/storage.h says what it promises.
enum class Access : std::uint8_t { read, write, optimistic };

class Store {
 public:
  virtual ~Store() = default;
  // Errors: storage_busy, storage_failed.
  virtual Result<std::unique_ptr<Transaction>> begin(Access access) = 0;
  // Whether begin() may be asked for Access::optimistic.
  virtual bool is_optimistic() const { return false; }

  // Runs `act` in a read transaction, which ends with it, and returns what it returns. A store that keeps rows in
  // memory may answer from them; when the store is changed at a wrong instant it runs `act` a second time, in another
  // transaction: what the first run has made counts for nothing. Errors: those of begin() and of `act`.
  using Act = std::function<Result<void>(std::unique_ptr<Transaction>)>;
  virtual Result<void> read(const Act& act) {
    ORLOP_TRY(transaction, begin(Access::read));
    return act(std::move(transaction));
  }

  // Runs `act` in a write transaction, which ends with it, and returns what it returns. A store may run the acts of
  // several threads one after the other, in any of these threads, and share one commit between them: commit() then only
  // says that the changes are to be kept, and they are durable when write() has returned success. When another act
  // fails, `act` may run a second time: what the first run has made counts for nothing. An act neither begins a
  // transaction nor waits for another writer. Errors: those of begin(), of `act`, and of the commit.
  virtual Result<void> write(const Act& act) {
    ORLOP_TRY(transaction, begin(Access::write));
    return act(std::move(transaction));
  }

  // What was noticed when it was opened, as sentences for the log.
  virtual std::vector<std::string> remarks() const { return {}; }

  // Counts this engine among those that share the store, which outlives the membership. `notify` may be called, from
  // any thread and without a lock of the store, after another engine has changed what coordination.h describes; a store
  // that cannot know never calls it. nullptr: one engine uses this store alone.
  virtual Result<std::unique_ptr<Membership>> join(const Id& engine, std::function<void()> notify) {
    (void)engine;
    (void)notify;
    return std::unique_ptr<Membership>();
  }
};

}  // namespace orlop
