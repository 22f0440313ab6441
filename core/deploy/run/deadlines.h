// Which steps have to end by when. Made for many entries that mostly share their instants and mostly leave before they are due: one
// bucket for each instant, and no entry is ever moved.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "base/id.h"
#include "base/instant.h"

namespace orlop {

class Deadlines {
 public:
  void add(Instant at, const Id& step);
  // Must have been added with the same instant, and not removed since.
  void remove(Instant at);
  std::optional<Instant> first() const;
  // Appends every step that was ever added for an instant up to `now`, in the order of instants and of adding, and forgets them. Some
  // may have been removed since: the caller knows which of them still run, and with what deadline.
  void take_due(Instant now, std::vector<Id>& steps);

 private:
  struct Bucket {
    std::vector<Id> steps;
    std::size_t live = 0;
  };
  std::map<Instant, Bucket> buckets_;
};

}  // namespace orlop
