#include "feed/retention.h"

#include <algorithm>
#include <vector>

#include "feed/consumers.h"
#include "unit/agreed_time.h"

namespace orlop {
namespace {

// Time between two looks at the feed when there is nothing to remove; with a limit by age, a tenth of the age.
constexpr Duration look_interval = seconds(60);
// Also looks after this many ticks, for simulations, where little time passes between many events.
constexpr std::uint32_t looks_after_ticks = 100;
constexpr Duration look_interval_max = seconds(3600);
constexpr std::int64_t looks_by_age = 10;

Result<std::uint64_t> acknowledged_by_all(Unit& unit) {
  std::uint64_t number = UINT64_MAX;
  ORLOP_TRY(consumers, all_consumers(unit));
  for (const EventConsumer& consumer : consumers) number = std::min(number, consumer.acknowledged);
  return number;
}

}  // namespace

Result<Forgotten> forget_events(Unit& unit, std::uint64_t through) {
  ORLOP_TRY(acknowledged, acknowledged_by_all(unit));
  ORLOP_TRY(first, first_event(unit.stored()));
  ORLOP_TRY(end, unit.stored().feed_end());
  const std::uint64_t last = std::min({through, acknowledged, end.sequence == 0 ? 0 : end.sequence - 1});
  if (last < first) return Forgotten{first, false};
  const std::uint64_t cut = std::min(last, first + forgotten_at_once - 1);
  unit.changes().forgotten_events = static_cast<std::uint32_t>(cut + 1 - first);
  return Forgotten{cut + 1, cut < last};
}

std::optional<Instant> Retention::due() const {
  const bool goes_by_clock = settings_.events_kept_for.milliseconds != 0 || has_more_;
  return is_on() && goes_by_clock ? next_look_ : std::nullopt;
}

bool Retention::is_due(Instant now) const {
  const bool goes_by_ticks = settings_.events_kept != 0 && ticks_ >= looks_after_ticks;
  return is_on() && (!next_look_ || *next_look_ <= now || now < last_look_ || goes_by_ticks);
}

Result<std::uint64_t> Retention::wanted(Transaction& store, AgreedTime* agreed_time, Instant now) const {
  ORLOP_TRY(end, store.feed_end());
  std::uint64_t through = 0;
  if (settings_.events_kept != 0 && end.sequence > settings_.events_kept)
    through = end.sequence - settings_.events_kept;
  if (settings_.events_kept_for.milliseconds == 0) return through;
  const Instant stored = std::max(now, end.at);
  ORLOP_TRY(expiry,
            agreed_time == nullptr ? Result<Expiry>(Expiry{stored, stored}) : agreed_time->expiry(store, stored));
  std::uint64_t too_old = 0;
  ORLOP_CHECK(store.events({.limit = forgotten_at_once + 1}, [&](const Event& event) {
    if (event.at + settings_.events_kept_for >= expiry.now_for(event.at)) return false;
    too_old = event.sequence;
    return true;
  }));
  return std::max(through, too_old);
}

Result<void> Retention::tick(Store& store, Committer& committer, Instant now) {
  ++ticks_;
  if (!is_due(now)) return {};
  std::uint64_t through = 0;
  Forgotten forgotten;
  {
    ORLOP_TRY(transaction, store.begin(Access::read));
    ORLOP_TRY(number, wanted(*transaction, committer.agreed_time(), now));
    ORLOP_TRY(first, first_event(*transaction));
    through = number;
    forgotten.first = first;
  }
  if (through >= forgotten.first) {
    const auto removed = committer.run([&](Unit& unit) -> Result<void> {
      ORLOP_TRY(done, forget_events(unit, through));
      forgotten = done;
      return {};
    });
    if (!removed) return removed.error();
  }
  const std::int64_t by_age = settings_.events_kept_for.milliseconds / looks_by_age;
  const Duration by_age_pause = std::clamp(Duration{by_age}, Duration{1}, look_interval_max);
  const Duration pause = settings_.events_kept == 0 ? by_age_pause
                         : by_age == 0              ? look_interval
                                                    : std::min(look_interval, by_age_pause);
  has_more_ = forgotten.has_more;
  last_look_ = now;
  ticks_ = 0;
  next_look_ = forgotten.has_more ? now : now + pause;
  return {};
}

}  // namespace orlop
