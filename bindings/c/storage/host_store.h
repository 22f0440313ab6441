// The host's store as the core's.
#pragma once

#include <memory>

#include "base/result.h"
#include "orlop/storage.h"
#include "store/shared_turns.h"
#include "store/store.h"

namespace orlop::c {

// Calls the host's release() when it is destroyed, once own() has said that the host's struct was taken over.
class HostStore final : public Store {
 public:
  // `host`: whose callbacks these are, so that calls from inside them are found out.
  HostStore(const orlop_store& given, const void* host, const void* = nullptr) : given_(given), host_(host) {}
  ~HostStore() override;
  void own() { is_owned_ = true; }
  Result<std::unique_ptr<Transaction>> begin(Access access) override;
  bool is_optimistic() const override { return given_.validate != nullptr; }
  // Acts of several threads in one transaction of the host's.
  Result<void> write(const Act& act) override { return shared_turns_.run(act); }
  // nullptr: the host's store is for one engine.
  Result<std::unique_ptr<Membership>> join(const Id& engine, std::function<void()> notify) override;

 private:
  orlop_store given_;
  const void* host_;
  bool is_owned_ = false;
  TransactionTurns turn_writer_{*this};
  SharedTurns shared_turns_{turn_writer_};
};

// The host's struct, if no function is missing. Errors: misuse.
Result<orlop_store> read_store(const orlop_store* given);

}  // namespace orlop::c
