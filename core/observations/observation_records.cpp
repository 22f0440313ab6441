#include "observations/observation_records.h"

#include <algorithm>
#include <utility>

#include "base/derived_id.h"
#include "base/family_number.h"
#include "base/text/utf8.h"
#include "catalogs/observation_shape.h"
#include "model/registry.h"
#include "model/validate.h"
#include "records/write_record.h"
#include "wire/json.h"
#include "wire/writer.h"

namespace orlop {
namespace {

constexpr std::size_t reason_size_max = 4096;  // the bound of the field

const Family& observation_family() {
  static const Family& family = *find_family(observation_number);
  return family;
}

Id id_of(const Id& service) { return derived_id(observation_number, service); }

// Null if there is none, or if another record has that id.
Result<Shared<Record>> find_observation(Unit& unit, const Id& service) {
  ORLOP_TRY(record, unit.record(id_of(service)));
  const bool is_observation = record && record->family == observation_number && record->parent == service;
  return is_observation ? std::move(record) : Shared<Record>();
}

constexpr std::string_view unhealthy_name = "is_unhealthy";

Value without_time(Value observation) {
  observation.erase("since");
  return observation;
}

bool is_unhealthy(const Value& stored) { return stored.boolean_or(unhealthy_name, false); }

bool stays_unhealthy(RunningState running, bool was_unhealthy) {
  switch (running) {
    case RunningState::warning:
    case RunningState::error: return true;
    case RunningState::none:
    case RunningState::starting:
    case RunningState::stopping:
    case RunningState::unknown: return was_unhealthy;
    case RunningState::running:
    case RunningState::completed:
    case RunningState::stopped: return false;
  }
  return was_unhealthy;
}

HealthNews news_of(bool was_unhealthy, bool is_unhealthy) {
  if (was_unhealthy == is_unhealthy) return HealthNews::none;
  return is_unhealthy ? HealthNews::unhealthy : HealthNews::recovered;
}

}  // namespace

Result<std::string> checked_observation(std::string_view text) {
  if (text.empty()) return std::string();
  auto given = parse_json(text);
  if (!given) return invalid("the observation must be a JSON object: " + given.error().message);
  if (!given->is_object()) return invalid("the observation must be a JSON object");
  if (const Value* const reason = given->find("reason"); reason != nullptr && reason->is_text())
    given->set("reason", Value(bounded_text(reason->as_text(), reason_size_max)));
  Violations violations;
  Value observation = make_body(observation_fields, *given, violations);
  if (!violations.empty()) {
    Error error = refusal(std::move(violations));
    return invalid("the observation is refused: " + error.message);
  }
  if (const auto since = parse_instant(observation.text_or("since", "")))
    observation.set("since", Value(to_text(*since)));
  return observation.members().empty() ? std::string() : to_json(observation);
}

void add_observations(std::span<const Id> services, std::vector<Id>& ids) {
  for (const Id& service : services) ids.push_back(id_of(service));
}

Result<StoredObservation> store_observation(Unit& unit, const Id& service, RunningState running,
                                            std::string_view observation) {
  ORLOP_TRY(record, find_observation(unit, service));
  ORLOP_TRY(stored, record ? parse_stored(record->body) : Result<Value>(Value::object()));
  ORLOP_TRY(given, observation.empty() ? Result<Value>(Value::object()) : parse_stored(observation));
  const bool was = is_unhealthy(stored);
  const bool is = stays_unhealthy(running, was);
  if (is) given.set(unhealthy_name, Value(true));
  const StoredObservation news{without_time(stored) != without_time(given), news_of(was, is)};
  if (!news.is_new) return news;
  if (given.members().empty()) {
    unit.erase(record->id);
  } else if (record) {
    ORLOP_TRY(edited, edit_record(unit, observation_family(), std::move(record).take(), given));
    (void)edited;
  } else {
    ORLOP_TRY(taken, unit.record(id_of(service)));
    if (taken) return news;  // a host may have chosen the id for another record
    ORLOP_TRY(created, create_record(unit, observation_family(), service, given, id_of(service)));
    (void)created;
  }
  return news;
}

Result<void> end_observation(Unit& unit, const Id& service) {
  ORLOP_TRY(record, find_observation(unit, service));
  if (!record) return {};
  ORLOP_TRY(stored, parse_stored(record->body));
  unit.erase(record->id);
  std::vector<Event>& events = unit.changes().events;
  const auto last = std::ranges::find_if(events.rbegin(), events.rend(), [&](const Event& event) {
    return event.subject == service && event.kind == EventKind::running_changed;
  });
  if (is_unhealthy(stored) && last != events.rend()) last->detail = R"({"health":"recovered"})";
  return {};
}

Result<std::string> observation_of(Unit& unit, const Id& service) {
  ORLOP_TRY(record, find_observation(unit, service));
  if (!record) return std::string();
  ORLOP_TRY(stored, parse_stored(record->body));
  stored.erase(unhealthy_name);
  return stored.members().empty() ? std::string() : to_json(stored);
}

}  // namespace orlop
