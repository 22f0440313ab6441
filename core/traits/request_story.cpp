#include "traits/request_story.h"

#include <algorithm>
#include <array>
#include <utility>

#include "deploy/detail.h"
#include "model/registry.h"
#include "ops/verbs.h"
#include "traits/stage_list.h"
#include "wire/json.h"

namespace orlop {
namespace {

ServiceStory parse_service(const Value& value) {
  ServiceStory story;
  story.id = parse_id(value.text_or("id", "")).value_or(Id{});
  story.name = value.text_or("name", "");
  story.kind = value.text_or("service_type", "");
  story.icon = value.text_or("icon_uri", "");
  story.state = parse_service_state(value.text_or("status", "")).value_or(ServiceState::ready);
  story.reason = value.text_or("reason", "");
  story.started_at = parse_instant(value.text_or("started_at", ""));
  story.ended_at = parse_instant(value.text_or("ended_at", ""));
  return story;
}

// A service that is in the midst of it, or waits for it.
Result<ServiceStory> tell_now(Unit& unit, const Machine& machine) {
  ServiceStory story;
  story.id = machine.id;
  story.kind = find_family(machine.family)->service_kind;
  story.state = static_cast<ServiceState>(machine.state);
  ORLOP_TRY(detail, parse_detail(machine.detail));
  story.reason = std::move(detail.reason);
  ORLOP_TRY(record, unit.record(machine.id));
  if (!record) return story;
  ORLOP_TRY(body, parse_stored(record->body));
  story.name = body.text_or("name", "");
  story.icon = body.text_or("icon_uri", "");
  return story;
}

}  // namespace

Result<StoryReader> StoryReader::open(Unit& unit, const EnvironmentView& view) {
  StoryReader reader(unit, view);
  ORLOP_TRY(stages, stages_of(unit, view.requests.environment));
  for (const Stage& stage : stages) {
    reader.order_.push_back(stage.record.id);
    reader.names_[stage.record.id] = stage.body.text_or("name", "");
  }
  return reader;
}

Result<std::vector<StageStory>> StoryReader::stages_told(std::string_view stages) const {
  ORLOP_TRY(told, parse_stored(stages));
  std::vector<StageStory> stories;
  for (const Value& stage : told.items()) {
    StageStory& story = stories.emplace_back();
    const auto name = names_.find(parse_id(stage.text_or("stage_id", "")).value_or(Id{}));
    if (name != names_.end()) story.name = name->second;
    const Value* services = stage.find("services");
    if (services == nullptr || !services->is_list()) continue;
    for (const Value& service : services->items()) story.services.push_back(parse_service(service));
  }
  return stories;
}

Result<std::vector<StageStory>> StoryReader::stages_now(const Machine& request) const {
  std::vector<StageStory> stories;
  for (const Id& stage : order_) {
    StageStory story;
    story.name = names_.at(stage);
    for (const Machine& service : view_.services) {
      if (service.stage != stage || !view_.requests.concerns(request, service)) continue;
      ORLOP_TRY(told, tell_now(unit_, service));
      story.services.push_back(std::move(told));
    }
    if (!story.services.empty()) stories.push_back(std::move(story));
  }
  return stories;
}

Result<RequestStory> StoryReader::read(const Machine& request) const {
  ORLOP_TRY(body, body_of_request(unit_, request.id));
  ORLOP_TRY(shown, state_under(unit_, request, view_));
  RequestStory story;
  story.state = state_of_request(request);
  story.shown = shown;
  ORLOP_TRY(stages, body.stages.empty() ? stages_now(request) : stages_told(body.stages));
  story.stages = std::move(stages);
  story.body = std::move(body);
  return story;
}

std::string_view trigger_word(Action action) { return action == Action::uninstall ? "UNINSTALL" : word_of(action); }

std::string_view request_status_word(const RequestStory& story) {
  switch (story.state) {
    case RequestState::waiting:
      return "QUEUED";
    case RequestState::running:
      return "ONGOING";
    case RequestState::canceling:
      return "CANCELING";
    case RequestState::ended:
      break;
  }
  if (story.shown == ServiceState::canceled) return "CANCELED";
  return is_error(story.shown) ? "ERROR" : "SUCCESS";
}

std::string_view stage_status_word(ServiceState state) {
  switch (action_status(state)) {
    case ActionStatus::queued:
      return "QUEUED";
    case ActionStatus::ongoing:
    case ActionStatus::executing:
    case ActionStatus::canceling:
      return "ONGOING";
    case ActionStatus::never:
    case ActionStatus::success:
      return "DONE";
    case ActionStatus::canceled:
      return "CANCELED";
    case ActionStatus::error:
      return "ERROR";
  }
  return "DONE";
}

// The most urgent of what its services show.
std::string_view stage_status_word(const std::vector<ServiceState>& services) {
  constexpr std::array<std::string_view, 5> by_urgency = {"ERROR", "ONGOING", "CANCELED", "QUEUED", "DONE"};
  for (const std::string_view word : by_urgency) {
    if (std::ranges::any_of(services, [word](ServiceState state) { return stage_status_word(state) == word; })) return word;
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
