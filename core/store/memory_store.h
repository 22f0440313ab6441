// The store in memory: its tables, the transactions that read them, and the states that it can go back to. Only for memory.cpp and memory_checkpoints.cpp.
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

#include "store/checkpoint.h"
#include "store/memory_coordination.h"
#include "store/memory_tables.h"
#include "store/turns.h"

namespace orlop {

class MemoryStore;

// Frees its place among those who read.
class MemoryCheckpoint : public StoreCheckpoint {
 public:
  MemoryCheckpoint(MemoryStore& store, std::uint64_t number, std::size_t events) : store(store), number(number), events(events) {}
  ~MemoryCheckpoint() override;

  MemoryStore& store;
  const std::uint64_t number;  // of the last commit
  const std::size_t events;
  mutable bool is_gone = false;  // guarded by the store's lock
};

class MemoryStore : public Store, public Checkpoints {
 public:
  std::shared_ptr<const StoreCheckpoint> checkpoint() override {
    std::unique_lock lock(mutex);
    auto made = std::make_shared<MemoryCheckpoint>(*this, committed_, committed_events_);
    checkpoints_.push_back(made.get());
    snapshots_.insert(snapshots_.end() - 1, committed_);
    return made;
  }
  Result<std::unique_ptr<Transaction>> read(const StoreCheckpoint& checkpoint) override;
  Result<void> go_back(const StoreCheckpoint& checkpoint) override;
  Result<void> replace(Store& other) override;
  void forget(const MemoryCheckpoint& checkpoint) {
    std::unique_lock lock(mutex);
    if (checkpoint.is_gone) return;
    std::erase(checkpoints_, &checkpoint);
    snapshots_.erase(std::find(snapshots_.begin(), snapshots_.end(), checkpoint.number));
    tables.sweep(snapshots_);
  }
  // Of a checkpoint that is there. False: it is not.
  bool begin_read_at(const MemoryCheckpoint& checkpoint) {
    std::unique_lock lock(mutex);
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
  // Sees the last commit; `event_count` becomes the number of its events.
  std::uint64_t begin_read(std::size_t& event_count) {
    std::unique_lock lock(mutex);
    event_count = committed_events_;
    snapshots_.insert(snapshots_.end() - 1, committed_);
    return committed_;
  }
  void end_read(std::uint64_t snapshot) {
    std::unique_lock lock(mutex);
    snapshots_.erase(std::find(snapshots_.begin(), snapshots_.end(), snapshot));
    tables.sweep(snapshots_);
  }
  // `coordination`: as the transaction leaves it; nullptr: as it was.
  void commit_write(std::uint64_t number, std::shared_ptr<const CoordinationTables> coordination) {
    const bool is_for_others = coordination != nullptr;
    {
      std::unique_lock lock(mutex);
      tables.prepare(number, snapshots_.size() > 1);
      if (is_for_others) coordination_.push_back({number, std::move(coordination)});
      committed_ = snapshots_.back() = number;
      tables.commit(snapshots_);
      committed_events_ = tables.events.size();
      // What no reader that is open can see.
      while (coordination_.size() > 1 && coordination_[1].number <= snapshots_.front()) coordination_.pop_front();
    }
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
      std::unique_lock lock(mutex);
      tables.roll_back(number, committed_events_);
    }
    turns_.pass();
  }

  std::shared_mutex mutex;  // over `tables` and what follows
  Tables tables;

 private:
  // Of the open readers; and last the state that the next one will see, which no change that is still open may take away.
  Snapshots snapshots_{0};
  bool has_readers() const { return snapshots_.size() > checkpoints_.size() + 1; }
  void drop_checkpoints_after(std::uint64_t number);

  std::uint64_t committed_ = 0;
  std::size_t committed_events_ = 0;
  std::vector<const MemoryCheckpoint*> checkpoints_;  // ascending number
  struct CoordinationVersion {
    std::uint64_t number = 0;  // of the commit
    std::shared_ptr<const CoordinationTables> tables;
  };
  std::deque<CoordinationVersion> coordination_{{0, std::make_shared<const CoordinationTables>()}};
  MemoryMembers members_;

  Turns turns_;  // of the writers
};

// The refusal of a checkpoint whose state is not there any more.
Error checkpoint_is_gone();

}  // namespace orlop
