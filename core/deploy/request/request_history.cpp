#include "deploy/request/request_history.h"

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "deploy/request/request_parts.h"
#include "deploy/request/sub_action.h"
#include "deploy/run/detail.h"
#include "model/registry.h"
#include "ops/verbs.h"
#include "wire/json.h"
#include "wire/writer.h"

namespace orlop {
namespace {

void write_time(Writer& out, std::string_view name, std::optional<Instant> at) {
  if (at) {
    out.field(name, *at);
  } else {
    out.field_null(name);
  }
}

std::string_view service_type_of(FamilyNumber number) {
  const Family* family = find_family(number);
  return family == nullptr ? std::string_view() : family->service_kind;
}

Result<void> write_service(Unit& unit, Writer& out, const Machine& service, const RequestBody& body) {
  ORLOP_TRY(record, unit.record(service.id));
  out.begin_object().field("id", service.id).field("name", record ? name_of(*record) : std::string());
  const std::string_view kind = service_type_of(service.family);
  out.field("service_type", kind).field("status", to_string(static_cast<ServiceState>(service.state)));
  const ActionDetail& detail = service.detail;
  out.field("reason", detail.reason);
  out.field("sub_action", sub_action_of(kind, body.action, body.overrides, service.id));
  write_time(out, "started_at", detail.started_at);
  write_time(out, "ended_at", detail.ended_at);
  out.key("steps");
  write_steps(out, detail);
  out.end_object();
  return {};
}

void write_deleted(Writer& out, const Value& planned, const RequestBody& body, Instant ended_at) {
  const std::string_view kind = planned.text_or("service_type", "");
  out.begin_object().field("id", planned.text_or("id", "")).field("name", planned.text_or("name", ""));
  out.field("service_type", kind).field("status", to_string(ServiceState::deleted)).field("reason", "");
  out.field("sub_action", sub_action_of(kind, body.action, body.overrides, Id{}));
  write_time(out, "started_at", body.started_at);
  write_time(out, "ended_at", ended_at);
  out.field_null("steps").end_object();
}

// One service of a stage: a live row, or what was kept of one that was deleted.
struct Entry {
  std::int64_t stage_order = 0;
  Id stage;
  Id id;
  const Machine* live = nullptr;
  const Value* planned = nullptr;
};

// `all_planned`: those of the request.
std::vector<Entry> entries_of(const Value& all_planned, const std::vector<Machine>& services) {
  std::vector<Entry> entries;
  for (const Machine& service : services) entries.push_back({service.stage_order, service.stage, service.id, &service, nullptr});
  for (const Value& planned : all_planned.items()) {
    const Id id = parse_id(planned.text_or("id", "")).value_or(Id{});
    const bool is_live = std::ranges::binary_search(services, id, {}, &Machine::id);
    if (is_live) continue;
    const Id stage = parse_id(planned.text_or("stage_id", "")).value_or(Id{});
    entries.push_back({planned.integer_or("stage_order", 0), stage, id, nullptr, &planned});
  }
  std::ranges::sort(entries, [](const Entry& left, const Entry& right) {
    return std::tie(left.stage_order, left.stage, left.id) < std::tie(right.stage_order, right.stage, right.id);
  });
  return entries;
}

constexpr std::size_t usual_entry_size = 512;  // bytes

Result<std::string> stages_json(Unit& unit, const RequestBody& body, const std::vector<Machine>& services) {
  ORLOP_TRY(planned, parse_stored(body.planned.empty() ? "[]" : body.planned));
  const std::vector<Entry> entries = entries_of(planned, services);
  Writer out(entries.size() * usual_entry_size);
  out.begin_list();
  for (std::size_t at = 0; at < entries.size();) {
    const Entry& first = entries[at];
    out.begin_object().field("stage_id", first.stage).field("stage_order", first.stage_order).key("services").begin_list();
    for (; at < entries.size() && entries[at].stage == first.stage; ++at) {
      if (entries[at].live == nullptr) {
        write_deleted(out, *entries[at].planned, body, unit.now());
      } else {
        ORLOP_CHECK(write_service(unit, out, *entries[at].live, body));
      }
    }
    out.end_list().end_object();
  }
  out.end_list();
  return std::move(out).take();
}

}  // namespace

Result<RequestHistory> RequestHistory::of(Unit& unit, const RequestBody& body) {
  ORLOP_TRY(services, services_moved(unit, body));
  return of(unit, body, services);
}

Result<RequestHistory> RequestHistory::of(Unit& unit, const RequestBody& body, const std::vector<Machine>& services) {
  ORLOP_CHECK(load_rows(unit, services));
  ORLOP_TRY(stages, stages_json(unit, body, services));
  return RequestHistory{std::move(stages), unit.now()};
}

}  // namespace orlop
