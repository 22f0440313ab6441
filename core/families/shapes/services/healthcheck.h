// Probes of a workload: readiness and liveness.
#pragma once

#include "model/field.h"

namespace orlop::shapes {

inline constexpr std::int64_t port_max = 65535;

inline constexpr Field tcp_probe_fields[] = {
    integer("port", "TCP port to connect to, 1 to 65535.").at_least(1).at_most(port_max),
    text("host", "Host name or IP address to connect to. Null (default): the instance itself.")
        .nullable()
        .defaults_to_null(),
};
inline constexpr Shape tcp_probe{.name = "ProbeTcp", .fields = tcp_probe_fields};

inline constexpr Field http_probe_fields[] = {
    text("path", "Path of the HTTP request. Default: `/`.").defaults_to("/"),
    text("scheme", "Scheme of the HTTP request, as in `HTTPS`. Default: `HTTP`.").defaults_to("HTTP"),
    integer("port", "Port of the HTTP request, 1 to 65535.").at_least(1).at_most(port_max),
};
inline constexpr Shape http_probe{.name = "ProbeHttp", .fields = http_probe_fields};

inline constexpr Field exec_probe_fields[] = {
    list_of("command", FieldKind::text, "Command with its arguments, at least one item. Exit code 0 counts as healthy.")
        .at_least(1)
        .at_most(1000),
};
inline constexpr Shape exec_probe{.name = "ProbeExec", .fields = exec_probe_fields};

inline constexpr Field grpc_probe_fields[] = {
    text("service",
         "Name of the service in the gRPC health check request. Null (default): the server as a "
         "whole.")
        .nullable()
        .defaults_to_null(),
    integer("port", "Port of the gRPC server, 1 to 65535.").at_least(1).at_most(port_max),
};
inline constexpr Shape grpc_probe{.name = "ProbeGrpc", .fields = grpc_probe_fields};

inline constexpr Field probe_type_fields[] = {
    object("tcp", tcp_probe, "TCP probe: open a connection to the port. Healthy if the connection is established.")
        .nullable(),
    object("http", http_probe, "HTTP probe: GET the path on the port. Any status from 200 to 399 counts as healthy.")
        .nullable(),
    object("exec", exec_probe, "Exec probe: run a command inside the instance.").nullable(),
    object("grpc", grpc_probe, "gRPC probe: call the gRPC health checking protocol on the port.").nullable(),
};
inline constexpr Shape probe_type{.name = "ProbeType", .fields = probe_type_fields, .exactly_one = true};

inline constexpr Field probe_fields[] = {
    object("type", probe_type, "Type of the probe. Exactly one of `tcp`, `http`, `exec` and `grpc` is given.")
        .required(),
    integer("initial_delay_seconds",
            "Delay between the start of an instance and its first probe, in seconds, at least 0. Default: "
            "30.")
        .at_least(0)
        .defaults_to(30),
    integer("period_seconds", "Interval between two probes, in seconds, at least 1. Default: 10.")
        .at_least(1)
        .defaults_to(10),
    integer("timeout_seconds", "Time after which a probe without an answer fails, in seconds, at least 1. Default: 5.")
        .at_least(1)
        .defaults_to(5),
    integer("success_threshold",
            "Number of consecutive successful probes after which an instance counts as healthy, at least 1. Default: "
            "1.")
        .at_least(1)
        .defaults_to(1),
    integer("failure_threshold",
            "Number of consecutive failed probes after which an instance counts as unhealthy, at least 1. Default: "
            "9.")
        .at_least(1)
        .defaults_to(9),
};
inline constexpr Shape probe{.name = "Probe", .fields = probe_fields};

inline constexpr Field healthcheck_fields[] = {
    object("readiness_probe", probe,
           "Readiness probe: an instance receives traffic only while it succeeds. Null or absent: none.")
        .nullable(),
    object("liveness_probe", probe, "Liveness probe: an instance is restarted when it fails. Null or absent: none.")
        .nullable(),
};
inline constexpr Shape healthcheck{.name = "Healthcheck", .fields = healthcheck_fields};

inline constexpr Field healthchecks =
    object("healthchecks", healthcheck, "Kubernetes probes of the instances. An empty object disables health checks.")
        .required();

}  // namespace orlop::shapes
