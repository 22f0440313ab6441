#include "webhooks/delivery.h"

#include <utility>
#include <vector>

#include "base/family_number.h"
#include "model/registry.h"
#include "records/write_record.h"
#include "store/partition.h"
#include "wire/json.h"
#include "wire/object_member.h"
#include "wire/writer.h"

namespace orlop {
namespace {

const Family& delivery_family() {
  static const Family& family = *find_family(webhook_delivery_number);
  return family;
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
    case DeliveryState::waiting: return "WAITING";
    case DeliveryState::sending: return "SENDING";
    case DeliveryState::delivered: return "DELIVERED";
    case DeliveryState::failed: return "FAILED";
    case DeliveryState::dropped: return "DROPPED";
  }
  return "WAITING";
}

Result<void> post_delivery(Unit& unit, const Webhook& webhook, const News& news) {
  ORLOP_TRY(payload, parse_stored(payload_of(webhook.kind, news)));
  Value body = Value::object();
  body.set("kind", Value(webhook.kind == WebhookKind::slack ? "SLACK" : "STANDARD"));
  body.set("matched_event", Value(news.event));
  body.set("target_url_used", Value(webhook.url));
  body.set("request", std::move(payload));
  ORLOP_TRY(record, create_record(unit, delivery_family(), webhook.id, body));

  Machine machine;
  machine.id = record.id;
  machine.family = webhook_delivery_number;
  machine.owner = webhook.id;
  machine.partition = partition_of(webhook.organization);
  machine.state = static_cast<std::uint8_t>(DeliveryState::waiting);
  machine.active = true;
  machine.deadline = unit.now();
  machine.changed_at = unit.now();
  unit.post(record.id, machine.partition);
  unit.put(std::move(machine));
  return {};
}

Result<std::string> payload_of(const Record& delivery) {
  const std::string_view request = raw_member(delivery.body, "request");
  if (request.empty()) {
    return make_error(ErrorCode::storage_corrupt,
                      "the delivery " + to_text(delivery.id) + " has no member request, which is its message");
  }
  return std::string(request);
}

Result<Record> note_target(Unit& unit, Record delivery, std::string_view url) {
  Value body = Value::object();
  body.set("target_url_used", Value(url));
  return edit_record(unit, delivery_family(), std::move(delivery), body);
}

Result<Record> note_answer(Unit& unit, Record delivery, std::uint16_t status, std::string_view text) {
  Value body = Value::object();
  body.set("target_response_status_code", Value(std::int64_t{status}));
  body.set("target_response_body", text.empty() ? Value() : Value(text));
  return edit_record(unit, delivery_family(), std::move(delivery), body);
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
