// A container runs an image of a registry.
#include "families/shapes/group.h"
#include "families/shapes/services/autoscaling.h"
#include "families/shapes/services/healthcheck.h"
#include "families/shapes/services/image.h"
#include "families/shapes/services/runtime.h"
#include "families/shapes/services/service.h"
#include "families/shapes/services/service_port.h"
#include "families/shapes/services/volumes.h"

namespace orlop::families::container {
namespace {

using namespace shapes;

constexpr Field fields[] = {
    service_environment,
    text("name", "Name of the container, unique among the containers of the environment without regard to case.")
        .required()
        .unique_name(),
    service_description,
    image_registry_id,
    image_name,
    image_tag,
    image_registry,
    service_arguments,
    service_entrypoint,
    service_cpu.defaults_to(500),
    service_memory.defaults_to(512),
    service_gpu,
    service_ephemeral_storage,
    service_cpu_architecture,
    service_min_instances,
    service_max_instances,
    healthchecks,
    boolean("auto_preview", "Create a preview environment when another tag of the image is previewed. Default: false.")
        .defaults_to(false),
    service_auto_deploy,
    ports,
    storages,
    annotations_groups,
    labels_groups,
    autoscaling,
    service_icon,
    service_type,
    service_addresses,
    service_runtime,
    service_maximum_cpu,
    service_maximum_memory,
    service_maximum_gpu,
};

void check(const Value& record, ValidationContext& context, Violations& violations) {
  check_image(record, "", violations);
  check_order(record, "min_running_instances", "max_running_instances", violations);
  check_ports(record, violations);
  check_storage(record, context, violations);
  check_groups(record, violations);
  check_runtime(record, violations);
}

void complete(Value& record, ValidationContext& context) {
  complete_service(record, "CONTAINER", "container", context);
  complete_limits(record, "maximum_gpu");
  complete_flags(record, {"auto_deploy"});
  complete_image(record, context);
  complete_ports(record, context);
  complete_storage(record, context);
  complete_groups(record, context);
  complete_runtime(record);
  complete_autoscaling(record, context);
}

std::uint32_t plan_flags(const Value&) { return PlanFlag::restartable | PlanFlag::stoppable; }

}  // namespace

extern const Family family;
constexpr Family family = {
    .number = 11,
    .name = "container",
    .schema = "Container",
    .segment = "container",
    .id_name = "containerId",
    .service_kind = "CONTAINER",
    .about =
        "A container is a service that runs an image of a container registry as replicated instances. Edits take "
        "effect with the "
        "next deployment.",
    .parent = "environment",
    .fields = fields,
    .machine = MachineKind::service,
    .sample = R"({"name": "web", "registry_id": "{container_registry}", "image_name": "acme/web", "tag": "1.0.0", )"
              R"("healthchecks": {}})",
    .check = check,
    .complete = complete,
    .plan_flags = plan_flags,
};

}  // namespace orlop::families::container
