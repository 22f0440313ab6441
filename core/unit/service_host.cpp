#include "unit/service_host.h"

#include <optional>

#include "base/brand.h"
#include "model/registry.h"
#include "unit/find_record.h"
#include "wire/json.h"
#include "wire/object_member.h"

namespace orlop {
namespace {

std::string label_of(const Id& id) { return "z" + to_text(id).substr(0, 8) + "-"; }

// Returns "" if the cluster has no DNS provider.
Result<std::string> domain_of(Unit& unit, const Id& cluster) {
  static const Family& family = *find_family("cluster_dns_provider");
  ORLOP_TRY(stored, find_child(unit, cluster, family.number));
  if (!stored) return std::string();
  ORLOP_TRY(body, unit.value_of(*stored));
  const Value* domain = body->find_path({"dns_provider", "domain"});
  return domain != nullptr && domain->is_text() ? domain->as_text() : std::string();
}

}  // namespace

namespace {

constexpr std::int64_t http_port = 80;
constexpr std::int64_t https_port = 443;

bool is_host_alone(const Value& address) {
  const std::string_view protocol = address.text_or("protocol", "");
  const std::int64_t port = address.integer_or("port", https_port);
  const bool speaks_http = protocol == "HTTP" || protocol == "HTTPS" || protocol == "GRPC";
  return !speaks_http || port == http_port || port == https_port;
}

Result<std::string> host_of(const Record& service, std::string_view scope, bool (*fits)(const Value& address)) {
  if (raw_member(service.body, "addresses").empty()) return std::string();
  ORLOP_TRY(addresses, parse_stored_member(service.body, "addresses"));
  for (const Value& address : addresses.items()) {
    if (address.text_or("scope", "") == scope && fits(address)) return std::string(address.text_or("host", ""));
  }
  return std::string();
}

}  // namespace

Result<std::string> internal_host_of(const Record& service) {
  return host_of(service, "INTERNAL", [](const Value&) { return true; });
}

Result<std::string> public_host_of(Unit& unit, const Record& service) {
  ORLOP_TRY(known, host_of(service, "EXTERNAL", is_host_alone));
  if (!known.empty()) return std::move(known);
  ORLOP_TRY(environment, unit.record(service.parent));
  std::optional<Id> cluster;
  if (environment) {
    ORLOP_TRY(body, unit.value_of(*environment));
    cluster = parse_id(body->text_or("cluster_id", ""));
  }
  std::string host = label_of(service.id);
  if (cluster) host += label_of(*cluster);
  host += "gtw";
  ORLOP_TRY(domain, cluster ? domain_of(unit, *cluster) : Result<std::string>(std::string()));
  return domain.empty() ? host + branded(branded_names::external_domain, unit.settings().brand) : host + "." + domain;
}

}  // namespace orlop
