// The engine handle that drivers and ports get. It works like any other, but does not keep the engine open, so that a
// driver that holds it and the engine that holds the driver do not form a cycle.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>

namespace orlop::c {

class Instance;

// Safe on every thread. Held by a shared_ptr.
class EngineReference : public std::enable_shared_from_this<EngineReference> {
 public:
  explicit EngineReference(Instance& host) : host_(&host) {}

  // Returns the instance, which stays valid while the pointer is held; nullptr after shut(). Throws std::bad_alloc.
  std::shared_ptr<Instance> borrow();
  // Makes every later borrow() return nullptr.
  void shut();
  // Returns when all borrowed pointers are released. Call it after shut(); the instance must live until it returns.
  void await_return();

 private:
  void give_back() noexcept;

  std::mutex mutex_;
  std::condition_variable returned_;
  Instance* host_;  // nullptr after shut()
  std::size_t borrowed_ = 0;
};

}  // namespace orlop::c
