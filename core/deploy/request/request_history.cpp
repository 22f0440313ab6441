#include "deploy/request/request_history.h"

#include <algorithm>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "base/deployment_history_number.h"
#include "deploy/request/deployed_members.h"
#include "deploy/request/request_parts.h"
#include "model/registry.h"
#include "unit/unique_name.h"
#include "unit/unit.h"
#include "wire/json.h"
#include "wire/object_member.h"
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

// Sort key of a service in the history.
struct Position {
  std::int64_t stage_order = 0;
  Id stage;
  Id id;
  friend auto operator<=>(const Position&, const Position&) = default;
};

// Members of a row that the history needs: rows are large.
struct Service {
  Position position;
  FamilyNumber family = 0;
  ServiceState state = ServiceState::ready;
  bool has_reason = false;    // few rows have one, so it is read from the row again
  bool is_overtaken = false;  // edited since the step began
  OptionalInstant started_at;
  OptionalInstant ended_at;
};

void add_service(std::vector<Service>& services, const Machine& row) {
  Service& service = services.emplace_back();  // filled in the vector, so that it is not copied
  service.position.stage_order = row.stage_order;
  service.position.stage = row.stage;
  service.position.id = row.id;
  service.family = row.family;
  service.state = static_cast<ServiceState>(row.state);
  service.has_reason = !row.detail->reason.empty();
  service.is_overtaken = row.configuration == ConfigurationState::overtaken;
  service.started_at = row.timing.started_at;
  service.ended_at = row.timing.ended_at;
}

Result<void> write_reason(Unit& unit, Writer& out, const Id& service) {
  ORLOP_TRY(row, unit.machine(service));
  if (!row)
    return make_error(ErrorCode::lost_update,
                      "service " + to_text(service) + " went away while the history of its request was made");
  out.field("reason", row->detail->reason);
  return {};
}

// The entry before in the same stage.
struct Before {
  const Service* service = nullptr;  // null: there is none, or it is that of a deleted service
  std::string deployed;              // "": not known
};

// Omits what follows from the request and what equals the entry before: every deployment of every service writes an
// entry.
Result<void> write_service(Unit& unit, Writer& out, const RequestBody& body, const Service& service, Before& before) {
  const Id& id = service.position.id;
  ORLOP_TRY(record, unit.record(id));
  out.begin_object().field("id", id).field("name", record ? name_of(*record) : std::string());
  ORLOP_TRY(deployed, record ? deployed_members(unit, *record, body, service.is_overtaken) : Result<std::string>(""));
  if (before.deployed != deployed) out.field_raw("deployed", deployed.empty() ? "null" : deployed);
  before.deployed = std::move(deployed);
  const Service* const last = std::exchange(before.service, &service);
  if (last == nullptr || last->family != service.family) out.field("service_type", service_type_of(service.family));
  if (last == nullptr || last->state != service.state) out.field("status", to_string(service.state));
  if (service.has_reason) ORLOP_CHECK(write_reason(unit, out, id));
  if (last == nullptr || last->started_at != service.started_at) write_time(out, "started_at", service.started_at);
  if (service.started_at && service.ended_at) {
    out.field("took", (*service.ended_at - *service.started_at).milliseconds);
  } else {
    write_time(out, "ended_at", service.ended_at);
  }
  out.end_object();
  return {};
}

void write_deleted(Writer& out, const Value& planned, const RequestBody& body, Instant ended_at, Before& before) {
  out.begin_object().field("id", planned.text_or("id", "")).field("name", planned.text_or("name", ""));
  if (!before.deployed.empty()) out.field_null("deployed");
  before = Before();
  out.field("service_type", planned.text_or("service_type", "")).field("status", to_string(ServiceState::deleted));
  write_time(out, "started_at", body.started_at);
  write_time(out, "ended_at", ended_at);
  out.end_object();
}

const Id& id_of(const Service& service) { return service.position.id; }

// A service of a stage: a live one, or the planned entry of a deleted one.
struct Entry {
  Position position;
  const Service* live = nullptr;
  const Value* planned = nullptr;  // if it is not live
};

