#include "endpoints/services/parts/link_addresses.h"

#include <string>
#include <utility>

#include "model/registry.h"
#include "resolution/built_in.h"
#include "unit/service_host.h"

namespace orlop {
namespace {

constexpr std::int64_t http_port = 80;
constexpr std::int64_t https_port = 443;

struct Link {
  std::string flag;  // name of the member that is true for the platform's domain
  std::string url;
  std::int64_t internal_port = 0;
  std::int64_t external_port = https_port;
  bool is_platform_domain = true;
  bool is_default = false;
};

void write_link(Writer& out, const Record& service, const Family& family, const Link& link) {
  out.begin_object().field("service_id", service.id).field("service_type", family.service_kind).field("url", link.url);
  out.field("internal_port", link.internal_port).field("external_port", link.external_port);
  out.key(link.flag).value(link.is_platform_domain);
  out.field("is_default", link.is_default).end_object();
}

// Returns the external address that leads to the port of the service; null if the driver has returned none.
const Value* find_address(const Value* addresses, std::int64_t internal_port) {
  if (addresses == nullptr) return nullptr;
  for (const Value& address : addresses->items()) {
    if (address.text_or("scope", "") == "EXTERNAL" && address.integer_or("internal_port", 0) == internal_port)
      return &address;
  }
  return nullptr;
}

std::string url_of(const Value& address) {
  if (const std::string_view url = address.text_or("url", ""); !url.empty()) return std::string(url);
  const std::string_view protocol = address.text_or("protocol", "");
  const bool is_plain = protocol == "HTTP";
  const std::int64_t usual = is_plain ? http_port : https_port;
  const std::int64_t port = address.integer_or("port", usual);
  std::string url = is_plain ? "http://" : protocol == "TCP" ? "tcp://" : protocol == "UDP" ? "udp://" : "https://";
  url += host_in_url(address.text_or("host", ""));
  return port == usual && protocol != "TCP" && protocol != "UDP" ? url : url + ":" + std::to_string(port);
}

}  // namespace

Result<void> write_links(Unit& unit, const Record& service, Writer& out) {
  const Family* family = find_family(service.family);
  ORLOP_TRY(body, unit.value_of(service));
  const std::string flag = branded(branded_names::platform_domain, unit.settings().brand);
  const Value* ports = body->find("ports");
  if (family == nullptr || ports == nullptr || !ports->is_list()) return {};
  std::vector<const Value*> open;
  for (const Value& port : ports->items()) {
    if (port.boolean_or("publicly_accessible", family->service_kind == "HELM")) open.push_back(&port);
  }
  if (open.empty()) return {};
  ORLOP_TRY(host, public_host_of(unit, service));
  for (const Value* port : open) {
    const bool is_default = port->boolean_or("is_default", false) || open.size() == 1;
    const std::int64_t internal = port->integer_or("internal_port", 0);
    const Value* const address = find_address(body->find("addresses"), internal);
    const std::int64_t external =
        address != nullptr ? address->integer_or("port", https_port) : port->integer_or("external_port", https_port);
    const std::string url = address != nullptr ? url_of(*address) : "https://" + host;
    write_link(out, service, *family,
               {flag, url + std::string(port->text_or("public_path", "")), internal, external, true, is_default});
    if (!is_default) continue;
    RecordRange range;
    range.key = service.id;
    range.family = find_family("custom_domain")->number;
    ORLOP_TRY(domains, unit.records(range));
    for (const Record& domain : domains) {
      ORLOP_TRY(value, unit.value_of(domain));
      write_link(out, service, *family,
                 {flag, "https://" + std::string(value->text_or("domain", "")), internal, external, false, is_default});
    }
  }
  return {};
}

Result<std::vector<Record>> services_below(Unit& unit, const Id& environment) {
  RecordRange range;
  range.key = environment;
  ORLOP_TRY(records, unit.records(range));
  std::erase_if(records, [](const Record& record) { return !is_service(record.family); });
  return std::move(records);
}

}  // namespace orlop
