// Adapts the host's store to the interface of the core.
#pragma once

#include <memory>

#include "base/result.h"
#include "orlop/storage.h"
#include "store/shared_turns.h"
#include "store/store.h"

namespace orlop::c {

// The destructor calls the host's release() if own() was called before.
class HostStore final : public Store {
 public:
  // `host`: owner of the callbacks, to detect calls of the engine from inside of them.
  HostStore(const orlop_store& given, const void* host, const void* = nullptr) : given_(given), host_(host) {}
  ~HostStore() override;
  void own() { is_owned_ = true; }
  Result<std::unique_ptr<Transaction>> begin(Access access) override;
  bool is_optimistic() const override { return given_.validate != nullptr; }
  // Runs the acts of several threads in one transaction of the host's store.
  Result<void> write(const Act& act) override { return shared_turns_.run(act); }
  // Returns nullptr if the host's store is for one engine.
  Result<std::unique_ptr<Membership>> join(const Id& engine, std::function<void()> notify) override;

 private:
  orlop_store given_;
  const void* host_;
  bool is_owned_ = false;
  TransactionTurns turn_writer_{*this};
  SharedTurns shared_turns_{turn_writer_};
};

// Copies the host's struct and checks that no function is missing. Errors: misuse.
Result<orlop_store> read_store(const orlop_store* given);

}  // namespace orlop::c
