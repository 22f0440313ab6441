// A database runs in a container of the cluster, or is managed by the cloud provider.
#include "families/shapes/context_keys.h"
#include "families/shapes/group.h"
#include "families/shapes/service.h"

#include "base/brand.h"
#include "catalogs/cloud_catalog.h"
#include "catalogs/nearest.h"

namespace orlop::families {
namespace {

using namespace shapes;

constexpr std::string_view engines[] = {"MONGODB", "MYSQL", "POSTGRESQL", "REDIS"};
constexpr std::string_view modes[] = {"CONTAINER", "MANAGED"};
constexpr std::string_view accessibilities[] = {"PRIVATE", "PUBLIC"};
constexpr std::string_view disk_types[] = {"gp2", "gp3"};

constexpr Field fields[] = {
    service_environment,
    text("name", "Its name, different from that of every other database of the environment.").required().unique_name().preserved(),
    service_description,
    enumeration("type", engines, "Its engine.").required().immutable(),
    text("version", "The version of its engine.").required().preserved().at_least(1),
    enumeration("mode", modes, "Whether it runs in a container or is managed by the cloud provider.").required().immutable(),
    enumeration("accessibility", accessibilities, "Whether it is reached from outside the cluster.").defaults_to("PRIVATE"),
    service_cpu.defaults_to(250),
    integer("memory", "Memory in MB, 1 to 524288; by default 512 for MYSQL and 256 for MONGODB in a container, else 100.")
        .at_least(1)
        .at_most(memory_max),
    integer("storage", "Its disk in GB, at least 1.").at_least(1).defaults_to(10).preserved(),
    text("instance_type", "The machine of a managed database; null in a container.").nullable().preserved(),
    enumeration("disk_type", disk_types, "The disk of a managed database; null in a container.").nullable().preserved(),
    boolean("disk_encrypted", "Whether its disk is encrypted.").read_only().always_present(),
    text("host", "The host it is reached at.").read_only().always_present(),
    integer("port", "The port it is reached at.").read_only().always_present(),
    annotations_groups,
    labels_groups,
    service_icon,
    service_type,
    service_maximum_cpu,
    service_maximum_memory,
};


struct Engine {
  std::string_view type;
  std::int64_t port;
  std::int64_t container_memory;  // MB
};
constexpr std::int64_t managed_memory = 100;
constexpr Engine engine_facts[] = {
    {"POSTGRESQL", 5432, 100}, {"REDIS", 6379, 100}, {"MYSQL", 3306, 512}, {"MONGODB", 27017, 256}};

const Engine& engine_of(const Value& record) {
  const std::string_view type = record.text_or("type", "");
  for (const Engine& engine : engine_facts) {
    if (engine.type == type) return engine;
  }
  return engine_facts[0];
}

bool is_managed(const Value& record) { return record.text_or("mode", "") == "MANAGED"; }

void check_version(const Value& record, ValidationContext& context, Violations& violations) {
  const std::string_view type = record.text_or("type", "");
  const std::string_view version = record.text_or("version", "");
  const bool is_preserved = context.previous() != nullptr && context.previous()->text_or("version", "") == version;
  if (is_preserved || context.value(context_keys::open_catalogs).as_boolean() || is_known_version(type, version)) return;
  refuse(violations, "version",
         "must be a version of " + std::string(type) + ", not " + quoted(version) + nearest_hint(version, known_versions(type)));
}

void check(const Value& record, ValidationContext& context, Violations& violations) {
  check_groups(record, violations);
  check_version(record, context, violations);
  if (is_managed(record)) return;
  for (const std::string_view member : {"instance_type", "disk_type"}) {
    if (!record.has(member)) continue;
    refuse(violations, member, "must be null for a database of mode CONTAINER, not " + quoted(record.text_or(member, "")));
  }
}

void complete(Value& record, ValidationContext& context) {
  complete_service(record, "DATABASE", "database", context);
  complete_limits(record, {});
  complete_groups(record, context);
  const Engine& engine = engine_of(record);
  const bool managed = is_managed(record);
  set_absent(record, "memory", Value(managed ? managed_memory : engine.container_memory));
  set_absent(record, "instance_type", Value());
  set_absent(record, "disk_type", managed ? Value("gp2") : Value());
  record.set("disk_encrypted", Value(managed));
  record.set("port", Value(engine.port));
  record.set("host", Value("z" + to_text(context.self()) + branded(branded_names::internal_domain, context.value(context_keys::brand).as_text())));
}

std::uint32_t plan_flags(const Value& record) {
  const std::uint32_t always = PlanFlag::restartable | PlanFlag::stoppable;
  return is_managed(record) ? always | PlanFlag::uninterruptible : always;
}

}  // namespace

extern const Family database;
constexpr Family database = {
    .number = 12,
    .name = "database",
    .schema = "Database",
    .segment = "database",
    .id_name = "databaseId",
    .service_kind = "DATABASE",
    .about = "A database runs in a container of the cluster, or is managed by the cloud provider.",
    .parent = "environment",
    .fields = fields,
    .machine = MachineKind::service,
    .sample = R"({"name": "orders", "type": "POSTGRESQL", "version": "16", "mode": "CONTAINER"})",
    .check = check,
    .complete = complete,
    .plan_flags = plan_flags,
};

}  // namespace orlop::families
