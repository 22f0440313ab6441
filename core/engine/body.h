// What an engine consists of: the parts that answer requests, those that a tick moves, and what waits between them. Only for engine.cpp and tick.cpp beside this.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "deploy/driver/scripted_driver.h"
#include "deploy/ownership/lease_holder.h"
#include "deploy/run/repair/fault.h"
#include "deploy/run/tick.h"
#include "engine.h"
#include "engine/report_sealing.h"
#include "operations/jobs.h"
#include "ops/check/fault_list.h"
#include "ops/commit/commit.h"
#include "ops/feed/retention.h"
#include "ops/unit/agreed_time.h"
#include "rest/dispatch.h"
#include "rest/feed/feed.h"
#include "webhooks/notifier.h"

namespace orlop {

class Engine::Body {
 public:
  // `resting`: as secrets lie in it; `store`: as they are worked with. `is_alone`: no other engine can use the store.
  Body(EngineOptions options, std::shared_ptr<Store> resting, std::shared_ptr<Store> store, bool is_alone);

  ~Body() { ownership_.part(); }
  Body(const Body&) = delete;
  Body& operator=(const Body&) = delete;

  // An engine that shares its store takes what it drives with its first tick: one that never ticks drives nothing.
  Result<void> open();

  Result<Reply> dispatch(const Request& request) { return dispatcher_.dispatch(request); }
  Result<std::optional<Reply>> authenticate(const Request& request) { return dispatcher_.authenticate(request); }
  Result<std::optional<Instant>> tick(MovableClock* clock);
  bool is_ticking_here() const { return ticking_ == this; }
  std::optional<Instant> work_due() {
    const std::lock_guard lock(tick_mutex_);
    return work_due_;
  }
  Result<void> perform(const Committer::Work& work);
  Result<void> perform_for_host(const Committer::Work& work);
  Result<void> report(Report report);
  void report_delivery(DeliveryReport report);
  bool is_ready();
  bool look(bool for_events);
  bool is_shared() const { return !ownership_.is_alone(); }
  void leave(bool is_forced);
  bool has_left();
  void close() noexcept;
  void on_ready(std::function<void()> listener) { on_ready_ = std::move(listener); }
  Result<std::unique_ptr<RequestBatch>> begin_batch() { return dispatcher_.begin_batch(); }
  Result<std::string> events(const EventRange& range);
  Result<EventPage> read_events(const EventQuery& query);
  Result<EventConsumer> register_consumer(std::string_view name);
  Result<EventConsumer> acknowledge_events(std::string_view name, std::uint64_t number);
  Result<void> unregister_consumer(std::string_view name);
  Result<std::vector<EventConsumer>> consumers();
  Result<std::uint64_t> forget_events(std::uint64_t through) { return orlop::forget_events(committer_, through); }
  void record_events(std::uint32_t kinds, bool keeps_counts) { committer_.record_events(kinds, keeps_counts); }
  std::uint32_t ids_given() const { return committer_.ids_given(); }
  void skip_ids(std::uint32_t count) { committer_.set_ids_given(std::max(count, committer_.ids_given())); }
  Result<bool> has_ended(const Id& request);
  Result<std::uint64_t> last_event();
  std::uint64_t last_stored_event() const { return last_stored_event_; }
  void on_stored(std::function<void()> listener) { on_stored_ = std::move(listener); }
  void log(LogLevel level, const std::string& message) {
    if (options_.log != nullptr) options_.log->write(level, message);
  }
  void log_resumed();
  void log_mended();
  Result<std::string> snapshot(PlainSecrets plain, std::string_view secrets_key);
  Result<ImportSummary> import_from(std::string_view snapshot, const ImportRequest& request, std::string_view secrets_key);
  // Of a snapshot that was restored and left this number of secrets out.
  void log_missing(std::uint64_t secrets);
  Result<std::vector<FoundFault>> check(bool repairs);
  Result<Checkpoint> checkpoint();
  Result<std::string> snapshot_of(const Checkpoint& checkpoint);
  Result<void> go_back(const Checkpoint& checkpoint);
  Result<std::unique_ptr<Store>> copy_of(const Checkpoint& checkpoint);
  void note_given(const Checkpoint& checkpoint);
  Result<void> load(std::string_view snapshot);
  Instant now() { return options_.clock->now(); }
  Moment moment() { return {now(), options_.clock->monotonic()}; }

 private:
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
  void ring() { if (on_ready_) on_ready_(); }
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
  Jobs jobs_;
  Dispatcher dispatcher_;
  ScriptedDriver scripted_;

  std::once_flag described_;
  std::string description_;

  static thread_local const Body* ticking_;  // the engine whose tick() this thread is in; nullptr: none
  std::mutex tick_mutex_;  // one tick at a time; guards the twelve below
  Orchestrator orchestrator_;
  Retention retention_;
  const ReportSealing report_sealing_;
  LeaseHolder ownership_;
  PartitionSet gained_;  // held, and not read yet
  std::vector<Report> orphans_;  // for steps of other engines, and not stored yet
  std::optional<Notifier> notifier_;  // nothing: there is no webhook sender, and messages stay in the outbox
  std::vector<Report> taken_reports_;  // out of the inbox, and of no commit yet
  std::vector<DeliveryReport> taken_deliveries_;
  std::optional<Instant> work_due_;  // after the last tick
  bool is_clock_doubted_ = false;  // it was logged that the clock differs from the agreed time
  std::uint32_t waiting_ticks_ = 0;  // so many of the next ones are not optimistic
  std::uint32_t ticks_to_wait_ = 0;  // after the next one that was in vain; 0: the fewest
  std::atomic<bool> must_recover_ = false;  // what is remembered may not be what is stored

  std::atomic<bool> has_inbox_ = false;  // something is in the four below; written with their lock held
  std::mutex inbox_mutex_;  // guards the four below
  std::vector<Report> reports_;
  std::vector<DeliveryReport> deliveries_;
  std::vector<WakeUp> woken_;
  std::vector<WakeUp> posted_;
  std::function<void()> on_ready_;

  std::atomic<std::uint64_t> last_stored_event_ = 0;
  std::function<void()> on_stored_;
};

}  // namespace orlop
