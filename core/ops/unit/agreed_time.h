// The time by which lifetimes pass: answers that are kept for a key, tokens, invitations, locks, backups, events. It follows the host's clock, but for a clock that is more than an hour off
// what the store and other engines say: such a clock is believed once several ticks agree, and none of the engines whose clocks are known says otherwise. What has been removed because
// its time had passed does not come back.
//
// What is known of other clocks: the times of events that were added since the last look, and what each engine that ticks leaves in the store with its beat (Peer::counter).
// A virtual clock, whose monotonic clock is the same, is the only truth in its simulation.
#pragma once

#include <cstdint>
#include <mutex>
#include <span>

#include "base/instant.h"
#include "base/result.h"
#include "base/source.h"
#include "store/store.h"

namespace orlop {

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
  // Whether the clock differs, so that a tick is to vote. Asks no store.
  bool is_pending();
  // As at(), and a tick votes. Sets `wants_another`: the next tick may decide, and is to come at once.
  Result<Instant> vote(Transaction& store, bool& wants_another);

 private:
  // What both clocks say.
  struct Reading {
    Instant clock;
    Duration monotonic;
    bool is_virtual() const { return clock.milliseconds == monotonic.milliseconds; }
    Duration offset() const { return {clock.milliseconds - monotonic.milliseconds}; }
  };

  static bool differs(Instant a, Instant b);
  Result<bool> follow(Transaction& store, Reading reading);
  Result<void> try_clock(Transaction& store, Reading reading);
  Result<bool> is_contradicted(Transaction& store, Reading reading) const;
  void pass_to(Reading reading);
  void believe(Reading reading);

  Clock& clock_;
  std::mutex mutex_;  // guards what follows
  bool is_begun_ = false;
  bool has_voted_ = false;
  Instant agreed_;           // at known_at_
  Duration known_at_;        // monotonic
  std::uint64_t last_event_ = 0;  // at the last look
  Duration looked_at_;       // monotonic
  int votes_ = 0;            // for the clock, in a row
  Duration tried_offset_;    // of the clock that is voted about
  Duration tried_since_;     // monotonic
};

}  // namespace orlop
