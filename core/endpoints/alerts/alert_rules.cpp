// Alert rules: their evaluation once a minute, and the messages to their receivers.
#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/alert_state.h"
#include "endpoints/alerts/parts/evaluation.h"
#include "endpoints/operation_set.h"
#include "endpoints/services/parts/resource_and_machine.h"
#include "external_systems/question.h"
#include "model/registry.h"
#include "records/ask_later.h"
#include "records/path.h"
#include "records/record_value.h"
#include "records/render_records.h"
#include "records/verbs.h"
#include "records/write_record.h"
#include "store/partition.h"
#include "unit/find_record.h"

namespace orlop::operation_sets::alerts::alert_rules {
namespace {

constexpr Duration interval = seconds(60);

// Other members of the machine of a rule: origin_state, the message that is being sent to its receivers; progress, the
// index of the next receiver in the rule's list; action, the next question; step_started_at, the time since which the
// condition holds; configured, the revision of the rule that was evaluated last.
enum class Message : std::uint8_t { none = 0, fires = 1, has_ended = 2 };
enum class Ask : std::uint8_t { metrics = 0, receiver = 1 };

AlertState state_of(const Machine& machine) { return static_cast<AlertState>(machine.state); }
Message message_of(const Machine& machine) { return static_cast<Message>(machine.origin_state); }
bool fires(AlertState state) {
  return state == AlertState::pending_notification || state == AlertState::notified || state == AlertState::unrouted;
}

struct Rule {
  Record record;
  Value body;
};

Result<std::optional<Rule>> rule_of(Unit& unit, const Machine& machine) {
  ORLOP_TRY(record, unit.record(machine.id));
  if (!record) return std::optional<Rule>();
  ORLOP_TRY(body, unit.value_of(*record));
  // A body that was damaged in the store is not evaluated.
  const Value* receivers = body->is_object() ? body->find("alert_receiver_ids") : nullptr;
  const bool are_ids = receivers != nullptr && receivers->is_list() &&
                       std::ranges::all_of(receivers->items(), [](const Value& id) { return id.is_text(); });
  const bool is_whole = are_ids && body->has("cluster_id") && body->has("condition");
  return is_whole ? std::optional(Rule{*record, *body}) : std::optional<Rule>();
}

void change_state(Unit& unit, const Record& rule, Machine& machine, AlertState to) {
  if (state_of(machine) == to) return;
  Event event;
  event.kind = EventKind::state_changed;
  event.family = rule.family;
  event.from = machine.state;
  event.to = static_cast<std::uint8_t>(to);
  event.subject = rule.id;
  event.owner = rule.parent;
  event.organization = rule.organization;
  unit.emit(std::move(event));
  machine.state = static_cast<std::uint8_t>(to);
  machine.changed_at = unit.now();
}

void set_message(Machine& machine, Message message) {
  machine.origin_state = static_cast<std::uint8_t>(message);
  machine.progress = 0;
}

// Returns the receiver at this index if it accepts the message.
Result<std::optional<Value>> receiver_at(Unit& unit, const Rule& rule, Message message, std::size_t place) {
  const Value& ids = *rule.body.find("alert_receiver_ids");
  ORLOP_TRY(record, unit.record(parse_id(ids.items()[place].as_text()).value_or(Id{})));
  if (!record) return std::optional<Value>();
  ORLOP_TRY(receiver, full_value(*record));
  const std::string_view severity = receiver.text_or("severity", "");
  const bool fits = severity.empty() || severity == rule.body.text_or("severity", "");
  const bool is_wanted = message == Message::fires || receiver.boolean_or("send_resolved", false);
  return fits && is_wanted ? std::optional(std::move(receiver)) : std::optional<Value>();
}

// Returns the first index, from `from` on, of a receiver that accepts the message; nullopt if none.
Result<std::optional<std::size_t>> next_receiver(Unit& unit, const Rule& rule, Message message, std::size_t from) {
  const std::size_t count = rule.body.find("alert_receiver_ids")->items().size();
  for (std::size_t place = from; place < count; ++place) {
    ORLOP_TRY(receiver, receiver_at(unit, rule, message, place));
    if (receiver) return std::optional(place);
  }
  return std::optional<std::size_t>();
}

void ask_metrics(Unit& unit, const Rule& rule) {
  const Value* query = rule.body.find_path({"condition", "promql"});
  Value parameters = Value::object();
  parameters.set("endpoint", Value("query"));
  parameters.set("query", query == nullptr ? Value("") : *query);
  parameters.set("time", Value(to_text(unit.now())));
  Value input(Value::Object{{"organization_id", Value(to_text(rule.record.organization))},
                            {"cluster_id", *rule.body.find("cluster_id")},
                            {"parameters", std::move(parameters)}});
  unit.ask({rule.record.id, Question::query_cluster_metrics, std::move(input)});
}

void ask_receiver(Unit& unit, const Rule& rule, const Machine& machine, Value receiver) {
  Value input(Value::Object{{"organization_id", Value(to_text(rule.record.organization))},
                            {"rule", rule.body},
                            {"receiver", std::move(receiver)},
                            {"is_resolved", Value(message_of(machine) == Message::has_ended)},
                            {"starts_at", Value(to_text(machine.step_started_at.value_or(machine.changed_at)))}});
  unit.ask({rule.record.id, Question::send_alert, std::move(input)});
}

Result<std::optional<Instant>> follow_rule(Unit& unit, Machine machine) {
  ORLOP_TRY(rule, rule_of(unit, machine));
  if (!rule) return std::optional<Instant>();
  if (static_cast<Ask>(machine.action) == Ask::receiver && message_of(machine) != Message::none) {
    const Message message = message_of(machine);
    ORLOP_TRY(place, next_receiver(unit, *rule, message, machine.progress));
    if (place && *place == machine.progress) {
      ORLOP_TRY(receiver, receiver_at(unit, *rule, message, *place));
      ask_receiver(unit, *rule, machine, std::move(*receiver));
      return std::optional<Instant>();
    }
  }
  ask_metrics(unit, *rule);
  return std::optional<Instant>();
}

// Sends to the next receiver, if one is left; else the rule is evaluated again after its interval.
Result<std::optional<Instant>> put_next(Unit& unit, const Rule& rule, const Machine& before, Machine machine,
                                        bool may_send) {
  const Message message = message_of(machine);
  std::optional<std::size_t> place;
  if (message != Message::none) {
    ORLOP_TRY(found, next_receiver(unit, rule, message, machine.progress));
    place = found;
    if (place) machine.progress = *place;
    if (!place) {
      set_message(machine, Message::none);
      if (message == Message::fires) change_state(unit, rule.record, machine, AlertState::notified);
      if (message == Message::has_ended) machine.step_started_at.reset();
    }
  }
  const bool sends = place && may_send;
  machine.action = static_cast<std::uint8_t>(sends ? Ask::receiver : Ask::metrics);
  const bool is_same = machine.state == before.state && machine.origin_state == before.origin_state &&
                       machine.progress == before.progress && machine.action == before.action &&
                       machine.step_started_at == before.step_started_at && machine.configured == before.configured;
  if (!is_same) unit.put(std::move(machine));
  return std::optional(sends ? unit.clock_time() : unit.clock_time() + interval);
}

// Handles a condition that holds: it fires after `for_duration`.
Result<void> note_alert(Unit& unit, const Rule& rule, Machine& machine) {
  if (fires(state_of(machine))) return {};
  if (state_of(machine) != AlertState::triggered) {
    machine.step_started_at = unit.now();
    set_message(machine, Message::none);  // a message that the previous alert has ended is obsolete
    change_state(unit, rule.record, machine, AlertState::triggered);
  }
  const Instant fires_at = *machine.step_started_at + length_of(rule.body.text_or("for_duration", ""));
  if (unit.now() < fires_at) return {};
  ORLOP_TRY(receiver, next_receiver(unit, rule, Message::fires, 0));
  if (receiver) set_message(machine, Message::fires);
  change_state(unit, rule.record, machine, receiver ? AlertState::pending_notification : AlertState::unrouted);
  return {};
}

// Receivers that got the message of the alert get one of its end.
void note_end(Unit& unit, const Rule& rule, Machine& machine) {
  const bool was_sent = state_of(machine) == AlertState::notified ||
                        (state_of(machine) == AlertState::pending_notification && machine.progress > 0);
  if (was_sent) set_message(machine, Message::has_ended);
  if (!was_sent && message_of(machine) == Message::fires) set_message(machine, Message::none);
  if (message_of(machine) == Message::none) machine.step_started_at.reset();
  change_state(unit, rule.record, machine, AlertState::ok);
}

// An unreadable answer leaves the state as it is.
Result<std::optional<Instant>> take_answer(Unit& unit, Machine machine, const Result<Value>& answer) {
  ORLOP_TRY(rule, rule_of(unit, machine));
  if (!rule) return std::optional<Instant>();
  const Machine before = machine;
  if (static_cast<Ask>(machine.action) == Ask::receiver) {
    const bool is_sent = answer && answer->as_text().empty();
    if (is_sent) ++machine.progress;
    return put_next(unit, *rule, before, std::move(machine), is_sent);
  }
  const auto samples = answer ? samples_of(answer->as_text()) : std::nullopt;
  if (!samples) return std::optional(unit.clock_time() + interval);
  const Value* condition = rule->body.find("condition");
  const Evaluation evaluation = evaluate(*condition, *samples);
  machine.configured = rule->record.revision;
  if (evaluation.holds) ORLOP_CHECK(note_alert(unit, *rule, machine));
  if (!evaluation.holds) note_end(unit, *rule, machine);
  return put_next(unit, *rule, before, std::move(machine), true);
}

// ---- Requests

Result<void> put_machine(Unit& unit, const Record& rule, Machine machine) {
  ORLOP_TRY(body, unit.value_of(rule));
  const bool is_enabled = body->boolean_or("enabled", false);
  const bool was_enabled = machine.active;
  if (!is_enabled || !was_enabled) {
    set_message(machine, Message::none);
    machine.action = static_cast<std::uint8_t>(Ask::metrics);
    machine.step_started_at.reset();
    change_state(unit, rule, machine, is_enabled ? AlertState::undeployed : AlertState::suppressed);
  }
  machine.active = is_enabled;
  machine.deadline.reset();  // due at once
  unit.put(std::move(machine));
  if (is_enabled) unit.wake(rule.id, partition_of(rule.organization));
  return {};
}

Result<void> add_machine(Unit& unit, const Creation& creation) {
  Machine machine;
  machine.id = creation.record.id;
  machine.family = creation.record.family;
  machine.owner = creation.record.id;
  machine.partition = partition_of(creation.record.organization);
  machine.state = static_cast<std::uint8_t>(AlertState::undeployed);
  machine.changed_at = unit.now();
  return put_machine(unit, creation.record, std::move(machine));
}

Result<Answer> edit_rule(Unit& unit, const Call& call) {
  ORLOP_TRY(before, record_on_path(unit, call));
  ORLOP_TRY(machine, require_machine(unit, before.id));
  ORLOP_TRY(rule, edit_record(unit, *call.family, before, *call.body));
  if (rule.revision != before.revision) ORLOP_CHECK(put_machine(unit, rule, std::move(machine)));
  ORLOP_TRY(text, render(unit, *call.family, rule));
  return Answer{.body = std::move(text), .revision = rule.revision};
}

std::string_view query_in(const Value& rule) {
  const Value* query = rule.find_path({"condition", "promql"});
  return query != nullptr && query->is_text() ? query->as_text() : std::string_view();
}

// Calls `write` after the host has checked the query, if it answers that question. It is asked only if `write` would
// succeed now.
Result<Answer> write_checked(Unit& unit, const Call& call, const Id& organization, Handler write) {
  ExternalSystems* const systems = unit.settings().external_systems;
  const std::string_view query = query_in(*call.body);
  if (systems == nullptr || !systems->answers(facts_of(Question::check_promql).name)) return write(unit, call);
  if (unit.changes().empty()) {  // a part of a batch cannot ask
    Unit trial(Unit::Trial(), unit);
    if (auto tried = write(trial, call); !tried) return std::move(tried).error();
  }
  Value input(Value::Object{{"organization_id", Value(to_text(organization))}, {"query", Value(std::string(query))}});
  return ask_later(unit, {.question = Question::check_promql,
                          .input = std::move(input),
                          .reply = [call, write](const Value& fault) -> Result<Answer> {
                            if (!fault.as_text().empty())
                              return invalid_field("condition.promql",
                                                   "must be PromQL: " + std::string(fault.as_text()));
                            Answer checked;
                            // Captures `call`, since the request outlives its answer.
                            checked.apply = [call, write](Unit& later) { return write(later, call); };
                            return checked;
                          },
                          .otherwise = [] { return Value(""); }});
}

Result<Answer> create_rule(Unit& unit, const Call& call) {
  ORLOP_TRY(organization, parent_on_path(unit, call));
  return write_checked(unit, call, organization, create);
}

// An unchanged query is not checked, so that a rule can be muted while the host cannot answer.
Result<Answer> change_rule(Unit& unit, const Call& call) {
  ORLOP_TRY(rule, record_on_path(unit, call));
  ORLOP_TRY(body, unit.value_of(rule));
  if (query_in(*body) == query_in(*call.body)) return edit_rule(unit, call);
  return write_checked(unit, call, rule.organization, edit_rule);
}

constexpr ReplacedVerb replaced[] = {
    {.verb = Verb::create, .handle = create_rule, .asks = Question::check_promql},
    {.verb = Verb::edit, .handle = change_rule, .asks = Question::check_promql},
};

}  // namespace

extern const OperationSet set;
constexpr OperationSet set = {
    .families = families_named("alert_rule"),
    .replaced = replaced,
    .created = add_machine,
    .due = follow_rule,
    .answered = take_answer,
};

}  // namespace orlop::operation_sets::alerts::alert_rules
