#include "workloads/planned_ports.h"

#include <algorithm>
#include <string>
#include <string_view>

namespace orlop {
namespace {

constexpr std::string_view kinds_of_probe[] = {"http", "tcp", "grpc", "exec"};

// Returns the member of "type" that is given; null if there is none.
const Member* type_of_probe(const Value& probe) {
  const Value* const type = probe.find("type");
  if (type == nullptr) return nullptr;
  for (const Member& member : type->members()) {
    const bool is_known = std::ranges::find(kinds_of_probe, member.name.view()) != std::end(kinds_of_probe);
    if (is_known && member.value.is_object()) return &member;
  }
  return nullptr;
}

// Returns the port that a probe without one uses: the default port, else the first; 0 if there is none.
std::int64_t default_port(const Workload& workload) {
  const Value& configuration = workload.configuration;
  if (workload.kind == WorkloadKind::job) return configuration.integer_or("port", 0);
  const Value* const ports = configuration.find("ports");
  if (ports == nullptr || ports->items().empty()) return 0;
  const auto is_default = [](const Value& port) { return port.boolean_or("is_default", false); };
  const auto found = std::ranges::find_if(ports->items(), is_default);
  const Value& port = found == ports->items().end() ? ports->items().front() : *found;
  return port.integer_or("internal_port", 0);
}

void add_port(Value& ports, Value port) {
  const auto is_same = [&](const Value& other) {
    return other.integer_or("port", 0) == port.integer_or("port", 0) &&
           other.text_or("transport", "") == port.text_or("transport", "");
  };
  if (std::ranges::none_of(ports.items(), is_same)) ports.append(std::move(port));
}

Value plain_port(std::int64_t number, std::string_view protocol, bool is_public) {
  return Value(Value::Object{{"name", Value("p" + std::to_string(number))},
                             {"port", Value(number)},
                             {"transport", Value("tcp")},
                             {"protocol", Value(protocol)},
                             {"public", Value(is_public)},
                             {"default", Value(false)},
                             {"path", Value()},
                             {"rewrite", Value()}});
}

Value port_of(const Value& given) {
  const auto nullable = [&](std::string_view name) {
    return given.has(name) ? Value(given.text_or(name, "")) : Value();
  };
  const std::string_view protocol = given.text_or("protocol", "HTTP");
  return Value(Value::Object{{"name", Value(given.text_or("name", ""))},
                             {"port", Value(given.integer_or("internal_port", 0))},
                             {"transport", Value(protocol == "UDP" ? "udp" : "tcp")},
                             {"protocol", Value(protocol)},
                             {"public", Value(given.boolean_or("publicly_accessible", false))},
                             {"default", Value(given.boolean_or("is_default", false))},
                             {"path", nullable("public_path")},
                             {"rewrite", nullable("public_path_rewrite")}});
}

// Copies the times and thresholds of a probe, with the defaults of the interface.
Value timed_probe(const Value& probe, std::string_view kind) {
  constexpr std::int64_t initial_delay = 30;
  constexpr std::int64_t period = 10;
  constexpr std::int64_t timeout = 5;
  constexpr std::int64_t failures = 9;
  Value planned(Value::Object{
      {"kind", Value(kind)},
      {"initial_delay_seconds", Value(probe.integer_or("initial_delay_seconds", initial_delay))},
      {"period_seconds", Value(probe.integer_or("period_seconds", period))},
      {"timeout_seconds", Value(probe.integer_or("timeout_seconds", timeout))},
      {"success_threshold", Value(probe.integer_or("success_threshold", 1))},
      {"failure_threshold", Value(probe.integer_or("failure_threshold", failures))},
  });
  // Longest time from the start of a container until its probe has failed for good.
  const std::int64_t limit = planned.integer_or("initial_delay_seconds", 0) +
                             (planned.integer_or("timeout_seconds", 0) + planned.integer_or("period_seconds", 0)) *
                                 planned.integer_or("failure_threshold", 0);
  planned.set("limit_seconds", Value(limit));
  return planned;
}

Result<Value> probe_of(Workload& workload, std::string_view name) {
  const Value* const probe = workload.configuration.find_path({"healthchecks", name});
  if (probe == nullptr || !probe->is_object()) return Value();
  const Member* const type = type_of_probe(*probe);
  if (type == nullptr) return Value();
  const std::string_view kind = type->name.view();
  Value planned = timed_probe(*probe, kind);
  const auto path = [&] { return "healthchecks." + std::string(name) + ".type." + std::string(kind); };
  if (kind == "exec") {
    const Value* const command = type->value.find("command");
    if (command == nullptr || command->items().empty())
      return invalid(path() + ".command must have at least one item, not none");
    planned.set("command", *command);
    return planned;
  }
  const std::int64_t port = type->value.integer_or("port", default_port(workload));
  if (port < 1) return invalid(path() + ".port must be given, because the service has no port");
  planned.set("port", Value(port));
  if (kind == "http") {
    planned.set("path", Value(type->value.text_or("path", "/")));
    planned.set("scheme", Value(type->value.text_or("scheme", "HTTP")));
  }
  if (kind == "grpc") planned.set("service", Value(type->value.text_or("service", "")));
  if (kind == "tcp" && type->value.has("host"))
    workload.notes.push_back(path() + ".host has no effect: the probe connects to the container");
  return planned;
}

void add_probe_port(const Workload& workload, std::string_view name, Value& ports) {
  const Value* const probe = workload.configuration.find_path({"healthchecks", name});
  const Member* const type = probe == nullptr ? nullptr : type_of_probe(*probe);
  if (type == nullptr || type->name.view() == "exec") return;
  const std::int64_t port = type->value.integer_or("port", default_port(workload));
  if (port > 0) add_port(ports, plain_port(port, "TCP", false));
}

// A database is ready when it answers in its protocol.
Value database_probe(const Workload& workload) {
  constexpr std::int64_t limit = 300;
  const Value& configuration = workload.configuration;
  std::string protocol(configuration.text_or("type", ""));
  for (char& letter : protocol) letter = static_cast<char>(letter - 'A' + 'a');
  return Value(Value::Object{{"kind", Value("database")},
                             {"protocol", Value(std::move(protocol))},
                             {"port", Value(configuration.integer_or("port", 0))},
                             {"initial_delay_seconds", Value(std::int64_t{0})},
                             {"period_seconds", Value(std::int64_t{1})},
                             {"timeout_seconds", Value(std::int64_t{5})},
                             {"success_threshold", Value(std::int64_t{1})},
                             {"failure_threshold", Value(std::int64_t{60})},
                             {"limit_seconds", Value(limit)}});
}

}  // namespace

Value ports_of(const Workload& workload) {
  Value ports = Value::list();
  const Value& configuration = workload.configuration;
  if (workload.kind == WorkloadKind::database) {
    ports.append(
        plain_port(configuration.integer_or("port", 0), "TCP", configuration.text_or("accessibility", "") == "PUBLIC"));
    return ports;
  }
  if (const Value* const given = configuration.find("ports"); given != nullptr) {
    for (const Value& port : given->items()) add_port(ports, port_of(port));
  }
  for (const std::string_view name : {"readiness_probe", "liveness_probe"}) add_probe_port(workload, name, ports);
  return ports;
}

Result<Value> probes_of(Workload& workload) {
  if (workload.kind == WorkloadKind::database)
    return Value(Value::Object{{"readiness", database_probe(workload)}, {"liveness", Value()}});
  ORLOP_TRY(readiness, probe_of(workload, "readiness_probe"));
  ORLOP_TRY(liveness, probe_of(workload, "liveness_probe"));
  return Value(Value::Object{{"readiness", std::move(readiness)}, {"liveness", std::move(liveness)}});
}

}  // namespace orlop
