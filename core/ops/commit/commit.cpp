#include "ops/commit/commit.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "ops/access/tenant_filter.h"

namespace orlop {
namespace {

constexpr Duration clock_steps_max = seconds(60);  // backwards: so far the time waits for the clock

}  // namespace

Result<FeedEnd> Committer::end_of(Transaction& transaction) const {
  ORLOP_TRY(end, transaction.feed_end());
  end.id_count = std::max(end.id_count, given_->load());
  return end;
}

// Time never runs backwards in the feed, whatever the host's clock says, and does not stand still while the clock is behind.
Instant Committer::time_after(const FeedEnd& end, bool& is_ahead) {
  const Instant now = clock_.now();
  is_ahead = end.sequence != 0 && now < end.at;
  if (!is_ahead) return now;
  const Duration monotonic = clock_.monotonic();
  const std::lock_guard lock(ahead_mutex_);
  if (ahead_.sequence != end.sequence) ahead_ = {end.sequence, monotonic};
  const Duration passed{monotonic.milliseconds - ahead_.seen_at.milliseconds};
  return end.at + (passed.milliseconds > 0 && (end.at - now).milliseconds > clock_steps_max.milliseconds ? passed : Duration{});
}

Result<std::vector<WakeUp>> Committer::run(const Caller& caller, const Work& work) {
  ORLOP_TRY(opened, store_.begin(Access::write));
  std::unique_ptr<Transaction> transaction = for_caller(caller, std::move(opened));
  ORLOP_TRY(end, end_of(*transaction));
  bool is_ahead = false;
  const Instant now = time_after(end, is_ahead);
  Unit unit(*transaction, random_source_, end, now, settings_, hooks_);
  ORLOP_CHECK(work(unit));
  if (hooks_.finishing != nullptr) ORLOP_CHECK(hooks_.finishing(unit));
  if (Coordination* const coordination = holds_ ? transaction->coordination() : nullptr) {
    Result<void> outcome;
    unit.leave_to_others([&](std::uint8_t partition) {
      const auto holds = holds_(*coordination, partition);
      if (!holds) outcome = holds.error();
      return holds && *holds;
    });
    ORLOP_CHECK(outcome);
  }
  // All that needs memory comes before the commit: what is committed must not be answered with an error.
  std::vector<WakeUp> woken = unit.woken();
  if (unit.changes().empty()) return woken;
  ORLOP_CHECK(unit.note_ids());
  ORLOP_CHECK(transaction->apply(unit.changes()));
  ORLOP_CHECK(transaction->commit());
  given_->store(unit.id_count());
  transaction.reset();
  if (const std::size_t events = unit.changes().events.size(); events != 0 && is_ahead) {
    const std::lock_guard lock(ahead_mutex_);
    ahead_ = {end.sequence + events, clock_.monotonic()};
  }
  if (stored_ && !unit.changes().events.empty()) stored_(end.sequence + unit.changes().events.size());
  if (begun_ && !unit.jobs().empty()) begun_(unit.jobs());
  if (posted_ && !unit.posted().empty()) posted_(unit.posted());
  return woken;
}

}  // namespace orlop
