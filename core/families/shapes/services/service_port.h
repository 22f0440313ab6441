// Ports that a workload opens.
#pragma once

#include "families/shapes/rule_functions.h"
#include "families/shapes/services/healthcheck.h"

namespace orlop::shapes {

inline constexpr std::string_view port_protocols[] = {"HTTP", "GRPC", "TCP", "UDP"};

inline constexpr Field port_fields[] = {
    uuid("id",
         "ID of the port. Give the ID of an existing port to change it; an unknown ID is replaced by a new "
         "one.")
        .empty_is_absent()
        .always_present(),
    text("name",
         "Name of the port, unique within the service, 1 to 255 bytes. Default: `p` and the internal port, as in "
         "`p8080`.")
        .at_least(1)
        .at_most(255)
        .empty_is_absent()
        .always_present(),
    integer("internal_port",
            "Port on which the process in the container listens, 1 to 65535. Unique within the service for each "
            "protocol.")
        .required()
        .at_least(1)
        .at_most(port_max),
    integer("external_port",
            "Port under which the service is reached from outside the cluster, 1 to 65535. Absent: chosen by the "
            "platform.")
        .at_least(1)
        .at_most(port_max),
    boolean("publicly_accessible", "Expose the port on the public internet. False: reachable only inside the cluster.")
        .required(),
    boolean("is_default",
            "Route the default domain of the service to this port. At most one port of a service. Default: "
            "false.")
        .defaults_to(false),
    enumeration("protocol", port_protocols, "Application protocol of the port. Default: `HTTP`.").defaults_to("HTTP"),
    text("public_path", "Path prefix under which the port is exposed, as in `/api`. Absent: all paths."),
    text("public_path_rewrite",
         "Path that replaces `public_path` before the request reaches the service (NGINX rewrite target). Absent: no "
         "rewrite."),
};
inline constexpr Shape port{.name = "ServicePort", .fields = port_fields};

inline constexpr Field ports = list_of("ports", port, "Network ports of the service, at most 200. Default: none.")
                                   .at_most(200)
                                   .defaults_to_empty();

void check_ports(const Value& record, Violations& violations);
// Gives each port without a name a default name that is unique in the list.
void complete_port_names(Value& ports);
void complete_ports(Value& record, ValidationContext& context);

}  // namespace orlop::shapes
