// The deadlines of steps, for many entries that often share an instant and are usually removed before it: one bucket for each instant; entries are never moved.
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
  // Appends the steps that were added for instants up to `now`, in order of instant and of addition, and removes them. Some of them may have been removed before:
  // the caller knows which still run, and with which deadline.
  void take_due(Instant now, std::vector<Id>& steps);

 private:
  struct Bucket {
    std::vector<Id> steps;
    std::size_t live = 0;
  };
  std::map<Instant, Bucket> buckets_;
};

}  // namespace orlop
