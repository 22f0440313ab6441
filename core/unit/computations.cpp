// Functions named by computed fields (model/field.h): the values of one field for all records of an answer.
#include "unit/computations.h"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/family_number.h"
#include "lifecycle/state.h"
#include "model/registry.h"
#include "unit/find_record.h"
#include "unit/operation.h"
#include "unit/service_host.h"
#include "unit/unit.h"
#include "wire/object_member.h"
#include "wire/writer.h"

namespace orlop {
namespace {

using Texts = std::vector<std::string>;

std::string text_of(std::string_view text) {
  Writer out;
  out.value(text);
  return std::move(out).take();
}

// Returns the distinct parents of the records, in order: the records of a list have one.
std::vector<Id> parents_of(std::span<const Record> records) {
  std::vector<Id> parents;
  for (const Record& record : records) {
    if (std::ranges::find(parents, record.parent) == parents.end()) parents.push_back(record.parent);
  }
  return parents;
}

// Returns the machines of the records, in their order: one query for each parent, or for a single record.
Result<std::vector<Machine>> machines_of(Unit& unit, std::span<const Record> records) {
  std::vector<Machine> found;
  if (records.size() == 1) {
    ORLOP_TRY(machine, require_machine(unit, records.front().id));
    found.push_back(std::move(machine));
    return found;
  }
  std::unordered_map<Id, Machine> known;
  for (const Id& parent : parents_of(records)) {
    ORLOP_TRY(machines, unit.machines(parent, records.front().family));
    for (Machine& machine : machines) known.emplace(machine.id, std::move(machine));
  }
  for (const Record& record : records) {
    const auto at = known.find(record.id);
    if (at == known.end()) return not_found("resource", record.id);
    found.push_back(at->second);
  }
  return found;
}

bool is_any(FamilyNumber) { return true; }

// Counts the records below each of the records, or that refer to it, in one call of the store, which maintains these
// counts. `family` 0: any.
Result<Texts> count_each(Unit& unit, std::span<const Record> records, RecordRange::By by, FamilyNumber family,
                         bool (*counts)(FamilyNumber)) {
  std::vector<Id> keys;
  for (const Record& record : records) keys.push_back(record.id);
  ORLOP_TRY(found, unit.counts({by, keys, family}));
  std::unordered_map<Id, std::uint64_t> sums;
  for (const RecordCount& each : found) {
    if (counts(each.family)) sums[each.key] += each.count;
  }
  Texts texts;
  for (const Id& key : keys) {
    const auto sum = sums.find(key);
    texts.push_back(sum == sums.end() ? "0" : std::to_string(sum->second));
  }
  return texts;
}

constexpr Duration invitation_life = seconds(7 * 86'400);

}  // namespace

bool is_expired(const Record& invitation, const Expiry& expiry) {
  return expiry.has_passed(created_at_of(invitation.id), invitation_life);
}

namespace computations {

Result<Texts> cluster_status(Unit& unit, std::span<const Record> clusters) {
  ORLOP_TRY(machines, machines_of(unit, clusters));
  Texts texts;
  for (const Machine& machine : machines) texts.push_back(text_of(to_string(static_cast<ClusterState>(machine.state))));
  return texts;
}

Result<Texts> cluster_freshness(Unit& unit, std::span<const Record> clusters) {
  ORLOP_TRY(machines, machines_of(unit, clusters));
  Texts texts;
  for (const Machine& machine : machines)
    texts.push_back(text_of(to_string(static_cast<Freshness>(machine.freshness))));
  return texts;
}

Result<Texts> referring_services(Unit& unit, std::span<const Record> records) {
  return count_each(unit, records, RecordRange::By::reference, 0, is_service);
}

Result<Texts> referring_items(Unit& unit, std::span<const Record> records) {
  return count_each(unit, records, RecordRange::By::reference, 0, is_any);
}

Result<Texts> environments_count(Unit& unit, std::span<const Record> projects) {
  return count_each(unit, projects, RecordRange::By::parent, environment_number, is_any);
}

Result<Texts> invitation_status(Unit& unit, std::span<const Record> invitations) {
  ORLOP_TRY(expiry, unit.expiry());
  Texts texts;
  for (const Record& invitation : invitations)
    texts.push_back(text_of(is_expired(invitation, expiry) ? "EXPIRED" : "PENDING"));
  return texts;
}

// A card is valid until the end of its month. Lists are computed without texts (compute_all); an organization has few
// cards.
Result<Texts> card_is_expired(Unit& unit, std::span<const Record> cards) {
  ORLOP_TRY(agreed, unit.agreed_time());
  const std::string now = to_text(agreed);
  Texts texts;
  for (const Record& card : cards) {
    ORLOP_TRY(stored, unit.record(card.id));
    const std::string_view body = stored ? stored->body : card.body;
    const std::string month(raw_member(body, "expiry_month"));
    const std::string end = std::string(raw_member(body, "expiry_year")) + "-" + (month.size() < 2 ? "0" : "") + month;
    texts.emplace_back(end < now.substr(0, 7) ? "true" : "false");
  }
  return texts;
}

std::string_view analysis_word(TaskState state) {
  switch (state) {
    case TaskState::queued: return "PENDING";
    case TaskState::running: return "RUNNING";
    case TaskState::succeeded: return "SUCCEEDED";
    case TaskState::failed: return "FAILED";
    case TaskState::canceled: return "TERMINATED";
  }
  return "PENDING";
}

Result<Texts> analysis_status(Unit& unit, std::span<const Record> tasks) {
  ORLOP_TRY(machines, machines_of(unit, tasks));
  Texts texts;
  for (const Machine& machine : machines)
    texts.push_back(text_of(analysis_word(static_cast<TaskState>(machine.state))));
  return texts;
}

Result<Texts> task_author(Unit& unit, std::span<const Record> tasks) {
  ORLOP_TRY(machines, machines_of(unit, tasks));
  Texts texts;
  for (const Machine& machine : machines) texts.push_back(text_of(machine.detail->triggered_by));
  return texts;
}

Result<Texts> task_reason(Unit& unit, std::span<const Record> tasks) {
  ORLOP_TRY(machines, machines_of(unit, tasks));
  Texts texts;
  for (const Machine& machine : machines)
    texts.push_back(machine.detail->reason.empty() ? "null" : text_of(machine.detail->reason));
  return texts;
}

// Maps the state of a task to the state of a service and the status of its action.
std::pair<ServiceState, ActionStatus> backup_words(TaskState state) {
  switch (state) {
    case TaskState::queued: return {ServiceState::queued, ActionStatus::queued};
    case TaskState::running: return {ServiceState::executing, ActionStatus::executing};
    case TaskState::succeeded: return {ServiceState::deployed, ActionStatus::success};
    case TaskState::failed: return {ServiceState::deployment_error, ActionStatus::error};
    case TaskState::canceled: return {ServiceState::canceled, ActionStatus::canceled};
  }
  return {ServiceState::queued, ActionStatus::queued};
}

Result<Texts> backup_status(Unit& unit, std::span<const Record> backups) {
  ORLOP_TRY(machines, machines_of(unit, backups));
  Texts texts;
  for (const Machine& machine : machines) {
    const auto state = static_cast<TaskState>(machine.state);
    const auto [shown, status] = backup_words(state);
    const bool is_made = state == TaskState::succeeded;
    Writer out;
    out.begin_object().field("id", machine.id).field("state", to_string(shown));
    out.field("service_deployment_status", to_string(is_made ? Freshness::up_to_date : Freshness::never_deployed));
    out.field("is_part_last_deployment", false).key("status_details").begin_object();
    out.field("action", "DEPLOY").field("status", to_string(status)).field("sub_action", "NONE").end_object();
    out.field_null("deployment_request_id").field("deployment_requests_count", std::int64_t{0}).end_object();
    texts.push_back(std::move(out).take());
  }
  return texts;
}

// The digest of a token, by which the token is found, is a record below it: one query for each.
Result<Texts> token_last_use(Unit& unit, std::span<const Record> tokens) {
  Texts texts;
  for (const Record& token : tokens) {
    ORLOP_TRY(digest, find_child(unit, token.id, token_digest_number));
    const std::string_view used = digest ? raw_member(digest->body, "last_used_at") : std::string_view();
    texts.emplace_back(used.empty() ? "null" : used);
  }
  return texts;
}

// The domains of a list have one parent.
Result<Texts> validation_domain(Unit& unit, std::span<const Record> domains) {
  std::unordered_map<Id, std::string> hosts;
  Texts texts;
  for (const Record& domain : domains) {
    const auto [host, is_new] = hosts.try_emplace(domain.parent);
    if (is_new) {
      ORLOP_TRY(service, unit.record(domain.parent));
      if (!service) return not_found("service", domain.parent);
      ORLOP_TRY(made, public_host_of(unit, *service));
      host->second = text_of(made);
    }
    texts.push_back(host->second);
  }
  return texts;
}

Result<Texts> stage_services(Unit& unit, std::span<const Record> stages) {
  std::unordered_map<Id, Writer> lists;
  for (const Record& stage : stages) lists[stage.id].begin_list();
  for (const Id& environment : parents_of(stages)) {
    ORLOP_TRY(machines, unit.machines(environment));
    for (const Machine& machine : machines) {
      const Family* family = find_family(machine.family);
      const auto list = lists.find(machine.stage);
      if (list == lists.end() || family == nullptr) continue;
      Writer& out = list->second;
      out.begin_object().field("id", machine.id).field("created_at", created_at_of(machine.id));
      out.field("service_id", machine.id).field("service_type", family->service_kind);
      out.field("is_skipped", has(machine.plan_flags, PlanFlag::skipped)).end_object();
    }
  }
  Texts texts;
  for (const Record& stage : stages) {
    Writer& out = lists.at(stage.id);
    out.end_list();
    texts.push_back(std::move(out).take());
  }
  return texts;
}

}  // namespace computations
}  // namespace orlop
