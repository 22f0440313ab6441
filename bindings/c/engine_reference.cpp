#include "engine_reference.h"

namespace orlop::c {

std::shared_ptr<Instance> EngineReference::borrow() {
  const auto self = shared_from_this();
  Instance* host = nullptr;
  {
    const std::lock_guard lock(mutex_);
    if (host_ == nullptr) return nullptr;
    host = host_;
    ++borrowed_;
  }
  // If memory runs out, the constructor calls the deleter before it throws.
  return std::shared_ptr<Instance>(host, [self](Instance*) { self->give_back(); });
}

void EngineReference::shut() {
  const std::lock_guard lock(mutex_);
  host_ = nullptr;
}

void EngineReference::await_return() {
  std::unique_lock lock(mutex_);
  returned_.wait(lock, [this] { return borrowed_ == 0; });
}

void EngineReference::give_back() noexcept {
  // Holds the lock to the end: the waiting thread may destroy the instance once the lock is released.
  const std::lock_guard lock(mutex_);
  --borrowed_;
  returned_.notify_all();
}

}  // namespace orlop::c
