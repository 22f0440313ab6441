// What the nodes of clusters can be: virtual machines of cloud providers with their size. A selection of the general,
// compute, memory and GPU series that Kubernetes services of the cloud providers run on, written down in November 2026
// from what the providers publish about each series. Not every region has each of them; a host that needs the exact
// list answers the question list_instance_types. The names alone, of all of Amazon Web Services, are in
// instance_type.h.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace orlop {

struct MachineGpu {
  int count = 0;  // 0: none
  std::string_view name = {};
  int memory_in_mib = 0;  // of all of them
};

struct MachineType {
  std::string name;         // "m6i.large"
  std::string_view series;  // "m6i"
  std::string_view size;    // "large"
  int cpu = 0;
  int ram_in_gib = 0;
  std::string_view bandwidth_in_gbps;
  bool is_bandwidth_shared = false;  // up to that much
  std::string_view architecture;     // "AMD64"
  MachineGpu gpu;
};

// By the cloud provider's word ("AWS"), by series and size; empty for one without a catalogue.
std::vector<MachineType> machine_types_of(std::string_view cloud_provider);

// The instance types of a managed database engine of Amazon Web Services: "db.t3.medium", "cache.t3.medium". Empty for
// an engine that is not known.
std::vector<std::string> database_machines_of(std::string_view engine);

}  // namespace orlop