// `all_planned`: list of the request. `services`: live ones, ascending by id.
std::vector<Entry> entries_of(const Value& all_planned, const std::vector<Service>& services) {
  std::vector<Entry> entries;
  entries.reserve(services.size());
  for (const Service& service : services) entries.push_back({service.position, &service, nullptr});
  for (const Value& planned : all_planned.items()) {
    const Id id = parse_id(planned.text_or("id", "")).value_or(Id{});
    const bool is_live = std::ranges::binary_search(services, id, {}, id_of);
    if (is_live) continue;
    const Id stage = parse_id(planned.text_or("stage_id", "")).value_or(Id{});
    entries.push_back({{planned.integer_or("stage_order", 0), stage, id}, nullptr, &planned});
  }
  if (!std::ranges::is_sorted(entries, {}, &Entry::position)) std::ranges::sort(entries, {}, &Entry::position);
  return entries;
}

constexpr std::size_t usual_services = 16;     // of a request
constexpr std::size_t usual_entry_size = 128;  // bytes

// `out` is used for all parts; the result has no spare capacity, as it is kept.
Result<std::string> stages_json(Unit& unit, Writer& out, const RequestBody& body, std::span<const Entry> entries) {
  out.clear();
  out.begin_list();
  for (std::size_t at = 0; at < entries.size();) {
    const Position& first = entries[at].position;
    out.begin_object()
        .field("stage_id", first.stage)
        .field("stage_order", first.stage_order)
        .key("services")
        .begin_list();
    for (Before before; at < entries.size() && entries[at].position.stage == first.stage; ++at) {
      if (entries[at].live != nullptr) {
        ORLOP_CHECK(write_service(unit, out, body, *entries[at].live, before));
      } else {
        write_deleted(out, *entries[at].planned, body, unit.now(), before);
      }
    }
    out.end_list().end_object();
  }
  out.end_list();
  return std::string(out.view());
}

constexpr std::string_view stages_name = "stages";
constexpr std::size_t number_bytes = 4;  // of the part's number, at the end of the id

// Derives the id of a part from that of its request, so that no part is stored twice: the part's number replaces the
// last bytes, and the byte before them is inverted, so that no part has the id of its request.
Id id_of_part(Id request, std::size_t number) {
  std::size_t place = request.bytes.size();
  for (std::size_t byte = 0; byte < number_bytes; ++byte, number >>= 8)
    request.bytes[--place] = static_cast<std::uint8_t>(number & 0xFF);
  --place;
  request.bytes[place] = static_cast<std::uint8_t>(~request.bytes[place]);
  return request;
}

bool is_part_of(const Id& request, const Record& record) {
  return record.family == deployment_history_number && record.parent == request;
}

// Calls `act` with the parts below a request, in their order; returns the number after the last one. Skips a record
// that is not a part: a host may have chosen that id for it.
template <typename Act>
Result<std::size_t> for_each_part(Unit& unit, const Id& request, const Act& act) {
  for (std::size_t number = 0;; ++number) {
    ORLOP_TRY(record, unit.record(id_of_part(request, number)));
    if (!record) return number;
    if (is_part_of(request, *record)) ORLOP_CHECK(act(record));
  }
}

// Returns the position of the last service of a part.
Result<Position> last_of(const Record& part) {
  ORLOP_TRY(body, parse_stored(part.body));
  const Value* const stages = body.find(stages_name);
  const Value* const stage = stages != nullptr && !stages->items().empty() ? &stages->items().back() : nullptr;
  const Value* const services = stage != nullptr ? stage->find("services") : nullptr;
  const auto id = services != nullptr && !services->items().empty()
                      ? parse_id(services->items().back().text_or("id", ""))
                      : std::nullopt;
  if (!id)
    return make_error(ErrorCode::storage_corrupt,
                      "the store holds a part " + to_text(part.id) + " of a history that names no service");
  return Position{stage->integer_or("stage_order", 0), parse_id(stage->text_or("stage_id", "")).value_or(Id{}), *id};
}

