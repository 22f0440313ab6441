// The member `runtime` of a service in a container plan.
#pragma once

#include <string_view>

#include "base/result.h"
#include "model/value.h"
#include "workloads/workload.h"

namespace orlop {

// Returns the member; an empty object if the service has none.
const Value& runtime_of(const Workload& workload);

// Error invalid: the runtime needs access to the machine, which the options do not give; or it cannot be combined with
// the other fields of the service.
Result<void> check_runtime(const Workload& workload);

// Sets what the runtime says of the process, the network and the host in the body of a container's creation.
void apply_runtime(const Workload& workload, Value& body);

// Adds the mounts of the runtime to those of a copy of the service, and their volumes.
void add_runtime_mounts(const Workload& workload, Value& mounts, Value& volumes);

// Returns why the old containers must stop before new ones start; "" if they need not.
std::string_view reason_to_recreate(const Workload& workload);

// Returns the build from a local folder; null if there is none.
Value local_build_of(const Workload& workload);

}  // namespace orlop
