#include <string>
#include <string_view>

#include "describe/languages/enumerators.h"
#include "describe/pages/markdown.h"
#include "describe/pages/reference.h"
#include "model/registry.h"
#include "rest/feed/event_json.h"

namespace orlop {
namespace {

std::string_view about_of(EventKind kind) {
  switch (kind) {
    case EventKind::created: return "A record was created.";
    case EventKind::edited: return "A record was edited.";
    case EventKind::deleted: return "A record was deleted.";
    case EventKind::state_changed: return "A service, cluster or task changed its state from `from` to `to`.";
    case EventKind::request_queued: return "A deployment request was accepted.";
    case EventKind::request_started: return "A deployment request started.";
    case EventKind::request_ended: return "A deployment request ended; `to` is the state of its environment.";
    case EventKind::step_started: return "The engine started a step of the kind `to` in the driver.";
    case EventKind::step_ended: return "A step of the kind `to` ended.";
    case EventKind::progress:
      return "The driver reported progress of a step. Of a cluster in a simulation, outside of a step: "
             "`cluster.capacity_changed`, when the nodes of the cluster or what uses them changed. "
             "Of an organization in a simulation: `simulation.limit_exceeded`, when a limit of the external systems "
             "refused a question.";
    case EventKind::log_line: return "The driver reported a log line of a step.";
    case EventKind::running_changed:
      return "The driver reported that the running state of the workload changed from `from` to `to`.";
    case EventKind::freshness_changed: return "The deployment status (freshness) changed from `from` to `to`.";
  }
  return "";
}

// Returns the name of an event of this kind for a record of the family; for a state change the one to DEPLOYED.
std::string word_for(EventKind kind, std::string_view family_name) {
  const Family* family = find_family(family_name);
  const bool is_of_cluster = family != nullptr && family->machine == MachineKind::cluster;
  Event event;
  event.kind = kind;
  event.family = family == nullptr ? FamilyNumber{0} : family->number;
  event.to = is_of_cluster ? static_cast<std::uint8_t>(ClusterState::deployed)
                           : static_cast<std::uint8_t>(ServiceState::deployed);
  return kind_of(event);
}

struct MemberRow {
  std::string_view name;
  std::string_view about;
};

constexpr MemberRow members[] = {
    {"sequence", "Sequence number of the event: from 1, without gaps, in commit order."},
    {"at", "Time of the event by the clock of the engine, in UTC."},
    {"kind", "Kind of the event, as in the table above."},
    {"family", "Family of the subject."},
    {"subject", "ID of the record that the event concerns."},
    {"owner", "ID of the parent of the subject."},
    {"organization", "ID of the organization of the subject."},
    {"request", "ID of the deployment request that caused the event."},
    {"from", "Value before the change, for kinds that have one."},
    {"to", "Value after the change, for kinds that have one."},
    {"revision", "Revision of the subject after the change."},
    {"detail",
     "Further details as an object: name of the record and of the changed fields, step and attempt, text from the "
     "driver, reason of a failure."},
};

}  // namespace

std::string events_page() {
  std::string text = page_head("Events");
  text +=
      "\nEvery change is stored together with an event, in one feed. The name of an event consists of the kind of its "
      "subject "
      "and the change.\n\n";
  text += table_head({"number", "kind", "name for a container", "name for a cluster", "description"});
  for_each_enumerator<EventKind>([&text](EventKind kind, std::string_view name) {
    text += table_row({std::to_string(static_cast<int>(kind)), code(name), code(word_for(kind, "container")),
                       code(word_for(kind, "cluster")), std::string(about_of(kind))});
  });
  text +=
      "\nA change of state has the name of the new state: "
      "" +
      code("service.building") + ", " + code("cluster.deploying") + ".\n";
  text += "\n## Members\n\nMembers that do not apply are omitted.\n\n" + table_head({"member", "description"});
  for (const MemberRow& member : members) text += table_row({code(member.name), std::string(member.about)});
  return text;
}

}  // namespace orlop
