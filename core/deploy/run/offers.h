// The steps for which the driver said "try later": each is offered again after one second, then after two, four, up to
// a minute. Instants are those of the monotonic clock. In memory only: what a new holder takes up, it offers at once.
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
  // Those that are to be offered by now, the longest waiting first.
  std::vector<Step> take_due(Instant now);
  // The driver has taken the step, or it is not to be offered any more. True if it waited here.
  bool forget(const Id& step);
  bool empty() const { return waiting_.empty(); }
  // When the next one is offered.
  std::optional<Instant> first() const;

 private:
  std::multimap<Instant, Step> waiting_;
  std::unordered_map<Id, Duration> pauses_;  // of those that were put off, also while they are offered
};

}  // namespace orlop
