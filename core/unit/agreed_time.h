// The time by which lifetimes pass: answers that are kept for a key, tokens, invitations, locks, backups, events. It
// follows the host's clock, but for a clock that is more than an hour off what the store and other engines say: such a
// clock is believed once several ticks agree, and no majority of the engines whose clocks are known says otherwise.
//
// What is known of other clocks: the times of events that were added since the last look, and what each engine that
// ticks leaves in the store with its beat (Peer::counter). A virtual clock, whose monotonic clock is the same, is the
// only truth in its simulation.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>

#include "base/id.h"
#include "base/instant.h"
#include "base/result.h"
#include "base/source.h"
#include "store/store.h"

namespace orlop {

// By which lifetimes pass that began at a time of the store. What has been removed because its time had passed does not
// come back, so that both the clock and the agreed time have to say so.
struct Expiry {
  Instant agreed;  // or what the clock says, if that is earlier
  Instant stored;  // the time of what is stored, which never goes back

  // What began at a time that has not come was made under a clock that was ahead, and so is all that is stored since:
  // it passes by the time of the store.
  Instant now_for(Instant begun) const;
  bool has_passed(Instant begun, Duration length) const { return begun + length <= now_for(begun); }
};

class AgreedTime {
 public:
  // A clock that differs by more has jumped, or is wrong.
  static constexpr Duration difference_max = seconds(3600);
  static constexpr int votes_needed = 3;
  // How long the clock of an engine that never ticks has to go on without another jump.
  static constexpr Duration trial_time = seconds(60);

  explicit AgreedTime(Clock& clock) : clock_(clock) {}
  AgreedTime(const AgreedTime&) = delete;
  AgreedTime& operator=(const AgreedTime&) = delete;

  // As of this transaction. Any thread. Errors: those of the store.
  Result<Instant> at(Transaction& store);
  // `stored`: the time of what is stored.
  Result<Expiry> expiry(Transaction& store, Instant stored);
  // Whether the store has been looked at. The first look is to come before this engine's first event, which bears the
  // time of its clock.
  bool has_begun() const { return is_begun_; }
  // This engine has committed an event with this number. Any thread.
  void note_own(std::uint64_t last_event) { own_event_ = last_event; }
  // Whether the clock differs, so that a tick is to vote. Asks no store.
  bool is_pending();
  // As at(), and a tick of this engine votes. Sets `wants_another`: the next tick may decide, and is to come at once.
  Result<Instant> vote(Transaction& store, const Id& engine, bool& wants_another);

 private:
  // What both clocks say.
  struct Reading {
    Instant clock;
    Duration monotonic;
    bool is_virtual() const { return clock.milliseconds == monotonic.milliseconds; }
    Duration offset() const { return {clock.milliseconds - monotonic.milliseconds}; }
  };

  static bool differs(Instant a, Instant b);
  Result<Instant> at(Transaction& store, Reading reading);
  Result<bool> follow(Transaction& store, Reading reading);
  Result<void> try_clock(Transaction& store, Reading reading);
  Result<bool> is_contradicted(Transaction& store, Reading reading);
  void pass_to(Reading reading);
  void believe(Reading reading);

  Clock& clock_;
  std::mutex mutex_;  // guards what follows
  std::atomic<bool> is_begun_ = false;
  bool has_voted_ = false;
  Id engine_;          // that votes; nil: it never has
  Instant agreed_;     // at known_at_
  Duration known_at_;  // monotonic
  std::atomic<std::uint64_t> own_event_ = 0;
  bool has_looked_ = false;
  std::uint64_t last_event_ = 0;  // at the last look
  Duration looked_at_;            // monotonic
  Instant witnessed_;  // what another engine's clock said, by an event that came since a look; at witnessed_at_
  std::optional<Duration> witnessed_at_;  // monotonic
  int votes_ = 0;                         // for the clock, in a row
  Duration tried_offset_;                 // of the clock that is voted about
  Duration tried_since_;                  // monotonic
};

}  // namespace orlop
