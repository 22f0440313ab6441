#include "ops/commit/commit.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "ops/access/tenant_filter.h"

namespace orlop {

Result<FeedEnd> Committer::end_of(Transaction& transaction) const {
  ORLOP_TRY(end, transaction.feed_end());
  end.id_count = std::max(end.id_count, given_->load());
  return end;
}

// Time never runs backwards in the feed, whatever the host's clock says.
Result<std::vector<WakeUp>> Committer::run(const Caller& caller, const Work& work) {
  ORLOP_TRY(opened, store_.begin(Access::write));
  std::unique_ptr<Transaction> transaction = for_caller(caller, std::move(opened));
  ORLOP_TRY(end, end_of(*transaction));
  const Instant clock_now = clock_.now();
  const bool is_behind = end.sequence != 0 && clock_now < end.at;
  Unit unit(*transaction, random_source_, end, is_behind ? end.at : clock_now, settings_, hooks_);
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
  if (stored_ && !unit.changes().events.empty()) stored_(end.sequence + unit.changes().events.size());
  if (begun_ && !unit.jobs().empty()) begun_(unit.jobs());
  if (posted_ && !unit.posted().empty()) posted_(unit.posted());
  return woken;
}

}  // namespace orlop
