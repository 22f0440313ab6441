// Steps for which the driver returned try_later: each is offered again after one second, then after two, four, up to a
// minute. Instants are of the monotonic clock. In memory only: a new holder offers its steps at once.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

#include "base/id.h"
#include "base/instant.h"
#include "deploy/driver/driver.h"

namespace orlop {

class Offers {
 public:
  void put_off(Step step, Instant now);
  // Returns those that are due, the longest waiting first.
  std::vector<Step> take_due(Instant now);
  // Called when the driver has accepted the step, or it is not offered any more. Returns true if it waited here.
  bool forget(const Id& step);
  bool empty() const { return waiting_.empty(); }
  // Returns when the next one is offered; nullopt if none waits.
  std::optional<Instant> first() const;

 private:
  std::multimap<Instant, Step> waiting_;
  std::unordered_map<Id, Duration> pauses_;  // of steps that were put off, also while they are offered
};

}  // namespace orlop
