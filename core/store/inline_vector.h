// A vector that stores a few elements inline and allocates memory only for more. Elements are copied as bytes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>

namespace orlop {

template <typename T, std::uint32_t usual>
class InlineVector {
  static_assert(std::is_trivially_copyable_v<T> && std::is_default_constructible_v<T>);

 public:
  InlineVector() = default;
  InlineVector(std::initializer_list<T> values) { assign({values.begin(), values.size()}); }
  InlineVector(const InlineVector& other) {
    if (other.more_ != nullptr) {
      assign(other);
    } else {
      copy_few(other);
      size_ = other.size_;
    }
  }
  InlineVector(InlineVector&& other) noexcept
      : size_(std::exchange(other.size_, 0)),
        capacity_(std::exchange(other.capacity_, usual)),
        more_(std::move(other.more_)) {
    if (more_ == nullptr) copy_few(other);
  }
  InlineVector& operator=(const InlineVector& other) {
    if (this != &other) assign(other);
    return *this;
  }
  InlineVector& operator=(InlineVector&& other) noexcept {
    if (this == &other) return *this;
    more_ = std::move(other.more_);
    if (more_ == nullptr) copy_few(other);
    size_ = std::exchange(other.size_, 0);
    capacity_ = std::exchange(other.capacity_, usual);
    return *this;
  }
  ~InlineVector() = default;

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  // Returns the number of bytes allocated outside of the vector itself.
  std::size_t bytes_outside() const { return more_ == nullptr ? 0 : capacity_ * sizeof(T); }
  T* data() { return more_ == nullptr ? few_ : more_.get(); }
  const T* data() const { return more_ == nullptr ? few_ : more_.get(); }
  T* begin() { return data(); }
  T* end() { return data() + size_; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size_; }
  T& back() { return data()[size_ - 1]; }
  const T& back() const { return data()[size_ - 1]; }
  T& operator[](std::size_t at) { return data()[at]; }
  const T& operator[](std::size_t at) const { return data()[at]; }

  void clear() { size_ = 0; }
  void reserve(std::size_t count) {
    if (count <= capacity_) return;
    const auto capacity = static_cast<std::uint32_t>(std::max<std::size_t>(count, std::size_t{2} * capacity_));
    auto grown = std::make_unique<T[]>(capacity);
    std::copy_n(data(), size_, grown.get());
    more_ = std::move(grown);
    capacity_ = capacity;
  }
  void push_back(const T& value) {
    const T pushed = value;  // a copy: `value` may be an element of this vector
    reserve(std::size_t{size_} + 1);
    data()[size_++] = pushed;
  }
  void resize(std::size_t count, const T& value = T()) {
    const T added = value;  // a copy: `value` may be an element of this vector
    reserve(count);
    for (std::size_t at = size_; at < count; ++at) data()[at] = added;
    size_ = static_cast<std::uint32_t>(count);
  }

  friend bool operator==(const InlineVector& left, const InlineVector& right) {
    return std::equal(left.begin(), left.end(), right.begin(), right.end());
  }

 private:
  void assign(std::span<const T> values) {
    size_ = 0;
    reserve(values.size());
    std::copy_n(values.data(), values.size(), data());
    size_ = static_cast<std::uint32_t>(values.size());
  }

  // Copies all inline elements: a fixed size is faster than a loop over those in use.
  void copy_few(const InlineVector& other) { std::copy_n(other.few_, usual, few_); }

  std::uint32_t size_ = 0;
  std::uint32_t capacity_ = usual;
  std::unique_ptr<T[]> more_;  // null if the elements are in few_
  T few_[usual] = {};
};

}  // namespace orlop
