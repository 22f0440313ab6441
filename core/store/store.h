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
//    and never the last one: what is kept has no gaps either, and numbers continue.
//  - A change names the revision from which it was made. If the store holds another one, apply() returns lost_update
//    and the transaction can only be rolled back.
//  - A store does not interpret bodies, names or states. It stores and compares bytes.
//  - commit() knows its outcome: a store that loses its server during a commit finds out the outcome before it returns.
//
// Several engines may share a store if its join() returns a membership: it then also keeps coordination.h's data.
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

// One resource. `body`: its public JSON text, without members that the engine computes for each answer. `secrets`: JSON
// text that no answer contains; empty if there are no secrets.
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

// State of the revision that an action applies.
enum class ConfigurationState : std::uint8_t {
  none = 0,       // no action has begun yet
  pending = 1,    // the action has begun, and its first step has not read the record yet
  read = 2,       // the action applies the record's revision Machine::configured
  overtaken = 3,  // an edit came after the action had begun: no revision is known to be applied
};

// Time that an action spent in one phase. The numbers are defined in deploy/run/detail.h, from 1; a store does not
// interpret them.
inline constexpr std::uint8_t phase_max = 5;
inline constexpr std::uint8_t phase_status_max = 4;
class PhaseTiming {
 public:
  PhaseTiming() = default;
  // `spent` in milliseconds, less than a million years. Returns nullopt if a number exceeds what a row can hold.
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

// Details of the current or last action of a service or cluster, except its times. Rarely used: planning does not need
// them, and services of one request share what is equal.
struct ActionDetail {
  std::string execution_id;
  std::string triggered_by;  // author of a cluster's operation; a service's is in its request
  std::string reason;        // reason of the failure or of the lost contact
  std::string outputs;       // outputs of a job: JSON object text; empty if none
  std::string commit;        // commit that the driver used: JSON object text; empty if none
  friend bool operator==(const ActionDetail&, const ActionDetail&) = default;
};

// Up to four phases, which nearly all actions have, need no memory outside of the row.
using PhaseTimings = InlineVector<PhaseTiming, 4>;

// The times of the current or last action.
struct ActionTiming {
  PhaseTimings phases;          // in the order in which they began
  OptionalInstant started_at;   // when the action's first step was committed
  OptionalInstant ended_at;     // when the action ended
  OptionalInstant canceled_at;  // when cancellation of the running step was requested
  OptionalInstant reported_at;  // when a report of the running step was last accepted
  friend bool operator==(const ActionTiming&, const ActionTiming&) = default;
};

// The part of a resource that changes state: a service, cluster, environment, deployment request or job, with that
// resource's id. Numbers are those of the lifecycle's enums; a store does not interpret them. Members are ordered by
// size, because there are many rows.
struct Machine {
  Id id;
  // Service: its environment; cluster: organization; environment: project; request: environment.
  Id owner;
  Id request;                          // current or last deployment request; of a cluster: operation
  Id stage;                            // a service's deployment stage
  Id step;                             // the running step; nil while none runs
  std::uint64_t revision = 0;          // number of changes of this row
  std::uint64_t progress = 0;          // number of completed items of a job
  std::uint64_t configured = 0;        // record revision that the current action applies, once it was read
  std::uint64_t deployed = 0;          // record revision last deployed; 0: none
  OptionalInstant step_started_at;     // when the running or last step was committed
  OptionalInstant deadline;            // deadline of the running step, or of the transient state
  Instant changed_at;                  // last change of state
  OptionalInstant last_deployment_at;  // nullopt: never
  ActionTiming timing;
  CopyOnWrite<ActionDetail> detail;
  std::uint32_t plan_flags = 0;     // bits of PlanFlag: data for planning without reading the body
  std::uint32_t planned_flags = 0;  // plan_flags when the current request began
  std::int32_t stage_order = 0;     // order of its stage when its request began; not updated later
  // Of a deployment request: its number in its environment's order of requests. Of a service: number of the request
  // that includes it once it is free (RequestBody::has_following_rows). 0: none.
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
  bool active = false;  // needs the engine's attention: read when the engine opens
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
  std::uint64_t sequence = 0;  // assigned by the store
  Instant at;
  EventKind kind = EventKind::created;
  FamilyNumber family = 0;  // of the subject
  std::uint8_t from = 0;
  std::uint8_t to = 0;
  Id subject;  // resource or request
  Id owner;    // the subject's parent
  Id organization;
  Id request;                  // nil outside a deployment
  std::uint64_t revision = 0;  // the subject's revision after the event; 0 if none changed
  std::string author;          // caller of the request that caused it; "host" for the host; empty for the engine
  EventDetail detail;
  // Set on a transaction's last event, 0 on the others: number of ids that the store has assigned up to it (base/id.h).
  std::uint32_t id_count = 0;
  friend bool operator==(const Event&, const Event&) = default;
};

struct RecordWrite {
  Record record;                        // its revision is expected_revision + 1
  std::uint64_t expected_revision = 0;  // 0: the record must not exist
  // Key by which find() finds this record; unique over all records. nullopt: unchanged; empty: none.
  std::optional<std::string> name_key;
  // Records that this one refers to, for referrers(). nullopt: unchanged.
  std::optional<std::vector<Id>> references;
};

// Keys that find a record, other than its id and its parent.
struct RecordLinks {
  std::string name_key;        // empty if none
  std::vector<Id> references;  // each once, ascending
};

// Changes of one transaction. Applied in this order: coordination, erasures, records, machines, events,
// forgotten_events.
struct Changes {
  std::vector<Id> erasures;  // records to remove, with their machines, keys and outgoing references
  std::vector<RecordWrite> records;
  std::vector<Machine> machines;  // row.revision is the new one: 1 for a new row, else the stored revision + 1
  std::vector<Event> events;      // `sequence` is ignored: the store numbers them; exception: is_restore
  // Restores records and machines: any revision from 1 is accepted, and expected_revision is 0. One that exists gives
  // lost_update; an erasure in the same changes replaces it. If the feed is empty, the first event keeps its
  // `sequence`, and later numbers follow it.
  bool is_restore = false;
  std::uint32_t forgotten_events = 0;  // number of the oldest events to remove; the last event always stays
  CoordinationChanges coordination;    // error misuse in a store that one engine uses alone
  bool empty() const {
    return erasures.empty() && records.empty() && machines.empty() && events.empty() && coordination.empty() &&
           forgotten_events == 0;
  }
};

// Range of records, visited in ascending order of id.
struct RecordRange {
  enum class By : std::uint8_t { parent, reference };
  // Members of each record that the caller needs; a store may leave the others empty, which is cheaper.
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

// Counts of records for many keys in one call.
struct CountRange {
  RecordRange::By by = RecordRange::By::parent;
  std::span<const Id> keys = {};  // the parents, or the records referred to; each once
  FamilyNumber family = 0;        // only records of this family; 0: any
  // A count may be capped at this number, for a key and family that the store does not keep a count of.
  std::uint64_t enough = UINT64_MAX;
};

// Number of records of one family below a parent, or referring to a record.
struct RecordCount {
  Id key;
  FamilyNumber family = 0;
  std::uint64_t count = 0;  // at least 1: a count of 0 is left out
  friend bool operator==(const RecordCount&, const RecordCount&) = default;
};

struct MachineRange {
  enum class By : std::uint8_t { owner, active };
  By by = By::owner;
  Id owner = {};                               // By::owner: owner of the machines. By::active: ignored
  FamilyNumber family = 0;                     // only this family; 0: any
  std::optional<std::uint8_t> partition = {};  // By::active: only those of this partition
  // By::owner. False: only id, family, state, freshness and plan_flags need to be set, in any order, which is cheaper.
  bool with_detail = true;
};

// Range of events, visited in ascending order of number or newest first.
struct EventRange {
  enum class Order : std::uint8_t { ascending, newest_first };
  std::uint64_t after = 0;            // only numbers greater than this one
  std::uint64_t before = UINT64_MAX;  // only numbers less than this one
  // At most one of these is set.
  Id organization = {};  // events of this organization that have an author
  Id request = {};       // events of this deployment request
  Id subject = {};       // events about this resource or request
  Order order = Order::ascending;
  std::size_t limit = SIZE_MAX;
};

// A visitor returns false to stop. Its argument is valid until it returns; it must not call the transaction.
using RecordVisitor = std::function<bool(const Record&)>;
using MachineVisitor = std::function<bool(const Machine&)>;
using EventVisitor = std::function<bool(const Event&)>;

struct FeedEnd {
  std::uint64_t sequence = 0;  // number of the last event; 0 if none
  Instant at;                  // time of the last event
  std::uint32_t id_count = 0;  // number of ids that the store had assigned with it
};

// Keys of rows that one call reads; each id once.
struct RowKeys {
  std::span<const Id> records = {};
  std::span<const Id> machines = {};
  std::span<const Id> parents = {};  // parents whose children are read
};

// In any order, but the children of a parent are adjacent and ordered by id. Missing rows are left out.
struct Rows {
  std::vector<Shared<Record>> records;
  std::vector<Shared<Machine>> machines;
  std::vector<Shared<Record>> children;
};

// Expectation of a caller of find().
enum class Expected : std::uint8_t {
  any,
  // Most likely no record has the key: an optimistic transaction may assume so, and checks it when it is validated.
  absent
};

// Implementations override the pure functions; the defaults of the others are right for every store, and a store may
// override them to be faster.
class Transaction {
 public:
  virtual ~Transaction() = default;
  // Returns a row, which stays unchanged as long as it is held; null if none.
  virtual Result<Shared<Record>> record(const Id& id) = 0;
  virtual Result<Shared<Machine>> machine(const Id& id) = 0;
  virtual Result<Rows> rows(const RowKeys& keys);
  // Reports whether rows() costs less than single reads, so that it pays to know in advance which rows will be read.
  virtual bool reads_in_batches() const { return false; }
  virtual Result<std::optional<Id>> find(std::string_view name_key, Expected expected) = 0;
  Result<std::optional<Id>> find(std::string_view name_key) { return find(name_key, Expected::any); }
  virtual Result<RecordLinks> links(const Id& id) = 0;  // both empty if there is no such record
  virtual Result<void> records(const RecordRange& range, const RecordVisitor& visit) = 0;
  virtual Result<void> machines(const MachineRange& range, const MachineVisitor& visit) = 0;  // ascending id
  // Returns each pair of key and family once, in any order. A store keeps the numbers of referring records, and of
  // records below a parent for the families that is_counted() names, and changes them in the transaction that changes
  // the records; it does not count them on each call.
  virtual Result<std::vector<RecordCount>> counts(const CountRange& range) = 0;
  virtual Result<void> events(const EventRange& range, const EventVisitor& visit) = 0;
  // Returns the end of the feed; every write begins with it.
  virtual Result<FeedEnd> feed_end();
  // Visits faults that no other read finds, such as inconsistent tables. Error storage_corrupt: pages or an index are
  // damaged.
  virtual Result<void> check(const FaultVisitor& visit) { return (void)visit, Result<void>(); }
  // Returns the data that engines sharing the store keep in it; null if one engine uses the store alone.
  virtual Coordination* coordination() { return nullptr; }

