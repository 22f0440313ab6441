#include "ops/commit.h"

namespace orlop {

// Time never runs backwards in the feed, whatever the host's clock says.
Result<std::vector<Id>> Committer::run(const Work& work) {
  ORLOP_TRY(transaction, store_.begin(Access::write));
  ORLOP_TRY(end, transaction->feed_end());
  const Instant clock_now = clock_.now();
  Unit unit(*transaction, entropy_, end.sequence, clock_now < end.at ? end.at : clock_now, settings_, hooks_);
  ORLOP_CHECK(work(unit));
  if (unit.changes().empty()) return unit.woken();
  ORLOP_CHECK(transaction->apply(unit.changes()));
  ORLOP_CHECK(transaction->commit());
  return unit.woken();
}

}  // namespace orlop
