#include "deploy/run/steps/address_outputs.h"

#include <algorithm>
#include <utility>

#include "catalogs/address_shape.h"
#include "model/check_value.h"
#include "model/registry.h"
#include "model/validate.h"
#include "records/variables/reach.h"
#include "unit/store_record.h"
#include "unit/unit_context.h"
#include "wire/json.h"
#include "wire/writer.h"

namespace orlop {
namespace {

constexpr std::string_view member = "addresses";
constexpr std::size_t digest_size_max = 255;

bool is_letter_of_host(char letter) {
  return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || (letter >= '0' && letter <= '9') ||
         letter == '.' || letter == '-' || letter == '_' || letter == ':' || letter == '%';
}

constexpr std::string_view schemes[] = {"http://", "https://", "grpc://", "grpcs://", "tcp://", "udp://"};

bool is_url(std::string_view url) {
  return std::ranges::any_of(schemes, [&](std::string_view scheme) { return url.starts_with(scheme); }) &&
         std::ranges::all_of(url, [](char letter) { return letter > ' ' && letter != '"' && letter != '<'; });
}

void check_address(const Value& address, const std::string& path, Violations& violations) {
  const std::string_view host = address.text_or("host", "");
  if (host.empty() || !std::ranges::all_of(host, is_letter_of_host))
    violations.push_back(
        {path + ".host", "must be a host name or an IP address without brackets, not " + quoted_text(host)});
  const std::string_view url = address.text_or("url", "");
  if (!url.empty() && !is_url(url))
    violations.push_back(
        {path + ".url", "must be a URL of http, https, grpc, grpcs, tcp or udp, not " + quoted_text(url)});
}

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
  if (addresses == nullptr) return Value::list();
  for (std::size_t at = 0; violations.empty() && at < addresses->items().size(); ++at)
    check_address(addresses->items()[at], "addresses[" + std::to_string(at) + "]", violations);
  return *addresses;
}

const Value* find_internal(const Value& addresses) {
  for (const Value& address : addresses.items()) {
    if (address.text_or("scope", "") == "INTERNAL") return &address;
  }
  return nullptr;
}

// A database has one host and one port: the family makes them up where no internal address has them.
Result<void> set_host(Unit& unit, const Family& family, const Record& record, Value& database) {
  UnitContext context(unit, record, nullptr);
  if (family.complete != nullptr) family.complete(database, context);
  const Value* const addresses = database.find(member);
  const Value* const address = addresses == nullptr ? nullptr : find_internal(*addresses);
  if (address != nullptr) {
    database.set("host", Value(address->text_or("host", "")));
    if (const Value* const port = address->find("port")) database.set("port", *port);
  }
  return context.outcome();
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
  if (addresses.items().empty()) body.erase(member);
  else body.set(member, std::move(addresses));
  if (family->service_kind == "DATABASE") ORLOP_CHECK(set_host(unit, *family, *record, body));
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
