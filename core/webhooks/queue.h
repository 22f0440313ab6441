// The waiting messages by due time, and those being sent. Each webhook has a small number being sent at a time, and all together have a limit, so that a slow
// receiver delays only its own messages. In memory only; rebuilt from the active machines.
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

  // Lets the delivery wait until `at`, whatever its state was.
  void wait(const Id& webhook, const Id& delivery, Instant at);
  // Removes the delivery.
  void drop(const Id& delivery);

  // Returns the deliveries that may be sent now, in order of arrival, and marks them as being sent, with answers due by `answer_by`.
  std::vector<Id> take_due(Instant now, Instant answer_by);
  // The deliveries being sent whose answer is overdue. They remain marked, without a deadline, until wait() or drop().
  std::vector<Id> take_overdue(Instant now);

  // The instant at which there is something to take; nothing: not before wait() or drop().
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
  std::set<Entry> heads_;                 // of each webhook that may send: the first instant and the webhook
  std::set<Entry> answers_;               // of each delivery being sent: its deadline
  std::size_t sending_ = 0;
};

}  // namespace orlop