  // Errors: lease_lost (a fence fails) before all others, lost_update (a revision does not match), conflict (a name key
  // is taken), storage_*. For one record lost_update comes before conflict; for several a store may return either. The
  // caller ensures that one call has each id at most once among the records, and once among the machines; a store need
  // not check it. After any error the transaction can only be destroyed.
  virtual Result<void> apply(Changes changes) = 0;
  virtual Result<void> commit() = 0;
  // apply() and commit() in one call, which a store on a network does in one round trip. Afterwards, also after an
  // error, the transaction can only be destroyed.
  virtual Result<void> apply_and_commit(Changes changes);
  // Error lost_update: rows that an optimistic transaction has read have changed.
  virtual Result<void> validate() { return {}; }
  // Number of the last event that apply() has stored; nullopt if events are numbered on from feed_end(). An optimistic
  // transaction may begin with an outdated end.
  virtual std::optional<std::uint64_t> last_number() const { return std::nullopt; }

  // Not part of the contract: returns what counts() should, by counting the records.
  Result<std::vector<RecordCount>> counted(const CountRange& range);
};

// optimistic: a write transaction for work that is repeated with `write` if apply(), commit() or validate() returns
// lost_update. It need not wait for another writer: it reads from rows that the store knows, and checks later whether
// they are current. orlop_access in orlop/storage.h specifies it.
enum class Access : std::uint8_t { read, write, optimistic };

class Store {
 public:
  virtual ~Store() = default;
  // Errors: storage_busy, storage_failed.
  virtual Result<std::unique_ptr<Transaction>> begin(Access access) = 0;
  // Reports whether begin() supports Access::optimistic.
  virtual bool is_optimistic() const { return false; }

