// Object of a batch handle.
#pragma once

#include <memory>
#include <mutex>
#include <thread>

#include "base/result.h"

namespace orlop {
class RequestBatch;
}

namespace orlop::c {

class Instance;

class HeldBatch {
 public:
  HeldBatch(std::shared_ptr<Instance> host, std::unique_ptr<RequestBatch> batch);
  ~HeldBatch();
  HeldBatch(const HeldBatch&) = delete;
  HeldBatch& operator=(const HeldBatch&) = delete;

  // Returns the open batch. Errors: misuse (another thread, or the batch has ended), closed.
  Result<RequestBatch*> use();
  // Rolls back uncommitted changes. Safe on every thread.
  void end();

 private:
  std::shared_ptr<Instance> host_;
  std::unique_ptr<RequestBatch> batch_;  // nullptr after its end
  std::thread::id thread_;
  std::mutex mutex_;  // guards batch_
};

}  // namespace orlop::c
