// A value that its holders share and only look at, or nothing. The holder that is the only one may change it in place.
// Handles may be used by several threads, each handle by one at a time.
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

#if __has_include(<sys/single_threaded.h>)
#include <sys/single_threaded.h>
#endif

namespace orlop {

// The number of handles that share a value. To count atomically takes as long as many other instructions: it is done
// only where another thread may count, too.
class HolderCount {
 public:
  void add() noexcept {
    if (is_single_threaded()) count_.store(count_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    else count_.fetch_add(1, std::memory_order_relaxed);
  }
  // True: that was the last one. What the others did is over then.
  bool drop() noexcept {
    if (is_sole()) return true;  // no one else can add one
    if (!is_single_threaded()) return count_.fetch_sub(1, std::memory_order_acq_rel) == 1;
    count_.store(count_.load(std::memory_order_relaxed) - 1, std::memory_order_relaxed);
    return false;
  }
  bool is_sole() const noexcept { return count_.load(std::memory_order_acquire) == 1; }

 private:
  // std::shared_ptr of the GNU library asks the same. False where the C library does not say it.
  static bool is_single_threaded() noexcept {
#if __has_include(<sys/single_threaded.h>)
    return __libc_single_threaded != 0;
#else
    return false;
#endif
  }

  std::atomic<std::uint32_t> count_{1};
};

template <typename T>
class Shared {
 public:
  Shared() = default;
  explicit Shared(T&& value) : kept_(new Kept(std::move(value))) {}
  Shared(const Shared& other) noexcept : kept_(other.kept_) {
    if (kept_ != nullptr) kept_->holders.add();
  }
  Shared(Shared&& other) noexcept : kept_(std::exchange(other.kept_, nullptr)) {}
  Shared& operator=(Shared other) noexcept {
    std::swap(kept_, other.kept_);
    return *this;
  }
  ~Shared() {
    if (kept_ != nullptr && kept_->holders.drop()) delete kept_;
  }

  explicit operator bool() const { return has_value(); }
  bool has_value() const { return kept_ != nullptr; }
  const T& operator*() const { return kept_->value; }
  const T* operator->() const { return &kept_->value; }

  // The value for one who changes it: moved where no other handle has it, else a copy.
  T take() && { return is_sole() ? std::move(kept_->value) : kept_->value; }

  // Whether no other handle has it: what others did with it is over.
  bool is_sole() const { return kept_ != nullptr && kept_->holders.is_sole(); }
  // For the sole holder.
  T& edit() { return kept_->value; }

 private:
  struct Kept {
    explicit Kept(T&& given) : value(std::move(given)) {}
    HolderCount holders;  // first: it lies beside the beginning of the value, which is read next
    T value;
  };
  Kept* kept_ = nullptr;
};

}  // namespace orlop
