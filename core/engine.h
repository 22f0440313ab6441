// The engine: the class that the bindings wrap. Start reading here.
//
// A request goes through rest/dispatch in one transaction and comes back as a reply. A deployment advances in tick():
// the host calls it at the instant that the last tick returned, and when a report or a request has arrived. The engine
// starts no thread; it reads the time from options.clock only.
//
// Threads: every function may be called from any thread; driver and clock are called on the thread that called the
// engine.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/options/settings.h"
#include "base/port.h"
#include "base/result.h"
#include "base/source.h"
#include "check/fault_list.h"
#include "commit/commit.h"
#include "deploy/driver/driver.h"
#include "deploy/driver/scripted_driver.h"
#include "deploy/ownership/lease_holder.h"
#include "deploy/run/repair/fault.h"
#include "deploy/run/tick.h"
#include "endpoints/bulk_jobs.h"
#include "endpoints/imports/parts/import_request.h"
#include "engine/report_sealing.h"
#include "feed/consumer.h"
#include "feed/retention.h"
#include "rest/dispatch.h"
#include "rest/exchange.h"
#include "rest/feed/event_query.h"
#include "snapshot/snapshot.h"
#include "store/found_fault.h"
#include "store/open.h"
#include "store/sealing/sealing.h"
#include "store/store_checkpoint.h"
#include "unit/agreed_time.h"
#include "webhooks/notifier.h"

namespace orlop {

// Ports must outlive the engine. `clock` and `random_source` are required; without a `driver` the scripted one is used.
// open() reads `snapshot` and does not keep it.
struct EngineOptions {
#define ORLOP_IN_rules(...)
#define ORLOP_IN_opening(...) __VA_ARGS__
#define ORLOP_OPTION ORLOP_OPTION_MEMBER
#define ORLOP_CHOICE ORLOP_CHOICE_MEMBER
#define ORLOP_PORT ORLOP_PORT_MEMBER
#include "base/options/options.def"
#undef ORLOP_IN_rules
#undef ORLOP_IN_opening
  std::shared_ptr<Store> store;  // store of the host; `storage` is then not used
  // True if `driver` executes nothing real. Of engines that share a store, those with a real driver rank higher.
  bool is_driver_scripted = false;
  PlainSecrets plain_secrets = PlainSecrets::left_out;  // in `snapshot`
  SealingKeys keys;
  Settings settings;
};

class RequestBatch;
class Unit;

// Clock of a simulation that a tick may advance.
class MovableClock {
 public:
  virtual ~MovableClock() = default;
  // Advances the clock to `at`; returns false if a tick must not advance it that far.
  virtual bool move_to(Instant at) = 0;
  // Resets the clock to its time before the tick, because nothing of the tick was stored.
  virtual void move_back() noexcept = 0;
};

class Engine {
 public:
  // Errors: those of open_store, restore_snapshot and seal_store.
  static Result<std::unique_ptr<Engine>> open(EngineOptions options);
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  // Answers a request. A refusal (4xx) is a reply; an error means that the engine could not answer.
  Result<Reply> dispatch(const Request& request);

  // Returns the refusal of the request's credentials; nullopt if they are valid or not required. A server calls it
  // before it reads the body.
  Result<std::optional<Reply>> authenticate(const Request& request);

  // Begins a batch: several requests in one commit (rest/request_batch.h). Waits for earlier writers; later ones wait
  // until the batch ends. It must end before the engine does, on the thread that began it.
  Result<std::unique_ptr<RequestBatch>> begin_batch();

  // Does all work that can be done now; on a store that several engines share, only in the partitions that this engine
  // holds. Returns when it must be called next; nullopt: not before a report or a request. With `clock`, one commit may
  // cover several instants, to which the tick advances the clock; the result is the same as after a tick at each of
  // them.
  Result<std::optional<Instant>> tick(MovableClock* clock = nullptr);
  // Returns the time of the next work as of the last tick; nullopt if there is none. Does not count schedules that are
  // due later (deployment rules, evaluations of alert rules), because they never end.
  std::optional<Instant> work_due() const;
  // Reports whether the calling thread is inside tick(): a port that a tick calls may call this.
  bool is_ticking_here() const;

