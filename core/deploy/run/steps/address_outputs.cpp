#include "deploy/run/steps/address_outputs.h"

#include <utility>

#include "catalogs/address_shape.h"
#include "model/registry.h"
#include "model/validate.h"
#include "records/variables/reach.h"
#include "unit/store_record.h"
#include "wire/json.h"
#include "wire/writer.h"

namespace orlop {
namespace {

constexpr std::string_view member = "addresses";
constexpr std::size_t digest_size_max = 255;

// Returns the addresses in the order of their fields; null if the outputs have none.
Value addresses_in(std::string_view outputs, Violations& violations) {
  if (outputs.find("\"addresses\"") == std::string_view::npos) return Value();
  auto given = parse_json(outputs, outputs.size());
  const Value* const found = given ? given->find(member) : nullptr;
  if (found == nullptr || found->is_null()) return Value();
  const Field fields[] = {addresses_field};
  Value body = Value::object();
  body.set(member, *found);
  const Value made = make_body(fields, body, violations);
  const Value* const addresses = made.find(member);
  return addresses == nullptr ? Value::list() : *addresses;
}

const Value* find_internal(const Value& addresses) {
  for (const Value& address : addresses.items()) {
    if (address.text_or("scope", "") == "INTERNAL") return &address;
  }
  return nullptr;
}

// A database has one host and one port.
void set_host(Value& database, const Value& addresses) {
  const Value* const address = find_internal(addresses);
  if (address == nullptr) return;
  database.set("host", Value(address->text_or("host", "")));
  if (const Value* const port = address->find("port")) database.set("port", *port);
}

}  // namespace

std::string addresses_refusal(std::string_view outputs) {
  Violations violations;
  (void)addresses_in(outputs, violations);
  if (violations.empty()) return {};
  return "the outputs of the step are refused: " + refusal(std::move(violations)).message;
}

Result<void> store_addresses(Unit& unit, const Id& service, std::string_view outputs) {
  Violations violations;
  Value addresses = addresses_in(outputs, violations);
  if (addresses.is_null() || !violations.empty()) return {};
  ORLOP_TRY(record, unit.record(service));
  const Family* const family = record ? find_family(record->family) : nullptr;
  if (family == nullptr) return {};
  ORLOP_TRY(body, parse_stored(record->body));
  const Value* const before = body.find(member);
  if (before == nullptr ? addresses.items().empty() : *before == addresses) return {};
  const std::vector<std::string> changed = {std::string(member)};
  ORLOP_TRY(built_ins, built_ins_before(unit, *family, *record, changed));
  if (family->service_kind == "DATABASE") set_host(body, addresses);
  if (addresses.items().empty()) body.erase(member);
  else body.set(member, std::move(addresses));
  arrange(family->fields, body);
  Record edited = *record;
  edited.body = to_json(body);
  emit_edited(unit, edited);
  unit.put(edited);
  return mark_built_ins(unit, *family, edited, changed, built_ins);
}

std::string image_digest_in(std::string_view outputs) {
  if (outputs.find("\"image_digest\"") == std::string_view::npos) return {};
  const auto given = parse_json(outputs, outputs.size());
  const std::string_view digest = given ? given->text_or("image_digest", "") : std::string_view();
  return digest.size() <= digest_size_max ? std::string(digest) : std::string();
}

}  // namespace orlop
