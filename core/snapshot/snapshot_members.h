// Members of records, machines and events in a snapshot, for both directions: `act` writes or reads them.
#pragma once

#include <concepts>
#include <string_view>
#include <type_traits>

#include "store/store.h"

namespace orlop {

template <typename Given, typename Kind>
concept either = std::same_as<std::remove_const_t<Given>, Kind>;

// Body and secrets are handled separately.
template <either<Record> Given, typename Act>
void visit_members(Given& record, Act& act) {
  act.id("id", record.id);
  act.family("family", record.family);
  act.id("parent", record.parent);
  act.id("organization", record.organization);
  act.number("revision", record.revision);
}

inline const ActionDetail& detail_of(const Machine& machine) { return *machine.detail; }
inline ActionDetail& detail_of(Machine& machine) { return machine.detail.edit(); }

template <either<Machine> Given, typename Act>
void visit_members(Given& machine, Act& act) {
  act.id("id", machine.id);
  act.family("family", machine.family);
  act.id("owner", machine.owner);
  act.number("revision", machine.revision);
  act.number("state", machine.state);
  act.number("origin_state", machine.origin_state);
  act.number("action", machine.action);
  act.number("freshness", machine.freshness);
  act.number("running", machine.running);
  act.number("step_kind", machine.step_kind);
  act.number("attempt", machine.attempt);
  act.number("partition", machine.partition);
  act.number("configuration", machine.configuration);
  act.number("plan_flags", machine.plan_flags);
  act.number("planned_flags", machine.planned_flags);
  act.number("stage_order", machine.stage_order);
  act.number("number", machine.number);
  act.number("progress", machine.progress);
  act.flag("active", machine.active);
  act.id("request", machine.request);
  act.id("stage", machine.stage);
  act.id("step", machine.step);
  act.instant("step_started_at", machine.step_started_at);
  act.instant("deadline", machine.deadline);
  act.instant("changed_at", machine.changed_at);
  act.instant("last_deployment_at", machine.last_deployment_at);
  act.number("configured", machine.configured);
  act.number("deployed", machine.deployed);
  auto& detail = detail_of(machine);
  act.text("execution_id", detail.execution_id);
  act.text("triggered_by", detail.triggered_by);
  act.text("reason", detail.reason);
  act.json("outputs", detail.outputs);
  act.json("commit", detail.commit);
  act.phases("phases", machine.timing.phases);
  act.instant("started_at", machine.timing.started_at);
  act.instant("ended_at", machine.timing.ended_at);
  act.instant("canceled_at", machine.timing.canceled_at);
  act.instant("reported_at", machine.timing.reported_at);
}

inline const std::string& detail_text(const EventDetail& detail) { return detail.text(); }
inline std::string& detail_text(EventDetail& detail) { return detail.edit(); }

template <either<Event> Given, typename Act>
void visit_members(Given& event, Act& act) {
  act.number("sequence", event.sequence);
  act.instant("at", event.at);
  act.number("kind", event.kind);
  act.family("family", event.family);
  act.number("from", event.from);
  act.number("to", event.to);
  act.id("subject", event.subject);
  act.id("owner", event.owner);
  act.id("organization", event.organization);
  act.id("request", event.request);
  act.number("revision", event.revision);
  act.text("author", event.author);
  act.json("detail", detail_text(event.detail));
  act.number("id_count", event.id_count);
}

}  // namespace orlop
