// Deadlines of steps, most of which end long before: a removed deadline is only counted, and skipped when it is
// reached.
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
  // Reports whether the step has this deadline now.
  using Has = std::function<bool(Instant at, const Id& step)>;

  void add(Instant at, const Id& step);
  // Counts a removed deadline; the step must not have it any more.
  void remove(Instant at, const Has& has);
  // Returns the first one, if it is not later than `end`. Costs little as long as all are later.
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
  // Deadlines in a span of time.
  struct Span {
    std::vector<Entry> entries;
    std::size_t passed = 0;  // removed entries in front that were skipped; 0 while they are not sorted
    std::size_t count = 0;   // entries that were not removed
    bool is_sorted = true;
  };

  static std::int64_t span_of(Instant at) { return at.milliseconds / span_size; }
  static void tidy(Span& span, const Has& has);
  static const Entry& first_of(Span& span, const Has& has);
  static constexpr std::int64_t span_size = 4096;  // milliseconds

  std::map<std::int64_t, Span> spans_;  // each with an entry that counts
};

}  // namespace orlop
