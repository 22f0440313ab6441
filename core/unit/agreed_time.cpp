#include "unit/agreed_time.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "base/moment.h"

namespace orlop {
namespace {

// Least counter that is a time (2001-09-09): engines that count beats have smaller ones.
constexpr std::uint64_t first_reading = 1'000'000'000'000;

}  // namespace

bool AgreedTime::differs(Instant a, Instant b) { return std::abs((a - b).milliseconds) > difference_max.milliseconds; }

Instant Expiry::now_for(Instant begun) const {
  return (begun - agreed).milliseconds > AgreedTime::difference_max.milliseconds ? std::max(agreed, stored) : agreed;
}

Result<Instant> AgreedTime::at(Transaction& store) { return at(store, {clock_.now(), clock_.monotonic()}); }

Result<Expiry> AgreedTime::expiry(Transaction& store, Instant stored) {
  const Reading reading{clock_.now(), clock_.monotonic()};
  ORLOP_TRY(agreed, at(store, reading));
  return Expiry{std::min(agreed, reading.clock), stored};
}

Result<Instant> AgreedTime::at(Transaction& store, Reading reading) {
  if (reading.is_virtual()) return reading.clock;
  const std::lock_guard lock(mutex_);
  ORLOP_TRY(is_pending, follow(store, reading));
  if (is_pending && !has_voted_) ORLOP_CHECK(try_clock(store, reading));
  return agreed_;
}

bool AgreedTime::is_pending() {
  const Reading reading{clock_.now(), clock_.monotonic()};
  if (reading.is_virtual()) return false;
  const std::lock_guard lock(mutex_);
  if (!is_begun_) return false;
  pass_to(reading);
  if (differs(reading.clock, agreed_)) return true;
  believe(reading);
  return false;
}

Result<Instant> AgreedTime::vote(Transaction& store, const Id& engine, bool& wants_another) {
  const Reading reading{clock_.now(), clock_.monotonic()};
  wants_another = false;
  if (reading.is_virtual()) return reading.clock;
  const std::lock_guard lock(mutex_);
  if (!has_voted_) votes_ = 0;  // drops votes of requests
  has_voted_ = true;
  engine_ = engine;
  ORLOP_TRY(is_pending, follow(store, reading));
  if (is_pending) ORLOP_CHECK(try_clock(store, reading));
  wants_another = votes_ != 0;
  return agreed_;
}

// Advances the agreed time to now. True if the clock differs from it.
Result<bool> AgreedTime::follow(Transaction& store, Reading reading) {
  ORLOP_TRY(end, store.feed_end());
  if (!is_begun_) {
    is_begun_ = end.sequence != 0;  // an empty store has no time
    agreed_ = end.sequence != 0 && differs(reading.clock, end.at) ? end.at : reading.clock;
    known_at_ = reading.monotonic;
  }
  if (!std::exchange(has_looked_, true)) {
    last_event_ = end.sequence;
    looked_at_ = reading.monotonic;
  }
  pass_to(reading);
  // A new event is no older than the last look. If it seems older, its engine has a clock that is behind, and the later
  // time would expire what that engine has just begun. A later event proves nothing: times of events never decrease
  // after a clock that was ahead.
  const Duration since_look{reading.monotonic.milliseconds - looked_at_.milliseconds};
  const auto is_behind = [&](Instant time) {
    return end.sequence > last_event_ && (time - since_look - end.at).milliseconds > difference_max.milliseconds;
  };
  if (is_behind(reading.clock) && end.sequence != own_event_) {
    witnessed_ = end.at;
    witnessed_at_ = reading.monotonic;
  }
  if (is_behind(agreed_)) agreed_ = end.at;
  last_event_ = end.sequence;
  looked_at_ = reading.monotonic;
  if (differs(reading.clock, agreed_)) return true;
  believe(reading);
  return false;
}

void AgreedTime::pass_to(Reading reading) {
  agreed_ = agreed_ + Duration{std::max<std::int64_t>(reading.monotonic.milliseconds - known_at_.milliseconds, 0)};
  known_at_ = reading.monotonic;
}

void AgreedTime::believe(Reading reading) {
  agreed_ = reading.clock;
  known_at_ = reading.monotonic;
  votes_ = 0;
}

// Counts a vote for the clock if it advances as at the last vote and other engines do not contradict it.
Result<void> AgreedTime::try_clock(Transaction& store, Reading reading) {
  ORLOP_TRY(contradicted, is_contradicted(store, reading));
  const std::int64_t change = std::abs(reading.offset().milliseconds - tried_offset_.milliseconds);
  if (contradicted || change > clock_correction_max.milliseconds) votes_ = 0;
  if (contradicted) return {};
  if (votes_ == 0) {
    tried_offset_ = reading.offset();
    tried_since_ = reading.monotonic;
  }
  ++votes_;
  const bool is_tried = reading.monotonic.milliseconds - tried_since_.milliseconds >= trial_time.milliseconds;
  if (has_voted_ ? votes_ >= votes_needed : is_tried) believe(reading);
  return {};
}

// Reports whether the agreed time has at least as many of the known clocks as this engine's clock, which counts too:
// with one against one the agreed time stays. The time that this engine has published is excluded, since it is older
// than its clock's.
Result<bool> AgreedTime::is_contradicted(Transaction& store, Reading reading) {
  Coordination* const coordination = store.coordination();
  if (coordination == nullptr) return false;
  ORLOP_TRY(peers, coordination->peers());
  std::erase_if(peers, [&](const Peer& peer) { return peer.counter < first_reading || peer.engine == engine_; });
  std::ptrdiff_t for_agreed = 0;
  std::ptrdiff_t for_clock = 1;
  // A peer's time between the agreed time and the clock's: two clocks say that it is at least that late.
  for (const Peer& peer : peers) {
    const Instant said{static_cast<std::int64_t>(peer.counter)};
    if (agreed_ < said && said < reading.clock && differs(said, reading.clock)) agreed_ = said;
  }
  for (const Peer& peer : peers) {
    const Instant said{static_cast<std::int64_t>(peer.counter)};
    for_agreed += differs(said, agreed_) ? 0 : 1;
    for_clock += differs(said, reading.clock) ? 0 : 1;
  }
  if (witnessed_at_ && reading.monotonic.milliseconds - witnessed_at_->milliseconds < difference_max.milliseconds) {
    for_agreed +=
        differs(witnessed_ + Duration{reading.monotonic.milliseconds - witnessed_at_->milliseconds}, agreed_) ? 0 : 1;
  }
  return for_agreed != 0 && for_agreed >= for_clock;
}

}  // namespace orlop
