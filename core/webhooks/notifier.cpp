#include "webhooks/notifier.h"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/family_number.h"
#include "base/text/target.h"
#include "records/record_value.h"
#include "unit/store_record.h"
#include "unit/unit.h"
#include "webhooks/delivery.h"
#include "webhooks/schedule.h"

namespace orlop {
namespace {

bool is_pending(const Shared<Machine>& machine) {
  return machine && machine->family == webhook_delivery_number && machine->active;
}

// Disables a webhook whose receiver is gone permanently.
Result<void> disable(Unit& unit, const Id& id) {
  ORLOP_TRY(record, unit.record(id));
  if (!record) return {};
  ORLOP_TRY(value, full_value(*record));
  if (!value.boolean_or("enabled", false)) return {};
  value.set("enabled", Value(false));
  value.set("updated_at", Value(to_text(unit.now())));
  ORLOP_TRY(stored, put_value(unit, webhook_family(), *record, std::move(value), EventKind::edited, {"enabled"}));
  (void)stored;
  return {};
}

// Returns the receiver of a webhook. A webhook that cannot be read counts as a separate receiver.
Receiver receiver_of(const Id& id, const Shared<Record>& record) {
  if (!record) return {id, ""};
  const auto webhook = parse_webhook(*record);
  return webhook ? Receiver{webhook->organization, target_host(webhook->url)} : Receiver{id, ""};
}

}  // namespace

Result<void> Notifier::recover(Transaction& store, PartitionSet held) {
  queue_ = DeliveryQueue();
  posted_.clear();
  outgoing_.clear();
  held_reports_.clear();
  held_ = PartitionSet();
  return take_up(store, held);
}

Result<void> Notifier::take_up(Transaction& store, PartitionSet gained) {
  held_ = held_ | gained;
  std::vector<Machine> active;
  ORLOP_CHECK(
      store.machines({.by = MachineRange::By::active, .family = webhook_delivery_number}, [&](const Machine& machine) {
        if (gained.contains(machine.partition)) active.push_back(machine);
        return true;
      }));
  std::unordered_map<Id, Receiver> receivers;  // by webhook
  for (const Machine& machine : active) {
    auto known = receivers.find(machine.owner);
    if (known == receivers.end()) {
      ORLOP_TRY(webhook, store.record(machine.owner));
      known = receivers.emplace(machine.owner, receiver_of(machine.owner, webhook)).first;
    }
    // A delivery being sent may not have been transmitted: it is sent again at once.
    const bool was_sent = delivery_state(machine) == DeliveryState::sending;
    queue_.wait(known->second, machine.id,
                due_at((was_sent ? machine.step_started_at : machine.deadline).value_or(machine.changed_at)));
  }
  return {};
}

Result<void> Notifier::drop(Transaction& store, PartitionSet lost) {
  held_ = held_.without(lost);
  return store.machines({.by = MachineRange::By::active, .family = webhook_delivery_number},
                        [&](const Machine& machine) {
                          if (lost.contains(machine.partition)) queue_.drop(machine.id);
                          return true;
                        });
}

void Notifier::post(std::span<const Id> deliveries) {
  posted_.insert(posted_.end(), deliveries.begin(), deliveries.end());
}

bool Notifier::is_due(Moment at) const {
  const auto wanted = due(at);
  return wanted && *wanted <= at.now;
}

std::optional<Instant> Notifier::due(Moment at) const {
  if (!posted_.empty() || !held_reports_.empty() || !outgoing_.empty()) return at.now;
  const auto first = queue_.first();
  return first ? std::optional(at.now + Duration{first->milliseconds - at.monotonic.milliseconds}) : std::nullopt;
}

Result<void> Notifier::tick(Unit& unit, std::span<const DeliveryReport> reports) {
  const Instant now = due_at(unit.now());
  for (const Id& delivery : std::exchange(posted_, {})) ORLOP_CHECK(line_up(unit, delivery));
  for (const DeliveryReport& report : std::exchange(held_reports_, {})) ORLOP_CHECK(take(unit, report));
  for (const DeliveryReport& report : reports) {
    queue_.note(report.delivery, report.status != 0, now);
    ORLOP_CHECK(take(unit, report));
  }
  for (const Id& delivery : queue_.take_overdue(now)) {
    queue_.note(delivery, false, now);
    ORLOP_CHECK(take(unit, {delivery, 0, "the webhook sender did not say in time how it went"}));
  }
  const DeliveryQueue::Taken taken = queue_.take_due(now, due_at(unit.now() + answer_time_max));
  for (const Id& delivery : taken.refused) ORLOP_CHECK(refuse(unit, delivery));
  for (const Id& delivery : taken.sent) ORLOP_CHECK(hand_over(unit, delivery));
  return {};
}

Result<void> Notifier::line_up(Unit& unit, const Id& delivery) {
  ORLOP_TRY(machine, unit.machine(delivery));
  const bool is_ours = is_pending(machine) && held_.contains(machine->partition);
  if (!is_ours || delivery_state(*machine) != DeliveryState::waiting) return {};
  ORLOP_TRY(webhook, unit.record(machine->owner));
  queue_.wait(receiver_of(machine->owner, webhook), delivery, due_at(machine->deadline.value_or(unit.now())));
  return {};
}

Result<void> Notifier::take(Unit& unit, const DeliveryReport& report) {
  ORLOP_TRY(machine, unit.machine(report.delivery));
  // The engine that now holds the partition sends the delivery again.
  if (!is_pending(machine) || !held_.contains(machine->partition)) {
    queue_.drop(report.delivery);
    return {};
  }
  // A report after the attempt was abandoned counts only if it is a success.
  const bool is_late = delivery_state(*machine) != DeliveryState::sending;
  if (is_late && !is_success(report.status)) return {};
  ORLOP_TRY(record, unit.record(report.delivery));
  if (!record) return {};
  if (!note_answer(unit, *record, report.status, report.text)) return abandon(unit, *machine);
  if (!is_success(report.status)) return fail(unit, *machine, report.status);
  queue_.drop(report.delivery);
  return end_delivery(unit, *machine, DeliveryState::delivered);
}

Result<void> Notifier::fail(Unit& unit, Machine machine, std::uint16_t status) {
  const Id webhook = machine.owner;
  const auto delay = status == status_gone ? std::nullopt : retry_delay(machine.attempt);
  if (!delay) {
    queue_.drop(machine.id);
    ORLOP_CHECK(end_delivery(unit, std::move(machine), DeliveryState::failed));
    return status == status_gone ? disable(unit, webhook) : Result<void>();
  }
  machine.state = static_cast<std::uint8_t>(DeliveryState::waiting);
  machine.deadline = unit.now() + *delay;
  const Id delivery = machine.id;
  unit.put(std::move(machine));
  return line_up(unit, delivery);
}

// Fails an attempt without sending it, because its receiver does not respond to other attempts.
Result<void> Notifier::refuse(Unit& unit, const Id& id) {
  ORLOP_TRY(machine, unit.machine(id));
  ORLOP_TRY(record, unit.record(id));
  if (!is_pending(machine) || !held_.contains(machine->partition) || !record) return {};
  Machine refused = *machine;
  ++refused.attempt;
  refused.step_started_at = unit.now();
  const std::string reason = "not sent: the receiver has given no answer to " +
                             std::to_string(DeliveryQueue::unanswered_max) + " attempts or more in a row";
  if (!note_answer(unit, *record, 0, reason)) return abandon(unit, std::move(refused));
  return fail(unit, std::move(refused), 0);
}

// Ends a delivery whose message cannot be read any more, so that deployments are not blocked.
Result<void> Notifier::abandon(Unit& unit, Machine machine) {
  queue_.drop(machine.id);
  return end_delivery(unit, std::move(machine), DeliveryState::failed);
}

Result<void> Notifier::hand_over(Unit& unit, const Id& id) {
  ORLOP_TRY(machine, unit.machine(id));
  ORLOP_TRY(record, unit.record(id));
  ORLOP_TRY(webhook_record, machine ? unit.record(machine->owner) : Result<Shared<Record>>(Shared<Record>()));
  if (!is_pending(machine) || !held_.contains(machine->partition) || !record || !webhook_record) {
    queue_.drop(id);
    return {};
  }
  const auto webhook = parse_webhook(*webhook_record);
  if (!webhook) return abandon(unit, *machine);
  if (webhook->is_enabled) {
    // The address may have been edited since the message was enqueued.
    const Receiver receiver = receiver_of(webhook->id, webhook_record);
    if (const Receiver* known = queue_.receiver_of(id); known == nullptr || *known == receiver)
      return hand_over(unit, *machine, *record, *webhook);
    queue_.wait(receiver, id, due_at(unit.now()));
    return {};
  }
  queue_.drop(id);
  return end_delivery(unit, *machine, DeliveryState::dropped);
}

Result<void> Notifier::hand_over(Unit& unit, Machine machine, Record record, const Webhook& webhook) {
  const auto noted = note_target(unit, std::move(record), webhook.url);
  auto payload = noted ? payload_of(*noted) : Result<std::string>(noted.error());
  if (!payload) return abandon(unit, std::move(machine));
  // After a recovery, a delivery that was being sent is sent again as the same attempt, with the same signature.
  if (delivery_state(machine) != DeliveryState::sending) {
    ++machine.attempt;
    machine.step_started_at = unit.now();
  }
  machine.state = static_cast<std::uint8_t>(DeliveryState::sending);
  machine.deadline = unit.now() + answer_time_max;
  // The list of allowed hosts may have changed since the webhook was created.
  if (const std::string refusal = target_refusal(webhook.url, unit.settings().webhook_allow); !refusal.empty()) {
    held_reports_.push_back({machine.id, 0, "target_url " + refusal});
  } else if (webhook.is_secret_missing) {
    held_reports_.push_back({machine.id, 0,
                             "target_secret has no value, and messages are signed with it: a snapshot that is taken "
                             "without a key holds no secrets. Set it again, or take the snapshot with a key"});
  } else {
    Headers headers = headers_of(machine.id, machine.step_started_at.value_or(unit.now()), *payload, webhook.secret,
                                 unit.settings().brand);
    outgoing_.push_back({machine.id, webhook.id, webhook.organization, machine.attempt, webhook.url, std::move(headers),
                         std::move(*payload)});
  }
  unit.put(std::move(machine));
  return {};
}

void Notifier::act() {
  for (const Delivery& delivery : std::exchange(outgoing_, {})) {
    const auto taken = webhook_sender_.deliver(delivery);
    if (!taken) held_reports_.push_back({delivery.id, 0, taken.error().message});
  }
}

}  // namespace orlop
