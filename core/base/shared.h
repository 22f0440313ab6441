// A value that its holders share and only look at, or nothing. The holder that is the only one may change it in place. Handles may be used by several threads, each
// handle by one at a time.
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

namespace orlop {

template <typename T>
class Shared {
 public:
  Shared() = default;
  explicit Shared(T&& value) : kept_(new Kept(std::move(value))) {}
  Shared(const Shared& other) noexcept : kept_(other.kept_) {
    if (kept_ != nullptr) kept_->holders.fetch_add(1, std::memory_order_relaxed);
  }
  Shared(Shared&& other) noexcept : kept_(std::exchange(other.kept_, nullptr)) {}
  Shared& operator=(Shared other) noexcept {
    std::swap(kept_, other.kept_);
    return *this;
  }
  ~Shared() {
    if (kept_ != nullptr && kept_->holders.fetch_sub(1, std::memory_order_acq_rel) == 1) delete kept_;
  }

  explicit operator bool() const { return kept_ != nullptr; }
  const T& operator*() const { return kept_->value; }
  const T* operator->() const { return &kept_->value; }

  // Whether no other handle has it: what others did with it is over.
  bool is_sole() const { return kept_ != nullptr && kept_->holders.load(std::memory_order_acquire) == 1; }
  // For the sole holder.
  T& edit() { return kept_->value; }

 private:
  struct Kept {
    explicit Kept(T&& given) : value(std::move(given)) {}
    std::atomic<std::uint32_t> holders{1};  // first: it lies beside the beginning of the value, which is read next
    T value;
  };
  Kept* kept_ = nullptr;
};

}  // namespace orlop
