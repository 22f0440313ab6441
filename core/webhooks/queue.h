// The messages that wait and those that are being sent. Organizations and hosts take turns, each has a bound of
// attempts under way, and a host that gives no answer is left alone for a while, so that a slow receiver delays only
// its own messages. In memory only; rebuilt from the active machines.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/id.h"
#include "base/instant.h"

namespace orlop {

// An organization and a host that it sends messages to.
struct Receiver {
  Id organization;
  std::string host;

  auto operator<=>(const Receiver&) const = default;
};

class DeliveryQueue {
 public:
  static constexpr std::size_t sending_max = 128;
  // Beyond these an organization that has an attempt under way gets no further one.
  static constexpr std::size_t sending_shared_max = 64;
  static constexpr std::size_t sending_of_organization_max = 32;
  static constexpr std::size_t sending_of_host_max = 16;
  static constexpr std::size_t sending_of_receiver_max = 4;
  // The attempts without an answer, one after the other, that open the circuit of a receiver. Nothing is sent to it for
  // pause_min; then one attempt, which closes the circuit or doubles the pause.
  static constexpr std::uint32_t unanswered_max = 5;
  static constexpr Duration pause_min = seconds(30);
  static constexpr Duration pause_max = seconds(300);

  struct Taken {
    std::vector<Id> sent;  // may be sent now, and are marked as being sent
    // Have waited for the circuit of their receiver once, and it is open again: their attempt has failed. They are
    // removed.
    std::vector<Id> refused;

    bool operator==(const Taken&) const = default;
  };

  // Lets the delivery wait until `at`, whatever its state was.
  void wait(const Receiver& receiver, const Id& delivery, Instant at);
  // Removes the delivery.
  void drop(const Id& delivery);
  // The receiver of a delivery that waits or is being sent; nullptr: there is no such delivery. Valid until the next
  // call.
  const Receiver* receiver_of(const Id& delivery) const;

  // Notes how an attempt has ended, for the circuit of its receiver. The delivery remains marked until wait() or
  // drop().
  void note(const Id& delivery, bool is_answered, Instant now);

  // In turns; answers are due by `answer_by`.
  Taken take_due(Instant now, Instant answer_by);
  // The deliveries being sent whose answer is overdue. They remain marked, without a deadline, until wait() or drop().
  std::vector<Id> take_overdue(Instant now);

  // The instant at which there is something to take; nothing: not before wait(), drop() or note().
  std::optional<Instant> first() const;

 private:
  using Entry = std::pair<Instant, Id>;
  enum class Stage : std::uint8_t { waiting, due, sending, refused };
  struct Place {
    Receiver receiver;
    Instant at;
    Stage stage = Stage::waiting;
    bool is_postponed = false;  // by the circuit of its receiver
  };
  struct Circuit {
    std::size_t deliveries = 0;  // in any stage; without one the circuit is forgotten
    std::size_t sending = 0;
    std::uint32_t unanswered = 0;
    Duration pause{};
    Instant open_until{};
  };
  using Turn = std::tuple<std::size_t, Instant, Id>;  // attempts under way, first message that is due, organization

  void leave(const Id& delivery);
  void admit(const Id& delivery, Place& place, Instant now);
  void start(const Receiver& receiver, const Id& delivery, Instant answer_by);
  bool may_send(const Receiver& receiver) const;
  const Receiver* next_of(const Id& organization) const;
  void add_turn(std::set<Turn>& turns, const Id& organization) const;

  std::unordered_map<Id, Place> places_;  // by delivery
  std::map<Receiver, Circuit> circuits_;
  std::map<Receiver, std::set<Entry>> due_;
  std::set<Entry> waiting_;  // deliveries, by the instant at which they are due
  std::set<Entry> answers_;  // deliveries being sent, by the instant at which their answer is due
  std::vector<Id> refused_;
  std::map<Id, std::size_t> sending_of_organization_;
  std::map<std::string, std::size_t> sending_of_host_;
  std::size_t sending_ = 0;
  bool is_changed_ = false;  // since take_due(), which takes all that may be sent
};

}  // namespace orlop
