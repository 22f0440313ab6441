// A job runs to its end: when its environment starts, stops or is deleted, or on a schedule.
#include "families/shapes/group.h"
#include "families/shapes/services/git_repository.h"
#include "families/shapes/services/healthcheck.h"
#include "families/shapes/services/image.h"
#include "families/shapes/services/runtime.h"
#include "families/shapes/services/service.h"
#include "families/shapes/time_zone_field.h"
#include "model/cron.h"

namespace orlop::families::job {
namespace {

using namespace shapes;

constexpr std::string_view lifecycle_types[] = {"GENERIC", "TERRAFORM", "CLOUDFORMATION"};

constexpr Field docker_fields[] = {
    object("git_repository", git_repository,
           "Git repository that contains the source code. Required unless `dockerfile_raw` is given."),
    text("dockerfile_path", "Path of the Dockerfile, relative to the repository's root path. Null: `Dockerfile`.")
        .nullable(),
    text("dockerfile_raw", "Content of the Dockerfile, used in place of a file in the repository. Null: none.")
        .nullable(),
    text("docker_target_build_stage", "Target stage of a multi-stage Dockerfile. Null: the last stage.").nullable(),
};
constexpr Shape docker_source{.name = "JobSourceDockerResponse", .fields = docker_fields};

constexpr Field source_fields[] = {
    object("image", image_source, "Image of a container registry that the job runs.").nullable(),
    object("docker", docker_source, "Image that is built with a Dockerfile before the job runs.").nullable(),
};
constexpr Shape source{.name = "JobSource", .fields = source_fields, .exactly_one = true};

constexpr Field event_fields[] = {service_arguments, service_entrypoint};
constexpr Shape event{.name = "JobEvent", .fields = event_fields};

constexpr Field cronjob_fields[] = {
    service_arguments,
    service_entrypoint,
    text("timezone",
         "Time zone of the schedule, a name of the IANA database as in `Europe/Paris`. Default: "
         "`Etc/UTC`.")
        .defaults_to("Etc/UTC"),
    cron("scheduled_at",
         "Cron expression as a CronJob of Kubernetes has it: five fields (minute, hour, day of month, month, day of "
         "week 0 to 6), as in `0 3 * * *`, or `@yearly`, "
         "`@monthly`, `@weekly`, `@daily`, `@hourly` or `@every` with a duration, as in `@every 1h30m`. A schedule "
         "that never comes, such as `0 0 31 2 *`, is "
         "accepted: the job never runs.")
        .required(),
};
constexpr Shape cronjob{.name = "JobCron", .fields = cronjob_fields};

constexpr Field schedule_fields[] = {
    object("on_start", event, "Run the job when its environment is deployed."),
    object("on_stop", event, "Run the job when its environment is stopped."),
    object("on_delete", event, "Run the job before its environment is deleted."),
    object("cronjob", cronjob, "Run the job on a schedule. Excludes `on_start`, `on_stop` and `on_delete`."),
    enumeration("lifecycle_type", lifecycle_types,
                "Purpose of a lifecycle job: any (`GENERIC`), or the management of resources by Terraform or AWS "
                "CloudFormation."),
};
constexpr Shape schedule{.name = "JobSchedule", .fields = schedule_fields};

constexpr Field fields[] = {
    service_environment,
    text("name", "Name of the job, unique among the jobs of the environment without regard to case.")
        .required()
        .unique_name(),
    service_description,
    service_cpu.defaults_to(500),
    service_memory.defaults_to(512),
    service_gpu,
    service_ephemeral_storage,
    service_cpu_architecture,
    integer("max_nb_restart", "Number of restarts after a failed run, within the same step, at least 0. Default: 0.")
        .at_least(0)
        .defaults_to(0),
    integer("max_duration_seconds",
            "Time after which a run is stopped and fails, in seconds, at least 0. Absent: no limit.")
        .at_least(0),
    boolean(
        "auto_preview",
        "Set the tag of the image in previews of its environment for another tag of the same image. Default: false.")
        .defaults_to(false),
    integer("port", "Port that the probes of the job use, 1 to 65535. Null (default): none.")
        .at_least(1)
        .at_most(port_max)
        .nullable()
        .defaults_to_null(),
    object("source", source,
           "Image that the job runs: from a container registry, or built with a Dockerfile. Exactly one of its members "
           "is given.")
        .required()
        .preserved(),
    healthchecks,
    object("schedule", schedule,
           "Times at which the job runs: on a cron schedule, or on events of its environment. Default: empty; it "
           "runs when it is deployed.")
        .defaults_to_empty(),
    enumeration("job_type", job_types, "Kind of the job: `CRON` if the schedule has a `cronjob`, else `LIFECYCLE`.")
        .read_only()
        .always_present(),
    service_auto_deploy,
    annotations_groups,
    labels_groups,
    service_icon,
    service_type,
    service_addresses,
    service_runtime,
    service_maximum_cpu,
    service_maximum_memory,
    service_maximum_gpu,
};

bool has_member(const Value& record, std::initializer_list<std::string_view> path) {
  const Value* held = record.find_path(path);
  return held != nullptr && !held->is_null();
}

void check_schedule(const Value& record, Violations& violations) {
  if (!has_member(record, {"schedule", "cronjob"})) return;
  for (const std::string_view member : {"on_start", "on_stop", "on_delete"}) {
    if (!has_member(record, {"schedule", member})) continue;
    refuse(violations, member_path("schedule", member), "must be left out of a schedule that has a cronjob");
  }
}

void check(const Value& record, ValidationContext& context, Violations& violations) {
  check_schedule(record, violations);
  const Value* const cronjob = record.find_path({"schedule", "cronjob"});
  if (cronjob != nullptr && !cronjob->is_null())
    check_time_zone(cronjob->text_or("timezone", ""), "schedule.cronjob.timezone", context, violations);
  check_groups(record, violations);
  check_runtime(record, violations);
  if (const Value* const image = record.find_path({"source", "image"}); image != nullptr && image->is_object())
    check_image(*image, "source.image", violations);
  const Value* docker = record.find_path({"source", "docker"});
  if (docker == nullptr || !docker->is_object()) return;
  if (docker->has("git_repository")) {
    check_git_repository(*docker->find("git_repository"), "source.docker.git_repository", violations);
  } else if (!is_given(*docker, "dockerfile_raw")) {
    refuse(violations, "source.docker", "must have a git_repository or a dockerfile_raw");
  }
}

void complete(Value& record, ValidationContext& context) {
  const bool is_cron = has_member(record, {"schedule", "cronjob"});
  complete_service(record, "JOB", is_cron ? "cron-job" : "job", context);
  complete_limits(record, "maximum_gpu");
  complete_flags(record, {"auto_deploy"});
  complete_groups(record, context);
  complete_runtime(record);
  record.set("job_type", Value(is_cron ? "CRON" : "LIFECYCLE"));
  Value* source = record.find("source");
  if (source == nullptr || !source->is_object()) return;
  drop_nulls(*source, {"image", "docker"});
  if (Value* image = source->find("image")) complete_image(*image, context);
  Value* docker = source->find("docker");
  if (docker == nullptr) return;
  drop_nulls(*docker, {"git_repository"});
  if (Value* repository = docker->find("git_repository")) {
    complete_git_repository(*repository, before(context, {"source", "docker", "git_repository"}), context);
  }
}

std::string warning(const Value& body) {
  const Value* const cronjob = body.find_path({"schedule", "cronjob"});
  const auto times =
      cronjob == nullptr || !cronjob->is_object() ? std::nullopt : read_cron(cronjob->text_or("scheduled_at", ""));
  return !times || comes(*times) ? ""
                                 : "schedule.cronjob.scheduled_at never comes: none of its months has one of its days";
}

std::uint32_t plan_flags(const Value& record) {
  std::uint32_t bits = PlanFlag::executes | PlanFlag::uninterruptible | PlanFlag::stoppable;
  const auto add_if = [&](std::initializer_list<std::string_view> path, PlanFlag flag) {
    if (has_member(record, path)) bits = bits | flag;
  };
  add_if({"source", "docker"}, PlanFlag::builds);
  add_if({"source", "docker", "git_repository"}, PlanFlag::has_git);
  add_if({"schedule", "on_start"}, PlanFlag::on_start);
  add_if({"schedule", "on_stop"}, PlanFlag::on_stop);
  add_if({"schedule", "on_delete"}, PlanFlag::on_delete);
  add_if({"schedule", "cronjob"}, PlanFlag::cron);
  return bits;
}

}  // namespace

extern const Family family;
constexpr Family family = {
    .number = 13,
    .name = "job",
    .schema = "Job",
    .segment = "job",
    .id_name = "jobId",
    .service_kind = "JOB",
    .about =
        "A job is a service that runs a container to completion, on a cron schedule or when its environment is "
        "deployed, stopped "
        "or deleted.",
    .parent = "environment",
    .fields = fields,
    .machine = MachineKind::service,
    .sample = R"({"name": "migrate", "healthchecks": {},
      "source": {"image": {"registry_id": "{container_registry}", "image_name": "acme/migrate", "tag": "1.0.0"}},
      "schedule": {"on_start": {"arguments": ["up"]}}})",
    .check = check,
    .complete = complete,
    .warning = warning,
    .plan_flags = plan_flags,
};

}  // namespace orlop::families::job
