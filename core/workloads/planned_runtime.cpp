#include "workloads/planned_runtime.h"

#include <algorithm>
#include <span>
#include <string>
#include <utility>

namespace orlop {
namespace {

constexpr std::int64_t bytes_of_mebibyte = 1024 * 1024;

const Value::List& items_of(const Value& object, std::string_view name) {
  static const Value none = Value::list();
  const Value* const found = object.find(name);
  return found != nullptr && found->is_list() ? found->items() : none.items();
}

bool is_given(const Value& object, std::string_view name) {
  const Value* const found = object.find(name);
  if (found == nullptr || found->is_null()) return false;
  if (found->is_list()) return !found->items().empty();
  if (found->is_object()) return !found->members().empty();
  return found->is_text() ? !found->as_text().empty() : true;
}

// Returns the path of the first member that needs access to the machine; "" if none does.
std::string member_with_access(const Value& runtime) {
  const Value::List& mounts = items_of(runtime, "mounts");
  for (std::size_t index = 0; index < mounts.size(); ++index) {
    if (mounts[index].text_or("type", "") == "HOST_PATH") return "runtime.mounts[" + std::to_string(index) + "]";
  }
  for (const std::string_view name : {"devices", "capabilities_add", "security_options", "build"}) {
    if (is_given(runtime, name)) return "runtime." + std::string(name);
  }
  if (runtime.boolean_or("privileged", false)) return "runtime.privileged";
  for (const std::string_view name : {"network_mode", "pid_mode", "ipc_mode"}) {
    if (runtime.text_or(name, "") == "HOST") return "runtime." + std::string(name);
  }
  return "";
}

// Returns the index of the first published port with a fixed number; -1 if there is none.
std::ptrdiff_t fixed_port(const Value& runtime) {
  const Value::List& ports = items_of(runtime, "published_ports");
  const auto found =
      std::ranges::find_if(ports, [](const Value& port) { return port.integer_or("external_port", 0) > 0; });
  return found == ports.end() ? -1 : found - ports.begin();
}

std::string key_of(const Value& port) {
  const bool is_udp = port.text_or("transport", "TCP") == "UDP";
  return std::to_string(port.integer_or("internal_port", 0)) + (is_udp ? "/udp" : "/tcp");
}

struct Renamed {
  std::string_view from;
  std::string_view to;
};

void copy_members(const Value& runtime, std::span<const Renamed> names, Value& to) {
  for (const Renamed& name : names) {
    if (is_given(runtime, name.from)) to.set(name.to, *runtime.find(name.from));
  }
}

// Adds the published ports. A port that is published by its runtime is not published a second time at a number that
// the container engine chooses.
void publish(const Workload& workload, const Value& runtime, Value& body, Value& host) {
  if (items_of(runtime, "published_ports").empty()) return;
  const Value* const given = host.find("PortBindings");
  Value bindings = given == nullptr ? Value::object() : *given;
  const Value* const given_exposed = body.find("ExposedPorts");
  Value exposed = given_exposed == nullptr ? Value::object() : *given_exposed;
  for (const Value& port : items_of(runtime, "published_ports")) {
    bindings.set(key_of(port), Value::list());
    exposed.set(key_of(port), Value::object());
  }
  for (const Value& port : items_of(runtime, "published_ports")) {
    const std::string_view address = port.text_or("host_address", "");
    const std::int64_t number = port.integer_or("external_port", 0);
    bindings.find(key_of(port))
        ->append(Value(Value::Object{{"HostIp", Value(address.empty() ? workload.options.public_address : address)},
                                     {"HostPort", Value(number > 0 ? std::to_string(number) : "")}}));
  }
  host.set("PortBindings", std::move(bindings));
  body.set("ExposedPorts", std::move(exposed));
}

void set_process(const Value& runtime, Value& body) {
  constexpr Renamed members[] = {{"entrypoint", "Entrypoint"}, {"user", "User"}, {"working_dir", "WorkingDir"},
                                 {"hostname", "Hostname"},     {"tty", "Tty"},   {"stdin_open", "OpenStdin"},
                                 {"stop_signal", "StopSignal"}};
  copy_members(runtime, members, body);
}

void set_labels(const Workload& workload, const Value& runtime, Value& labels) {
  const Value* const given = runtime.find("labels");
  if (given == nullptr || !given->is_object()) return;
  for (const Member& label : given->members()) {
    if (!label.name.view().starts_with(workload.label_prefix)) labels.set(label.name, label.value);
  }
}

std::string_view restart_of(std::string_view policy) {
  if (policy == "ALWAYS") return "always";
  if (policy == "ON_FAILURE") return "on-failure";
  return policy == "NO" ? "no" : "unless-stopped";
}

void set_devices(const Value& runtime, Value& host) {
  Value devices = Value::list();
  for (const Value& device : items_of(runtime, "devices")) {
    const std::string_view path = device.text_or("host_path", "");
    devices.append(Value(Value::Object{{"PathOnHost", Value(path)},
                                       {"PathInContainer", Value(device.text_or("container_path", path))},
                                       {"CgroupPermissions", Value(device.text_or("permissions", "rwm"))}}));
  }
  if (!devices.items().empty()) host.set("Devices", std::move(devices));
}

// Limits of the runtime replace those of the same name among the options.
void set_ulimits(const Value& runtime, Value& host) {
  if (items_of(runtime, "ulimits").empty()) return;
  Value limits = Value::list();
  for (const Value& limit : items_of(runtime, "ulimits")) {
    limits.append(Value(Value::Object{{"Name", Value(limit.text_or("name", ""))},
                                      {"Soft", Value(limit.integer_or("soft", 0))},
                                      {"Hard", Value(limit.integer_or("hard", 0))}}));
  }
  for (const Value& limit : items_of(host, "Ulimits")) {
    const auto has_name = [&](const Value& other) { return other.text_or("Name", "") == limit.text_or("Name", ""); };
    if (std::ranges::none_of(limits.items(), has_name)) limits.append(limit);
  }
  host.set("Ulimits", std::move(limits));
}

void set_file_systems(const Value& runtime, Value& host) {
  const Value* const given = host.find("Tmpfs");
  Value tmpfs = given == nullptr ? Value::object() : *given;
  for (const Value& mount : items_of(runtime, "mounts")) {
    if (mount.text_or("type", "") != "TMPFS") continue;
    const std::int64_t size = mount.integer_or("size_in_mib", 0);
    std::string options = mount.boolean_or("read_only", false) ? "ro" : "rw";
    if (size > 0) options += ",size=" + std::to_string(size) + "m";
    tmpfs.set(mount.text_or("mount_point", ""), Value(std::move(options)));
  }
  if (!tmpfs.members().empty()) host.set("Tmpfs", std::move(tmpfs));
  const std::int64_t shared = runtime.integer_or("shm_size_in_mib", 0);
  if (shared > 0) host.set("ShmSize", Value(shared * bytes_of_mebibyte));
}

void set_security(const Value& runtime, Value& host) {
  const Value::List& given = items_of(runtime, "security_options");
  if (given.empty()) return;
  const auto is_about_privileges = [](const Value& option) {
    return option.is_text() && option.as_text().starts_with("no-new-privileges");
  };
  Value options = Value::list();
  if (std::ranges::none_of(given, is_about_privileges)) options.append(Value("no-new-privileges"));
  for (const Value& option : given) options.append(option);
  host.set("SecurityOpt", std::move(options));
}

void set_host(const Value& runtime, Value& host) {
  constexpr Renamed members[] = {{"init", "Init"},
                                 {"groups", "GroupAdd"},
                                 {"dns_servers", "Dns"},
                                 {"dns_search", "DnsSearch"},
                                 {"dns_options", "DnsOptions"},
                                 {"capabilities_add", "CapAdd"},
                                 {"capabilities_drop", "CapDrop"},
                                 {"privileged", "Privileged"},
                                 {"sysctls", "Sysctls"},
                                 {"pids_max", "PidsLimit"}};
  copy_members(runtime, members, host);
  if (runtime.boolean_or("memory_unlimited", false)) host.erase("Memory");
  if (runtime.text_or("pid_mode", "") == "HOST") host.set("PidMode", Value("host"));
  if (runtime.text_or("ipc_mode", "") == "HOST") host.set("IpcMode", Value("host"));
  const std::string_view restart = runtime.text_or("restart", "");
  if (!restart.empty()) host.set("RestartPolicy", Value(Value::Object{{"Name", Value(restart_of(restart))}}));
  Value hosts = Value::list();
  for (const Value& item : items_of(runtime, "extra_hosts"))
    hosts.append(Value(std::string(item.text_or("hostname", "")).append(":").append(item.text_or("address", ""))));
  if (!hosts.items().empty()) host.set("ExtraHosts", std::move(hosts));
  set_devices(runtime, host);
  set_ulimits(runtime, host);
  set_file_systems(runtime, host);
  set_security(runtime, host);
}

Value environment_volume(const Workload& workload, std::string_view source, const std::string& name) {
  Value labels = network_labels_of(workload);
  labels.set(workload.label_prefix + "volume-name", Value(source));
  return Value(Value::Object{{"Name", Value(name)}, {"Driver", Value("local")}, {"Labels", std::move(labels)}});
}

}  // namespace

const Value& runtime_of(const Workload& workload) {
  static const Value none = Value::object();
  const Value* const found = workload.configuration.find("runtime");
  return found != nullptr && found->is_object() ? *found : none;
}

Result<void> check_runtime(const Workload& workload) {
  const Value& runtime = runtime_of(workload);
  const std::string needing = workload.options.allow_host_access ? "" : member_with_access(runtime);
  if (!needing.empty())
    return invalid(needing + " needs access to this machine, which the option allow_host_access does not give");
  const std::ptrdiff_t fixed = fixed_port(runtime);
  const std::int64_t count = workload.configuration.integer_or("min_running_instances", 1);
  if (fixed >= 0 && count > 1) {
    return invalid("runtime.published_ports[" + std::to_string(fixed) +
                   "].external_port must be absent with min_running_instances " + std::to_string(count) +
                   ": a port of the machine belongs to one container");
  }
  return {};
}

void apply_runtime(const Workload& workload, Value& body) {
  const Value& runtime = runtime_of(workload);
  if (runtime.members().empty()) return;
  set_process(runtime, body);
  set_labels(workload, runtime, *body.find("Labels"));
  Value& host = *body.find("HostConfig");
  publish(workload, runtime, body, host);
  set_host(runtime, *body.find("HostConfig"));
  const std::string_view mode = runtime.text_or("network_mode", "");
  if (mode.empty()) return;
  body.find("HostConfig")->set("NetworkMode", Value(mode == "HOST" ? "host" : "none"));
  body.find("HostConfig")->erase("PortBindings");
  body.erase("ExposedPorts");
  body.erase("NetworkingConfig");
}

void add_runtime_mounts(const Workload& workload, Value& mounts, Value& volumes) {
  for (const Value& mount : items_of(runtime_of(workload), "mounts")) {
    const std::string_view type = mount.text_or("type", "");
    if (type == "TMPFS") continue;
    const bool is_volume = type == "VOLUME";
    const std::string_view source = mount.text_or("source", "");
    const std::string name = is_volume ? network_name_of(workload) + "-" + std::string(source) : std::string(source);
    Value planned(Value::Object{{"Type", Value(is_volume ? "volume" : "bind")},
                                {"Source", Value(name)},
                                {"Target", Value(mount.text_or("mount_point", ""))}});
    if (mount.boolean_or("read_only", false)) planned.set("ReadOnly", Value(true));
    mounts.append(std::move(planned));
    const auto has_name = [&](const Value& volume) { return volume.text_or("Name", "") == name; };
    if (is_volume && std::ranges::none_of(volumes.items(), has_name))
      volumes.append(environment_volume(workload, source, name));
  }
}

std::string_view reason_to_recreate(const Workload& workload) {
  const Value& runtime = runtime_of(workload);
  if (fixed_port(runtime) >= 0) return "a port of the machine belongs to one container at a time";
  if (runtime.text_or("network_mode", "") == "HOST") return "two containers would open the same ports of the machine";
  const auto is_written = [](const Value& mount) {
    return mount.text_or("type", "") != "TMPFS" && !mount.boolean_or("read_only", false);
  };
  if (std::ranges::any_of(items_of(runtime, "mounts"), is_written))
    return "two containers must not write to one volume at the same time";
  return "";
}

Value local_build_of(const Workload& workload) {
  const Value* const build = runtime_of(workload).find("build");
  return build != nullptr && build->is_object() ? *build : Value();
}

}  // namespace orlop