  // Commits the changes that `work` makes in a unit. For changes of a simulation itself: the unit sees records that are
  // being deleted. After an error of `work` nothing is stored.
  Result<void> perform(const std::function<Result<void>(Unit& unit)>& work);
  // As perform(), for changes that the host requests: records that are being deleted are hidden.
  Result<void> perform_for_host(const std::function<Result<void>(Unit& unit)>& work);

  // Reports whether the deployment request has ended. Error not_found: there is none, or it is no longer kept.
  Result<bool> has_ended(const Id& request);

  // Accepts a driver's report about a step. If this engine runs the step, the call never blocks on the store: the next
  // tick processes the report. If another engine on the same store may run it, stores the report for that engine. A
  // report about a running state is accepted for any service. Errors: not_found (the step would be this engine's, but
  // has not run since the engine was opened, or ended before the last KnownSteps::ended_kept ones), step_lost (another
  // engine has taken over the step), those of the store.
  Result<void> report(Report report);

  // Accepts the outcome of a webhook delivery. Never blocks on the store: the next tick processes it.
  void report_delivery(DeliveryReport report);

  // Reports whether reports, requests or other work wait for a tick.
  bool is_ready();
  // As is_ready(), after asking the store whether other engines have left work for this one. With `for_events` also
  // checks for events of other engines, and calls the listener of on_stored() if there are any. Cheap: a host that
  // waits may call this several times a second.
  bool look(bool for_events);
  // Reports whether several engines may use the store.
  bool is_shared() const;

  // Releases the partitions that this engine holds, and starts no further step; ticks process the reports of running
  // steps until these end. With `is_forced` the next tick also releases partitions with running steps. Final: from then
  // on this engine only answers requests.
  void leave(bool is_forced);
  // After leave(): reports whether all partitions are released and no step runs here.
  bool has_left();
  // Releases all partitions before the engine is destroyed, if that is possible: does nothing while a tick is running.
  void close() noexcept;
  // Sets the function that is called each time that is_ready() becomes true: on the thread that caused it, without a
  // lock held. Set it before another thread uses the engine. A host that waits for work waits for this call.
  void on_ready(std::function<void()> listener);

  // Returns the events of the range as a JSON array.
  Result<std::string> events(const EventRange& range);
  // Returns the next events that match the query, as they are stored (rest/feed/event_query.h). Errors: invalid,
  // events_forgotten, those of the store.
  Result<EventPage> read_events(const EventQuery& query);
  // Consumers of the feed (feed/consumers.h), and removal of events (rest/feed/event_routes.h). Each change is one
  // commit; forget_events() makes as many as it needs.
  Result<EventConsumer> register_consumer(std::string_view name);
  Result<EventConsumer> acknowledge_events(std::string_view name, std::uint64_t number);
  Result<void> unregister_consumer(std::string_view name);
  Result<std::vector<EventConsumer>> consumers();
  Result<std::uint64_t> forget_events(std::uint64_t through);
  // Sets which events the feed keeps from now on, as Committer::record_events().
  void record_events(std::uint32_t kinds, bool keeps_counts);
  // Number of ids that the engines of this store have assigned, as far as this one knows. skip_ids() raises it to at
  // least `count`.
  std::uint32_t ids_given() const;
  void skip_ids(std::uint32_t count);
  // Returns the number of the last event; 0 if there is none.
  Result<std::uint64_t> last_event();
  // Returns the number of the last event that this engine has stored since it was opened, or seen in look(); 0 if none.
  // Never waits for the store.
  std::uint64_t last_stored_event() const;
  // Sets the function that is called each time that last_stored_event() rises; called and set as that of on_ready().
  void on_stored(std::function<void()> listener);