  // Runs `act` in a read transaction, which ends with it, and returns its result. A store may read from rows that it
  // keeps in memory; if the store changes meanwhile, it may run `act` a second time in another transaction, and the
  // results of the first run must be discarded. Errors: those of begin() and of `act`.
  using Act = std::function<Result<void>(std::unique_ptr<Transaction>)>;
  virtual Result<void> read(const Act& act) {
    ORLOP_TRY(transaction, begin(Access::read));
    return act(std::move(transaction));
  }

  // Runs `act` in a write transaction, which ends with it, and returns its result. A store may run the acts of several
  // threads one after the other, in any of these threads, with one commit for all: commit() then only marks the changes
  // to be kept, and they are durable when write() has returned success. When another act fails, `act` may run a second
  // time, and the results of the first run must be discarded. An act must not begin a transaction or wait for another
  // writer. Errors: those of begin(), of `act`, and of the commit.
  virtual Result<void> write(const Act& act) {
    ORLOP_TRY(transaction, begin(Access::write));
    return act(std::move(transaction));
  }

  // Returns remarks from opening the store, as sentences for the log.
  virtual std::vector<std::string> remarks() const { return {}; }

  // Registers this engine among those that share the store, which must outlive the membership. `notify` may be called,
  // from any thread and without a lock of the store, after another engine has changed coordination data
  // (coordination.h); a store that cannot notice changes never calls it. Returns null if one engine uses the store
  // alone.
  virtual Result<std::unique_ptr<Membership>> join(const Id& engine, std::function<void()> notify) {
    (void)engine;
    (void)notify;
    return std::unique_ptr<Membership>();
  }
};

}  // namespace orlop
