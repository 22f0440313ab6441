#include "endpoints/history/parts/request_entry.h"

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

#include "deploy/request/deployed_members.h"
#include "deploy/request/request_history.h"
#include "endpoints/environments/parts/stage_list.h"
#include "model/registry.h"
#include "unit/unit.h"
#include "wire/json.h"
#include "wire/writer.h"

namespace orlop {
namespace {

// `before`: the preceding entry, whose values apply to absent members.
ServiceEntry parse_service(const Value& value, const std::optional<ServiceEntry>& before) {
  const auto says = [&](std::string_view field) { return !before || value.find(field) != nullptr; };
  ServiceEntry entry;
  entry.id = parse_id(value.text_or("id", "")).value_or(Id{});
  entry.name = value.text_or("name", "");
  entry.kind = says("service_type") ? value.text_or("service_type", "") : before->kind;
  if (const Value* const deployed = value.find("deployed"); deployed != nullptr) entry.deployed = *deployed;
  else if (before) entry.deployed = before->deployed;
  entry.icon = value.text_or("icon_uri", "");
  entry.state =
      says("status") ? parse_service_state(value.text_or("status", "")).value_or(ServiceState::ready) : before->state;
  entry.reason = value.text_or("reason", "");
  entry.started_at = says("started_at") ? parse_instant(value.text_or("started_at", "")) : before->started_at;
  const bool has_took = entry.started_at && value.find("took") != nullptr;
  entry.ended_at = has_took ? *entry.started_at + Duration{value.integer_or("took", 0)}
                            : parse_instant(value.text_or("ended_at", ""));
  return entry;
}

// Describes a service of a running or waiting request from its machine.
Result<ServiceEntry> describe_now(Unit& unit, const RequestBody& request, const Machine& machine) {
  ServiceEntry entry;
  entry.id = machine.id;
  entry.kind = find_family(machine.family)->service_kind;
  entry.state = static_cast<ServiceState>(machine.state);
  entry.reason = machine.detail->reason;
  ORLOP_TRY(record, unit.record(machine.id));
  if (!record) return entry;
  ORLOP_TRY(body, parse_stored(record->body));
  entry.name = body.text_or("name", "");
  entry.icon = body.text_or("icon_uri", "");
  const bool is_overtaken = machine.configuration == ConfigurationState::overtaken;
  ORLOP_TRY(deployed, deployed_members(unit, *record, request, is_overtaken));
  if (deployed.empty()) return entry;
  ORLOP_TRY(members, parse_stored(deployed));
  entry.deployed = std::move(members);
  return entry;
}

}  // namespace

Result<HistoryReader> HistoryReader::open(Unit& unit, const EnvironmentView& view, const Id& service) {
  HistoryReader reader(unit, view, service);
  ORLOP_TRY(stages, stages_of(unit, view.requests.environment));
  for (const Stage& stage : stages) {
    reader.order_.push_back(stage.record.id);
    reader.names_[stage.record.id] = stage.body.text_or("name", "");
  }
  return reader;
}

// Reports whether the text contains entries of the service: most long texts do not.
bool HistoryReader::names(std::string_view stages) const {
  if (service_.is_nil()) return true;
  const std::string id = to_text(service_);
  return std::search(stages.begin(), stages.end(), std::boyer_moore_horspool_searcher(id.begin(), id.end())) !=
         stages.end();
}

// `last`: the stage of the last entry, which the next part may continue.
Result<void> HistoryReader::add_stored(std::string_view stages, std::vector<StageEntry>& entries, Id& last) const {
  if (!names(stages)) return {};
  ORLOP_TRY(stored, parse_stored(stages));
  for (const Value& stage : stored.items()) {
    const Id id = parse_id(stage.text_or("stage_id", "")).value_or(Id{});
    const bool goes_on = !entries.empty() && id == last;
    last = id;
    if (!goes_on) {
      const auto name = names_.find(id);
      entries.push_back({name == names_.end() ? std::string() : name->second, {}});
    }
    const Value* services = stage.find("services");
    if (services == nullptr || !services->is_list()) continue;
    std::optional<ServiceEntry> before;
    for (const Value& service : services->items()) {
      before = parse_service(service, before);
      if (is_wanted(before->id)) entries.back().services.push_back(*before);
    }
  }
  return {};
}

Result<std::vector<StageEntry>> HistoryReader::stored_stages(const RequestBody& body) const {
  std::vector<StageEntry> entries;
  Id last;
  if (!body.stages.empty()) {
    ORLOP_CHECK(add_stored(body.stages, entries, last));
    return entries;
  }
  ORLOP_CHECK(visit_history(unit_, body.id, [&](std::string_view part) { return add_stored(part, entries, last); }));
  return entries;
}

Result<std::vector<StageEntry>> HistoryReader::stages_now(const RequestBody& body, const Machine& request) {
  if (!services_) {
    ORLOP_TRY(services, service_machines(unit_, view_.requests.environment));
    services_ = std::move(services);
  }
  std::vector<StageEntry> entries;
  for (const Id& stage : order_) {
    StageEntry entry;
    entry.name = names_.at(stage);
    for (const Machine& service : *services_) {
      if (service.stage != stage || !is_wanted(service.id) || !view_.requests.concerns(request, service)) continue;
      ORLOP_TRY(described, describe_now(unit_, body, service));
      entry.services.push_back(std::move(described));
    }
    if (!entry.services.empty()) entries.push_back(std::move(entry));
  }
  return entries;
}

Result<RequestEntry> HistoryReader::read(const Machine& request) {
  ORLOP_TRY(body, body_of_request(unit_, request.id));
  ORLOP_TRY(shown, state_under(unit_, request, view_));
  RequestEntry entry;
  entry.state = state_of_request(request);
  entry.shown = shown;
  ORLOP_TRY(stages, body.ended_at ? stored_stages(body) : stages_now(body, request));
  entry.stages = std::move(stages);
  entry.body = std::move(body);
  return entry;
}

std::string_view trigger_name(Action action) { return action == Action::uninstall ? "UNINSTALL" : to_string(action); }

std::string_view request_status_name(const RequestEntry& entry) {
  switch (entry.state) {
    case RequestState::waiting:
    case RequestState::queuing: return "QUEUED";
    case RequestState::running: return "ONGOING";
    case RequestState::canceling: return "CANCELING";
    case RequestState::ended: break;
  }
  if (entry.shown == ServiceState::canceled) return "CANCELED";
  return is_error(entry.shown) ? "ERROR" : "SUCCESS";
}

std::string_view stage_status_name(ServiceState state) {
  switch (action_status(state)) {
    case ActionStatus::queued: return "QUEUED";
    case ActionStatus::ongoing:
    case ActionStatus::executing:
    case ActionStatus::canceling: return "ONGOING";
    case ActionStatus::never:
    case ActionStatus::success: return "DONE";
    case ActionStatus::canceled: return "CANCELED";
    case ActionStatus::error: return "ERROR";
  }
  return "DONE";
}

// Returns the most urgent status of the services.
std::string_view stage_status_name(const std::vector<ServiceState>& services) {
  constexpr std::array<std::string_view, 5> by_urgency = {"ERROR", "ONGOING", "CANCELED", "QUEUED", "DONE"};
  for (const std::string_view enum_value : by_urgency) {
    if (std::ranges::any_of(services,
                            [enum_value](ServiceState state) { return stage_status_name(state) == enum_value; }))
      return enum_value;
  }
  return "SKIPPED";
}

std::string duration_text(Duration duration) {
  const std::int64_t total = duration.milliseconds / 1000;
  const std::int64_t hours = total / 3600;
  const std::int64_t minutes = total / 60 % 60;
  std::string text = "PT";
  if (hours != 0) text += std::to_string(hours) + "H";
  if (minutes != 0) text += std::to_string(minutes) + "M";
  if (total % 60 != 0 || total == 0) text += std::to_string(total % 60) + "S";
  return text;
}

void write_auditing(Writer& out, const RequestBody& body) {
  const Instant updated_at = body.ended_at.value_or(body.started_at.value_or(body.created_at));
  out.begin_object().field("created_at", body.created_at).field("updated_at", updated_at);
  out.field("triggered_by", body.triggered_by).field("origin", body.origin).end_object();
}

}  // namespace orlop
