// Passes messages to the webhook sender and handles its reports. tick() makes decisions in a unit; act() passes the
// messages after that unit was committed. After a crash the same message is sent again with the same id.
//
// Threads: one at a time; the engine holds its tick lock around every call.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "base/moment.h"
#include "base/port.h"
#include "base/result.h"
#include "unit/unit.h"
#include "webhooks/queue.h"
#include "webhooks/subscription.h"

namespace orlop {

class Notifier {
 public:
  explicit Notifier(WebhookSender& webhook_sender) : webhook_sender_(webhook_sender) {}

  // Discards all state and reads the active deliveries of these partitions: at open, and after a failed commit.
  Result<void> recover(Transaction& store, PartitionSet held);
  // Reads the deliveries of these partitions in addition.
  Result<void> take_up(Transaction& store, PartitionSet gained);
  // Discards the deliveries of these partitions, which another engine sends.
  Result<void> drop(Transaction& store, PartitionSet lost);

  // Relates the monotonic clock, which measures pauses and times for answers, to `at`.
  void synchronize(Moment at) { offset_ = Duration{at.monotonic.milliseconds - at.now.milliseconds}; }

  // Adds deliveries that are new or to be sent again.
  void post(std::span<const Id> deliveries);

  // Reports whether tick() has work at `at`, apart from reports.
  bool is_due(Moment at) const;

  // Processes reports, missing answers and due deliveries, and writes into the unit. The cost depends on what changed.
  // The unit's now() must be that of synchronize().
  Result<void> tick(Unit& unit, std::span<const DeliveryReport> reports);

  // After the commit: passes the decided messages. Errors of the webhook sender become reports for the next tick.
  void act();

  // Returns the instant at which tick() next has work, that of `at` if at once; nullopt if not before a report or a new
  // delivery.
  std::optional<Instant> due(Moment at) const;

 private:
  Result<void> line_up(Unit& unit, const Id& delivery);
  Result<void> take(Unit& unit, const DeliveryReport& report);
  Result<void> refuse(Unit& unit, const Id& delivery);
  Result<void> fail(Unit& unit, Machine machine, std::uint16_t status);
  Result<void> abandon(Unit& unit, Machine machine);
  Result<void> hand_over(Unit& unit, const Id& delivery);
  Result<void> hand_over(Unit& unit, Machine machine, Record record, const Webhook& webhook);

  // Returns the stored instant on the monotonic clock.
  Instant due_at(Instant at) const { return at + offset_; }

  WebhookSender& webhook_sender_;
  Duration offset_;
  PartitionSet held_;
  DeliveryQueue queue_;
  std::vector<Id> posted_;
  std::vector<Delivery> outgoing_;            // for act()
  std::vector<DeliveryReport> held_reports_;  // for the next tick
};

}  // namespace orlop
