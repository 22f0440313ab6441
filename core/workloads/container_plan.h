// What a step becomes on a container engine: the requests of the Docker Engine API that Docker and Podman serve, as one
// JSON object. Pure: the same configuration and options give the same text.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "workloads/plan_options.h"

namespace orlop {

// `configuration` is that of a step (deploy/driver/configuration.h). Returns JSON text with these members:
//   "kind"        "service", "database", "job" or "terraform"
//   "service"     {"id", "name", "type"}
//   "name"        name under which other services of the environment find this one: "app-z0000000a"
//   "network"     body of the network's creation: one network for each environment
//   "image"       {"reference", "pull", "platform", "credentials"}; null for a service that is built
//   "build"       source and arguments of the image; null for an image of a registry
//   "container"   body of the container's creation; "Image" is the reference, which the caller replaces by an image id
//   "instances"   one for each copy: {"mounts", "volumes"}: the mounts that its body gets, and the volumes to create
//   "files"       files to add before the start: {"path", "content", "mode"}
//   "ports"       {"name", "port", "transport", "protocol", "public", "default", "path", "rewrite"}
//   "probes"      {"readiness", "liveness"}, each null or one probe; of a database its "protocol"
//   "strategy"    {"kind": "rolling" or "recreate", "reason"}
//   "grace_seconds"  time between the stop signal and the kill
//   "job"         of a job: {"runs", "retries", "duration_seconds", "outputs", "outputs_folder"}
//   "terraform"   of a Terraform service: its commands and their environment
//   "hash"        SHA-256 of all that makes a new container necessary, as hexadecimal digits
//   "notes"       sentences about fields without effect on a container engine
// Error invalid: not JSON, an option that is unknown or has another type, or a service that no container engine runs.
Result<std::string> container_plan(std::string_view configuration, std::string_view options);

}  // namespace orlop
