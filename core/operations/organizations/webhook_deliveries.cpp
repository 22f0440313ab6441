// The messages of a webhook, and sending one again.
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/family_number.h"
#include "webhooks/delivery.h"
#include "ops/name.h"
#include "ops/verbs.h"
#include "operations/operation_set.h"
#include "wire/writer.h"

namespace orlop {
namespace {

// The webhook that the path names, which must be of the organization that it names.
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

// From here on it is as if it were new: its attempts are counted anew. What is on its way is left alone.
void send_again(Unit& unit, Machine& machine) {
  if (delivery_state(machine) == DeliveryState::sending) return;
  if (!machine.active) machine.attempt = 0;
  machine.state = static_cast<std::uint8_t>(DeliveryState::waiting);
  machine.active = true;
  machine.deadline = unit.now();
  machine.changed_at = unit.now();
  unit.post(machine.id);
  unit.put(machine);
}

Result<Answer> replay(Unit& unit, const Call& call) {
  ORLOP_TRY(record, webhook_of(unit, call));
  ORLOP_TRY(delivery, unit.record(call.ids[2]));
  const bool is_of_webhook = delivery && delivery->family == webhook_delivery_number && delivery->parent == record.id;
  if (!is_of_webhook) return not_found("event of the webhook", call.ids[2]);
  ORLOP_TRY(webhook, parse_webhook(record));
  if (!webhook.is_enabled) return make_error(ErrorCode::conflict, "the webhook is disabled; enable it before sending its events again");
  ORLOP_TRY(machine, require_machine(unit, delivery->id));
  send_again(unit, machine);
  return Answer{202, render_delivery(*delivery, machine)};
}

constexpr std::string_view kinds[] = {"STANDARD", "SLACK"};
constexpr std::string_view matched_events[] = {webhook_events::started, webhook_events::cancelled, webhook_events::failure,
                                               webhook_events::successful};
constexpr std::string_view states[] = {"WAITING", "SENDING", "DELIVERED", "FAILED", "DROPPED"};
constexpr Field event_fields[] = {
    uuid("id", "The message: the webhook-id that its receiver sees in every attempt."),
    date_time("created_at", "When what it tells of happened."),
    enumeration("kind", kinds, "What kind of message it is."),
    enumeration("matched_event", matched_events, "What it tells of."),
    uri("target_url_used", "Where the last attempt went."),
    open_object("request", "The message's body."),
    integer("target_response_status_code", "The receiver's last HTTP status; 0 if it gave none."),
    text("target_response_body", "How the receiver's last answer begins, or why there was none.").nullable(),
    enumeration("status", states, "How far it is."),
    integer("attempts", "How often it was sent, since it was made or sent again."),
    date_time("last_attempt_at", "When it was sent last.").nullable(),
    date_time("next_attempt_at", "When it will be sent next.").nullable(),
};
constexpr Shape event = {.name = "WebhookEventResponse", .fields = event_fields};

constexpr Operation operations[] = {
    {.path = "{item}/event",
     .name = "list_{family}_event",
     .handle = list_events,
     .form = AnswerForm::shape_list,
     .answer = &event,
     .about = "The messages of the webhook, the newest first: all that are not delivered yet, and the last hundred that have ended.",
     .need = Level::administer},
    {.method = Method::post,
     .path = "{item}/event/{eventId}/replay",
     .name = "replay_{family}_event",
     .status = 202,
     .access = Access::write,
     .handle = replay,
     .form = AnswerForm::shape,
     .answer = &event,
     .about = "Sends a message of the webhook again, under the same id; one that waits for its next attempt goes at once.",
     .need = Level::administer},
};

}  // namespace

namespace operation_sets::organizations {
extern const OperationSet webhook_deliveries;
constexpr OperationSet webhook_deliveries = {
    .families = families_named("webhook"),
    .operations = operations,
    .python_class = "Notified",
};
}  // namespace operation_sets::organizations

}  // namespace orlop
