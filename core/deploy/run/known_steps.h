// The steps that an engine knows: those under way, and those that ended last. The tick says what begins and ends; whoever brings a report asks,
// without waiting for a tick or for the store.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <unordered_set>

#include "base/id.h"

namespace orlop {

// Safe on every thread.
class KnownSteps {
 public:
  static constexpr std::size_t ended_kept = 65'536;

  void began(const Id& step);
  void ended(const Id& step);
  // Of those under way, the ones that `runs` does not confirm have ended. For when memory was rebuilt from the store.
  void confirm(const std::function<bool(const Id&)>& runs);
  // False: no such step is under way, and none of the last `ended_kept` that ended was this one.
  bool knows(const Id& step) const;

 private:
  void keep_ended(const Id& step);

  mutable std::mutex mutex_;
  std::unordered_set<Id> under_way_;
  std::unordered_set<Id> ended_;
  std::deque<Id> order_;  // in which those of ended_ ended
};

}  // namespace orlop
