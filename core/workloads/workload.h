// The facts of one service that all parts of a container plan read.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/value.h"
#include "workloads/plan_options.h"

namespace orlop {

enum class WorkloadKind : std::uint8_t { service, database, job, terraform };

struct Workload {
  const Value& configuration;
  const PlanOptions& options;
  WorkloadKind kind = WorkloadKind::service;
  std::string_view type;     // "CONTAINER", "APPLICATION", "DATABASE", "JOB", "TERRAFORM"
  std::string_view id;       // of the service
  std::string name;          // "app-z0000000a"
  std::string label_prefix;  // "platform.io/"
  std::vector<std::string> notes;
};

// Error invalid: the configuration has no id, or no container engine runs the service; the message says why.
Result<Workload> read_workload(const Value& configuration, const PlanOptions& options);

std::string_view to_string(WorkloadKind kind);
// Returns the settings of the service; an empty object if it has none.
const Value& settings_of(const Workload& workload);
// Returns the id of a record above the service, such as "environment"; empty if it is absent.
std::string_view id_above(const Workload& workload, std::string_view record);
// Returns the labels of every object that belongs to the service, and those of its environment's network.
Value labels_of(const Workload& workload);
Value network_labels_of(const Workload& workload);
std::string network_name_of(const Workload& workload);
// Returns the names under which other containers of the network reach the service.
std::vector<std::string> aliases_of(const Workload& workload);

}  // namespace orlop
