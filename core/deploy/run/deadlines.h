// The deadlines of steps: many entries, most of which are removed before their instant.
#pragma once

#include <compare>
#include <optional>
#include <variant>
#include <vector>

#include "base/chunked_map.h"
#include "base/id.h"
#include "base/instant.h"

namespace orlop {

class Deadlines {
 public:
  void add(Instant at, const Id& step) { entries_[{at, step}]; }
  void remove(Instant at, const Id& step) { entries_.erase({at, step}); }
  std::optional<Instant> first() const { return entries_.empty() ? std::nullopt : std::optional(entries_.begin().key().at); }
  // Appends the steps that were added for instants up to `now`, in order of instant and of id, and removes them.
  void take_due(Instant now, std::vector<Id>& steps);

 private:
  struct Entry {
    Instant at;
    Id step;
    friend auto operator<=>(const Entry&, const Entry&) = default;
  };
  ChunkedMap<Entry, std::monostate> entries_;
};

}  // namespace orlop
