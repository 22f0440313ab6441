// A message in the outbox: a record of family webhook_delivery below its webhook, with a machine. The record is the
// entry of the delivery log, except the members that are computed from the machine.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/id.h"
#include "base/result.h"
#include "unit/unit.h"
#include "webhooks/message.h"
#include "webhooks/subscription.h"

namespace orlop {

// The numbers are stored.
enum class DeliveryState : std::uint8_t {
  waiting = 1,  // until its next attempt, at the machine's deadline
  sending = 2,  // passed to the webhook sender; an answer is due by the machine's deadline
  delivered = 3,
  failed = 4,   // after the last attempt
  dropped = 5,  // its webhook was disabled
};
std::string_view to_string(DeliveryState state);

constexpr DeliveryState delivery_state(const Machine& machine) { return static_cast<DeliveryState>(machine.state); }

// Number of ended deliveries that the log of a webhook keeps.
inline constexpr std::size_t log_kept = 100;

// Writes a new message for the webhook into the unit, to be sent at once.
Result<void> post_delivery(Unit& unit, const Webhook& webhook, const News& news);

// Returns the body to send. Errors: storage_corrupt.
Result<std::string> payload_of(const Record& delivery);

// Stores the address of an attempt, or its result. Errors: invalid, storage_corrupt if the stored delivery was not
// written by this library.
Result<Record> note_target(Unit& unit, Record delivery, std::string_view url);
Result<Record> note_answer(Unit& unit, Record delivery, std::uint16_t status, std::string_view text);

// Ends the delivery, and erases the oldest entries of the webhook's log beyond log_kept.
Result<void> end_delivery(Unit& unit, Machine machine, DeliveryState state);

// Ends all deliveries of the webhook that are waiting or being sent.
Result<void> drop_deliveries(Unit& unit, const Id& webhook);

// Returns the delivery as an entry of the log.
std::string render_delivery(const Record& delivery, const Machine& machine);

}  // namespace orlop
