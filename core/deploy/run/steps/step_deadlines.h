// The deadlines of steps, most of which end long before: what is taken away is only counted, and passed over when its
// time has come.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "base/id.h"
#include "base/instant.h"

namespace orlop {

class StepDeadlines {
 public:
  // Whether the step has this deadline now.
  using Has = std::function<bool(Instant at, const Id& step)>;

  void add(Instant at, const Id& step);
  // It was added, and counts no more: the step must not have it by now.
  void remove(Instant at, const Has& has);
  // The first one, if it is not later than `end`. Costs little as long as all are later.
  std::optional<Instant> first_by(Instant end, const Has& has);
  // Appends the steps whose deadline is `now` or before, in order of instant and of id, and removes them.
  void take_due(Instant now, const Has& has, std::vector<Id>& steps);

 private:
  struct Entry {
    Instant at;
    Id step;
    friend bool operator==(const Entry&, const Entry&) = default;
    friend auto operator<=>(const Entry&, const Entry&) = default;
  };
  // Those of a span of time.
  struct Span {
    std::vector<Entry> entries;
    std::size_t passed = 0;  // entries in front that were taken away and passed over; 0 while they are not sorted
    std::size_t count = 0;   // of those that were not taken away
    bool is_sorted = true;
  };

  static std::int64_t span_of(Instant at) { return at.milliseconds / span_size; }
  static void tidy(Span& span, const Has& has);
  static const Entry& first_of(Span& span, const Has& has);
  static constexpr std::int64_t span_size = 4096;  // milliseconds

  std::map<std::int64_t, Span> spans_;  // none without one that counts
};

}  // namespace orlop