  // Returns the contents of the store as text (snapshot/snapshot.h). With `secrets_key` the text has all secrets,
  // encrypted with this key.
  Result<std::string> snapshot(PlainSecrets plain = PlainSecrets::left_out, std::string_view secrets_key = {});
  // Creates a part of a snapshot in this store in one commit: an organization, project or environment with its
  // configuration, never deployed. Other engines may use the store meanwhile. Ids that exist here are replaced, with
  // every reference to them. `secrets_key`: key of the snapshot, or secret_key of the store of which it was taken; the
  // keys of this engine are tried too. Errors: invalid (the snapshot is faulty), not_found, conflict (a name is in use,
  // a record that the part refers to is missing here, or a limit of the plan is exceeded), storage_sealed, misuse (a
  // key is given and the snapshot has no encrypted secrets), storage_*. After an error nothing has changed.
  Result<ImportSummary> import_from(std::string_view snapshot, const ImportRequest& request,
                                    std::string_view secrets_key = {});
  // Reads the whole store and returns its faults: in records, machines, the feed, the data that engines leave for each
  // other, and the store's files or tables (Transaction::check). With `repairs`, repairs what can be repaired
  // (deploy/run/repair). Error storage_corrupt, with the fault in the message: something cannot be read, or a count is
  // wrong (store/store_check.h).
  Result<std::vector<FoundFault>> check(bool repairs);
  // State of an engine whose store is in memory, to which the engine can return. Must be freed before the engine.
  struct Checkpoint {
    std::shared_ptr<const StoreCheckpoint> store;
    std::uint32_t ids_given = 0;
    std::uint64_t last_stored_event = 0;
    Instant at;
  };
  // Returns the present state. Call it after a tick has processed all reports and requests. Error conflict: the store
  // is not in memory.
  Result<Checkpoint> checkpoint();
  // Returns the checkpoint's state as snapshot() would. Errors: as for go_back().
  Result<std::string> snapshot_of(const Checkpoint& checkpoint);
  // Makes the checkpoint's state the present one. With the same seed, ids and random numbers repeat those that followed
  // the checkpoint. The next tick reads the running work again. Errors: conflict (store/store_checkpoint.h),
  // storage_busy.
  Result<void> go_back(const Checkpoint& checkpoint);
  // Returns a separate engine in memory that starts from the checkpoint's state. The options name neither a store nor a
  // snapshot. Errors: as for go_back(), without storage_busy; those of open().
  Result<std::unique_ptr<Engine>> fork(const Checkpoint& checkpoint, EngineOptions options);
  // Replaces the contents of the store by those of the snapshot. Errors: those of restore_snapshot; conflict (the store
  // is not in memory, or its secrets are encrypted), storage_busy. After an error nothing has changed.
  Result<void> load(std::string_view snapshot);

  Instant now();

 private:
  // `resting`: the store as it is written, with encrypted secrets. `store`: the same store, which encrypts and decrypts
  // them. `is_alone`: no other engine can use the store.
  Engine(EngineOptions options, std::shared_ptr<Store> resting, std::shared_ptr<Store> store, bool is_alone);
  static Result<std::unique_ptr<Engine>> open_on(std::shared_ptr<Store> resting, bool is_alone, EngineOptions options);
  // Loads the state. An engine that shares its store takes partitions in its first tick: one that never ticks drives
  // nothing.
  Result<void> prepare();

  Moment moment() { return {now(), options_.clock->monotonic()}; }
  void log(LogLevel level, const std::string& message);
  void log_resumed();
  void log_mended();
  // Logs that the restored snapshot omitted this number of secrets.
  void log_missing(std::uint64_t secrets);
  Result<std::unique_ptr<Store>> copy_of(const Checkpoint& checkpoint);
  void note_given(const Checkpoint& checkpoint);

