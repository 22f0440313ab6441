#include "webhooks/delivery.h"

#include <utility>
#include <vector>

#include "base/family_number.h"
#include "store/partition.h"
#include "wire/json.h"
#include "wire/member.h"
#include "wire/writer.h"

namespace orlop {
namespace {

Error corrupt(const Record& delivery) {
  return make_error(ErrorCode::storage_corrupt, "the delivery " + to_text(delivery.id) + " holds no message");
}

// The body with other values in place of those members; `request` goes over as it is, because what is signed is its very bytes.
struct Body {
  std::string id;
  std::string created_at;
  std::string kind;
  std::string matched_event;
  std::string target_url;
  std::string request;
  std::string status;
  std::string answer;
};

Result<Body> parse_body(const Record& delivery) {
  const auto member = [&](std::string_view name) { return std::string(raw_member(delivery.body, name)); };
  Body body{member("id"),      member("created_at"), member("kind"), member("matched_event"), member("target_url_used"),
            member("request"), member("target_response_status_code"), member("target_response_body")};
  if (body.request.empty() || body.id.empty() || body.matched_event.empty()) return corrupt(delivery);
  return body;
}

std::string text_of(const Body& body) {
  Writer out(body.request.size() + body.answer.size() + 512);
  out.begin_object().field_raw("id", body.id).field_raw("created_at", body.created_at).field_raw("kind", body.kind);
  out.field_raw("matched_event", body.matched_event).field_raw("target_url_used", body.target_url);
  out.field_raw("request", body.request).field_raw("target_response_status_code", body.status);
  out.field_raw("target_response_body", body.answer).end_object();
  return std::move(out).take();
}

std::string quoted_json(std::string_view text) {
  std::string out;
  append_quoted(out, text);
  return out;
}

Result<void> forget_oldest(Unit& unit, const Id& webhook) {
  ORLOP_TRY(deliveries, unit.machines(webhook, webhook_delivery_number));
  std::erase_if(deliveries, [](const Machine& machine) { return machine.active; });
  for (std::size_t at = 0; at + log_kept < deliveries.size(); ++at) unit.erase(deliveries[at].id);
  return {};
}

}  // namespace

std::string_view to_string(DeliveryState state) {
  switch (state) {
    case DeliveryState::waiting:
      return "WAITING";
    case DeliveryState::sending:
      return "SENDING";
    case DeliveryState::delivered:
      return "DELIVERED";
    case DeliveryState::failed:
      return "FAILED";
    case DeliveryState::dropped:
      return "DROPPED";
  }
  return "WAITING";
}

void post_delivery(Unit& unit, const Webhook& webhook, const DeploymentNews& news) {
  Record record;
  record.id = unit.make_id();
  record.family = webhook_delivery_number;
  record.parent = webhook.id;
  record.organization = webhook.organization;
  Writer out;
  out.begin_object().field("id", record.id).field("created_at", unit.now());
  out.field("kind", webhook.kind == WebhookKind::slack ? "SLACK" : "STANDARD").field("matched_event", news.event);
  out.field("target_url_used", webhook.url).field_raw("request", payload_of(webhook.kind, news));
  out.field("target_response_status_code", std::int64_t{0}).field_null("target_response_body").end_object();
  record.body = std::move(out).take();

  Machine machine;
  machine.id = record.id;
  machine.family = webhook_delivery_number;
  machine.owner = webhook.id;
  machine.partition = partition_of(webhook.organization);
  machine.state = static_cast<std::uint8_t>(DeliveryState::waiting);
  machine.active = true;
  machine.deadline = unit.now();
  machine.changed_at = unit.now();
  unit.post(record.id);
  unit.put(std::move(record));
  unit.put(std::move(machine));
}

Result<std::string> payload_of(const Record& delivery) {
  const std::string_view request = raw_member(delivery.body, "request");
  if (request.empty()) return corrupt(delivery);
  return std::string(request);
}

Result<void> note_target(Record& delivery, std::string_view url) {
  ORLOP_TRY(body, parse_body(delivery));
  body.target_url = quoted_json(url);
  delivery.body = text_of(body);
  return {};
}

Result<void> note_answer(Record& delivery, std::uint16_t status, std::string_view text) {
  ORLOP_TRY(body, parse_body(delivery));
  body.status = std::to_string(status);
  body.answer = text.empty() ? "null" : quoted_json(text);
  delivery.body = text_of(body);
  return {};
}

Result<void> end_delivery(Unit& unit, Machine machine, DeliveryState state) {
  const Id webhook = machine.owner;
  machine.state = static_cast<std::uint8_t>(state);
  machine.active = false;
  machine.changed_at = unit.now();
  unit.put(std::move(machine));
  return forget_oldest(unit, webhook);
}

Result<void> drop_deliveries(Unit& unit, const Id& webhook) {
  ORLOP_TRY(deliveries, unit.machines(webhook, webhook_delivery_number));
  for (Machine& machine : deliveries) {
    if (!machine.active) continue;
    machine.state = static_cast<std::uint8_t>(DeliveryState::dropped);
    machine.active = false;
    machine.changed_at = unit.now();
    unit.put(std::move(machine));
  }
  return forget_oldest(unit, webhook);
}

std::string render_delivery(const Record& delivery, const Machine& machine) {
  Writer out(delivery.body.size() + 256);
  out.raw(std::string_view(delivery.body).substr(0, delivery.body.size() - 1));
  out.field("status", to_string(delivery_state(machine))).field("attempts", static_cast<std::int64_t>(machine.attempt));
  out.key("last_attempt_at");
  if (machine.attempt == 0 || !machine.step_started_at) {
    out.null();
  } else {
    out.value(*machine.step_started_at);
  }
  out.key("next_attempt_at");
  if (delivery_state(machine) == DeliveryState::waiting && machine.deadline) {
    out.value(*machine.deadline);
  } else {
    out.null();
  }
  out.end_object();
  return std::move(out).take();
}

}  // namespace orlop
