// Settings of the process and the container of a service, as container engines and Compose files have them. They have
// no counterpart in the interface: a service has the member only if a request gives it.
#pragma once

#include "families/shapes/rule_functions.h"
#include "families/shapes/services/healthcheck.h"

namespace orlop::shapes {

inline constexpr int runtime_items_max = 100;    // of a list of the runtime
inline constexpr int runtime_name_max = 255;     // bytes
inline constexpr int runtime_value_max = 4'096;  // bytes
inline constexpr int mebibytes_max = 1'048'576;  // of a file system in memory: 1 TiB
inline constexpr int pids_most = 4'194'304;      // what Linux has at most

inline constexpr std::string_view mount_types[] = {"VOLUME", "HOST_PATH", "TMPFS"};
inline constexpr std::string_view restart_policies[] = {"ALWAYS", "UNLESS_STOPPED", "ON_FAILURE", "NO"};
inline constexpr std::string_view network_modes[] = {"HOST", "NONE"};
inline constexpr std::string_view namespace_modes[] = {"HOST"};
inline constexpr std::string_view transports[] = {"TCP", "UDP"};

inline constexpr Field mount_fields[] = {
    enumeration("type", mount_types,
                "`VOLUME`: a volume of the environment, which all services that name it share, and which stays when "
                "they are deleted. `HOST_PATH`: a file or folder of the machine, which needs `allow_host_access`. "
                "`TMPFS`: an empty file system in memory.")
        .required(),
    text("source",
         "Name of the volume: letters, digits, `_`, `.` and `-`, at most 64 bytes; or absolute path on the machine. "
         "Absent for `TMPFS`.")
        .empty_is_absent(),
    text("mount_point", "Absolute path at which it is mounted, unique within the service.").required().at_least(1),
    boolean("read_only", "Refuse writes. Default: false.").defaults_to(false),
    integer("size_in_mib", "Size of a `TMPFS` in MiB, 1 to 1048576. Absent: half of the memory of the machine.")
        .at_least(1)
        .at_most(mebibytes_max),
};
inline constexpr Shape mount{.name = "RuntimeMount", .fields = mount_fields};

inline constexpr Field published_port_fields[] = {
    integer("internal_port", "Port on which the process in the container listens, 1 to 65535.")
        .required()
        .at_least(1)
        .at_most(port_max),
    integer("external_port", "Port of the machine, 1 to 65535. Absent: chosen at each start.")
        .at_least(1)
        .at_most(port_max),
    text("host_address", "Address of the machine on which the port is opened. Absent: that of the driver's option.")
        .empty_is_absent(),
    enumeration("transport", transports, "Transport protocol. Default: `TCP`.").defaults_to("TCP"),
};
inline constexpr Shape published_port{.name = "RuntimePublishedPort", .fields = published_port_fields};

inline constexpr Field extra_host_fields[] = {
    text("hostname", "Host name that is resolved.").required().at_least(1).at_most(runtime_name_max),
    text("address", "IP address, or `host-gateway` for that of the machine.").required().at_least(1),
};
inline constexpr Shape extra_host{.name = "RuntimeExtraHost", .fields = extra_host_fields};

inline constexpr Field device_fields[] = {
    text("host_path", "Absolute path of the device on the machine, as in `/dev/snd`.").required().at_least(1),
    text("container_path", "Absolute path in the container. Absent: that of the machine.").empty_is_absent(),
    text("permissions", "Letters of `rwm`: read, write, make. Default: `rwm`.").defaults_to("rwm"),
};
inline constexpr Shape device{.name = "RuntimeDevice", .fields = device_fields};

inline constexpr Field ulimit_fields[] = {
    text("name", "Name of the limit, as in `nofile`.").required().at_least(1).at_most(runtime_name_max),
    integer("soft", "Soft limit; -1: none.").required().at_least(-1),
    integer("hard", "Hard limit; -1: none.").required().at_least(-1),
};
inline constexpr Shape ulimit{.name = "RuntimeUlimit", .fields = ulimit_fields};

inline constexpr Field local_build_fields[] = {
    text("context", "Absolute path of the folder on the machine of the driver, whose image is built.")
        .required()
        .at_least(1),
    text("dockerfile", "Path of the Dockerfile, relative to the folder. Absent: `Dockerfile`.").empty_is_absent(),
    text("dockerfile_raw", "Content of the Dockerfile, used in place of a file. Absent: none.").empty_is_absent(),
    text("target", "Target stage of a multi-stage Dockerfile. Absent: the last stage.").empty_is_absent(),
    open_object("args", "Values of build arguments by their names, at most 100. They stay in the image's history.")
        .defaults_to_empty(),
};
inline constexpr Shape local_build{.name = "RuntimeBuild", .fields = local_build_fields};

constexpr Field runtime_texts(std::string_view name, std::string_view about) {
  return list_of(name, FieldKind::text, about).at_most(runtime_items_max);
}

inline constexpr Field runtime_fields[] = {
    list_of("entrypoint", FieldKind::text, "Entrypoint as a list, in place of `entrypoint` of the service.")
        .at_most(1000),
    text("user", "User, or user and group, of the process: `1000:1000`. Absent: that of the image.")
        .at_most(runtime_name_max)
        .empty_is_absent(),
    runtime_texts("groups", "Further groups of the process.").unique_items(),
    text("working_dir", "Absolute path of the working directory. Absent: that of the image.").empty_is_absent(),
    text("hostname", "Host name of the container: a name of DNS. Absent: chosen by the container engine.")
        .empty_is_absent(),
    runtime_texts("aliases", "Further names under which services of the environment reach this one.").unique_items(),
    boolean("init", "Run an init process that forwards signals and reaps processes. Absent: false."),
    boolean("tty", "Allocate a terminal. Absent: false."),
    boolean("stdin_open", "Keep the standard input open. Absent: false."),
    text("stop_signal",
         "Signal that asks the process to end, as in `SIGINT`. Absent: that of the image, else `SIGTERM`.")
        .empty_is_absent(),
    enumeration(
        "restart", restart_policies,
        "Policy by which the container engine starts a container again that has ended. Absent: `UNLESS_STOPPED`; "
        "for jobs `NO`."),
    list_of("mounts", mount, "Volumes, host paths and file systems in memory.").at_most(runtime_items_max),
    integer("shm_size_in_mib", "Size of `/dev/shm` in MiB, 1 to 1048576. Absent: 64.")
        .at_least(1)
        .at_most(mebibytes_max),
    list_of(
        "published_ports", published_port,
        "Ports of the machine that lead to the service, in addition to `ports`. One internal port may have several.")
        .at_most(runtime_items_max),
    list_of("extra_hosts", extra_host, "Host names that are resolved without DNS.").at_most(runtime_items_max),
    runtime_texts("dns_servers", "IP addresses of the DNS servers."),
    runtime_texts("dns_search", "Search domains of DNS."),
    runtime_texts("dns_options", "Options of the resolver, as in `ndots:1`."),
    enumeration("network_mode", network_modes,
                "`HOST`: the network of the machine, which needs `allow_host_access`. `NONE`: no network. Absent: the "
                "network of the environment."),
    enumeration(
        "pid_mode", namespace_modes,
        "`HOST`: the processes of the machine, which needs `allow_host_access`. Absent: those of the container."),
    enumeration("ipc_mode", namespace_modes,
                "`HOST`: the shared memory of the machine, which needs `allow_host_access`. Absent: that of the "
                "container."),
    runtime_texts("capabilities_add", "Linux capabilities in addition, as in `NET_ADMIN`: need `allow_host_access`.")
        .unique_items(),
    runtime_texts("capabilities_drop", "Linux capabilities that are removed, or `ALL`.").unique_items(),
    boolean("privileged", "All capabilities and devices: needs `allow_host_access`. Absent: false."),
    list_of("devices", device, "Devices of the machine: need `allow_host_access`.").at_most(runtime_items_max),
    runtime_texts("security_options", "Security options, as in `seccomp=unconfined`: need `allow_host_access`."),
    open_object("sysctls", "Kernel parameters of the container by their names, at most 100."),
    boolean("memory_unlimited", "Set no limit of memory: `memory` has no effect. Absent: false."),
    integer("pids_max", "Greatest number of processes, 1 to 4194304. Absent: set by the container engine.")
        .at_least(1)
        .at_most(pids_most),
    open_object("labels", "Labels of the container by their names, at most 100. Those of the platform cannot be set."),
    list_of("ulimits", ulimit, "Limits of the resources of the process.").at_most(runtime_items_max),
    object("build", local_build,
           "Build of the image from a folder of the driver's machine, in place of a registry: needs "
           "`allow_host_access`. The service then has an `image_name` and a `tag` only as names."),
};
inline constexpr Shape runtime{.name = "ServiceRuntime", .fields = runtime_fields};

inline constexpr Field service_runtime =
    object("runtime", runtime,
           "Settings of the process and the container that container engines and Compose files have. An edit that "
           "omits it keeps it, and null removes it. Absent: none.")
        .nullable()
        .preserved();

// Refuses values that no container engine takes.
void check_runtime(const Value& record, Violations& violations);
// Removes the member if it is null.
void complete_runtime(Value& record);

}  // namespace orlop::shapes
