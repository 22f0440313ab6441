// An application is built from a git repository, then run.
#include "families/shapes/group.h"
#include "families/shapes/services/autoscaling.h"
#include "families/shapes/services/git_repository.h"
#include "families/shapes/services/healthcheck.h"
#include "families/shapes/services/runtime.h"
#include "families/shapes/services/service.h"
#include "families/shapes/services/service_port.h"
#include "families/shapes/services/volumes.h"

namespace orlop::families::application {
namespace {

using namespace shapes;

constexpr std::string_view build_modes[] = {"DOCKER"};

constexpr Field fields[] = {
    service_environment,
    text("name",
         "Name of the application, unique among the applications of the environment without regard to "
         "case.")
        .required()
        .unique_name()
        .preserved(),
    service_description.nullable(),
    object("git_repository", git_repository, "Git repository that contains the source code.").required().preserved(),
    enumeration("build_mode", build_modes, "Build method of the image. `DOCKER`: build with a Dockerfile.")
        .defaults_to("DOCKER"),
    text("dockerfile_path", "Path of the Dockerfile, relative to the repository's root path. Null: `Dockerfile`.")
        .nullable(),
    text("docker_target_build_stage", "Target stage of a multi-stage Dockerfile. Null: the last stage.").nullable(),
    service_cpu.defaults_to(500),
    service_memory.defaults_to(512),
    service_gpu,
    service_ephemeral_storage,
    service_cpu_architecture,
    service_min_instances,
    service_max_instances,
    healthchecks,
    boolean("auto_preview", "Create a preview environment for each pull request of the repository. Default: true.")
        .defaults_to(true),
    service_auto_deploy,
    ports,
    storages,
    service_arguments,
    service_entrypoint,
    annotations_groups,
    labels_groups,
    autoscaling,
    service_icon,
    service_type,
    service_addresses,
    service_runtime,
    service_maximum_cpu,
    service_maximum_memory,
    // Spelled so in the interface, for applications only.
    integer("maximun_gpu", "Highest value that `gpu` accepts.").read_only(),
};

void check(const Value& record, ValidationContext& context, Violations& violations) {
  if (const Value* repository = record.find("git_repository"))
    check_git_repository(*repository, "git_repository", violations);
  check_order(record, "min_running_instances", "max_running_instances", violations);
  check_ports(record, violations);
  check_storage(record, context, violations);
  check_groups(record, violations);
  check_runtime(record, violations);
}

void complete(Value& record, ValidationContext& context) {
  complete_service(record, "APPLICATION", "application", context);
  complete_limits(record, "maximun_gpu");
  complete_flags(record, {"auto_deploy"});
  if (Value* repository = record.find("git_repository")) {
    complete_git_repository(*repository, before(context, {"git_repository"}), context);
  }
  complete_ports(record, context);
  complete_storage(record, context);
  complete_groups(record, context);
  complete_runtime(record);
  complete_autoscaling(record, context);
}

std::uint32_t plan_flags(const Value&) {
  return PlanFlag::builds | PlanFlag::has_git | PlanFlag::restartable | PlanFlag::stoppable;
}

}  // namespace

extern const Family family;
constexpr Family family = {
    .number = 10,
    .name = "application",
    .schema = "Application",
    .segment = "application",
    .id_name = "applicationId",
    .service_kind = "APPLICATION",
    .about =
        "An application is a service that is built from a git repository with a Dockerfile and runs as replicated "
        "instances. "
        "Edits take effect with the next deployment.",
    .parent = "environment",
    .fields = fields,
    .machine = MachineKind::service,
    .sample =
        R"({"name": "api", "healthchecks": {},
      "git_repository": {"url": "https://github.com/acme/api.git", "provider": "GITHUB"}})",
    .check = check,
    .complete = complete,
    .plan_flags = plan_flags,
};

}  // namespace orlop::families::application
