// A value that copies share until one of them is edited: to copy it costs the same, whatever it holds. Copies may be
// used by several threads.
#pragma once

#include <utility>

#include "base/shared.h"

namespace orlop {

template <typename T>
class CopyOnWrite {
 public:
  CopyOnWrite() = default;
  CopyOnWrite(T value) : kept_(std::move(value)) {}  // as where a T was assigned

  const T& operator*() const { return kept_ ? *kept_ : none(); }
  const T* operator->() const { return &**this; }

  // For this copy alone. The reference is good until the next copy is made of this one.
  T& edit() {
    if (!kept_.is_sole()) kept_ = Shared<T>(T(**this));
    return kept_.edit();
  }

  // The same for one that is filled anew: what is in it counts for nothing, but for the memory that it has.
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

  Shared<T> kept_;  // nothing: T()
};

}  // namespace orlop
