// Probes of a workload: how the platform asks whether it is ready, and whether it is alive.
#pragma once

#include "model/field.h"

namespace orlop::shapes {

inline constexpr std::int64_t port_max = 65535;

inline constexpr Field tcp_probe_fields[] = {
    integer("port", "The port to connect to, 1 to 65535.").at_least(1).at_most(port_max),
    text("host", "The host to connect to; null is the workload itself.").nullable().defaults_to_null(),
};
inline constexpr Shape tcp_probe{.name = "ProbeTcp", .fields = tcp_probe_fields};

inline constexpr Field http_probe_fields[] = {
    text("path", "The path to get.").defaults_to("/"),
    text("scheme", "The scheme to ask with.").defaults_to("HTTP"),
    integer("port", "The port to ask, 1 to 65535.").at_least(1).at_most(port_max),
};
inline constexpr Shape http_probe{.name = "ProbeHttp", .fields = http_probe_fields};

inline constexpr Field exec_probe_fields[] = {
    list_of("command", FieldKind::text, "The command and its arguments, at least one item.").at_least(1).at_most(1000),
};
inline constexpr Shape exec_probe{.name = "ProbeExec", .fields = exec_probe_fields};

inline constexpr Field grpc_probe_fields[] = {
    text("service", "The service to ask about; null is the server as a whole.").nullable().defaults_to_null(),
    integer("port", "The port to ask, 1 to 65535.").at_least(1).at_most(port_max),
};
inline constexpr Shape grpc_probe{.name = "ProbeGrpc", .fields = grpc_probe_fields};

inline constexpr Field probe_type_fields[] = {
    object("tcp", tcp_probe, "A connection is opened.").nullable(),
    object("http", http_probe, "A page is read.").nullable(),
    object("exec", exec_probe, "A command is run inside the workload.").nullable(),
    object("grpc", grpc_probe, "The gRPC health service is asked.").nullable(),
};
inline constexpr Shape probe_type{.name = "ProbeType", .fields = probe_type_fields, .exactly_one = true};

inline constexpr Field probe_fields[] = {
    object("type", probe_type, "How it asks: exactly one way.").required(),
    integer("initial_delay_seconds", "Seconds from the start to the first probe.").at_least(0).defaults_to(30),
    integer("period_seconds", "Seconds between two probes.").at_least(1).defaults_to(10),
    integer("timeout_seconds", "Seconds after which a probe failed.").at_least(1).defaults_to(5),
    integer("success_threshold", "How many probes in a row must succeed.").at_least(1).defaults_to(1),
    integer("failure_threshold", "How many probes in a row must fail.").at_least(1).defaults_to(9),
};
inline constexpr Shape probe{.name = "Probe", .fields = probe_fields};

inline constexpr Field healthcheck_fields[] = {
    object("readiness_probe", probe, "Says when the workload can take traffic.").nullable(),
    object("liveness_probe", probe, "Says when the workload must be started again.").nullable(),
};
inline constexpr Shape healthcheck{.name = "Healthcheck", .fields = healthcheck_fields};

inline constexpr Field healthchecks =
    object("healthchecks", healthcheck, "How its health is probed; an empty object for not at all.").required();

}  // namespace orlop::shapes
