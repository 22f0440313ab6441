// A queue of instants that are mostly reached: the next report of each scripted step, and when each schedule is due.
// StepDeadlines is for those that seldom are.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <variant>
#include <vector>

#include "base/chunked_map.h"
#include "base/id.h"
#include "base/instant.h"

namespace orlop {

class Deadlines {
 public:
  // Adding an entry again has no effect.
  void add(Instant at, const Id& step);
  void remove(Instant at, const Id& step);
  OptionalInstant first() const;
  // Appends the steps that were added for instants up to `now`, in order of instant and of id, and removes them.
  void take_due(Instant now, std::vector<Id>& steps);

 private:
  struct Entry {
    Instant at;
    Id step;
    friend bool operator==(const Entry&, const Entry&) = default;
    // Most instants differ; then ids are not compared.
    friend bool operator<(const Entry& left, const Entry& right) {
      return left.at != right.at ? left.at < right.at : left.step < right.step;
    }
  };
  using Entries = ChunkedMap<Entry, std::monostate>;
  // Number of the span of time that contains the instant.
  static std::int64_t span_of(Instant at) { return at.milliseconds / 4096; }
  void take_added(std::vector<Id>& steps);

  // By spans of time, none empty: few entries move when one is added or removed. No entry has the instant taken_.
  std::map<std::int64_t, Entries> spans_;
  // Entries that were added for the instant of the last take_due(), for the next one. Unsorted, with duplicates.
  std::optional<Instant> taken_;
  std::vector<Id> added_;
};

}  // namespace orlop
