// Flat combining: one thread at a time, the leader, does its own work and all that other threads have queued meanwhile.
// The threads do not take turns, each of which would cost a context switch.
#pragma once

#include <array>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <mutex>
#include <utility>

#include "base/result.h"
#include "store/store.h"

namespace orlop {

// Thread-safe. Allocates nothing: work lies on the stack of the thread that waits for it.
class CombiningQueue {
  // Threads wait on slots; if there are more threads than slots, several share one. A slot outlives the work, so that
  // the leader can notify it after unlocking.
  struct Slot {
    std::mutex mutex;
    std::condition_variable has_changed;
  };

 public:
  class Work {
   public:
    explicit Work(const Store::Act& act) : act_(act) {}

    const Store::Act& act() const { return act_; }
    // Both are called by the leader. The last call counts.
    void set_outcome(Result<void> outcome) {
      outcome_ = std::move(outcome);
      thrown_ = nullptr;
    }
    void set_exception(std::exception_ptr thrown) { thrown_ = std::move(thrown); }
    // Called by the waiting thread once the work is done. Returns the outcome, or rethrows the act's exception.
    Result<void> take_outcome() {
      if (thrown_ != nullptr) std::rethrow_exception(std::move(thrown_));
      return std::move(outcome_);
    }

   private:
    friend class CombiningQueue;
    enum class State { waiting, leading, done };

    const Store::Act& act_;
    Result<void> outcome_;
    std::exception_ptr thrown_;
    Work* next_ = nullptr;
    Slot* slot_ = nullptr;
    State state_ = State::waiting;  // guarded by the slot
  };

  // Queues work and waits. Returns true if the caller is the leader from now on; the first take() then returns its own
  // work. Returns false if the work is done.
  bool put(Work& work) {
    {
      const std::lock_guard lock(mutex_);
      (last_ == nullptr ? first_ : last_->next_) = &work;
      last_ = &work;
      if (!std::exchange(is_led_, true)) return true;
      work.slot_ = &slots_[next_slot_++ % slots_.size()];
    }
    std::unique_lock lock(work.slot_->mutex);
    work.slot_->has_changed.wait(lock, [&work] { return work.state_ != Work::State::waiting; });
    return work.state_ == Work::State::leading;
  }

  // Called by the leader. Returns the work that has waited longest; null if the queue is empty.
  Work* take() {
    const std::lock_guard lock(mutex_);
    Work* const taken = first_;
    if (taken == nullptr) return nullptr;
    first_ = taken->next_;
    if (first_ == nullptr) last_ = nullptr;
    return taken;
  }

  bool is_empty() {
    const std::lock_guard lock(mutex_);
    return first_ == nullptr;
  }
  std::size_t waiting() {
    const std::lock_guard lock(mutex_);
    std::size_t count = 0;
    for (const Work* work = first_; work != nullptr; work = work->next_) ++count;
    return count;
  }

  // Called by the leader when it ends: the thread with the oldest waiting work becomes the next leader.
  void leave() {
    Work* next = nullptr;
    {
      const std::lock_guard lock(mutex_);
      next = first_;
      is_led_ = next != nullptr;
    }
    if (next != nullptr) become(*next, Work::State::leading);
  }

  // Called by the leader after it has done the work of another thread, which then resumes.
  void finish(Work& work) { become(work, Work::State::done); }

 private:
  // The work may be destroyed as soon as the slot is unlocked.
  static void become(Work& work, Work::State state) {
    Slot& slot = *work.slot_;
    {
      const std::lock_guard lock(slot.mutex);
      work.state_ = state;
    }
    slot.has_changed.notify_all();
  }

  std::mutex mutex_;  // guards the members below, and next_ of all work
  bool is_led_ = false;
  Work* first_ = nullptr;
  Work* last_ = nullptr;
  std::size_t next_slot_ = 0;
  std::array<Slot, 64> slots_;
};

}  // namespace orlop