Result<void> load(Unit& unit, const std::vector<Service>& services) {
  std::vector<Id> ids;
  ids.reserve(services.size());
  for (const Service& service : services) ids.push_back(id_of(service));
  return unit.load(ids);
}

Result<RequestHistory> history_of(Unit& unit, const RequestBody& body, std::vector<Service> services) {
  if (!std::ranges::is_sorted(services, {}, id_of)) std::ranges::sort(services, {}, id_of);  // usually they are
  ORLOP_CHECK(load(unit, services));
  ORLOP_TRY(planned, parse_stored(body.planned.empty() ? "[]" : body.planned));
  std::vector<Entry> entries = entries_of(planned, services);
  RequestHistory history{.parts = {}, .stored = 0, .ended_at = unit.now()};
  if (entries.size() > history_part_max) {
    Shared<Record> last;
    ORLOP_TRY(stored, for_each_part(unit, body.id,
                                    [&](Shared<Record> part) { return last = std::move(part), Result<void>(); }));
    history.stored = stored;
    if (last) {
      ORLOP_TRY(position, last_of(*last));
      std::erase_if(entries, [&](const Entry& entry) { return entry.position <= position; });
    }
  }
  Writer out(std::min(entries.size(), history_part_max) * usual_entry_size);
  for (std::span<const Entry> left = entries; history.parts.empty() || !left.empty();) {
    const std::size_t count = std::min(left.size(), history_part_max);
    ORLOP_TRY(stages, stages_json(unit, out, body, left.first(count)));
    history.parts.push_back(std::move(stages));
    left = left.subspan(count);
  }
  return history;
}

}  // namespace

Result<RequestHistory> RequestHistory::of(Unit& unit, const RequestBody& body, std::size_t expected) {
  std::vector<Service> services;
  services.reserve(std::max(expected, usual_services));
  ORLOP_CHECK(visit_moved(unit, body, [&](const Machine& row) { add_service(services, row); }));
  return history_of(unit, body, std::move(services));
}

Result<RequestHistory> RequestHistory::of(Unit& unit, const RequestBody& body, const std::vector<Machine>& rows) {
  std::vector<Service> services;
  services.reserve(rows.size());
  for (const Machine& row : rows) add_service(services, row);
  return history_of(unit, body, std::move(services));
}

Result<bool> store_history_part(Unit& unit, const Record& request, RequestHistory& history) {
  Record part;
  for (bool is_free = false; !is_free;) {
    part.id = id_of_part(request.id, history.stored++);
    ORLOP_TRY(present, unit.record(part.id));
    if (present && is_part_of(request.id, *present)) return false;
    is_free = !present;
  }
  part.family = deployment_history_number;
  part.parent = request.id;
  part.organization = request.organization;
  Writer body(history.parts.front().size() + 32);
  body.begin_object().field_raw(stages_name, history.parts.front()).end_object();
  part.body = std::move(body).take();
  unit.put(std::move(part));
  history.parts.erase(history.parts.begin());
  return true;
}

Result<void> visit_history(Unit& unit, const Id& request,
                           const std::function<Result<void>(std::string_view stages)>& act) {
  ORLOP_TRY(end, for_each_part(unit, request, [&](const Shared<Record>& part) -> Result<void> {
              if (const std::string_view stages = raw_member(part->body, stages_name); !stages.empty())
                return act(stages);
              ORLOP_TRY(body, parse_stored(part->body));  // edited by hand
              const Value* const found = body.find(stages_name);
              return act(found == nullptr ? "[]" : to_json(*found));
            }));
  (void)end;
  return {};
}

Result<void> erase_history(Unit& unit, const Id& request) {
  std::vector<Id> parts;
  ORLOP_TRY(end, for_each_part(unit, request,
                               [&](const Shared<Record>& part) { return parts.push_back(part->id), Result<void>(); }));
  (void)end;
  for (const Id& id : parts) unit.erase(id);
  return {};
}

}  // namespace orlop
