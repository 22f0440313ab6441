// Which events of the feed are removed: the oldest ones beyond what the options keep, up to the slowest consumer.
// Events go from the front, in small parts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/instant.h"
#include "base/options/settings.h"
#include "commit/commit.h"

namespace orlop {

// How many events one commit removes at most.
inline constexpr std::size_t forgotten_at_once = 1000;

struct Forgotten {
  std::uint64_t first = 1;  // of the events that are left
  bool has_more = false;    // there is more to remove
};

// Removes at most forgotten_at_once events from those numbered up to `through`, but neither the last one nor what a
// consumer has not acknowledged. Errors: those of the store.
Result<Forgotten> forget_events(Unit& unit, std::uint64_t through);

// The automatic removal, as the options say. Used by the thread that ticks.
class Retention {
 public:
  explicit Retention(const Settings& settings) : settings_(settings) {}

  bool is_on() const { return settings_.events_kept != 0 || settings_.events_kept_for.milliseconds != 0; }
  // When tick() is to be called although nothing else happens; nothing: it need not be.
  std::optional<Instant> due() const;
  bool is_due(Instant now) const;
  // Looks at the feed if that is due, and removes one part. Errors: those of the store; the next call tries again.
  Result<void> tick(Store& store, Committer& committer, Instant now);

 private:
  // Up to which event the options keep none; 0: they keep all.
  Result<std::uint64_t> wanted(Transaction& store, AgreedTime* agreed_time, Instant now) const;

  const Settings& settings_;
  std::optional<Instant> next_look_;  // nothing: it has not looked yet
  Instant last_look_;                 // after now: the clock was put back
  bool has_more_ = false;             // it has removed as much as one commit may
  std::uint32_t ticks_ = 0;           // since it has looked
};

}  // namespace orlop
