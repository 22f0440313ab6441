// The body of a container's creation, and the objects that it needs.
#pragma once

#include "base/result.h"
#include "model/value.h"
#include "workloads/workload.h"

namespace orlop {

// The first event of a job that `options.event` allows; null if the job does not have it.
struct JobEvent {
  std::string_view name;
  const Value* command = nullptr;
};
JobEvent event_of(const Workload& workload);

// `ports` is what ports_of() has returned. `image` is the reference of the image, empty if it is built.
Result<Value> container_body(Workload& workload, const Value& ports, std::string_view image);
// Returns one object for each copy: its volumes and their mounts.
Value instances_of(const Workload& workload);
// Returns the files that the container gets before it starts. Error invalid: two of them have one path.
Result<Value> files_of(const Workload& workload);
Value strategy_of(const Workload& workload, const Value& ports);

}  // namespace orlop
