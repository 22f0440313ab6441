// The store in memory: its tables, the snapshots that transactions read, and its checkpoints. Included only by
// memory.cpp and memory_checkpoints.cpp.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <utility>
#include <vector>

#include "store/memory_coordination.h"
#include "store/memory_tables.h"
#include "store/store_checkpoint.h"
#include "store/turns.h"

namespace orlop {

class MemoryStore;

// Numbers of the first and last event that a transaction sees.
struct EventBounds {
  std::uint64_t first = 1;
  std::uint64_t last = 0;
};

// Destruction removes its snapshot from the store.
class MemoryCheckpoint : public StoreCheckpoint {
 public:
  MemoryCheckpoint(MemoryStore& store, std::uint64_t number, EventBounds events)
      : store(store), number(number), events(events) {}
  ~MemoryCheckpoint() override;

  MemoryStore& store;
  const std::uint64_t number;  // of the last commit
  const EventBounds events;
  mutable bool is_gone = false;  // guarded by the store's lock
};

class MemoryStore : public Store, public Checkpoints {
 public:
  std::shared_ptr<const StoreCheckpoint> checkpoint() override {
    const auto lock = changing();
    auto made = std::make_shared<MemoryCheckpoint>(*this, committed_, committed_events_);
    checkpoints_.push_back(made.get());
    snapshots_.insert(snapshots_.end() - 1, committed_);
    return made;
  }
  using Store::read;
  Result<std::unique_ptr<Transaction>> read(const StoreCheckpoint& checkpoint) override;
  Result<std::unique_ptr<Store>> copy(const StoreCheckpoint& checkpoint) override;
  Result<void> go_back(const StoreCheckpoint& checkpoint) override;
  Result<void> replace(Store& other) override;
  void forget(const MemoryCheckpoint& checkpoint) {
    {
      const auto lock = changing();
      if (checkpoint.is_gone) return;
      std::erase(checkpoints_, &checkpoint);
      snapshots_.erase(std::find(snapshots_.begin(), snapshots_.end(), checkpoint.number));
      if (!has_unseen()) return;
    }
    sweep();
  }
  // Opens a read at the checkpoint. Returns false if the checkpoint is gone.
  bool begin_read_at(const MemoryCheckpoint& checkpoint) {
    const auto lock = changing();
    if (checkpoint.is_gone) return false;
    snapshots_.insert(std::find(snapshots_.begin(), snapshots_.end(), checkpoint.number), checkpoint.number);
    return true;
  }

  Result<std::unique_ptr<Transaction>> begin(Access access) override;
  Result<std::unique_ptr<Membership>> join(const Id& engine, std::function<void()> notify) override {
    return std::unique_ptr<Membership>(std::make_unique<MemoryMembership>(members_, engine, std::move(notify)));
  }

  // Returns the number of the next commit, after waiting for the writer before.
  std::uint64_t begin_write() {
    turns_.take();
    return committed_ + 1;
  }
  // Opens a read at the last commit, and returns its number; sets `events` to the bounds of the feed.
  std::uint64_t begin_read(EventBounds& events) {
    const auto lock = changing();
    events = committed_events_;
    snapshots_.insert(snapshots_.end() - 1, committed_);
    return committed_;
  }
  void end_read(std::uint64_t snapshot) {
    {
      const auto lock = changing();
      snapshots_.erase(std::find(snapshots_.begin(), snapshots_.end(), snapshot));
      if (!has_unseen()) return;
    }
    sweep();
  }
  // Only for the writer, which needs no lock.
  EventBounds committed_events() const { return committed_events_; }
  // Called under the lock. `coordination`: the data as the transaction leaves it; null if unchanged. `first_event`:
  // number of the first event that is kept.
  void commit_write(std::uint64_t number, std::shared_ptr<const CoordinationTables> coordination,
                    std::uint64_t first_event) {
    tables.prepare(number, is_read());
    if (coordination != nullptr) coordination_.push_back({number, std::move(coordination)});
    if (first_event != committed_events_.first) cuts_.push_back({number, first_event});
    committed_ = snapshots_.back() = number;
    tables.commit(snapshots_);
    committed_events_ = {first_event, tables.events.last()};
    remove_unseen();
    // Drops versions that no open reader can see.
    while (coordination_.size() > 1 && coordination_[1].number <= snapshots_.front()) coordination_.pop_front();
  }
  // Reports whether a reader or a checkpoint will still see the present state after the next commit.
  bool is_read() const { return snapshots_.size() > 1; }
  // Called after the commit, without the lock.
  void end_write(bool is_for_others) {
    turns_.pass();
    if (is_for_others) members_.notify();
  }
  // Returns the data that the commit of this number left.
  std::shared_ptr<const CoordinationTables> coordination_at(std::uint64_t snapshot) {
    std::shared_lock lock(mutex);
    auto version = coordination_.rbegin();
    while (version->number > snapshot) ++version;
    return version->tables;
  }
  void roll_back_write(std::uint64_t number) {
    {
      const auto lock = changing();
      tables.roll_back(number, committed_events_.last);
      remove_unseen();
    }
    turns_.pass();
  }

  // Guards `tables` and the members below. Only a writer, in its turn, changes the tables, except the indexes of
  // events; so it reads them without the lock.
  std::shared_mutex mutex;
  Tables tables;
  // Locks for a change. A thread that locks several times in a row does not overtake a waiting one.
  std::unique_lock<std::shared_mutex> changing() {
    const std::lock_guard next(next_);
    return std::unique_lock(mutex);
  }

 private:
  // Snapshots of open readers and checkpoints; the last element is the snapshot that the next reader will get, which an
  // open change must keep.
  Snapshots snapshots_{0};
  bool has_readers() const { return snapshots_.size() > checkpoints_.size() + 1; }
  void drop_checkpoints_after(std::uint64_t number);

  std::uint64_t committed_ = 0;
  EventBounds committed_events_;
  // A removal of events whose commit some reader does not see yet.
  struct Cut {
    std::uint64_t number = 0;  // of the commit
    std::uint64_t first_event = 0;
  };
  std::deque<Cut> cuts_;
  // Reports whether versions or events are kept that no reader sees any more.
  bool has_unseen() const {
    return tables.has_unseen(snapshots_) || (!cuts_.empty() && cuts_.front().number <= snapshots_.front());
  }
  void remove_unseen() {
    tables.sweep(snapshots_);
    for (; !cuts_.empty() && cuts_.front().number <= snapshots_.front(); cuts_.pop_front())
      tables.events.remove_through(cuts_.front().first_event - 1);
  }
  // Removes what no reader sees, in a writer's turn. If a writer is active, it does so when it ends.
  void sweep() {
    if (!turns_.try_take()) return;
    {
      const auto lock = changing();
      remove_unseen();
    }
    turns_.pass();
  }
  std::vector<const MemoryCheckpoint*> checkpoints_;  // ascending number
  struct CoordinationVersion {
    std::uint64_t number = 0;  // of the commit
    std::shared_ptr<const CoordinationTables> tables;
  };
  std::deque<CoordinationVersion> coordination_{{0, std::make_shared<const CoordinationTables>()}};
  MemoryMembers members_;

  Turns turns_;      // of the writers
  std::mutex next_;  // held while a thread waits for the lock
};

// Returns the error for a checkpoint whose state does not exist any more.
Error checkpoint_is_gone();

}  // namespace orlop
