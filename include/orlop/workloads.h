// What services become on a container engine. Pure functions: no engine, no store, no connection.
#ifndef ORLOP_WORKLOADS_H
#define ORLOP_WORKLOADS_H

#include "orlop/orlop.h"

#ifdef __cplusplus
extern "C" {
#endif

// Maps the configuration of a step (orlop_step.configuration) to requests of the Docker Engine API, which Docker and
// Podman serve: a JSON object with the bodies that create the network, the volumes and the containers of the service,
// its files, ports, probes and image. The same input gives the same text. The plan holds the secrets of the
// configuration.
// `options` is a JSON object, "" for none: "brand" ("platform"), "event" of a job ("on_start", "on_stop", "on_delete",
// "cronjob"; default: the first that the job has), "publish_address" of ports ("127.0.0.1"), "public_address" of public
// databases ("127.0.0.1"), "cpu_limit" ("none": `cpu` is a weight; "equal": it is also the limit), "log_size_max"
// ("10m"), "log_files_max" (3), "ulimits" (a list of {"Name", "Soft", "Hard"}; default: those of the container engine),
// "images" (image references by type of database, with "{version}" in them), "allow_host_access" (false; true:
// `runtime` may mount paths of the machine, use its network and devices, and build a folder of it).
// Errors: INVALID (not JSON, an unknown option, a service that no container engine runs), MISUSE.
ORLOP_API ORLOP_CHECKED orlop_error *orlop_container_plan(orlop_buffer **plan, orlop_text configuration,
                                                          orlop_text options);

#ifdef __cplusplus
}
#endif

#endif
