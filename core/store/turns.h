// Turns of writers: one at a time, in the order in which they asked.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <utility>

namespace orlop {

// The turn passes to the thread that has waited longest, so that a returning writer cannot overtake it. Nothing is
// allocated: a waiter is an entry on its own stack.
class Turns {
 public:
  // Waits until all earlier threads have passed the turn. Not recursive.
  void take() {
    std::unique_lock lock(mutex_);
    if (!is_taken_) {
      is_taken_ = true;
      return;
    }
    Waiter self;
    (last_ == nullptr ? first_ : last_->next) = &self;
    last_ = &self;
    ++waiting_;
    self.has_come.wait(lock, [&self] { return self.is_next; });
  }

  // Takes the turn if it is free, without waiting.
  bool try_take() {
    const std::lock_guard lock(mutex_);
    return !std::exchange(is_taken_, true);
  }

  // Passes the turn to the next thread.
  void pass() noexcept {
    const std::lock_guard lock(mutex_);
    if (first_ == nullptr) {
      is_taken_ = false;
      return;
    }
    Waiter& next = *first_;
    first_ = next.next;
    if (first_ == nullptr) last_ = nullptr;
    --waiting_;
    next.is_next = true;
    next.has_come.notify_one();  // under the lock: its entry is destroyed when its wait ends
  }

  // Returns the number of waiting threads.
  std::size_t waiting() const {
    const std::lock_guard lock(mutex_);
    return waiting_;
  }

 private:
  struct Waiter {
    std::condition_variable has_come;
    bool is_next = false;
    Waiter* next = nullptr;
  };

  mutable std::mutex mutex_;  // guards the members below, and every Waiter
  bool is_taken_ = false;
  Waiter* first_ = nullptr;
  Waiter* last_ = nullptr;
  std::size_t waiting_ = 0;
};

}  // namespace orlop
