// A message in the outbox: a record of webhook_delivery_number below its webhook, and a machine beside it. The record's body is the
// answer of the delivery log without what follows from the machine.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/id.h"
#include "base/result.h"
#include "webhooks/message.h"
#include "webhooks/webhook.h"
#include "ops/unit.h"

namespace orlop {

// Numbers are stored.
enum class DeliveryState : std::uint8_t {
  waiting = 1,    // for its next attempt, at the machine's deadline
  sending = 2,    // handed to the webhook sender; an answer is due by the machine's deadline
  delivered = 3,
  failed = 4,     // after the last attempt
  dropped = 5,    // its webhook was disabled
};
std::string_view to_string(DeliveryState state);

constexpr DeliveryState delivery_state(const Machine& machine) { return static_cast<DeliveryState>(machine.state); }

// Ended deliveries that the log of one webhook keeps.
inline constexpr std::size_t log_kept = 100;

// Puts a new message for the webhook into the unit, to be sent at once.
void post_delivery(Unit& unit, const Webhook& webhook, const DeploymentNews& news);

// The bytes to be sent. Errors: storage_corrupt.
Result<std::string> payload_of(const Record& delivery);

// Notes where the attempt goes, or what came back.
Result<void> note_target(Record& delivery, std::string_view url);
Result<void> note_answer(Record& delivery, std::uint16_t status, std::string_view text);

// Ends the delivery; the oldest of the webhook's log beyond log_kept go.
Result<void> end_delivery(Unit& unit, Machine machine, DeliveryState state);

// Ends all that wait or are being sent.
Result<void> drop_deliveries(Unit& unit, const Id& webhook);

// The delivery as the log shows it.
std::string render_delivery(const Record& delivery, const Machine& machine);

}  // namespace orlop
