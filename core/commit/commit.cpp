#include "commit/commit.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "access/tenant_filter.h"
#include "base/moment.h"
#include "store/refusal.h"
#include "unit/agreed_time.h"

namespace orlop {

Result<FeedEnd> Committer::end_of(Transaction& transaction) const {
  ORLOP_TRY(end, transaction.feed_end());
  end.id_count = std::max(end.id_count, given_.load());
  return end;
}

// Returns a time not before the feed's end. If the host's clock is behind by more than a correction, it advances by the
// monotonic clock.
Instant Committer::time_after(const FeedEnd& end, Instant now, bool& is_ahead) {
  is_ahead = end.sequence != 0 && now < end.at;
  if (is_behind_ != is_ahead) is_behind_ = is_ahead;
  if (!is_ahead) return now;
  const Duration monotonic = clock_.monotonic();
  const std::lock_guard lock(ahead_mutex_);
  if (ahead_.sequence != end.sequence) ahead_ = {end.sequence, monotonic};
  const Duration passed{monotonic.milliseconds - ahead_.seen_at.milliseconds};
  return end.at + (passed.milliseconds > 0 && (end.at - now).milliseconds > clock_correction_max.milliseconds
                       ? passed
                       : Duration{});
}

Result<Instant> Committer::time_of(Transaction& transaction) {
  const Instant now = clock_.now();
  if (!is_behind_) return now;
  ORLOP_TRY(end, transaction.feed_end());
  bool is_ahead = false;
  return time_after(end, now, is_ahead);
}

Result<void> Committer::begin(const Caller& caller, Writing& writing) {
  ORLOP_TRY(opened, store_.begin(Access::write));
  ORLOP_TRY(transaction, for_caller(caller, std::move(opened)));
  writing.transaction = std::move(transaction);
  return begin_unit(writing);
}

Result<void> Committer::begin_unit(Writing& writing) {
  ORLOP_TRY(end, end_of(*writing.transaction));
  end.id_count = std::max(end.id_count, writing.id_count);
  const Instant clock_time = clock_.now();
  writing.ids_before = end.id_count;
  if (writing.unit) writing.unit->leave_memory(*writing.memory);  // from the request before in a batch
  writing.unit.emplace(*writing.transaction, random_source_, end, time_after(end, clock_time, writing.is_ahead),
                       settings_, hooks_);
  writing.unit->set_clock_time(clock_time);
  writing.unit->use_agreed_time(agreed_time_);
  if (agreed_time_ != nullptr && !agreed_time_->has_begun()) ORLOP_CHECK(agreed_time_->at(*writing.transaction));
  writing.unit->on_flush([this, &writing] { return apply(writing); });
  if (writing.memory == nullptr) writing.memory.reset(spare_.exchange(nullptr));
  if (writing.memory == nullptr) writing.memory = std::make_unique<UnitMemory>();
  writing.unit->take_memory(*writing.memory);
  writing.last_event = end.sequence;
  return {};
}

namespace {

// Ends the transaction when the function that received it returns or throws.
class TransactionEnd {
 public:
  explicit TransactionEnd(Committer::Writing& writing) : writing_(writing) {}
  ~TransactionEnd() { writing_.transaction.reset(); }
  TransactionEnd(const TransactionEnd&) = delete;
  TransactionEnd& operator=(const TransactionEnd&) = delete;

