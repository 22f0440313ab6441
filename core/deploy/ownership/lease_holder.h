// The partitions that this engine drives, among those of all engines that share the store: takes, renews and releases
// their leases, and fences changes with them. docs/decisions/48 describes the protocol.
//
// Threads: tend(), leave() and functions that return references: one at a time, with the engine's tick lock held. The
// others: any thread.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "base/options/settings.h"
#include "base/result.h"
#include "base/source.h"
#include "deploy/ownership/balance.h"
#include "store/store.h"

namespace orlop {

class LeaseHolder {
 public:
  struct Setup {
    EngineRole role = EngineRole::both;
    bool has_driver = false;  // its host has a driver
    bool is_alone = false;    // no other engine can use the store
    Duration lease_time;
  };
  struct Change {
    PartitionSet gained;  // their rows have to be read
    PartitionSet lost;    // all their rows have to be forgotten
  };

  // `notify`: called from any thread when another engine may have left something. All arguments must outlive this.
  LeaseHolder(Store& store, Clock& clock, RandomSource& random_source, Setup setup, std::function<void()> notify);

  // Reads the store if it may have changed or a deadline has passed; takes, renews and releases leases. `busy`:
  // partitions with a running step. Errors: those of the store; nothing is taken or lost then.
  Result<Change> tend(PartitionSet busy);
  // Notes that the rows of these partitions have been read: from now on reports for their steps are this engine's.
  void note_read(PartitionSet partitions) { read_ = (PartitionSet(read_) | partitions).bits(); }
  // Notes that a commit was refused because of a lease: the next tend() looks again.
  void note_refusal() { is_told_ = true; }

  // Reports whether this engine uses the store alone, and drives everything.
  bool is_alone() const { return is_alone_; }
  // Id by which other engines know this one; nil before its first tick. For the thread of the ticks.
  const Id& engine() const { return engine_; }
  // Reports whether it has seen other engines that drive something.
  bool has_peers() const { return !others_.empty(); }
  PartitionSet held() const { return held_; }
  // Partitions whose rows have been read; any thread.
  PartitionSet read() const { return PartitionSet(read_); }
  // Reports whether the store has this engine as holder of the partition. Called inside the transaction of a request,
  // so that no engine can take it before the commit.
  Result<bool> holds(Coordination& coordination, std::uint8_t partition) const;
  // Returns the partitions that other engines hold by the store.
  Result<PartitionSet> of_others(Coordination& coordination) const;
  // Reports whether it releases everything, also partitions with running steps. Any thread.
  bool is_giving_up() const { return is_leaving_ && is_forced_; }
  // Reports whether another engine may have taken what this one holds: this one has not looked for half a lease, and
  // the store has changed since. Cheap; any thread.
  bool may_have_lost();
  // Reports whether no other engine can have seen this one silent for a whole lease; does not depend on notifications
  // of the store. Cheap; the thread of the ticks.
  bool is_certain() const;
  // Reports whether tend() has to be called for others to see that this engine lives. Cheap; the thread of the ticks.
  bool must_beat() const { return !others_.empty() && is_beat_due(clock_.monotonic()); }
  // Adds the fences of all partitions to which the changes belong, and of those whose driver is called once the changes
  // are stored (`asked`).
  void fence(Changes& changes, PartitionSet asked) const;

  // Wake-ups and reports that other engines have left for this one, as of the last tend().
  const std::vector<WakeUp>& wake_ups() const { return wake_ups_; }
  const std::vector<InboxReport>& reports() const { return reports_; }
  // Called when a commit that takes them has succeeded.
  void clear_mail();

  // Reports whether tend() has something to look at, as far as is known.
  bool is_told() const { return !is_alone_ && rank_ != 0 && is_told_; }
  // The same, after asking the store for changes by other engines. Cheap.
  bool look();
  // Returns the time until tend() has to be called; nullopt: not before a change is noticed.
  std::optional<Duration> due(PartitionSet busy);

  // Releases everything from the next tend() on: partitions without a running step; all of them with `is_forced`.
  void leave(bool is_forced);
  // Before destruction: ends the calls of `notify`. Leases that are held stay in the store.
  void part() noexcept;

 private:
  struct View {
    std::vector<Peer> peers;
    std::vector<Lease> leases;
  };

  Result<void> join();
  bool is_beat_due(Duration now) const;
  bool must_look(PartitionSet busy, Duration now);
  bool has_come_to_rest(PartitionSet busy) const { return !others_.empty() && !seen_busy_.without(busy).empty(); }
  Result<View> view(Transaction& transaction);
  Result<void> read_mail(Transaction& transaction);
  Result<PartitionSet> look_and_write(PartitionSet busy, Duration now);
  void find_loss(const View& view);
  Claimant claimant(PartitionSet busy) const;
  Moves moves(const View& view, PartitionSet busy, Duration now);
  bool must_write(const View& view, const Moves& moves, Duration now) const;
  Result<PartitionSet> write(PartitionSet busy, Duration asked_at);
  void forget_all();
  bool has_others(const View& view) const;
  std::uint64_t next_counter();

  Store& store_;
  Clock& clock_;
  RandomSource& random_source_;
  Setup setup_;
  std::function<void()> notify_;
  std::uint8_t rank_ = 0;

  Id engine_;
  std::uint64_t draws_ = 0;
  std::uint64_t counter_ = 0;
  bool is_registered_ = false;
  PartitionSet held_;
  PartitionSet lost_;                                                 // not returned by tend() yet
  std::array<std::atomic<std::uint64_t>, partition_count> epochs_{};  // 0: not held
  std::atomic<std::uint64_t> read_ = 0;
  PeerWatch watch_;
  std::vector<Peer> others_;
  PartitionSet seen_busy_;  // as of the last look
  Duration beaten_at_;
  std::vector<WakeUp> wake_ups_;
  std::vector<InboxReport> reports_;

  std::atomic<bool> is_alone_ = false;
  std::atomic<bool> is_told_ = true;
  std::atomic<bool> is_leaving_ = false;
  std::atomic<bool> is_forced_ = false;
  std::atomic<std::uint64_t> seen_changes_ = UINT64_MAX;
  std::atomic<std::int64_t> looked_at_ = 0;  // monotonic, milliseconds
  mutable std::mutex mutex_;                 // guards the two below
  std::shared_ptr<Membership> membership_;
  Id joined_;  // the engine's id as other threads know it
};

}  // namespace orlop
