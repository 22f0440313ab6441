// The partitions that this engine moves on, among those of all engines that share the store: it takes, renews and gives
// back their leases, and says which changes they cover. docs/decisions/48 describes the protocol.
//
// Threads: tend(), leave() and what returns references: one at a time, the engine's tick lock around them. The others:
// any thread.
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
    bool has_driver = false;  // of its host
    bool is_alone = false;    // it is known that no other engine can use the store
    Duration lease_time;
  };
  // What tend() has found.
  struct Change {
    PartitionSet gained;  // whose rows have to be read
    PartitionSet lost;    // of which nothing may be remembered
  };

  // `notify`: called from any thread when another engine may have left something. All arguments must outlive this.
  LeaseHolder(Store& store, Clock& clock, RandomSource& random_source, Setup setup, std::function<void()> notify);

  // Looks at the store if it may have changed or a time has come, and writes what follows: takes, renews and releases
  // leases. `busy`: the partitions that have a running step. Errors: those of the store; nothing is taken or lost then.
  Result<Change> tend(PartitionSet busy);
  // The rows of these partitions have been read: from now on reports for their steps are this engine's.
  void note_read(PartitionSet partitions) { read_ = (PartitionSet(read_) | partitions).bits(); }
  // A commit was refused because of a lease: the next tend() looks again.
  void note_refusal() { is_told_ = true; }

  // One engine uses the store, and moves everything on.
  bool is_alone() const { return is_alone_; }
  // As which the others know this engine; nil before its first tick. For the thread of the ticks.
  const Id& engine() const { return engine_; }
  // Whether it has seen others that move something on.
  bool has_peers() const { return !others_.empty(); }
  PartitionSet held() const { return held_; }
  // Those whose rows have been read; any thread.
  PartitionSet read() const { return PartitionSet(read_); }
  // Whether the store says that this engine holds the partition. Inside the transaction of a request, so that no engine
  // can take it before the commit.
  Result<bool> holds(Coordination& coordination, std::uint8_t partition) const;
  // Those that it says others hold.
  Result<PartitionSet> of_others(Coordination& coordination) const;
  // Whether it gives everything back, partitions with running steps too. Any thread.
  bool is_giving_up() const { return is_leaving_ && is_forced_; }
  // Whether another engine may have taken what this one holds: it stood still for half a lease, and the store has
  // changed since. Cheap; any thread.
  bool may_have_lost();
  // Whether no other engine can have seen this one stand still for a whole lease, whatever the store has notified or
  // not yet. Cheap; the thread of the ticks.
  bool is_certain() const;
  // Whether tend() has to be called for others to see that this engine lives. Cheap; the thread of the ticks.
  bool must_beat() const { return !others_.empty() && is_beat_due(clock_.monotonic()); }
  // Adds the fences of all partitions that the changes belong to, and of those whose driver is asked for something
  // (`asked`) once they are stored.
  void fence(Changes& changes, PartitionSet asked) const;

  // What other engines have left for this one, as the last tend() has seen it.
  const std::vector<WakeUp>& wake_ups() const { return wake_ups_; }
  const std::vector<InboxReport>& reports() const { return reports_; }
  // They are taken: by a commit that has succeeded.
  void clear_mail();

  // Whether tend() has something to look at, as far as it is known.
  bool is_told() const { return !is_alone_ && rank_ != 0 && is_told_; }
  // The same, after asking the store whether another engine has changed something. Cheap.
  bool look();
  // How long until tend() wants to be called; nothing: not before a change is noticed.
  std::optional<Duration> due(PartitionSet busy);

  // Gives everything back from the next tend() on: partitions without a running step; all of them with `is_forced`.
  void leave(bool is_forced);
  // Before the end: `notify` is not called any more. What is held stays in the store.
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
  PartitionSet lost_;                                                 // that tend() has not said yet
  std::array<std::atomic<std::uint64_t>, partition_count> epochs_{};  // 0: not held
  std::atomic<std::uint64_t> read_ = 0;
  PeerWatch watch_;
  std::vector<Peer> others_;
  PartitionSet seen_busy_;  // with the last look
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
