// Links: addresses of services on the internet.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "base/brand.h"
#include "base/result.h"
#include "endpoints/services/parts/service_kind.h"
#include "model/field.h"
#include "unit/unit.h"
#include "wire/writer.h"

namespace orlop {

// Writes the links of a service: the platform's address for each public port; for the default port, or the only one,
// the custom domains too.
Result<void> write_links(Unit& unit, const Record& service, Writer& out);

// Returns the services of the environment, of all kinds, by ascending id.
Result<std::vector<Record>> services_below(Unit& unit, const Id& environment);

inline constexpr auto service_kind_names = [] {
  std::array<std::string_view, service_kinds.size()> names{};
  for (std::size_t at = 0; at < names.size(); ++at) names[at] = service_kinds[at].name;
  return names;
}();

inline constexpr Field link_fields[] = {
    uuid("service_id", "ID of the service.").required(),
    enumeration("service_type", service_kind_names, "Kind of the service.").required(),
    text("url", "URL under which the service is reached.").required(),
    integer("internal_port", "Port on which the service listens.").required(),
    integer("external_port", "Port of the URL.").required(),
    boolean(branded_names::platform_domain,
            "True for the domain that the platform gives the service; false for a custom domain.")
        .required(),
    boolean("is_default", "True if the link leads to the default port of the service.").required(),
};
inline constexpr Shape link_shape = {.name = "Link", .fields = link_fields};

}  // namespace orlop
