#include <string>
#include <string_view>

#include "describe/enumerators.h"
#include "describe/markdown.h"
#include "describe/reference.h"
#include "model/registry.h"
#include "rest/event.h"

namespace orlop {
namespace {

std::string_view about_of(EventKind kind) {
  switch (kind) {
    case EventKind::created:
      return "A record was created.";
    case EventKind::edited:
      return "A record was changed.";
    case EventKind::deleted:
      return "A record is gone.";
    case EventKind::state_changed:
      return "A service or cluster went from the state `from` to the state `to`.";
    case EventKind::request_queued:
      return "A deployment was asked for.";
    case EventKind::request_started:
      return "A deployment began.";
    case EventKind::request_ended:
      return "A deployment ended, and left its environment in the state `to`.";
    case EventKind::step_started:
      return "The driver was handed a step of the kind `to`.";
    case EventKind::step_ended:
      return "A step of the kind `to` ended.";
    case EventKind::progress:
      return "The driver said how a step goes on.";
    case EventKind::log_line:
      return "A line that a step wrote.";
    case EventKind::running_changed:
      return "The driver saw the workload go from `from` to `to`.";
    case EventKind::freshness_changed:
      return "What runs and what is configured went from `from` to `to`.";
  }
  return "";
}

// The word of an event of this kind about a record of the family; states are shown by the last one of a deployment.
std::string word_for(EventKind kind, std::string_view family_name) {
  const Family* family = find_family(family_name);
  const bool is_of_cluster = family != nullptr && family->machine == MachineKind::cluster;
  Event event;
  event.kind = kind;
  event.family = family == nullptr ? FamilyNumber{0} : family->number;
  event.to =
      is_of_cluster ? static_cast<std::uint8_t>(ClusterState::deployed) : static_cast<std::uint8_t>(ServiceState::deployed);
  return kind_of(event);
}

struct MemberRow {
  std::string_view name;
  std::string_view about;
};

constexpr MemberRow members[] = {
    {"sequence", "Its number: from 1, without gaps, in the order in which changes were stored."},
    {"at", "When it happened, by the engine's clock."},
    {"kind", "Its kind, as in the table above."},
    {"family", "The family of the subject."},
    {"subject", "The id of what it is about."},
    {"owner", "What the subject belongs to."},
    {"organization", "The organization it happened in."},
    {"request", "The deployment request it happened in."},
    {"from", "What was before, for kinds that have it."},
    {"to", "What is now, for kinds that have it."},
    {"revision", "The subject's revision after it."},
    {"detail", "More, as an object: the name of what was changed and of its fields, the step and its attempt, the driver's words, the reason of a failure."},
};

}  // namespace

std::string events_page() {
  std::string text = page_head("Events");
  text +=
      "\nWhatever happens is stored with the change itself, in one feed. An event's word is made of its subject and what "
      "happened to it.\n\n";
  text += table_head({"number", "kind", "of a container", "of a cluster", "about"});
  for_each_enumerator<EventKind>([&text](EventKind kind, std::string_view name) {
    text += table_row({std::to_string(static_cast<int>(kind)), code(name), code(word_for(kind, "container")),
                       code(word_for(kind, "cluster")), std::string(about_of(kind))});
  });
  text += "\nA change of state is called after the state: " + code("service.building") + ", " + code("cluster.deploying") + ".\n";
  text += "\n## Members\n\nThose that do not apply are left out.\n\n" + table_head({"member", "about"});
  for (const MemberRow& member : members) text += table_row({code(member.name), std::string(member.about)});
  return text;
}

}  // namespace orlop
