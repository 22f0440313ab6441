#include "workloads/container_body.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "workloads/planned_runtime.h"

namespace orlop {
namespace {

constexpr std::int64_t bytes_of_megabyte = 1024 * 1024;
constexpr std::int64_t memory_least = 6;  // MB: Docker refuses less
constexpr std::int64_t nanos_of_millicore = 1'000'000;
constexpr std::int64_t shares_of_core = 1024;
constexpr std::int64_t millis_of_core = 1000;
constexpr std::int64_t shares_least = 2;

// A path without a slash at the end, so that "/a" and "/a/" are one.
std::string normal_path(std::string_view path) {
  while (path.size() > 1 && path.ends_with('/')) path.remove_suffix(1);
  return std::string(path);
}

// Environment of the image of a database: it makes the administrator's account on an empty volume.
std::vector<std::string> database_environment(const Workload& workload) {
  const Value* const credentials = workload.configuration.find("master_credentials");
  if (credentials == nullptr) return {};
  const std::string login(credentials->text_or("login", ""));
  const std::string password(credentials->text_or("password", ""));
  const std::string_view type = workload.configuration.text_or("type", "");
  if (type == "POSTGRESQL") {
    return {"POSTGRES_USER=" + login, "POSTGRES_PASSWORD=" + password, "POSTGRES_DB=" + login,
            "PGDATA=/var/lib/postgresql/data/pgdata"};
  }
  if (type == "MYSQL" && login == "root") return {"MYSQL_ROOT_PASSWORD=" + password};
  if (type == "MYSQL")
    return {"MYSQL_ROOT_PASSWORD=" + password, "MYSQL_USER=" + login, "MYSQL_PASSWORD=" + password,
            "MYSQL_DATABASE=" + login};
  if (type == "MONGODB") return {"MONGO_INITDB_ROOT_USERNAME=" + login, "MONGO_INITDB_ROOT_PASSWORD=" + password};
  return {};
}

Value environment_of(const Workload& workload) {
  Value environment = Value::list();
  if (workload.kind == WorkloadKind::database) {
    for (std::string& pair : database_environment(workload)) environment.append(Value(std::move(pair)));
    return environment;
  }
  const Value* const variables = workload.configuration.find("variables");
  if (variables == nullptr) return environment;
  for (const Value& variable : variables->items()) {
    // A variable of a file holds its path.
    const std::string_view content = variable.text_or(variable.has("mount_path") ? "mount_path" : "value", "");
    environment.append(Value(std::string(variable.text_or("key", "")).append("=").append(content)));
  }
  return environment;
}

// The password of Redis is in a file: an argument would show it to every process of the machine.
constexpr std::string_view redis_file = "/etc/redis-server.conf";

std::string redis_configuration(const Workload& workload) {
  const Value* const credentials = workload.configuration.find("master_credentials");
  std::string password;
  for (const char letter : credentials == nullptr ? std::string_view() : credentials->text_or("password", "")) {
    if (letter == '"' || letter == '\\') password.push_back('\\');
    password.push_back(letter);
  }
  return "appendonly yes\ndir /data\nrequirepass \"" + password + "\"\n";
}

void set_command(const Workload& workload, Value& body) {
  const Value* command = &workload.configuration;
  if (workload.kind == WorkloadKind::job) command = event_of(workload).command;
  if (workload.configuration.text_or("type", "") == "REDIS") {
    body.set("Cmd", Value(Value::List{Value("redis-server"), Value(redis_file)}));
    return;
  }
  if (command == nullptr) return;
  const std::string_view entrypoint = command->text_or("entrypoint", "");
  if (!entrypoint.empty()) body.set("Entrypoint", Value(Value::List{Value(entrypoint)}));
  const Value* const arguments = command->find("arguments");
  if (arguments != nullptr && !arguments->items().empty()) body.set("Cmd", *arguments);
}

std::string port_key(const Value& port) {
  return std::to_string(port.integer_or("port", 0)).append("/").append(port.text_or("transport", "tcp"));
}

Value bindings_of(const Workload& workload, const Value& ports) {
  Value bindings = Value::object();
  for (const Value& port : ports.items()) {
    const bool is_open = workload.kind == WorkloadKind::database && port.boolean_or("public", false);
    const std::string& address = is_open ? workload.options.public_address : workload.options.publish_address;
    bindings.set(port_key(port),
                 Value(Value::List{Value(Value::Object{{"HostIp", Value(address)}, {"HostPort", Value("")}})}));
  }
  return bindings;
}

void set_resources(Workload& workload, Value& host) {
  const Value& configuration = workload.configuration;
  const std::int64_t cpu = configuration.integer_or("cpu", 0);
  if (cpu > 0) host.set("CpuShares", Value(std::max(shares_least, cpu * shares_of_core / millis_of_core)));
  if (cpu > 0 && workload.options.cpu_limit == "equal") host.set("NanoCpus", Value(cpu * nanos_of_millicore));
  std::int64_t memory = configuration.integer_or("memory", 0);
  if (memory > 0 && memory < memory_least) {
    workload.notes.push_back("memory is raised from " + std::to_string(memory) + " to " + std::to_string(memory_least) +
                             " MB, the least that a container engine accepts");
    memory = memory_least;
  }
  if (memory > 0) host.set("Memory", Value(memory * bytes_of_megabyte));
  const std::int64_t gpu = configuration.integer_or("gpu", 0);
  if (gpu > 0) {
    Value capabilities(Value::List{Value(Value::List{Value("gpu")})});
    host.set("DeviceRequests",
             Value(Value::List{Value(Value::Object{
                 {"Driver", Value("nvidia")}, {"Count", Value(gpu)}, {"Capabilities", std::move(capabilities)}})}));
  }
  if (!workload.options.ulimits.is_null()) host.set("Ulimits", workload.options.ulimits);
}

Value host_config_of(Workload& workload, const Value& ports) {
  const PlanOptions& options = workload.options;
  const bool is_job = workload.kind == WorkloadKind::job;
  Value host(Value::Object{
      {"NetworkMode", Value(network_name_of(workload))},
      {"RestartPolicy", Value(Value::Object{{"Name", Value(is_job ? "no" : "unless-stopped")}})},
      {"SecurityOpt", Value(Value::List{Value("no-new-privileges")})},
      {"LogConfig", Value(Value::Object{
                        {"Type", Value("json-file")},
                        {"Config", Value(Value::Object{{"max-size", Value(options.log_size_max)},
                                                       {"max-file", Value(std::to_string(options.log_files_max))}})}})},
  });
  set_resources(workload, host);
  if (settings_of(workload).boolean_or("security.read_only_root_filesystem", false)) {
    host.set("ReadonlyRootfs", Value(true));
    host.set("Tmpfs", Value(Value::Object{{"/tmp", Value("")}}));
  }
  if (!ports.items().empty() && !is_job) host.set("PortBindings", bindings_of(workload, ports));
  return host;
}

Value storage_of(const Workload& workload) {
  if (workload.kind != WorkloadKind::database) {
    const Value* const storage = workload.configuration.find("storage");
    return storage != nullptr && storage->is_list() ? *storage : Value::list();
  }
  const std::string_view type = workload.configuration.text_or("type", "");
  std::string_view folder = "/data";
  if (type == "POSTGRESQL") folder = "/var/lib/postgresql/data";
  if (type == "MYSQL") folder = "/var/lib/mysql";
  if (type == "MONGODB") folder = "/data/db";
  return Value(Value::List{Value(Value::Object{{"id", Value(workload.id)},
                                               {"size", Value(workload.configuration.integer_or("storage", 0))},
                                               {"mount_point", Value(folder)}})});
}

Value planned_volume(const Workload& workload, const Value& storage, const std::string& name) {
  Value labels = labels_of(workload);
  labels.set(workload.label_prefix + "volume-id", Value(storage.text_or("id", "")));
  labels.set(workload.label_prefix + "size-gib", Value(std::to_string(storage.integer_or("size", 0))));
  return Value(Value::Object{{"Name", Value(name)}, {"Driver", Value("local")}, {"Labels", std::move(labels)}});
}

}  // namespace

JobEvent event_of(const Workload& workload) {
  if (workload.kind != WorkloadKind::job) return {};
  for (const std::string_view name : {"on_start", "cronjob", "on_stop", "on_delete"}) {
    const Value* const found = workload.configuration.find_path({"schedule", name});
    const bool is_allowed = workload.options.event.empty() || workload.options.event == name;
    if (is_allowed && found != nullptr && found->is_object()) return {name, found};
  }
  return {workload.options.event, nullptr};
}

Result<Value> container_body(Workload& workload, const Value& ports, std::string_view image) {
  constexpr std::int64_t grace_default = 60;
  Value body(
      Value::Object{{"Image", Value(image)}, {"Env", environment_of(workload)}, {"Labels", labels_of(workload)}});
  set_command(workload, body);
  // Podman's grace is 0 without it.
  const std::int64_t grace =
      settings_of(workload).integer_or("deployment.termination_grace_period_seconds", grace_default);
  body.set("StopTimeout", Value(grace));
  Value exposed = Value::object();
  for (const Value& port : ports.items()) exposed.set(port_key(port), Value::object());
  if (!exposed.members().empty()) body.set("ExposedPorts", std::move(exposed));
  body.set("HostConfig", host_config_of(workload, ports));
  Value aliases = Value::list();
  for (std::string& alias : aliases_of(workload)) aliases.append(Value(std::move(alias)));
  Value endpoint(Value::Object{{"Aliases", std::move(aliases)}});
  Value endpoints(Value::Object{{"EndpointsConfig", Value::object()}});
  endpoints.find("EndpointsConfig")->set(network_name_of(workload), std::move(endpoint));
  body.set("NetworkingConfig", std::move(endpoints));
  apply_runtime(workload, body);
  return body;
}

Value instances_of(const Workload& workload) {
  const bool has_copies = workload.kind == WorkloadKind::service;
  const std::int64_t count =
      has_copies ? std::max<std::int64_t>(1, workload.configuration.integer_or("min_running_instances", 1)) : 1;
  const Value storages = storage_of(workload);
  Value instances = Value::list();
  for (std::int64_t index = 0; index < count; ++index) {
    Value mounts = Value::list();
    Value volumes = Value::list();
    for (const Value& storage : storages.items()) {
      const std::string name =
          workload.options.brand + "-" + std::string(storage.text_or("id", "")) + "-" + std::to_string(index);
      mounts.append(Value(Value::Object{{"Type", Value("volume")},
                                        {"Source", Value(name)},
                                        {"Target", Value(normal_path(storage.text_or("mount_point", "")))}}));
      volumes.append(planned_volume(workload, storage, name));
    }
    add_runtime_mounts(workload, mounts, volumes);
    instances.append(Value(Value::Object{{"mounts", std::move(mounts)}, {"volumes", std::move(volumes)}}));
  }
  return instances;
}

Result<Value> files_of(const Workload& workload) {
  constexpr std::int64_t readable_by_all = 0444;
  Value files = Value::list();
  if (workload.configuration.text_or("type", "") == "REDIS") {
    files.append(Value(Value::Object{{"path", Value(redis_file)},
                                     {"content", Value(redis_configuration(workload))},
                                     {"mode", Value(readable_by_all)}}));
    return files;
  }
  const Value* const variables = workload.configuration.find("variables");
  if (variables == nullptr || workload.kind == WorkloadKind::database) return files;
  for (const Value& variable : variables->items()) {
    if (!variable.has("mount_path")) continue;
    const std::string path = normal_path(variable.text_or("mount_path", ""));
    const auto has_path = [&](const Value& other) { return other.text_or("path", "") == path; };
    if (std::ranges::any_of(files.items(), has_path))
      return invalid("mount_path of the variable \"" + std::string(variable.text_or("key", "")) +
                     "\" must be unique within the service, not \"" + path + "\", which another variable has");
    files.append(Value(Value::Object{
        {"path", Value(path)}, {"content", Value(variable.text_or("value", ""))}, {"mode", Value(readable_by_all)}}));
  }
  std::ranges::sort(files.items(), {}, [](const Value& file) { return file.text_or("path", ""); });
  return files;
}

Value strategy_of(const Workload& workload, const Value& ports) {
  const auto strategy = [](std::string_view kind, std::string_view reason) {
    return Value(Value::Object{{"kind", Value(kind)}, {"reason", Value(reason)}});
  };
  if (!storage_of(workload).items().empty())
    return strategy("recreate", "two containers must not write to one volume at the same time");
  if (const std::string_view reason = reason_to_recreate(workload); !reason.empty())
    return strategy("recreate", reason);
  if (settings_of(workload).text_or("deployment.update_strategy.type", "") == "Recreate")
    return strategy("recreate", "deployment.update_strategy.type is Recreate");
  if (ports.items().empty())
    return strategy("recreate",
                    "a service without ports takes its work from elsewhere, and two versions would share it");
  return strategy("rolling", "");
}

}  // namespace orlop
