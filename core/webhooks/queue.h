// Queue of the messages that wait or are being sent. Organizations and hosts take turns, each with a bound of
// concurrent attempts, and a host that does not answer is paused, so that a slow receiver delays only its own messages.
// In memory only; rebuilt from the active machines.
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

// An organization and a host to which it sends messages.
struct Receiver {
  Id organization;
  std::string host;

  auto operator<=>(const Receiver&) const = default;
};

class DeliveryQueue {
 public:
  static constexpr std::size_t sending_max = 128;
  // Beyond this number, an organization with a running attempt gets no further one.
  static constexpr std::size_t sending_shared_max = 64;
  static constexpr std::size_t sending_of_organization_max = 32;
  static constexpr std::size_t sending_of_host_max = 16;
  static constexpr std::size_t sending_of_receiver_max = 4;
  // Number of consecutive attempts without an answer that opens the circuit of a receiver. Nothing is sent to it for
  // pause_min; then one attempt closes the circuit or doubles the pause.
  static constexpr std::uint32_t unanswered_max = 5;
  static constexpr Duration pause_min = seconds(30);
  static constexpr Duration pause_max = seconds(300);

  struct Taken {
    std::vector<Id> sent;  // may be sent now, and are marked as being sent
    // Postponed once by the circuit of their receiver, which is open again: their attempt has failed. They are removed
    // from the queue.
    std::vector<Id> refused;

    bool operator==(const Taken&) const = default;
  };

  // Makes the delivery wait until `at`, in any state.
  void wait(const Receiver& receiver, const Id& delivery, Instant at);
  // Removes the delivery.
  void drop(const Id& delivery);
  // Returns the receiver of a delivery that waits or is being sent; null if there is no such delivery. Valid until the
  // next call.
  const Receiver* receiver_of(const Id& delivery) const;

  // Records the outcome of an attempt for the circuit of its receiver. The delivery remains marked until wait() or
  // drop().
  void note(const Id& delivery, bool is_answered, Instant now);

  // Takes due deliveries in turns. Answers are due by `answer_by`.
  Taken take_due(Instant now, Instant answer_by);
  // Returns the deliveries being sent whose answer is overdue. They remain marked, without a deadline, until wait() or
  // drop().
  std::vector<Id> take_overdue(Instant now);

  // Returns the instant at which there is something to take; nullopt if not before wait(), drop() or note().
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
    std::size_t deliveries = 0;  // in any stage; at 0 the circuit is erased
    std::size_t sending = 0;
    std::uint32_t unanswered = 0;
    Duration pause{};
    Instant open_until{};
  };
  using Turn = std::tuple<std::size_t, Instant, Id>;  // running attempts, first due message, organization

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
  bool is_changed_ = false;  // since take_due(), which takes everything that may be sent
};

}  // namespace orlop
