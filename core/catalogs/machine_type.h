// Virtual machines of cloud providers that can be nodes of clusters, with their sizes. A selection of the general,
// compute, memory and GPU series for the Kubernetes services of the cloud providers, taken in November 2026 from what
// the providers publish about each series. Not every region has all of them; a host that needs the exact list answers
// the question list_instance_types. The names of all types of Amazon Web Services are in instance_type.h.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace orlop {

struct MachineGpu {
  int count = 0;  // 0: none
  std::string_view name = {};
  int memory_in_mib = 0;  // total of all GPUs
};

struct MachineType {
  std::string name;         // "m6i.large"
  std::string_view series;  // "m6i"
  std::string_view size;    // "large"
  int cpu = 0;
  int ram_in_gib = 0;
  std::string_view bandwidth_in_gbps;
  bool is_bandwidth_shared = false;  // the bandwidth is an upper limit
  std::string_view architecture;     // "AMD64"
  MachineGpu gpu;
};

// Returns the types of a cloud provider ("AWS") by series and size; empty if it has no catalog.
std::vector<MachineType> machine_types_of(std::string_view cloud_provider);

// Returns the instance types of a managed database engine of Amazon Web Services: "db.t3.medium", "cache.t3.medium".
// Empty if the engine is unknown.
std::vector<std::string> database_machines_of(std::string_view engine);

}  // namespace orlop
