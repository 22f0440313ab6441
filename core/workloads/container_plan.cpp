#include "workloads/container_plan.h"

#include <utility>

#include "base/brand.h"
#include "base/text/digest.h"
#include "wire/json.h"
#include "wire/writer.h"
#include "workloads/container_body.h"
#include "workloads/planned_image.h"
#include "workloads/planned_ports.h"
#include "workloads/planned_runtime.h"
#include "workloads/terraform_commands.h"
#include "workloads/workload.h"

namespace orlop {
namespace {

// Configurations hold the outputs of jobs and files: more than a request's body.
constexpr std::size_t configuration_size_max = 64 * 1024 * 1024;

Value identity_of(const Workload& workload) {
  return Value(Value::Object{{"id", Value(workload.id)},
                             {"name", Value(workload.configuration.text_or("name", ""))},
                             {"type", Value(workload.type)}});
}

Value network_of(const Workload& workload) {
  return Value(Value::Object{{"Name", Value(network_name_of(workload))},
                             {"CheckDuplicate", Value(true)},
                             {"Driver", Value("bridge")},
                             {"Labels", network_labels_of(workload)}});
}

Value job_of(const Workload& workload) {
  if (workload.kind != WorkloadKind::job) return {};
  const JobEvent event = event_of(workload);
  const Value& configuration = workload.configuration;
  const std::string folder = "/" + workload.options.brand + "-output";
  const std::int64_t duration = configuration.integer_or("max_duration_seconds", 0);
  return Value(Value::Object{{"event", Value(event.name)},
                             {"runs", Value(event.command != nullptr)},
                             {"retries", Value(configuration.integer_or("max_nb_restart", 0))},
                             {"duration_seconds", duration > 0 ? Value(duration) : Value()},
                             {"outputs_folder", Value(folder)},
                             {"outputs", Value(folder + "/" + workload.options.brand + "-output.json")}});
}

void add_notes(Workload& workload) {
  const Value& configuration = workload.configuration;
  const auto note = [&](std::string text) { workload.notes.push_back(std::move(text)); };
  if (configuration.integer_or("max_running_instances", 1) > configuration.integer_or("min_running_instances", 1))
    note("max_running_instances has no effect: a container engine runs min_running_instances copies");
  if (configuration.has("autoscaling")) note("autoscaling has no effect: it needs a Kubernetes cluster");
  const Value* const variables = configuration.find("variables");
  if (variables == nullptr) return;
  for (const Value& variable : variables->items()) {
    if (variable.has("secret_manager_access_id"))
      note("the variable \"" + std::string(variable.text_or("key", "")) +
           "\" holds the name of an external secret: a container engine does not read it");
  }
}

Value notes_of(const Workload& workload) {
  Value notes = Value::list();
  for (const std::string& note : workload.notes) notes.append(Value(note));
  return notes;
}

// Credentials are left out: a new password of a registry needs no new container.
std::string hash_of(const Value& plan) {
  std::string text;
  for (const std::string_view name : {"container", "instances", "files", "job"}) {
    const Value* const part = plan.find(name);
    if (part != nullptr) text.append(to_json(*part)).push_back('\n');
  }
  return to_hex(sha256(text));
}

Result<Value> plan_of(Workload& workload) {
  Value plan(Value::Object{{"kind", Value(to_string(workload.kind))},
                           {"service", identity_of(workload)},
                           {"name", Value(workload.name)},
                           {"label_prefix", Value(workload.label_prefix)}});
  if (workload.kind == WorkloadKind::terraform) {
    ORLOP_TRY(terraform, terraform_commands(workload));
    plan.set("terraform", std::move(terraform));
    plan.set("notes", notes_of(workload));
    return plan;
  }
  if (id_above(workload, "environment").empty())
    return invalid("the configuration must have an environment with an id");
  ORLOP_CHECK(check_runtime(workload));
  ORLOP_TRY(image, image_of(workload));
  const Value ports = ports_of(workload);
  ORLOP_TRY(body, container_body(workload, ports, image.image.text_or("reference", "")));
  ORLOP_TRY(files, files_of(workload));
  ORLOP_TRY(probes, probes_of(workload));
  plan.set("network", network_of(workload));
  plan.set("image", std::move(image.image));
  plan.set("build", std::move(image.build));
  plan.set("container", std::move(body));
  plan.set("instances", instances_of(workload));
  plan.set("files", std::move(files));
  plan.set("ports", ports);
  plan.set("probes", std::move(probes));
  plan.set("strategy", strategy_of(workload, ports));
  plan.set("grace_seconds", Value(plan.find("container")->integer_or("StopTimeout", 0)));
  plan.set("job", job_of(workload));
  plan.set("hash", Value(hash_of(plan)));
  add_notes(workload);
  plan.set("notes", notes_of(workload));
  return plan;
}

}  // namespace

Result<std::string> container_plan(std::string_view configuration, std::string_view options) {
  ORLOP_TRY(read, read_plan_options(options));
  ORLOP_TRY(value, parse_json(configuration, configuration_size_max));
  if (!value.is_object()) return invalid("the configuration must be a JSON object, not " + to_json(value));
  ORLOP_TRY(workload, read_workload(value, read));
  ORLOP_TRY(plan, plan_of(workload));
  return to_json(plan);
}

}  // namespace orlop
