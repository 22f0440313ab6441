// The deadlines of steps, for many entries that often share an instant and are usually removed before it: one bucket for each instant; entries are never moved.
#pragma once

#include <array>
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
  using Buckets = std::map<Instant, Bucket>;
  Bucket& bucket_at(Instant at);
  void erase(Buckets::iterator bucket);

  Buckets buckets_;
  // Buckets that were emptied, with their memory, for the next ones. A copy has none.
  struct Spare {
    Spare() = default;
    Spare(const Spare&) {}
    Spare& operator=(const Spare&) { return *this; }
    std::array<Buckets::node_type, 16> nodes;
    std::size_t count = 0;
  };
  Spare spare_;
};

}  // namespace orlop
