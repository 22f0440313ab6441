#include "webhooks/outbox.h"

#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "deploy/request/request_record.h"
#include "lifecycle/state.h"
#include "unit/unique_name.h"
#include "unit/unit.h"
#include "webhooks/delivery.h"
#include "wire/json.h"
#include "wire/object_member.h"
#include "wire/writer.h"

namespace orlop {
namespace {

// Returns the record as the unit leaves it; if the unit deletes it, as it was before.
Result<Shared<Record>> latest(Unit& unit, const Id& id) {
  ORLOP_TRY(record, unit.record(id));
  if (record) return std::move(record);
  return unit.stored().record(id);
}

// Returns the event of webhooks that the event of the feed is; "" if it is none.
std::string_view event_of(const Event& event) {
  if (event.kind == EventKind::request_started) return webhook_events::started;
  if (event.kind == EventKind::running_changed) {
    const std::string_view health = raw_member(event.detail.text(), "health");
    if (health == R"("unhealthy")") return webhook_events::unhealthy;
    return health == R"("recovered")" ? webhook_events::recovered : "";
  }
  if (event.kind != EventKind::request_ended) return "";
  const auto ended = static_cast<ServiceState>(event.to);
  if (ended == ServiceState::canceled) return webhook_events::cancelled;
  return is_error(ended) ? webhook_events::failure : webhook_events::successful;
}

// The webhooks of an organization, read once for each unit.
class Webhooks {
 public:
  explicit Webhooks(Unit& unit) : unit_(unit) {}

  Result<const std::vector<Webhook>*> of(const Id& organization) {
    const auto known = found_.find(organization);
    if (known != found_.end()) return &known->second;
    RecordRange range;
    range.key = organization;
    range.family = webhook_family().number;
    ORLOP_TRY(records, unit_.records(range));
    std::vector<Webhook> webhooks;
    for (const Record& record : records) {
      // A webhook that cannot be read gets no message; the change itself succeeds.
      if (auto webhook = parse_webhook(record)) webhooks.push_back(std::move(*webhook));
    }
    return &found_.emplace(organization, std::move(webhooks)).first->second;
  }

 private:
  Unit& unit_;
  std::unordered_map<Id, std::vector<Webhook>> found_;
};

Result<void> add_request(Unit& unit, const Event& event, News& news) {
  news.request = event.subject;
  news.status = to_string(static_cast<ServiceState>(event.to));
  ORLOP_TRY(request, latest(unit, news.request));
  if (!request) return {};
  ORLOP_TRY(body, parse_request(request->body));
  news.execution_id = body.execution_id;
  news.action = to_string(body.action);
  news.origin = body.origin;
  news.triggered_by = body.triggered_by;
  return {};
}

Result<void> add_service(Unit& unit, const Event& event, News& news) {
  news.service = event.subject;
  news.running_state = to_string(static_cast<RunningState>(event.to));
  ORLOP_TRY(service, latest(unit, news.service));
  if (service) news.service_name = name_of(*service);
  ORLOP_TRY(observation, parse_stored(event.detail.text()));
  observation.erase("health");
  news.reason = observation.text_or("reason", "");
  news.observation = to_json(observation);
  return {};
}

// Returns nullopt if the organization or environment is gone, so that there is nothing to report.
Result<std::optional<News>> news_of(Unit& unit, const Event& event) {
  News news;
  news.event = event_of(event);
  news.at = unit.now();
  news.organization = event.organization;
  news.environment = event.owner;
  ORLOP_TRY(environment, latest(unit, news.environment));
  ORLOP_TRY(organization, latest(unit, news.organization));
  if (!environment || !organization) return std::optional<News>();
  ORLOP_TRY(described, parse_stored(environment->body));
  news.environment_name = described.text_or("name", "");
  news.environment_mode = described.text_or("mode", "");
  news.organization_name = name_of(*organization);
  news.project = environment->parent;
  ORLOP_TRY(project, latest(unit, news.project));
  if (project) news.project_name = name_of(*project);
  ORLOP_CHECK(event.kind == EventKind::running_changed ? add_service(unit, event, news)
                                                       : add_request(unit, event, news));
  return std::optional(std::move(news));
}

Result<void> announce(Unit& unit, Webhooks& webhooks, const Event& event) {
  ORLOP_TRY(listeners, webhooks.of(event.organization));
  if (listeners->empty()) return {};
  ORLOP_TRY(news, news_of(unit, event));
  if (!news) return {};
  for (const Webhook& webhook : *listeners) {
    if (wants(webhook, news->event, news->project_name, news->environment_mode))
      ORLOP_CHECK(post_delivery(unit, webhook, *news));
  }
  return {};
}

Result<void> silence(Unit& unit, const Id& id) {
  ORLOP_TRY(record, unit.record(id));
  if (!record) return {};
  ORLOP_TRY(webhook, parse_webhook(*record));
  return webhook.is_enabled ? Result<void>() : drop_deliveries(unit, id);
}

}  // namespace

Result<void> fill_outbox(Unit& unit) {
  Webhooks webhooks(unit);
  // Nothing here emits events, so that the iteration stays valid.
  for (const Event& event : unit.changes().events) {
    if (!event_of(event).empty()) ORLOP_CHECK(announce(unit, webhooks, event));
    if (event.kind == EventKind::edited && event.family == webhook_family().number)
      ORLOP_CHECK(silence(unit, event.subject));
  }
  return {};
}

}  // namespace orlop
