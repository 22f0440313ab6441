// A message to the receiver of a webhook. Its machine has the state of the delivery, the number of attempts and their
// times.
#include "base/family_number.h"
#include "families/shapes/rule_functions.h"
#include "model/family.h"

namespace orlop::families::webhook_delivery {
namespace {

using namespace shapes;

constexpr std::string_view kinds[] = {"STANDARD", "SLACK"};
constexpr std::string_view events[] = {"DEPLOYMENT_STARTED",    "DEPLOYMENT_CANCELLED", "DEPLOYMENT_FAILURE",
                                       "DEPLOYMENT_SUCCESSFUL", "SERVICE_UNHEALTHY",    "SERVICE_RECOVERED"};

constexpr Field fields[] = {
    uuid("id", "ID of the message, sent to the receiver as header `webhook-id` with every attempt.").read_only(),
    date_time("created_at", "Time of the event that the message reports, in UTC.").read_only(),
    enumeration("kind", kinds, "Format of the message: Standard Webhooks, or text for Slack.").required().immutable(),
    enumeration("matched_event", events, "Event that the message reports.").required().immutable(),
    text("target_url_used", "URL of the last attempt, or of the next one if there was none.").required().preserved(),
    open_object("request", "Body of the message as JSON. The bytes that are stored are those that are signed and sent.")
        .required()
        .immutable(),
    integer("target_response_status_code", "HTTP status of the receiver's last response, 0 to 65535. 0: no response.")
        .preserved()
        .at_least(0)
        .at_most(65535)
        .defaults_to(0),
    text("target_response_body",
         "Beginning of the receiver's last response body, or the reason of the failure. Null: no attempt yet.")
        .preserved()
        .nullable()
        .defaults_to_null(),
};

void complete(Value& record, ValidationContext& context) {
  set_absent(record, "id", Value(to_text(context.self())));
  set_absent(record, "created_at", Value(to_text(context.now())));
}

}  // namespace

extern const Family family;
constexpr Family family = {
    .number = webhook_delivery_number,
    .name = "webhook_delivery",
    .schema = "WebhookDeliveryRecord",
    .about =
        "A message to the receiver of a webhook: its body, and the last response. It is sent until the receiver "
        "accepts it.",
    .parent = "webhook",
    .fields = fields,
    .verbs = 0,
    .name_scope = NameScope::none,
    .is_internal = true,
    .has_events = false,
    .sample =
        R"({"kind": "SLACK", "matched_event": "DEPLOYMENT_STARTED", "target_url_used": "https://hooks.example.com",
                  "request": {"text": "started"}})",
    .complete = complete,
};

}  // namespace orlop::families::webhook_delivery
