// Messages of a webhook, and their redelivery.
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/family_number.h"
#include "endpoints/operation_set.h"
#include "unit/find_record.h"
#include "unit/operation.h"
#include "unit/unique_name.h"
#include "webhooks/delivery.h"
#include "wire/writer.h"

namespace orlop::operation_sets::organizations::webhook_deliveries {
namespace {

// Returns the webhook in the path, which must belong to the organization in the path.
Result<Record> webhook_of(Unit& unit, const Call& call) {
  ORLOP_TRY(webhook, require(unit, *call.family, call.ids[1]));
  if (webhook.parent != call.ids[0]) return not_found(words_for(*call.family), webhook.id);
  return std::move(webhook);
}

Result<Answer> list_events(Unit& unit, const Call& call) {
  ORLOP_TRY(webhook, webhook_of(unit, call));
  RecordRange range;
  range.key = webhook.id;
  range.family = webhook_delivery_number;
  ORLOP_TRY(deliveries, unit.records(range));
  Writer out;
  out.begin_object().key("results").begin_list();
  for (auto at = deliveries.rbegin(); at != deliveries.rend(); ++at) {
    ORLOP_TRY(machine, require_machine(unit, at->id));
    out.raw(render_delivery(*at, machine));
  }
  out.end_list().end_object();
  return Answer{200, std::move(out).take()};
}

// Makes the message due like a new one, with its attempts counted from 0. A message that is being sent does not change.
void send_again(Unit& unit, Machine& machine) {
  if (delivery_state(machine) == DeliveryState::sending) return;
  if (!machine.active) machine.attempt = 0;
  machine.state = static_cast<std::uint8_t>(DeliveryState::waiting);
  machine.active = true;
  machine.deadline = unit.now();
  machine.changed_at = unit.now();
  unit.post(machine.id, machine.partition);
  unit.put(machine);
}

Result<Answer> replay(Unit& unit, const Call& call) {
  ORLOP_TRY(record, webhook_of(unit, call));
  ORLOP_TRY(delivery, unit.record(call.ids[2]));
  const bool is_of_webhook = delivery && delivery->family == webhook_delivery_number && delivery->parent == record.id;
  if (!is_of_webhook) return not_found("event of the webhook", call.ids[2]);
  ORLOP_TRY(webhook, parse_webhook(record));
  if (!webhook.is_enabled)
    return make_error(ErrorCode::conflict, "the webhook is disabled; enable it before sending its events again");
  ORLOP_TRY(machine, require_machine(unit, delivery->id));
  send_again(unit, machine);
  return Answer{202, render_delivery(*delivery, machine)};
}

constexpr std::string_view kinds[] = {"STANDARD", "SLACK"};
constexpr std::string_view matched_events[] = {webhook_events::started,   webhook_events::cancelled,
                                               webhook_events::failure,   webhook_events::successful,
                                               webhook_events::unhealthy, webhook_events::recovered};
constexpr std::string_view states[] = {"WAITING", "SENDING", "DELIVERED", "FAILED", "DROPPED"};
constexpr Field event_fields[] = {
    uuid("id", "ID of the message, sent to the receiver as header `webhook-id` with every attempt.").required(),
    date_time("created_at", "Time of the event that the message reports, in UTC.").required(),
    enumeration("kind", kinds, "Format of the message: Standard Webhooks, or text for Slack.").required(),
    enumeration("matched_event", matched_events, "Event that the message reports.").required(),
    uri("target_url_used", "URL of the last attempt, or of the next one if there was none.").required(),
    open_object("request", "Body of the message as JSON.").required(),
    integer("target_response_status_code", "HTTP status of the receiver's last response. 0: no response.").required(),
    text("target_response_body",
         "Beginning of the receiver's last response body, or the reason of the failure. Null: no attempt yet.")
        .nullable(),
    enumeration("status", states,
                "State of the delivery: waiting for an attempt, being sent, delivered, failed after the last attempt, "
                "or dropped."),
    integer("attempts", "Number of attempts since the message was created or replayed."),
    date_time("last_attempt_at", "Time of the last attempt, in UTC. Null: none yet.").nullable(),
    date_time("next_attempt_at", "Time of the next attempt, in UTC. Null: none planned.").nullable(),
};
constexpr Shape event = {.name = "WebhookEventResponse", .fields = event_fields};

constexpr Operation operations[] = {
    {.path = "{item}/event",
     .name = "list_{family}_event",
     .handle = list_events,
     .form = AnswerForm::shape_list,
     .answer = &event,
     .summary = "List the deliveries of a webhook",
     .about = "Returns all pending deliveries and the last hundred finished ones, newest first.",
     .need = Level::administer},
    {.method = Method::post,
     .path = "{item}/event/{eventId}/replay",
     .name = "replay_{family}_event",
     .status = 202,
     .access = Access::write,
     .handle = replay,
     .form = AnswerForm::shape,
     .answer = &event,
     .summary = "Replay a delivery of a webhook",
     .about =
         "Sends the message again with the same `webhook-id`. A pending delivery is sent immediately. 409: the webhook "
         "is disabled.",
     .need = Level::administer},
};

}  // namespace

extern const OperationSet set;
constexpr OperationSet set = {
    .families = families_named("webhook"),
    .operations = operations,
    .python_class = "Notified",
};

}  // namespace orlop::operation_sets::organizations::webhook_deliveries