 private:
  Committer::Writing& writing_;
};

}  // namespace

Result<std::vector<WakeUp>> Committer::run(const Work& work, Access access) {
  Writing writing;
  ORLOP_TRY(opened, store_.begin(store_.is_optimistic() ? access : Access::write));
  writing.transaction = std::move(opened);
  ORLOP_CHECK(begin_unit(writing));
  return run_in(writing, work);
}

Result<std::vector<WakeUp>> Committer::run_for_host(const Work& work) {
  Writing writing;
  ORLOP_CHECK(begin(Caller(), writing));
  return run_in(writing, work);
}

Result<std::vector<WakeUp>> Committer::run_in(Writing& writing, const Work& work) {
  const Result<void> worked = work(*writing.unit);
  if (worked) ORLOP_CHECK(apply(writing, true));
  // A refusal or an unchanged result depends on what was read: the reads are validated too.
  if (!writing.is_changed && is_decided(worked)) ORLOP_CHECK(writing.transaction->validate());
  ORLOP_CHECK(worked);
  return commit(writing);
}

Result<std::vector<WakeUp>> Committer::run_repeatable(const Caller& caller, const Work& work) {
  std::optional<Writing> writing;
  const auto act = [&](std::unique_ptr<Transaction> opened) -> Result<void> {
    const TransactionEnd end(writing.emplace());
    ORLOP_TRY(transaction, for_caller(caller, std::move(opened)));
    writing->transaction = std::move(transaction);
    ORLOP_CHECK(begin_unit(*writing));
    ORLOP_CHECK(work(*writing->unit));
    return apply(*writing, true);
  };
  ORLOP_CHECK(store_.write(std::ref(act)));
  return commit(*writing);
}

namespace {

template <typename T>
void append(std::vector<T>& to, const std::vector<T>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

}  // namespace

// Commits of several threads may end in another order than their ids were made.
void Committer::note_given(std::uint32_t count) {
  for (std::uint32_t given = given_; given < count && !given_.compare_exchange_weak(given, count);) {}
}

// Removes the events that the feed does not keep.
void Committer::drop_events(Unit& unit, bool keeps_last) const {
  std::vector<Event>& events = unit.changes().events;
  const std::uint32_t kinds = recorded_;
  const auto is_dropped = [kinds](const Event& event) {
    return (kinds >> static_cast<unsigned>(event.kind) & 1U) == 0;
  };
  if (keeps_last && std::ranges::all_of(events, is_dropped)) {
    if (!events.empty()) events.erase(events.begin(), events.end() - 1);
    return;
  }
  std::erase_if(events, is_dropped);
}

Result<void> Committer::apply(Writing& writing, bool is_last) {
  Unit& unit = *writing.unit;
  if (hooks_.finishing != nullptr) ORLOP_CHECK(hooks_.finishing(unit));
  if (Coordination* const coordination = holds_ ? writing.transaction->coordination() : nullptr) {
    Result<void> outcome;
    unit.leave_to_others([&](std::uint8_t partition) {
      const auto holds = holds_(*coordination, partition);
      if (!holds) outcome = holds.error();
      return holds && *holds;
    });
    ORLOP_CHECK(outcome);
  }
  if (recorded_ != UINT32_MAX) drop_events(unit, keeps_counts_ && unit.id_count() > writing.ids_before);
  // Everything that allocates comes before the commit: once committed, the request must not fail.
  append(writing.woken, unit.woken());
  if (unit.changes().empty()) return {};
  append(writing.posted, unit.posted());
  append(writing.jobs, unit.jobs());
  ORLOP_CHECK(unit.note_ids());
  const std::size_t event_count = unit.changes().events.size();
  // Without an event the feed does not show the count to a unit that begins during this commit.
  if (event_count == 0) note_given(unit.id_count());
  ORLOP_CHECK(is_last ? writing.transaction->apply_and_commit(std::move(unit.changes()))
                      : writing.transaction->apply(std::move(unit.changes())));
  writing.is_changed = true;
  writing.is_committed = is_last;
  writing.id_count = unit.id_count();
  writing.last_event = writing.transaction->last_number().value_or(writing.last_event + event_count);
  writing.has_events = writing.has_events || event_count != 0;
  return {};
}

// The next unit reuses the unit's buffers.
void Committer::keep_memory(Writing& writing) noexcept {
  if (!writing.unit) return;
  writing.unit->leave_memory(*writing.memory);
  delete spare_.exchange(writing.memory.release());
}

Result<std::vector<WakeUp>> Committer::commit(Writing& writing) {
  if (!writing.is_changed) {
    keep_memory(writing);
    return std::move(writing.woken);
  }
  if (!writing.is_committed) ORLOP_CHECK(writing.transaction->commit());
  if (agreed_time_ != nullptr && writing.has_events) agreed_time_->note_own(writing.last_event);
  note_given(writing.id_count);
  writing.transaction.reset();
  keep_memory(writing);
  if (writing.has_events && writing.is_ahead) {
    const std::lock_guard lock(ahead_mutex_);
    ahead_ = {writing.last_event, clock_.monotonic()};
  }
  if (stored_ && writing.has_events) stored_(writing.last_event);
  if (begun_ && !writing.jobs.empty()) begun_(writing.jobs);
  if (posted_ && !writing.posted.empty()) posted_(writing.posted);
  return std::move(writing.woken);
}

}  // namespace orlop
