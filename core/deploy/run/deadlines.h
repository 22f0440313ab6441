// Instants that are waited for: the next report of each scripted step, and what is due next of each schedule. Most of
// them come. Of those that seldom do StepDeadlines has the like.
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
  // Once, however often it is added.
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
    // Most instants differ, and then the ids are not looked at.
    friend bool operator<(const Entry& left, const Entry& right) {
      return left.at != right.at ? left.at < right.at : left.step < right.step;
    }
  };
  using Entries = ChunkedMap<Entry, std::monostate>;
  // The number of the span of time that the instant lies in.
  static std::int64_t span_of(Instant at) { return at.milliseconds / 4096; }
  void take_added(std::vector<Id>& steps);

  // By spans of time, none of them empty: few entries move when one comes or goes, however many there are. None is of
  // the instant taken_.
  std::map<std::int64_t, Entries> spans_;
  // What was added for the instant that was taken last is taken next, so that it needs no place among the others. In no
  // order, and what was added twice is there twice.
  std::optional<Instant> taken_;
  std::vector<Id> added_;
};

}  // namespace orlop
