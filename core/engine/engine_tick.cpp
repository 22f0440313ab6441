// The tick of an engine: ownership of partitions, the inbox, decisions.
#include <algorithm>
#include <atomic>
#include <functional>
#include <iterator>
#include <optional>
#include <span>
#include <utility>

#include "base/family_number.h"
#include "engine.h"
#include "unit/operation.h"
#include "webhooks/subscription.h"

namespace orlop {
namespace {

// Maximum number of the host's reports in a tick; the next tick takes the rest, so that other writers get a turn.
constexpr std::size_t reports_by_tick = 256;
// Number of ticks to wait after a failed optimistic one.
constexpr std::uint32_t ticks_to_wait_min = 16;
constexpr std::uint32_t ticks_to_wait_max = 4096;

// Moves all of `from` to the end of `to`. If memory runs out, neither changes.
template <typename T>
void append(std::vector<T>& to, std::vector<T>& from) {
  if (to.empty()) return to.swap(from);
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
  from.clear();
}

// Sets a flag at the end of its scope unless done() was called. Covers exceptions.
class UnlessDone {
 public:
  explicit UnlessDone(std::atomic<bool>& flag) : flag_(flag) {}
  ~UnlessDone() {
    if (!is_done_) flag_ = true;
  }
  UnlessDone(const UnlessDone&) = delete;
  UnlessDone& operator=(const UnlessDone&) = delete;
  void done() { is_done_ = true; }

 private:
  std::atomic<bool>& flag_;
  bool is_done_ = false;
};

// Moves the clock back at the end of its scope unless the tick's decisions were stored.
class UnlessStored {
 public:
  explicit UnlessStored(MovableClock* clock) : clock_(clock) {}
  ~UnlessStored() {
    if (clock_ != nullptr) clock_->move_back();
  }
  UnlessStored(const UnlessStored&) = delete;
  UnlessStored& operator=(const UnlessStored&) = delete;
  void done() { clock_ = nullptr; }

 private:
  MovableClock* clock_;
};

// Sets a value until the end of its scope.
template <typename T>
class Noted {
 public:
  Noted(T& place, T value) : place_(place), before_(std::exchange(place, value)) {}
  ~Noted() { place_ = before_; }
  Noted(const Noted&) = delete;
  Noted& operator=(const Noted&) = delete;

