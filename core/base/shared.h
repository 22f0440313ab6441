// Optional value that its handles share read-only. A sole handle may change it in place. Several threads may use
// handles, each handle by one thread at a time.
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

#if __has_include(<sys/single_threaded.h>)
#include <sys/single_threaded.h>
#endif

namespace orlop {

// Number of handles that share a value. Counts atomically, which is expensive, only if the process has more than one
// thread.
class HolderCount {
 public:
  void add() noexcept {
    if (is_single_threaded()) count_.store(count_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    else count_.fetch_add(1, std::memory_order_relaxed);
  }
  // Returns true if this was the last handle. All accesses through the other handles happened before.
  bool drop() noexcept {
    if (is_sole()) return true;  // no other handle can add one
    if (!is_single_threaded()) return count_.fetch_sub(1, std::memory_order_acq_rel) == 1;
    count_.store(count_.load(std::memory_order_relaxed) - 1, std::memory_order_relaxed);
    return false;
  }
  bool is_sole() const noexcept { return count_.load(std::memory_order_acquire) == 1; }

 private:
  // std::shared_ptr of libstdc++ uses the same flag. False where the C library does not have it.
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

  // Returns the value for modification: moved if this is the sole handle, else copied.
  T take() && { return is_sole() ? std::move(kept_->value) : kept_->value; }

  // Reports whether this is the only handle. If true, accesses through other handles happened before.
  bool is_sole() const { return kept_ != nullptr && kept_->holders.is_sole(); }
  // Requires that this is the sole handle.
  T& edit() { return kept_->value; }

 private:
  struct Kept {
    explicit Kept(T&& given) : value(std::move(given)) {}
    HolderCount holders;  // first, next to the beginning of the value, which is read next
    T value;
  };
  Kept* kept_ = nullptr;
};

}  // namespace orlop
