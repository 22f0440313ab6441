#include "endpoints/services/parts/resource_and_machine.h"

#include <charconv>
#include <utility>

#include "model/registry.h"
#include "model/validate.h"
#include "unit/find_record.h"
#include "unit/operation.h"
#include "unit/unique_name.h"

namespace orlop {

Result<Subject> subject_of(Unit& unit, const Call& call) {
  const Id& id = call.ids.back();
  ORLOP_TRY(record, require(unit, *call.family, id));
  if (call.ids.size() > 1 && record.parent != call.ids.front()) return not_found(words_for(*call.family), id);
  ORLOP_TRY(machine, require_machine(unit, id));
  return Subject{std::move(record), std::move(machine)};
}

Result<Service> require_service(Unit& unit, const Id& id) {
  ORLOP_TRY(record, unit.record(id));
  const Family* family = record ? find_family(record->family) : nullptr;
  if (family == nullptr || !is_service(*family)) return not_found("service", id);
  ORLOP_TRY(machine, require_machine(unit, id));
  return Service{family, *record, std::move(machine)};
}

Result<Record> require_environment(Unit& unit, const Call& call) {
  static const Family* const family = find_family("environment");
  return require(unit, *family, call.ids.front());
}

Result<Record> require_near(Unit& unit, std::string_view family, const Id& id, const Id& organization) {
  ORLOP_TRY(record, require(unit, *find_family(family), id));
  if (record.organization != organization) return not_found(family, id);
  return std::move(record);
}

std::optional<Id> id_in(const Value& body, std::string_view name) { return parse_id(body.text_or(name, "")); }

std::string_view query_text(const Call& call, std::string_view name) {
  if (call.query == nullptr) return {};
  return call.query->find(name).value_or(std::string_view());
}

bool query_flag(const Call& call, std::string_view name) { return query_text(call, name) == "true"; }

std::int64_t query_integer(const Call& call, std::string_view name, std::int64_t fallback) {
  const std::string_view text = query_text(call, name);
  std::int64_t number = fallback;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  return read.ec == std::errc() && read.ptr == text.data() + text.size() ? number : fallback;
}

Error invalid_field(std::string_view field, std::string reason) {
  Violations violations;
  violations.push_back({std::string(field), std::move(reason)});
  return refusal(std::move(violations));
}

}  // namespace orlop
