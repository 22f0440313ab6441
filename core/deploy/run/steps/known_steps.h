// The steps that an engine knows: the running ones and the last ended ones. The tick adds and ends them; reports are checked against them without waiting for a
// tick or the store.
#pragma once

#include <cstddef>
#include <functional>
#include <mutex>
#include <variant>
#include <vector>

#include "base/flat_map.h"
#include "base/id.h"
#include "store/partition.h"

namespace orlop {

// Safe on every thread.
class KnownSteps {
 public:
  static constexpr std::size_t ended_kept = 65'536;

  void began(const Id& step);
  void ended(const Id& step);
  // Forgets the running steps of these partitions, which another engine moves on.
  void forget(PartitionSet partitions);
  // Ends the running steps for which `runs` is false. Called after the memory was read from the store.
  void confirm(const std::function<bool(const Id&)>& runs);
  // False if the step neither runs nor is one of the last `ended_kept` ended ones.
  bool knows(const Id& step) const;

 private:
  void keep_ended(const Id& step);

  mutable std::mutex mutex_;
  FlatMap<Id, std::monostate> under_way_;
  std::vector<Id> ended_;  // a ring, which is searched from end to end: steps end all the time, and reports about ended ones are rare
  std::size_t oldest_ = 0;  // of the ring, once it is full
};

}  // namespace orlop
