// A value that copies share until one of them is edited: copying costs the same for any value. Several threads may use
// copies of the same value.
#pragma once

#include <utility>

#include "base/shared.h"

namespace orlop {

template <typename T>
class CopyOnWrite {
 public:
  CopyOnWrite() = default;
  CopyOnWrite(T value) : kept_(std::move(value)) {}  // implicit, so that a T can be assigned

  const T& operator*() const { return kept_ ? *kept_ : none(); }
  const T* operator->() const { return &**this; }

  // Returns the value for editing, after copying it if it is shared. The reference is valid until this object is
  // copied.
  T& edit() {
    if (!kept_.is_sole()) kept_ = Shared<T>(T(**this));
    return kept_.edit();
  }

  // Like edit(), for a caller that overwrites the value: a shared value is replaced by T(), an unshared one reused.
  T& refill() {
    if (!kept_.is_sole()) kept_ = Shared<T>(T());
    return kept_.edit();
  }

  friend bool operator==(const CopyOnWrite& left, const CopyOnWrite& right) {
    return &*left == &*right || *left == *right;
  }

 private:
  static const T& none() {
    static const T empty;
    return empty;
  }

  Shared<T> kept_;  // null stands for T()
};

}  // namespace orlop
