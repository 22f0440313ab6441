// Work of several threads, done by one of them at a time (flat combining): who leads does its own work and all that
// others have put down meanwhile, so that they need not take turns, each of which would cost a change of threads.
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

// Any thread. Nothing is allocated: work lies on the stack of the thread that waits for it.
class CombiningQueue {
  // Where threads wait: more of them than slots share some. It outlives the work, so that it can be notified without
  // its lock, which the thread takes first when it goes on.
  struct Slot {
    std::mutex mutex;
    std::condition_variable has_changed;
  };

 public:
  class Work {
   public:
    explicit Work(const Store::Act& act) : act_(act) {}

    const Store::Act& act() const { return act_; }
    // Both by the leader. The last one counts.
    void set_outcome(Result<void> outcome) {
      outcome_ = std::move(outcome);
      thrown_ = nullptr;
    }
    void set_exception(std::exception_ptr thrown) { thrown_ = std::move(thrown); }
    // Once it is done, by the thread whose work it is: the outcome, or throws what the act has thrown.
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

  // Puts work down, and waits. True: the caller leads from now on, and take() gives its work first. False: its work is
  // done.
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

  // By the leader: the work that has waited longest; nullptr: none waits.
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

  // By the leader, which then leads no more: the work that has waited longest makes its thread the next one.
  void leave() {
    Work* next = nullptr;
    {
      const std::lock_guard lock(mutex_);
      next = first_;
      is_led_ = next != nullptr;
    }
    if (next != nullptr) become(*next, Work::State::leading);
  }

  // By the thread that has done work of another one, which goes on.
  void finish(Work& work) { become(work, Work::State::done); }

 private:
  // The work may be gone as soon as the lock is.
  static void become(Work& work, Work::State state) {
    Slot& slot = *work.slot_;
    {
      const std::lock_guard lock(slot.mutex);
      work.state_ = state;
    }
    slot.has_changed.notify_all();
  }

  std::mutex mutex_;  // guards what follows, and next_ of all work
  bool is_led_ = false;
  Work* first_ = nullptr;
  Work* last_ = nullptr;
  std::size_t next_slot_ = 0;
  std::array<Slot, 64> slots_;
};

}  // namespace orlop
