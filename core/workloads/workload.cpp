#include "workloads/workload.h"

#include <algorithm>
#include <array>

#include "base/id.h"

namespace orlop {
namespace {

struct Runnable {
  std::string_view type;
  WorkloadKind kind;
  std::string_view prefix;
};
constexpr Runnable runnables[] = {
    {"CONTAINER", WorkloadKind::service, "app-z"},
    {"APPLICATION", WorkloadKind::service, "app-z"},
    {"DATABASE", WorkloadKind::database, "z"},
    {"JOB", WorkloadKind::job, "job-z"},
    {"TERRAFORM", WorkloadKind::terraform, "terraform-z"},
};

constexpr std::size_t short_id_size = 8;
constexpr std::size_t dns_label_max = 63;

std::string lower_text(std::string_view text) {
  std::string lower(text);
  for (char& letter : lower) {
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  }
  return lower;
}

// Returns the name as a DNS label; empty if nothing of it can be a part of one.
std::string dns_label_of(std::string_view name) {
  std::string label;
  for (const char letter : lower_text(name)) {
    const bool is_plain = (letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9');
    if (is_plain) label.push_back(letter);
    else if (!label.empty() && label.back() != '-') label.push_back('-');
  }
  label.resize(std::min(label.size(), dns_label_max));
  while (label.ends_with('-')) label.pop_back();
  return label;
}

std::string refusal_of_type(std::string_view type, std::string_view name) {
  const std::string service = "\"" + std::string(name) + "\"";
  if (type == "HELM")
    return "the Helm service " + service +
           " needs a Kubernetes cluster: a chart describes Kubernetes objects, which a container engine does not have";
  if (type == "ARGOCD_APP") return "the Argo CD application " + service + " needs a Kubernetes cluster with Argo CD";
  return "service_type of " + service +
         " must be CONTAINER, APPLICATION, DATABASE, JOB or TERRAFORM for a container engine, not \"" +
         std::string(type) + "\"";
}

}  // namespace

Result<Workload> read_workload(const Value& configuration, const PlanOptions& options) {
  const std::string_view type = configuration.text_or("service_type", "");
  const std::string_view id = configuration.text_or("id", "");
  const auto* const runnable = std::ranges::find(runnables, type, &Runnable::type);
  if (runnable == std::end(runnables)) return invalid(refusal_of_type(type, configuration.text_or("name", "")));
  if (!parse_id(id)) return invalid("id of the configuration must be a UUID, not \"" + std::string(id) + "\"");
  if (type == "DATABASE" && configuration.text_or("mode", "") == "MANAGED") {
    return invalid("the database \"" + std::string(configuration.text_or("name", "")) +
                   "\" must have the mode CONTAINER for a container engine, not \"MANAGED\", which only a cloud "
                   "provider offers");
  }
  Workload workload{.configuration = configuration,
                    .options = options,
                    .kind = runnable->kind,
                    .type = type,
                    .id = id,
                    .name = std::string(runnable->prefix).append(id.substr(0, short_id_size)),
                    .label_prefix = options.brand + ".io/",
                    .notes = {}};
  if (type == "DATABASE") workload.name.append("-").append(lower_text(configuration.text_or("type", "")));
  return workload;
}

std::string_view to_string(WorkloadKind kind) {
  switch (kind) {
    case WorkloadKind::service: return "service";
    case WorkloadKind::database: return "database";
    case WorkloadKind::job: return "job";
    case WorkloadKind::terraform: return "terraform";
  }
  return {};
}

const Value& settings_of(const Workload& workload) {
  static const Value none = Value::object();
  const Value* found = workload.configuration.find("advanced_settings");
  return found != nullptr && found->is_object() ? *found : none;
}

std::string_view id_above(const Workload& workload, std::string_view record) {
  const Value* above = workload.configuration.find(record);
  return above == nullptr ? std::string_view() : above->text_or("id", "");
}

Value network_labels_of(const Workload& workload) {
  Value labels = Value::object();
  for (const std::string_view record : {"organization", "project", "environment"}) {
    const std::string_view id = id_above(workload, record);
    if (!id.empty()) labels.set(workload.label_prefix + std::string(record) + "-id", Value(id));
  }
  labels.set(workload.label_prefix + "managed-by", Value(workload.options.brand));
  return labels;
}

Value labels_of(const Workload& workload) {
  Value labels = Value::object();
  if (const Value* groups = workload.configuration.find("labels"); groups != nullptr) {
    for (const Value& label : groups->items()) {
      const std::string_view key = label.text_or("key", "");
      if (!key.empty() && !key.starts_with(workload.label_prefix)) labels.set(key, Value(label.text_or("value", "")));
    }
  }
  const Value above = network_labels_of(workload);
  for (const Member& member : above.members()) labels.set(member.name, member.value);
  labels.set(workload.label_prefix + "service-id", Value(workload.id));
  labels.set(workload.label_prefix + "service-type", Value(lower_text(workload.type)));
  labels.set(workload.label_prefix + "service-name", Value(workload.configuration.text_or("name", "")));
  return labels;
}

std::string network_name_of(const Workload& workload) {
  return workload.options.brand + "-" + std::string(id_above(workload, "environment"));
}

std::vector<std::string> aliases_of(const Workload& workload) {
  std::vector<std::string> aliases = {workload.name};
  const auto add = [&](std::string alias) {
    if (!alias.empty() && std::ranges::find(aliases, alias) == aliases.end()) aliases.push_back(std::move(alias));
  };
  add(dns_label_of(workload.configuration.text_or("name", "")));
  if (workload.kind == WorkloadKind::database) add(std::string(workload.configuration.text_or("host", "")));
  const Value* const runtime = workload.configuration.find("runtime");
  if (runtime == nullptr || !runtime->is_object()) return aliases;
  if (const Value* const given = runtime->find("aliases"); given != nullptr && given->is_list()) {
    for (const Value& alias : given->items()) add(alias.is_text() ? std::string(alias.as_text()) : "");
  }
  add(std::string(runtime->text_or("hostname", "")));
  return aliases;
}

}  // namespace orlop
