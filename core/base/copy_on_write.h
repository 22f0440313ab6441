// A value that copies share until one of them is edited: to copy it costs the same, whatever it holds. Copies may be used by several threads.
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

namespace orlop {

template <typename T>
class CopyOnWrite {
 public:
  CopyOnWrite() = default;
  CopyOnWrite(T value) : kept_(new Kept(std::move(value))) {}  // as where a T was assigned
  CopyOnWrite(const CopyOnWrite& other) noexcept : kept_(other.kept_) {
    if (kept_ != nullptr) kept_->holders.fetch_add(1, std::memory_order_relaxed);
  }
  CopyOnWrite(CopyOnWrite&& other) noexcept : kept_(std::exchange(other.kept_, nullptr)) {}
  CopyOnWrite& operator=(CopyOnWrite other) noexcept {
    std::swap(kept_, other.kept_);
    return *this;
  }
  ~CopyOnWrite() { release(); }

  const T& operator*() const { return kept_ == nullptr ? none() : kept_->value; }
  const T* operator->() const { return &**this; }

  // For this copy alone. The reference is good until the next copy is made of this one.
  T& edit() {
    if (kept_ == nullptr) {
      kept_ = new Kept(T());
    } else if (kept_->holders.load(std::memory_order_acquire) != 1) {
      Kept* const own = new Kept(kept_->value);
      release();
      kept_ = own;
    }
    return kept_->value;
  }

  // The same for one that is filled anew: what is in it counts for nothing, but for the memory that it has.
  T& refill() {
    if (kept_ != nullptr && kept_->holders.load(std::memory_order_acquire) == 1) return kept_->value;
    *this = CopyOnWrite(T());
    return kept_->value;
  }

  friend bool operator==(const CopyOnWrite& left, const CopyOnWrite& right) { return left.kept_ == right.kept_ || *left == *right; }

 private:
  struct Kept {
    explicit Kept(T given) : value(std::move(given)) {}
    std::atomic<std::uint32_t> holders{1};
    T value;
  };

  static const T& none() {
    static const T empty;
    return empty;
  }
  void release() noexcept {
    if (kept_ != nullptr && kept_->holders.fetch_sub(1, std::memory_order_acq_rel) == 1) delete kept_;
  }

  Kept* kept_ = nullptr;  // nullptr: T()
};

}  // namespace orlop
