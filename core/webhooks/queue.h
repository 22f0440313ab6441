// Which messages are to be sent when, and which are on their way. A receiver that is slow or gone holds up its own messages only: each
// webhook has a few on their way at a time, and all together have a bound. Memory only: rebuilt from the active machines.
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/id.h"
#include "base/instant.h"

namespace orlop {

class DeliveryQueue {
 public:
  static constexpr std::size_t sending_max = 64;
  static constexpr std::size_t sending_of_one_max = 4;

  // From now on the delivery waits for `at`, whatever it did before.
  void wait(const Id& webhook, const Id& delivery, Instant at);
  // Nothing is to be done about it any more.
  void drop(const Id& delivery);

  // Those that may be sent now, the first come first; from now on they are on their way, and answers are due by `answer_by`.
  std::vector<Id> take_due(Instant now, Instant answer_by);
  // Those on their way whose answer is overdue. They stay on their way, without a deadline, until wait() or drop().
  std::vector<Id> take_overdue(Instant now);

  // When there is something to take; nothing: not before wait() or drop().
  std::optional<Instant> first() const;

 private:
  using Entry = std::pair<Instant, Id>;
  struct Line {
    std::set<Entry> waiting;
    std::size_t sending = 0;
  };
  struct Place {
    Id webhook;
    Instant at;
    bool is_sending = false;
  };

  void leave(const Id& delivery);
  std::optional<Entry> head(const Id& webhook, const Line& line) const;
  template <typename Change>
  void change(const Id& webhook, Change change);

  std::unordered_map<Id, Place> places_;  // by delivery
  std::unordered_map<Id, Line> lines_;    // by webhook
  std::set<Entry> heads_;                 // of each line that may send: its first instant, and its webhook
  std::set<Entry> answers_;               // of each that is on its way: its deadline
  std::size_t sending_ = 0;
};

}  // namespace orlop
