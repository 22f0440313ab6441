#include "deploy/request/versions_to_deploy.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/pending_versions_number.h"
#include "deploy/request/queuing.h"
#include "model/registry.h"
#include "records/write_record.h"
#include "unit/find_record.h"
#include "unit/store_record.h"
#include "wire/json.h"
#include "wire/writer.h"

namespace orlop {
namespace {

constexpr std::string_view overrides_name = "overrides";

Result<void> put_versions(Unit& unit, Record record, Value overrides) {
  if (overrides.members().empty()) {
    unit.erase(record.id);
    return {};
  }
  Value body = Value::object();
  body.set(overrides_name, std::move(overrides));
  record.body = to_json(body);
  unit.put(std::move(record));
  return {};
}

bool is_deployed_by(const RequestBody& body, const Machine& service) {
  return body.whole_environment ? is_meant(service, body) : std::ranges::binary_search(body.services, service.id);
}

}  // namespace

Result<void> keep_versions(Unit& unit, const Id& environment, const Value& overrides) {
  ORLOP_TRY(stored, find_child(unit, environment, pending_versions_number));
  if (!stored) {
    Value body = Value::object();
    body.set(overrides_name, overrides);
    ORLOP_TRY(made, create_record(unit, *find_family(pending_versions_number), environment, body));
    (void)made;
    return {};
  }
  ORLOP_TRY(body, parse_stored(stored->body));
  Value kept = body.find(overrides_name) != nullptr ? *body.find(overrides_name) : Value::object();
  for (const Member& entry : overrides.members()) kept.set(entry.name, entry.value);
  return put_versions(unit, std::move(stored).take(), std::move(kept));
}

Result<Value> kept_versions(Unit& unit, const Id& environment) {
  ORLOP_TRY(stored, find_child(unit, environment, pending_versions_number));
  if (!stored) return Value::object();
  ORLOP_TRY(text, parse_stored(stored->body));
  const Value* const kept = text.find(overrides_name);
  return kept == nullptr ? Value::object() : *kept;
}

Result<void> take_versions(Unit& unit, RequestBody& body) {
  if (body.action != Action::deploy) return {};
  ORLOP_TRY(stored, find_child(unit, body.environment, pending_versions_number));
  if (!stored) return {};
  ORLOP_TRY(kept, kept_versions(unit, body.environment));
  Value left = Value::object();
  for (const Member& entry : kept.members()) {
    ORLOP_TRY(service, unit.machine(parse_id(entry.name).value_or(Id{})));
    if (!service || service->owner != body.environment) continue;  // deleted or moved meanwhile
    if (!is_deployed_by(body, *service)) {
      left.set(entry.name, entry.value);
    } else if (body.overrides.find(entry.name) == nullptr) {
      body.overrides.set(entry.name, entry.value);
    }
  }
  return put_versions(unit, std::move(stored).take(), std::move(left));
}

}  // namespace orlop
