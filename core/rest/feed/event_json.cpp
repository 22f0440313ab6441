#include "rest/feed/event_json.h"

#include "base/alert_state.h"
#include "deploy/driver/driver.h"
#include "lifecycle/state.h"
#include "model/form.h"
#include "model/registry.h"

namespace orlop {
namespace {

std::string_view family_name(const Event& event) {
  const Family* family = find_family(event.family);
  return family == nullptr ? "record" : family->name;
}

MachineKind machine_of(const Event& event) {
  const Family* family = find_family(event.family);
  return family == nullptr ? MachineKind::none : family->machine;
}

std::string noun_of(const Event& event) {
  const MachineKind kind = machine_of(event);
  return kind == MachineKind::cluster    ? "cluster"
         : kind == MachineKind::task     ? "task"
         : kind == MachineKind::schedule ? "alert_rule"
                                         : "service";
}

std::string_view state_name(const Event& event, std::uint8_t state) {
  const MachineKind kind = machine_of(event);
  if (kind == MachineKind::task) return to_string(static_cast<TaskState>(state));
  if (kind == MachineKind::schedule) return to_string(static_cast<AlertState>(state));
  return kind == MachineKind::cluster ? to_string(static_cast<ClusterState>(state))
                                      : to_string(static_cast<ServiceState>(state));
}

// Returns the name of `from` or `to` of this event; "" for a number without a name.
std::string_view word_for(const Event& event, std::uint8_t number) {
  if (number == 0) return "";
  switch (event.kind) {
    case EventKind::state_changed: return state_name(event, number);
    case EventKind::request_ended: return to_string(static_cast<ServiceState>(number));
    case EventKind::step_started:
    case EventKind::step_ended: return to_string(static_cast<StepKind>(number));
    case EventKind::running_changed: return to_string(static_cast<RunningState>(number));
    case EventKind::freshness_changed: return to_string(static_cast<Freshness>(number));
    case EventKind::created:
    case EventKind::edited:
    case EventKind::deleted:
    case EventKind::request_queued:
    case EventKind::request_started:
    case EventKind::progress:
    case EventKind::log_line: return "";
  }
  return "";
}

}  // namespace

std::string kind_of(const Event& event) {
  const std::string noun = noun_of(event);
  switch (event.kind) {
    case EventKind::created: return std::string(family_name(event)) + ".created";
    case EventKind::edited: return std::string(family_name(event)) + ".edited";
    case EventKind::deleted: return std::string(family_name(event)) + ".deleted";
    case EventKind::state_changed: return noun + "." + lower_case(state_name(event, event.to));
    case EventKind::request_queued: return "deployment.queued";
    case EventKind::request_started: return "deployment.started";
    case EventKind::request_ended: return "deployment.ended";
    case EventKind::step_started: return "step.started";
    case EventKind::step_ended: return "step.ended";
    case EventKind::progress:
      return event.to != 0                               ? "step.progress"
             : machine_of(event) == MachineKind::cluster ? "cluster.capacity_changed"
             : machine_of(event) == MachineKind::none    ? "simulation.limit_exceeded"
                                                         : "step.progress";
    case EventKind::log_line: return "step.log";
    case EventKind::running_changed: return noun + ".running_changed";
    case EventKind::freshness_changed: return noun + ".freshness_changed";
  }
  return noun;
}

EventNames names_of(const Event& event) {
  return {family_name(event), word_for(event, event.from), word_for(event, event.to)};
}

void write_event(Writer& out, const Event& event) {
  const EventNames names = names_of(event);
  out.begin_object().field("sequence", event.sequence).field("at", event.at).field("kind", kind_of(event));
  out.field("family", names.family).field("subject", event.subject);
  if (!event.owner.is_nil()) out.field("owner", event.owner);
  if (!event.organization.is_nil()) out.field("organization", event.organization);
  if (!event.request.is_nil()) out.field("request", event.request);
  if (!names.from.empty()) out.field("from", names.from);
  if (!names.to.empty()) out.field("to", names.to);
  if (event.revision != 0) out.field("revision", event.revision);
  if (!event.author.empty()) out.field("author", event.author);
  if (!event.detail.empty()) out.field_raw("detail", event.detail.text());
  out.end_object();
}

std::string event_list(const std::vector<Event>& events) {
  Writer out;
  out.begin_list();
  for (const Event& event : events) write_event(out, event);
  out.end_list();
  return std::move(out).take();
}

}  // namespace orlop
