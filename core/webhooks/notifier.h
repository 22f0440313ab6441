// Hands messages to the webhook sender and takes its answers. It decides inside one unit (tick), and hands over only after that unit was
// committed (act): after a crash the same message goes out again under its own id, never another and never none.
//
// Threads: one at a time; the engine holds its tick lock around every call.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "base/port.h"
#include "base/result.h"
#include "webhooks/queue.h"
#include "webhooks/webhook.h"
#include "ops/unit.h"

namespace orlop {

class Notifier {
 public:
  explicit Notifier(WebhookSender& webhook_sender) : webhook_sender_(webhook_sender) {}

  // Forgets everything and reads the active deliveries: at open, and after a commit that failed.
  Result<void> recover(Transaction& store);

  // Deliveries that are new, or to be sent again.
  void post(std::span<const Id> deliveries);

  // True if tick() would have something to do at `now`, beside reports.
  bool is_due(Instant now) const;

  // Takes the reports, the answers that never came and what is due; writes into the unit. Cost follows what changed.
  Result<void> tick(Unit& unit, std::span<const DeliveryReport> reports);

  // After the unit was committed: hands over what it decided. Refusals of the webhook sender become reports for the next tick.
  void act();

  // When tick() next has something to do; nothing: not before a report or a post.
  std::optional<Instant> due() const;

 private:
  Result<void> line_up(Unit& unit, const Id& delivery);
  Result<void> take(Unit& unit, const DeliveryReport& report);
  Result<void> fail(Unit& unit, Machine machine, std::uint16_t status);
  Result<void> abandon(Unit& unit, Machine machine);
  Result<void> hand_over(Unit& unit, const Id& delivery);
  Result<void> hand_over(Unit& unit, Machine machine, Record record, const Webhook& webhook);

  WebhookSender& webhook_sender_;
  DeliveryQueue queue_;
  std::vector<Id> posted_;
  std::vector<Delivery> outgoing_;     // for act()
  std::vector<DeliveryReport> held_;   // for the next tick
};

}  // namespace orlop
