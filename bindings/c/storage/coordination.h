// Converts the coordination data of several engines between the core and storage.h.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "base/result.h"
#include "orlop/storage.h"
#include "store/coordination.h"

namespace orlop::c {

// The changes of the core as C structs, with the arrays of pointers to them.
class GivenCoordination {
 public:
  explicit GivenCoordination(const CoordinationChanges& changes);
  GivenCoordination(const GivenCoordination&) = delete;
  GivenCoordination& operator=(const GivenCoordination&) = delete;

  orlop_coordination all{};

 private:
  // Rows, and pointers to them.
  template <typename Row>
  struct Rows {
    std::vector<Row> rows;
    std::vector<const Row*> places;
    template <typename From>
    void take(const From& from);
  };
  Rows<orlop_lease> fences_;
  std::vector<orlop_id> departures_;
  Rows<orlop_peer> peers_;
  Rows<orlop_lease> leases_;
  Rows<orlop_wake_up> taken_wake_ups_;
  Rows<orlop_wake_up> wake_ups_;
  Rows<orlop_inbox_report> reports_;
};

// Adapts a membership of the host's store to the interface of the core.
class HostMembership final : public Membership {
 public:
  HostMembership(const orlop_store& store, const void* host, std::function<void()> notify)
      : store_(store), host_(host), notify_(std::move(notify)) {}
  ~HostMembership() override;
  // Errors: those of the host's store.
  Result<void> join(const Id& engine);
  Result<std::uint64_t> changes() override;
  bool has_ended(const Id& engine) override;

 private:
  static void notify(void* self);

  const orlop_store& store_;
  const void* host_;
  std::function<void()> notify_;
  void* held_ = nullptr;
  bool has_joined_ = false;
};

}  // namespace orlop::c
