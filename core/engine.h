// The engine: all that the bindings see. Start reading here.
//
// A request goes through rest/dispatch in one transaction and comes back as a reply. A deployment goes on in tick():
// the host calls it when the instant that the last tick named has come, or when wait() returns. The engine starts no
// thread and reads no clock of its own.
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

// Ports must outlive the engine. Clock and random source must be given; a null driver is the scripted one. `snapshot`
// is read by open(), and not kept.
struct EngineOptions {
#define ORLOP_IN_rules(...)
#define ORLOP_IN_opening(...) __VA_ARGS__
#define ORLOP_OPTION ORLOP_OPTION_MEMBER
#define ORLOP_CHOICE ORLOP_CHOICE_MEMBER
#define ORLOP_PORT ORLOP_PORT_MEMBER
#include "base/options/options.def"
#undef ORLOP_IN_rules
#undef ORLOP_IN_opening
  std::shared_ptr<Store> store;  // the host's own, in place of `storage`
  // `driver` is one under which steps succeed by themselves: an engine with a real one goes before this one.
  bool is_driver_scripted = false;
  PlainSecrets plain_secrets = PlainSecrets::left_out;  // of `snapshot`
  SealingKeys keys;
  Settings settings;
};

class RequestBatch;
class Unit;

// The clock of a simulation, for a tick.
class MovableClock {
 public:
  virtual ~MovableClock() = default;
  // Moves it on to `at`; false: a tick must not go there by itself.
  virtual bool move_to(Instant at) = 0;
  // To where it was before the tick, of which nothing was stored.
  virtual void move_back() noexcept = 0;
};

class Engine {
 public:
  // Errors: those of open_store, restore_snapshot and seal_store.
  static Result<std::unique_ptr<Engine>> open(EngineOptions options);
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  // A refusal (4xx) is a reply; an error means that the engine could not answer.
  Result<Reply> dispatch(const Request& request);

  // The refusal that the request's credentials would meet; nothing if they hold. For a server, before it reads the
  // body.
  Result<std::optional<Reply>> authenticate(const Request& request);

  // Several requests in one commit (rest/request_batch.h). Waits for the writers before, and keeps those after it
  // waiting until it ends. It must end before the engine does, on the thread that began it.
  Result<std::unique_ptr<RequestBatch>> begin_batch();

  // Moves everything on that can move now, of what this engine holds of a store that several engines share. Answers
  // when it wants to be called next; nothing: not before a report or a request. With a clock that it may move, what
  // happens at several instants may share a commit; the engine is left as by a tick at each of them.
  Result<std::optional<Instant>> tick(MovableClock* clock = nullptr);
  // The same of the last tick, without the schedules that are due later (rules by the clock, evaluations of alert
  // rules), which go on for ever.
  std::optional<Instant> work_due() const;
  // Whether the calling thread is inside tick(), as a port that it calls may ask.
  bool is_ticking_here() const;

  // One write of a simulation's own, which sees what is being deleted: `work` fills a unit, which is committed as a
  // request's is. Error: that of the work; nothing is stored then.
  Result<void> perform(const std::function<Result<void>(Unit& unit)>& work);
  // The same as the host asks for it, who does not see that.
  Result<void> perform_for_host(const std::function<Result<void>(Unit& unit)>& work);

  // Whether the deployment request has ended. Error not_found: there is none, or it is no longer kept.
  Result<bool> has_ended(const Id& request);

  // A driver's report about a step. Of a step of this engine it never blocks on the store: the next tick takes it. Of a
  // step that another engine on the same store may run it is stored there. Error not_found: a step that this engine
  // would run and has not heard of since it was opened, or that ended more than KnownSteps::ended_kept ends ago. A
  // report about a running state is taken for any service.
  Result<void> report(Report report);

  // How an attempt of the webhook sender went. Never blocks on the store: the next tick takes it.
  void report_delivery(DeliveryReport report);

  // Whether reports or requests wait for a tick.
  bool is_ready();
  // The same, after asking the store whether another engine has left something, and `for_events` whether there are new
  // events: for a host that waits, several times a second. Cheap.
  bool look(bool for_events);
  // Whether several engines may use the store.
  bool is_shared() const;

  // Gives the partitions back that this engine holds, and starts nothing new: ticks take reports of running steps until
  // they end. With `is_forced` the next tick gives back those with running steps, too. Final: from then on this engine
  // only answers requests.
  void leave(bool is_forced);
  // After leave(): whether that is done, and no step runs here.
  bool has_left();
  // Gives everything back, unless a tick is running; best effort, before the engine is destroyed.
  void close() noexcept;
  // Called, without a lock held, each time that is_ready() becomes true, from the thread that made it so. Set before
  // any other thread uses the engine; a host that waits for work waits with this, in its own time.
  void on_ready(std::function<void()> listener);