  struct Findings {
    std::vector<FoundFault> faults;
    std::vector<FaultyRow> rows;  // the faults in rows of machines
  };
  Result<Findings> look_for_faults();
  Result<void> look_at_rows(std::vector<FaultyRow>& rows, FaultList& faults);
  Result<void> look_at_contents(FaultList& faults);

  // Called after a commit, so that these three must not fail.
  void wake(std::span<const WakeUp> owners) noexcept { remember(woken_, owners); }
  void post(std::span<const WakeUp> deliveries) noexcept { remember(posted_, deliveries); }
  void remember(std::vector<WakeUp>& among, std::span<const WakeUp> work) noexcept;
  void ring() {
    if (on_ready_) on_ready_();
  }
  void note_stored(std::uint64_t last);
  void begin(std::span<const Job> jobs) noexcept;
  const std::string& description();
  Result<void> tend();
  Result<void> recover();
  Result<void> take_up(PartitionSet gained);
  Result<void> drop(PartitionSet lost);
  Result<void> leave_report(const Report& report);
  Result<void> leave_orphans();
  Result<Checkpoints*> checkpoints();
  Result<void> start_over();
  void take_inbox();
  void empty_inbox(PartitionSet held);
  Result<void> decide(MovableClock* clock);
  Result<void> decide_once(MovableClock* clock = nullptr);
  bool may_share_commits();
  Result<void> go_on(Unit& unit, MovableClock& clock);
  Result<bool> commit(const Committer::Work& work, Access access = Access::write);
  Result<bool> act();
  Access access_of_tick();
  Result<Moment> moment_of(Transaction& transaction);
  Result<bool> vote();
  Result<void> release_lost();
  std::vector<Report> take_mail(Unit& unit);
  Result<void> take_wake_ups(Unit& unit);
  // Reports whether this engine removes old events: only one of the engines that share the store does.
  bool keeps_feed() const { return ownership_.is_alone() || ownership_.read().contains(0); }

  EngineOptions options_;
  std::shared_ptr<Store> resting_;
  std::shared_ptr<Store> store_;
  AgreedTime agreed_time_;
  Committer committer_;
  BulkJobs jobs_;
  Dispatcher dispatcher_;
  ScriptedDriver scripted_;

  std::once_flag described_;
  std::string description_;

  static thread_local const Engine* ticking_;  // the engine whose tick() this thread is in; nullptr: none
  mutable std::mutex tick_mutex_;              // one tick at a time; guards the twelve below
  Orchestrator orchestrator_;
  Retention retention_;
  const ReportSealing report_sealing_;
  LeaseHolder ownership_;
  PartitionSet gained_;                // held, and not read yet
  std::vector<Report> orphans_;        // about steps of other engines; not stored yet
  std::optional<Notifier> notifier_;   // nullopt without a webhook sender: messages then stay in the outbox
  std::vector<Report> taken_reports_;  // taken from the inbox, not committed yet
  std::vector<DeliveryReport> taken_deliveries_;
  std::optional<Instant> work_due_;         // as of the last tick
  bool is_clock_doubted_ = false;           // the log says that the clock differs from the agreed time
  std::uint32_t waiting_ticks_ = 0;         // number of next ticks that are not optimistic
  std::uint32_t ticks_to_wait_ = 0;         // waiting_ticks_ after the last failed optimistic tick; 0: none failed
  std::atomic<bool> must_recover_ = false;  // the cached state may differ from the store

  std::atomic<bool> has_inbox_ = false;  // something is in the four below; written with their lock held
  std::mutex inbox_mutex_;               // guards the four below
  std::vector<Report> reports_;
  std::vector<DeliveryReport> deliveries_;
  std::vector<WakeUp> woken_;
  std::vector<WakeUp> posted_;
  std::function<void()> on_ready_;

  std::atomic<std::uint64_t> last_stored_event_ = 0;
  std::function<void()> on_stored_;
};

}  // namespace orlop
