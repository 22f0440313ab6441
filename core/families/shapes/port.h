// Ports that a workload opens.
#pragma once

#include "families/shapes/healthcheck.h"
#include "families/shapes/rules.h"

namespace orlop::shapes {

inline constexpr std::string_view port_protocols[] = {"HTTP", "GRPC", "TCP", "UDP"};

inline constexpr Field port_fields[] = {
    uuid("id", "Its id; one that the service does not have yet is replaced by a new one.").empty_is_absent(),
    text("name", "Name of the port, unique in the service. Default: `p` and the internal port, as in `p8080`.")
        .at_least(1).at_most(255).empty_is_absent().always_present(),
    integer("internal_port", "The port the workload listens on, 1 to 65535.").required().at_least(1).at_most(port_max),
    integer("external_port", "The port that is reached from outside, 1 to 65535.").at_least(1).at_most(port_max),
    boolean("publicly_accessible", "Whether it is reached from outside the cluster.").required(),
    boolean("is_default", "Whether the service's address leads to it; one port at most.").defaults_to(false),
    enumeration("protocol", port_protocols, "What is spoken on it.").defaults_to("HTTP"),
    text("public_path", "The path under which it is reached from outside."),
    text("public_path_rewrite", "The path that takes the place of the public one on the way in."),
};
inline constexpr Shape port{.name = "ServicePort", .fields = port_fields};

inline constexpr Field ports = list_of("ports", port, "The ports it opens.").at_most(200).defaults_to_empty();

void check_ports(const Value& record, Violations& violations);
void complete_ports(Value& record, ValidationContext& context);

}  // namespace orlop::shapes