  // The events of the range as one JSON list.
  Result<std::string> events(const EventRange& range);
  // The next events of the query, as they are stored (rest/feed/event_query.h). Errors: invalid, events_forgotten,
  // those of the store.
  Result<EventPage> read_events(const EventQuery& query);
  // Consumers of the feed, and what is removed from it: as feed/consumers.h and rest/feed/event_routes.h. Each is one
  // commit, forget_events as many as it takes.
  Result<EventConsumer> register_consumer(std::string_view name);
  Result<EventConsumer> acknowledge_events(std::string_view name, std::uint64_t number);
  Result<void> unregister_consumer(std::string_view name);
  Result<std::vector<EventConsumer>> consumers();
  Result<std::uint64_t> forget_events(std::uint64_t through);
  // Which events the feed keeps from now on, and how ids are counted without the others: as Committer::record_events.
  void record_events(std::uint32_t kinds, bool keeps_counts);
  // How many ids this engine knows to have been given, and that at least so many have.
  std::uint32_t ids_given() const;
  void skip_ids(std::uint32_t count);
  // The last event's number; 0: none.
  Result<std::uint64_t> last_event();
  // The number of the last event that this engine has stored since it was opened, 0 if it has not; never waits for the
  // store.
  std::uint64_t last_stored_event() const;
  // Called, without a lock held, each time that last_stored_event() has risen, from the thread that made it so. Set as
  // on_ready() is.
  void on_stored(std::function<void()> listener);

  // Everything that the store holds now, as one text (snapshot/snapshot.h); with `secrets_key` also all secrets,
  // encrypted with it.
  Result<std::string> snapshot(PlainSecrets plain = PlainSecrets::left_out, std::string_view secrets_key = {});
  // Creates a part of a snapshot in this store, which other engines may use, in one commit: an organization, project or
  // environment with all that is configured below it, never deployed. Ids that are taken here are replaced, with every
  // reference to them. `secrets_key`: of the snapshot, or the secret_key of the store that it was taken of; the keys of
  // this engine are tried too. Errors: invalid (the snapshot is faulty), not_found, conflict (a name is taken, what is
  // referred to is missing here, a limit of the plan), storage_sealed, misuse (there is nothing to decrypt), storage_*.
  // Nothing has changed then.
  Result<ImportSummary> import_from(std::string_view snapshot, const ImportRequest& request,
                                    std::string_view secrets_key = {});
  // Reads everything that the store holds, and answers what is wrong with it: records, machines, the feed, what engines
  // leave for each other, and what the store is kept in (Transaction::check). With `repairs`, what can be put right is
  // (deploy/run/repair). Error storage_corrupt, naming what is wrong: something cannot be read, or a count is wrong
  // (store/store_check.h).
  Result<std::vector<FoundFault>> check(bool repairs);
  // A state of an engine whose store is in memory, to go back to. Freed before the engine.
  struct Checkpoint {
    std::shared_ptr<const StoreCheckpoint> store;
    std::uint32_t ids_given = 0;
    std::uint64_t last_stored_event = 0;
    Instant at;
  };
  // Error conflict: the store is not in memory. Called when reports and requests have been taken by a tick.
  Result<Checkpoint> checkpoint();
  // As snapshot(), of that state. Errors: as for go_back().
  Result<std::string> snapshot_of(const Checkpoint& checkpoint);
  // Makes that state the present one, with the same random numbers to come; what is under way then is read again with
  // the next tick. Errors: conflict (store/store_checkpoint.h), storage_busy.
  Result<void> go_back(const Checkpoint& checkpoint);
  // An engine of its own that goes on from that state, in memory. The options name neither a store nor a snapshot.
  // Errors: as for go_back(), but for storage_busy; those of open().
  Result<std::unique_ptr<Engine>> fork(const Checkpoint& checkpoint, EngineOptions options);
  // Makes what the text holds the present state. Errors: those of restore_snapshot; conflict (the store is not in
  // memory, or encrypted), storage_busy; nothing has changed then.
  Result<void> load(std::string_view snapshot);

  Instant now();

 private:
  // `resting`: the store with its secrets encrypted, as they lie in it; `store`: as they are worked with. `is_alone`:
  // no other engine can use the store.
  Engine(EngineOptions options, std::shared_ptr<Store> resting, std::shared_ptr<Store> store, bool is_alone);
  static Result<std::unique_ptr<Engine>> open_on(std::shared_ptr<Store> resting, bool is_alone, EngineOptions options);
  // An engine that shares its store takes what it drives with its first tick: one that never ticks drives nothing.
  Result<void> prepare();

  Moment moment() { return {now(), options_.clock->monotonic()}; }
  void log(LogLevel level, const std::string& message);
  void log_resumed();
  void log_mended();
  // Of a snapshot that was restored and left this number of secrets out.
  void log_missing(std::uint64_t secrets);
  Result<std::unique_ptr<Store>> copy_of(const Checkpoint& checkpoint);
  void note_given(const Checkpoint& checkpoint);

  struct Findings {
    std::vector<FoundFault> faults;
    std::vector<FaultyRow> rows;  // those of them that lie in the rows of machines
  };
  Result<Findings> look_for_faults();
  Result<void> look_at_rows(std::vector<FaultyRow>& rows, FaultList& faults);
  Result<void> look_at_contents(FaultList& faults);

  // All three follow a commit, and so cannot fail.
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
  // Whether this one of the engines that share the store removes events.
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
  std::vector<Report> orphans_;        // for steps of other engines, and not stored yet
  std::optional<Notifier> notifier_;   // nothing: there is no webhook sender, and messages stay in the outbox
  std::vector<Report> taken_reports_;  // out of the inbox, and of no commit yet
  std::vector<DeliveryReport> taken_deliveries_;
  std::optional<Instant> work_due_;         // after the last tick
  bool is_clock_doubted_ = false;           // it was logged that the clock differs from the agreed time
  std::uint32_t waiting_ticks_ = 0;         // so many of the next ones are not optimistic
  std::uint32_t ticks_to_wait_ = 0;         // after the next one that was in vain; 0: the fewest
  std::atomic<bool> must_recover_ = false;  // what is remembered may not be what is stored

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
