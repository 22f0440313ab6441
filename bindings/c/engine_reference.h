// The handle of its engine that a driver and a webhook sender are given. It serves like any other, but does not keep
// the engine open, so that a driver that holds it and an engine that holds the driver are no cycle.
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

  // The host, for as long as the answer is held; nullptr once shut() was called. Throws std::bad_alloc.
  std::shared_ptr<Instance> borrow();
  // Nothing is borrowed any more.
  void shut();
  // Returns when all that was borrowed is given back. After shut(); the host must live until then.
  void await_return();

 private:
  void give_back() noexcept;

  std::mutex mutex_;
  std::condition_variable returned_;
  Instance* host_;  // nullptr after shut()
  std::size_t borrowed_ = 0;
};

}  // namespace orlop::c
