// Time by which lifetimes elapse: kept answers, tokens, invitations, locks, backups, events. It follows the host's
// clock unless that is more than an hour off the store and other engines: such a clock is accepted once several ticks
// agree and no majority of the engines whose clocks are known contradicts it.
//
// Sources about other clocks: the times of events added since the last look, and the time that each engine that ticks
// stores with its beat (Peer::counter). A virtual clock, which equals its monotonic clock, is the only source in its
// simulation.
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

// Times for lifetimes that began at a time of the store. A lifetime ends only if both the clock and the agreed time are
// past its end, because removal on expiry is final.
struct Expiry {
  Instant agreed;  // the agreed time, or the clock's if that is earlier
  Instant stored;  // time of the store, which never decreases

  // Time for a lifetime. A begin in the future was stored under a clock that was ahead, as was everything since: it
  // elapses by the time of the store.
  Instant now_for(Instant begun) const;
  bool has_passed(Instant begun, Duration length) const { return begun + length <= now_for(begun); }
};

class AgreedTime {
 public:
  // A clock that differs by more has jumped, or is wrong.
  static constexpr Duration difference_max = seconds(3600);
  static constexpr int votes_needed = 3;
  // Time that the clock of an engine that never ticks must run without another jump.
  static constexpr Duration trial_time = seconds(60);

  explicit AgreedTime(Clock& clock) : clock_(clock) {}
  AgreedTime(const AgreedTime&) = delete;
  AgreedTime& operator=(const AgreedTime&) = delete;

  // Returns the time as of this transaction. Any thread. Errors: those of the store.
  Result<Instant> at(Transaction& store);
  // `stored`: time of the store.
  Result<Expiry> expiry(Transaction& store, Instant stored);
  // Reports whether it has looked at the store. The first look must come before this engine's first event, which bears
  // the time of its clock.
  bool has_begun() const { return is_begun_; }
  // Notes that this engine has committed an event with this number. Any thread.
  void note_own(std::uint64_t last_event) { own_event_ = last_event; }
  // Reports whether a tick must vote, because the clock differs. Does not read the store.
  bool is_pending();
  // at(), with a vote of this engine's tick. Sets `wants_another` if the next tick may decide, and should come at once.
  Result<Instant> vote(Transaction& store, const Id& engine, bool& wants_another);

 private:
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
  std::mutex mutex_;  // guards the members below
  std::atomic<bool> is_begun_ = false;
  bool has_voted_ = false;
  Id engine_;          // engine that votes; nil before its first vote
  Instant agreed_;     // agreed time at known_at_
  Duration known_at_;  // in monotonic time
  std::atomic<std::uint64_t> own_event_ = 0;
  bool has_looked_ = false;
  std::uint64_t last_event_ = 0;  // last event at the last look
  Duration looked_at_;            // in monotonic time
  Instant witnessed_;             // time of another engine's clock at witnessed_at_, from an event added since a look
  std::optional<Duration> witnessed_at_;  // in monotonic time
  int votes_ = 0;                         // number of votes for the clock in a row
  Duration tried_offset_;                 // offset of the clock that is voted on
  Duration tried_since_;                  // in monotonic time
};

}  // namespace orlop