 private:
  T& place_;
  T before_;
};

}  // namespace

thread_local const Engine* Engine::ticking_ = nullptr;

// Acquires and releases partitions. Loads the state of gained ones and discards that of lost ones.
Result<void> Engine::tend() {
  const auto tended = ownership_.tend(orchestrator_.busy());
  if (!tended) log(LogLevel::warning, "a tick could not look at the store and starts over: " + tended.error().message);
  ORLOP_TRY(change, tended);
  gained_ = (gained_ | change.gained).without(change.lost.without(change.gained));
  if (!change.lost.empty()) ORLOP_CHECK(drop(change.lost));
  if (must_recover_) {
    if (const auto recovered = recover(); !recovered) {
      log(LogLevel::error,
          "what is under way could not be read again after a failed tick; the next tick tries again: " +
              recovered.error().message);
      return recovered.error();
    }
  }
  if (orchestrator_.known_steps().has_lost()) ORLOP_CHECK(release_lost());
  return gained_.empty() ? Result<void>() : take_up(gained_);
}

Result<void> Engine::release_lost() {
  ORLOP_TRY(transaction, resting_->begin(Access::read));
  Coordination* const coordination = transaction->coordination();
  if (coordination == nullptr) return {};
  ORLOP_TRY(taken, ownership_.of_others(*coordination));
  transaction.reset();
  orchestrator_.release_lost(ownership_.is_giving_up() ? PartitionSet::all() : taken);
  return {};
}

// Returns the current time, which is not before the last stored event.
Result<Moment> Engine::moment_of(Transaction& transaction) {
  ORLOP_TRY(end, transaction.feed_end());
  committer_.note_end(end);
  Moment at = moment();
  if (end.sequence != 0) at.now = std::max(at.now, end.at);
  return at;
}

// Discards the cached state and reads it from the store. Errors: those of the store; the next tick tries again.
Result<void> Engine::recover() {
  must_recover_ = false;  // first: changes from here on may be missing from the read state
  UnlessDone recovered(must_recover_);
  const PartitionSet held = ownership_.held();
  ORLOP_TRY(transaction, store_->begin(Access::read));
  ORLOP_TRY(at, moment_of(*transaction));
  ORLOP_CHECK(orchestrator_.recover(*transaction, held, at));
  if (notifier_) notifier_->synchronize(at);
  if (notifier_) ORLOP_CHECK(notifier_->recover(*transaction, held));
  if (!gained_.empty()) ORLOP_CHECK(jobs_.take_up(*transaction, gained_));
  recovered.done();
  gained_ = PartitionSet();
  ownership_.note_read(held);
  return {};
}

Result<void> Engine::take_up(PartitionSet gained) {
  UnlessDone taken(must_recover_);
  ORLOP_TRY(transaction, store_->begin(Access::read));
  ORLOP_TRY(at, moment_of(*transaction));
  ORLOP_CHECK(orchestrator_.take_up(*transaction, gained, at));
  if (notifier_) notifier_->synchronize(at);
  if (notifier_) ORLOP_CHECK(notifier_->take_up(*transaction, gained));
  ORLOP_CHECK(jobs_.take_up(*transaction, gained));
  taken.done();
  gained_ = PartitionSet();
  ownership_.note_read(gained);
  log_resumed();
  return {};
}

// If another engine has taken over running work, all cached state is read again; else only that of `lost` is discarded.
Result<void> Engine::drop(PartitionSet lost) {
  jobs_.drop(lost);
  const bool is_taken_away = !(orchestrator_.busy() & lost).empty();
  if (is_taken_away) must_recover_ = true;  // first: the log needs memory
  if (is_taken_away) log(LogLevel::warning, "another engine has taken over work that was under way here");
  if (must_recover_) return {};
  UnlessDone dropped(must_recover_);
  ORLOP_TRY(transaction, store_->begin(Access::read));
  ORLOP_CHECK(orchestrator_.drop(*transaction, lost));
  if (notifier_) ORLOP_CHECK(notifier_->drop(*transaction, lost));
  dropped.done();
  return {};
}

// Votes on the agreed time if the engine's clock differs from it. Returns true if the next tick may decide.
Result<bool> Engine::vote() {
  if (!agreed_time_.is_pending()) {
    is_clock_doubted_ = false;
    return false;
  }
  ORLOP_TRY(transaction, resting_->begin(Access::read));
  bool wants_another = false;
  ORLOP_TRY(agreed, agreed_time_.vote(*transaction, ownership_.engine(), wants_another));
  if (!wants_another && !std::exchange(is_clock_doubted_, true) && agreed_time_.is_pending()) {
    log(LogLevel::warning, "the clock says " + to_text(now()) + ", and other engines agree on " + to_text(agreed) +
                               ": until it agrees, tokens, locks, kept answers and events last by the agreed time");
  }
  return wants_another;
}

Result<std::optional<Instant>> Engine::tick(MovableClock* clock) {
  const std::lock_guard tick_lock(tick_mutex_);
  const Noted<const Engine*> noted(ticking_, this);
  ORLOP_CHECK(tend());
  take_inbox();
  ORLOP_CHECK(leave_orphans());
  ORLOP_CHECK(decide(clock));
  ORLOP_CHECK(jobs_.tick());
  ORLOP_TRY(must_vote_again, vote());
  if (keeps_feed()) ORLOP_CHECK(retention_.tick(*store_, committer_, now()));
  // A driver may have reported from inside start(), a webhook sender from inside deliver().
  const bool is_left = !orphans_.empty() || !ownership_.wake_ups().empty() || !ownership_.reports().empty();
  if (is_ready() || is_left || must_vote_again || !taken_reports_.empty()) return work_due_ = now();
  const Moment at = moment();
  work_due_ = orchestrator_.work_due(at);
  std::optional<Instant> wanted = orchestrator_.due(at);
  const auto earlier = [&](std::optional<Instant> other) {
    for (std::optional<Instant>* due : {&wanted, &work_due_}) {
      if (other && (!*due || *other < **due)) *due = other;
    }
  };
  if (notifier_) earlier(notifier_->due(at));
  // Does not count as work, because it never ends.
  if (const auto due = retention_.due(); due && keeps_feed() && (!wanted || *due < *wanted)) wanted = due;
  if (const auto left = ownership_.due(orchestrator_.busy())) earlier(at.now + *left);
  return wanted;
}

void Engine::take_inbox() {
  const PartitionSet held = ownership_.read();
  if (has_inbox_) empty_inbox(held);
  if (ownership_.is_alone()) return;
  const auto is_orphan = [&](const Report& report) {
    return report.kind != ReportKind::running_state && !held.contains(partition_of_step(report.step));
  };
  std::ranges::copy_if(taken_reports_, std::back_inserter(orphans_), is_orphan);
  std::erase_if(taken_reports_, is_orphan);
}

void Engine::empty_inbox(PartitionSet held) {
  const auto ids_of = [&](const std::vector<WakeUp>& work) {
    std::vector<Id> ids;
    for (const WakeUp& wake_up : work) {
      if (held.contains(wake_up.partition)) ids.push_back(wake_up.owner);
    }
    return ids;
  };
  const std::lock_guard lock(inbox_mutex_);
  append(taken_reports_, reports_);
  append(taken_deliveries_, deliveries_);
  orchestrator_.wake(ids_of(woken_));
  woken_.clear();
  if (notifier_) notifier_->post(ids_of(posted_));
  posted_.clear();
  has_inbox_ = false;
}

// Returns the reports that other engines have left, and removes them from the store in the same unit.
std::vector<Report> Engine::take_mail(Unit& unit) {
  std::vector<Report> reports;
  CoordinationChanges& changes = unit.changes().coordination;
  for (const InboxReport& report : ownership_.reports()) {
    reports.push_back(report_sealing_.open(report));
    changes.taken_reports.push_back(report.number);
  }
  changes.taken_wake_ups = ownership_.wake_ups();
  return reports;
}

Result<void> Engine::take_wake_ups(Unit& unit) {
  for (const WakeUp& wake_up : ownership_.wake_ups()) {
    ORLOP_TRY(machine, unit.machine(wake_up.owner));
    if (machine && BulkJobs::is_job(*machine)) {
      jobs_.take_up(*machine);
    } else if (machine && machine->family == webhook_delivery_number) {
      if (notifier_) notifier_->post(std::span(&wake_up.owner, 1));
    } else {
      orchestrator_.wake(std::span(&wake_up.owner, 1));
    }
  }
  return {};
}

// A failed optimistic tick costs more than the waiting that it saves, because all running work is read again. So the
// tick is optimistic less often if others write all the time.
Access Engine::access_of_tick() {
  if (ownership_.has_peers() || orchestrator_.starts_uncommitted()) return Access::write;
  if (waiting_ticks_ == 0) return Access::optimistic;
  --waiting_ticks_;
  return Access::write;
}

// Commits the decisions of `work` and fences them. Returns false if another engine has taken a partition that they
// concern, or has changed rows that an optimistic tick has read. Then nothing is stored, and the driver must not be
// called.
Result<bool> Engine::commit(const Committer::Work& work, Access access) {
  const auto woken = committer_.run(
      [&](Unit& unit) -> Result<void> {
        ORLOP_CHECK(work(unit));
        ownership_.fence(unit.changes(), orchestrator_.asked());
        return {};
      },
      access);
  // Ignores `woken`: in a tick the orchestrator wakes itself.
  if (woken) return true;
  if (access == Access::optimistic && woken.error().code == ErrorCode::lost_update) {
    ticks_to_wait_ = std::clamp(ticks_to_wait_ * 2, ticks_to_wait_min, ticks_to_wait_max);
    waiting_ticks_ = ticks_to_wait_;
    return false;
  }
  if (woken.error().code == ErrorCode::lease_lost) {
    ownership_.note_refusal();
    log(LogLevel::warning, "a tick was not stored, and nothing was started: " + woken.error().message);
    return false;
  }
  log(LogLevel::warning, "a tick could not be stored and starts over: " + woken.error().message);
  return woken.error();
}

// Calls the driver. If the engine was suspended since the commit or between two calls, another engine may have taken
// over and called its own driver for these steps: then returns false. If the calls or the commit take long, the next
// tick, which renews the leases, does the rest.
Result<bool> Engine::act() {
  if (ownership_.may_have_lost()) {
    ORLOP_TRY(is_still_ours, commit([](Unit&) { return Result<void>(); }));
    if (!is_still_ours) return false;
  }
  orchestrator_.act(moment(), [this](bool is_first) {
    return is_first ? ownership_.is_certain() : !ownership_.must_beat() && !ownership_.may_have_lost();
  });
  return true;
}

// Data that a large request needs is read and used in one tick, and steps are resumed before their reports are
// processed: so every tick makes progress, even if the process ends after each.
Result<void> Engine::decide(MovableClock* clock) {
  if (orchestrator_.must_ask()) {
    UnlessDone asked(must_recover_);
    if (!ownership_.is_alone()) {
      ORLOP_TRY(is_ours, commit([](Unit&) { return Result<void>(); }));
      if (!is_ours) return {};
    }
    ORLOP_TRY(is_still_ours, act());
    if (!is_still_ours) return {};
    asked.done();
    take_inbox();
  }
  ORLOP_CHECK(decide_once(clock));
  return !must_recover_ && orchestrator_.wants_reading(moment()) ? decide_once() : Result<void>();
}

// Reports whether one commit for several instants is unobservable: there is no other engine, and no work that depends
// on commits or their number.
bool Engine::may_share_commits() {
  return ownership_.is_alone() && orchestrator_.starts_uncommitted() && committer_.records_all() &&
         options_.settings.billing.empty() && !retention_.is_on() && !jobs_.has_work() &&
         (!notifier_ || !notifier_->due(moment()));
}

// Processes the next instants as long as each may share the commit.
Result<void> Engine::go_on(Unit& unit, MovableClock& clock) {
  if (unit.now() != now() || !may_share_commits()) return {};
  for (bool goes_on = true; goes_on;) {
    const auto next = orchestrator_.next_ahead(unit, moment());
    if (!next || has_inbox_ || !unit.jobs().empty() || !clock.move_to(*next)) return {};
    unit.begin_instant(*next);
    ORLOP_TRY(is_taken, orchestrator_.tick_ahead(unit, options_.clock->monotonic()));
    goes_on = is_taken;
  }
  return {};
}

// On a failure, the decisions are not stored. The next tick starts again from the store and the reports taken.
Result<void> Engine::decide_once(MovableClock* clock) {
  const bool is_left = !ownership_.wake_ups().empty() || !ownership_.reports().empty();
  const bool has_work = is_left || !taken_reports_.empty() || orchestrator_.is_due(moment());
  const bool has_mail = notifier_ && (is_left || !taken_deliveries_.empty() || notifier_->is_due(moment()));
  if (!has_work && !has_mail) return {};
  UnlessDone decided(must_recover_);
  UnlessStored stored(clock);
  if (orchestrator_.wants_reading(moment())) {
    ORLOP_TRY(transaction, store_->begin(Access::read));
    ORLOP_TRY(at, moment_of(*transaction));
    ORLOP_CHECK(orchestrator_.read_ahead(*transaction, at));
  }
  const auto taken =
      taken_reports_.begin() + static_cast<std::ptrdiff_t>(std::min(taken_reports_.size(), reports_by_tick));
  const auto work = [&](Unit& unit) -> Result<void> {
    std::vector<Report> reports;
    if (is_left) {
      ORLOP_CHECK(take_wake_ups(unit));
      reports = take_mail(unit);
    }
    reports.insert(reports.end(), taken_reports_.begin(), taken);
    const Moment at(unit.now(), options_.clock->monotonic());
    if (has_work) ORLOP_CHECK(orchestrator_.tick(unit, std::move(reports), at.monotonic));
    if (has_mail) notifier_->synchronize(at);
    if (has_mail) ORLOP_CHECK(notifier_->tick(unit, taken_deliveries_));
    return clock == nullptr || has_mail ? Result<void>() : go_on(unit, *clock);
  };
  ORLOP_TRY(is_ours, commit(std::ref(work), access_of_tick()));
  if (!is_ours) return {};
  stored.done();
  taken_reports_.erase(taken_reports_.begin(), taken);
  taken_deliveries_.clear();
  if (is_left) ownership_.clear_mail();
  if (has_work) {
    ORLOP_TRY(is_still_ours, act());
    if (!is_still_ours) return {};
  }
  log_mended();
  if (has_mail) notifier_->act();
  decided.done();
  return {};
}

Result<bool> Engine::has_ended(const Id& request) {
  ORLOP_TRY(transaction, store_->begin(Access::read));
  ORLOP_TRY(machine, transaction->machine(request));
  if (!machine || machine->family != deployment_request_number) return not_found("deployment request", request);
  return static_cast<RequestState>(machine->state) == RequestState::ended;
}

}  // namespace orlop
