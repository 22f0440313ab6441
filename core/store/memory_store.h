// The store in memory: its tables, the transactions that read them, and the states that it can go back to. Only for
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

// The events that a transaction sees.
struct EventBounds {
  std::uint64_t first = 1;
  std::uint64_t last = 0;
};

// Frees its place among those who read.
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
  // Of a checkpoint that is there. False: it is not.
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

  // The number of the next commit, for the one writer; waits for the writer before.
  std::uint64_t begin_write() {
    turns_.take();
    return committed_ + 1;
  }
  // Sees the last commit; `events` becomes the numbers of its first and last event.
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
  // For the writer.
  EventBounds committed_events() const { return committed_events_; }
  // Under the lock. `coordination`: as the transaction leaves it; nullptr: as it was. `first_event`: of those that are
  // kept.
  void commit_write(std::uint64_t number, std::shared_ptr<const CoordinationTables> coordination,
                    std::uint64_t first_event) {
    tables.prepare(number, is_read());
    if (coordination != nullptr) coordination_.push_back({number, std::move(coordination)});
    if (first_event != committed_events_.first) cuts_.push_back({number, first_event});
    committed_ = snapshots_.back() = number;
    tables.commit(snapshots_);
    committed_events_ = {first_event, tables.events.last()};
    remove_unseen();
    // What no reader that is open can see.
    while (coordination_.size() > 1 && coordination_[1].number <= snapshots_.front()) coordination_.pop_front();
  }
  // Whether anyone, or a checkpoint, sees what is there now beyond the next commit.
  bool is_read() const { return snapshots_.size() > 1; }
  // After the commit, without the lock.
  void end_write(bool is_for_others) {
    turns_.pass();
    if (is_for_others) members_.notify();
  }
  // As the commit of this number left it.
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

  // Over `tables` and what follows. Only a writer, whose turn it is, changes the tables, but for what finds events: so
  // it reads them without the lock.
  std::shared_mutex mutex;
  Tables tables;
  // The lock, for a change. One that takes it several times in a row does not overtake one that waits for it.
  std::unique_lock<std::shared_mutex> changing() {
    const std::lock_guard next(next_);
    return std::unique_lock(mutex);
  }

 private:
  // Of the open readers; and last the state that the next one will see, which no change that is still open may take
  // away.
  Snapshots snapshots_{0};
  bool has_readers() const { return snapshots_.size() > checkpoints_.size() + 1; }
  void drop_checkpoints_after(std::uint64_t number);

  std::uint64_t committed_ = 0;
  EventBounds committed_events_;
  // What was cut off the feed by a commit that some reader does not see yet.
  struct Cut {
    std::uint64_t number = 0;  // of the commit
    std::uint64_t first_event = 0;
  };
  std::deque<Cut> cuts_;
  // Whether something is kept that no reader sees any more.
  bool has_unseen() const {
    return tables.has_unseen(snapshots_) || (!cuts_.empty() && cuts_.front().number <= snapshots_.front());
  }
  void remove_unseen() {
    tables.sweep(snapshots_);
    for (; !cuts_.empty() && cuts_.front().number <= snapshots_.front(); cuts_.pop_front())
      tables.events.remove_through(cuts_.front().first_event - 1);
  }
  // In the turn of a writer; one that writes now does it at its end.
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
  std::mutex next_;  // held by the one that waits for the lock
};

// The refusal of a checkpoint whose state is not there any more.
Error checkpoint_is_gone();

}  // namespace orlop
