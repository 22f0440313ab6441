// Removal of the oldest events of the feed: those beyond the limits in the options that all consumers have
// acknowledged. Events are removed from the front, in small parts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/instant.h"
#include "base/options/settings.h"
#include "commit/commit.h"

namespace orlop {

// Maximum number of events that a commit removes.
inline constexpr std::size_t forgotten_at_once = 1000;

struct Forgotten {
  std::uint64_t first = 1;  // number of the first event that is left
  bool has_more = false;    // there is more to remove
};

// Removes at most forgotten_at_once events numbered up to `through`, but never the last event or one that a consumer
// has not acknowledged. Errors: those of the store.
Result<Forgotten> forget_events(Unit& unit, std::uint64_t through);

// Automatic removal according to the options. Used by the thread that ticks.
class Retention {
 public:
  explicit Retention(const Settings& settings) : settings_(settings) {}

  bool is_on() const { return settings_.events_kept != 0 || settings_.events_kept_for.milliseconds != 0; }
  // Returns when tick() must be called even if nothing else happens; nullopt if it need not be.
  std::optional<Instant> due() const;
  bool is_due(Instant now) const;
  // Looks at the feed if due, and removes one part. Errors: those of the store; the next call tries again.
  Result<void> tick(Store& store, Committer& committer, Instant now);

 private:
  // Number of the last event that the options do not keep; 0 if they keep all.
  Result<std::uint64_t> wanted(Transaction& store, AgreedTime* agreed_time, Instant now) const;

  const Settings& settings_;
  std::optional<Instant> next_look_;  // nullopt before the first look
  Instant last_look_;                 // later than now if the clock was put back
  bool has_more_ = false;             // the last commit removed its maximum
  std::uint32_t ticks_ = 0;           // number of ticks since the last look
};

}  // namespace orlop
