// A database runs in a container of the cluster, or is managed by the cloud provider.
#include <algorithm>
#include <charconv>
#include <vector>

#include "families/shapes/context_keys.h"
#include "families/shapes/group.h"
#include "families/shapes/services/service.h"

#include "base/brand.h"
#include "catalogs/cloud_catalog.h"
#include "catalogs/instance_type.h"
#include "catalogs/nearest.h"

namespace orlop::families::database {
namespace {

using namespace shapes;

constexpr std::string_view engines[] = {"MONGODB", "MYSQL", "POSTGRESQL", "REDIS"};
constexpr std::string_view modes[] = {"CONTAINER", "MANAGED"};
constexpr std::string_view accessibilities[] = {"PRIVATE", "PUBLIC"};
constexpr std::string_view disk_types[] = {"gp2", "gp3"};

constexpr Field fields[] = {
    service_environment,
    text("name",
         "Name of the database, unique among the databases of the environment without regard to "
         "case.")
        .required()
        .unique_name()
        .preserved(),
    service_description,
    enumeration("type", engines, "Database engine. Cannot be changed.").required().immutable(),
    text("version",
         "Version of the database engine, as in `16`. Checked against the versions that the built-in catalogue lists "
         "for the "
         "engine. An edit that omits it keeps the stored version. The version of a deployed database cannot go back to "
         "an earlier series.")
        .required()
        .preserved()
        .at_least(1),
    enumeration("mode", modes,
                "Operation of the database: in a container on the cluster (`CONTAINER`), or as a managed service of "
                "the cloud provider "
                "(`MANAGED`). Cannot be changed.")
        .required()
        .immutable(),
    enumeration("accessibility", accessibilities,
                "Network access: only from the cluster (`PRIVATE`), or from the internet too (`PUBLIC`). Default: "
                "`PRIVATE`.")
        .defaults_to("PRIVATE"),
    service_cpu.defaults_to(250),
    integer("memory",
            "Memory request in MB, 1 to 524288. Default for `CONTAINER`: 512 for MySQL, 256 for MongoDB, 100 for "
            "PostgreSQL and "
            "Redis. Default for `MANAGED`: 100.")
        .at_least(1)
        .at_most(memory_max),
    integer("storage",
            "Size of the data volume in GB, at least 1. That of a deployed database can only grow. Default: 10.")
        .at_least(1)
        .defaults_to(10)
        .preserved(),
    text("instance_type",
         "Instance type of a `MANAGED` database as the cloud provider names it, as in `db.t3.micro`. Null: default of "
         "the cloud "
         "provider. It has to be null for `CONTAINER`.")
        .nullable()
        .preserved(),
    enumeration("disk_type", disk_types,
                "Volume type of a `MANAGED` database. Default: `gp2`. It has to be null for `CONTAINER`.")
        .nullable()
        .preserved(),
    boolean("disk_encrypted", "True if the data volume is encrypted. Always true for `MANAGED`.")
        .read_only()
        .always_present(),
    text("host", "Internal DNS name of the database.").read_only().always_present(),
    integer("port",
            "TCP port of the database: 5432 for PostgreSQL, 3306 for MySQL, 27017 for MongoDB, 6379 for "
            "Redis.")
        .read_only()
        .always_present(),
    annotations_groups,
    labels_groups,
    service_icon,
    service_type,
    service_addresses,
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

// Returns the leading numbers of a version that identify its series: an earlier series cannot read the data of a later
// one. Empty if the version has no number.
std::vector<int> series_of(std::string_view type, std::string_view version) {
  std::vector<int> numbers;
  while (numbers.size() < 2) {
    int number = 0;
    const auto [end, error] = std::from_chars(version.data(), version.data() + version.size(), number);
    if (error != std::errc()) break;
    numbers.push_back(number);
    version.remove_prefix(static_cast<std::size_t>(end - version.data()));
    if (!version.starts_with('.')) break;
    version.remove_prefix(1);
  }
  // Since PostgreSQL 10 the second number is the patch.
  constexpr int first_of_one_number = 10;
  if (type == "POSTGRESQL" && !numbers.empty() && numbers.front() >= first_of_one_number) numbers.resize(1);
  return numbers;
}

void check_series(const Value& record, ValidationContext& context, Violations& violations) {
  const Value* before = shapes::before(context, {"version"});
  if (before == nullptr || !before->is_text()) return;
  const std::string_view type = record.text_or("type", "");
  const std::string_view version = record.text_or("version", "");
  const std::vector<int> wanted = series_of(type, version);
  const std::vector<int> present = series_of(type, before->as_text());
  const std::size_t compared = std::min(wanted.size(), present.size());
  const bool is_earlier =
      std::lexicographical_compare(wanted.begin(), wanted.begin() + static_cast<std::ptrdiff_t>(compared),
                                   present.begin(), present.begin() + static_cast<std::ptrdiff_t>(compared));
  if (!is_earlier || !context.may_have_data()) return;
  refuse(violations, "version",
         "must not be earlier than " + quoted(before->as_text()) +
             ", whose data an earlier version does not read, and not " + quoted(version));
}

bool is_managed(const Value& record) { return record.text_or("mode", "") == "MANAGED"; }

void check_version(const Value& record, ValidationContext& context, Violations& violations) {
  const std::string_view type = record.text_or("type", "");
  const std::string_view version = record.text_or("version", "");
  const bool is_preserved = context.previous() != nullptr && context.previous()->text_or("version", "") == version;
  if (is_preserved || context.value(context_keys::open_catalogs).as_boolean() || is_known_version(type, version))
    return;
  refuse(violations, "version",
         "must be a version of " + std::string(type) + ", not " + quoted(version) +
             nearest_hint(version, known_versions(type)));
}

// Returns the cloud provider of the database's cluster; empty if there is none.
std::string_view cloud_provider_of(ValidationContext& context) {
  const Value* environment = context.find("environment", context.parent());
  const auto cluster_id = environment == nullptr ? std::nullopt : id_of(*environment, "cluster_id");
  const Value* cluster = cluster_id ? context.find("cluster", *cluster_id) : nullptr;
  return cluster == nullptr ? std::string_view() : cluster->text_or("cloud_provider", "");
}

// Checks the instance type of a managed database: "db." or, for REDIS, "cache.", and a machine of the provider.
void check_instance_type(const Value& record, ValidationContext& context, Violations& violations) {
  const std::string_view type = record.text_or("instance_type", "");
  const bool is_preserved = context.previous() != nullptr && context.previous()->text_or("instance_type", "") == type;
  if (type.empty() || is_preserved || context.value(context_keys::open_catalogs).as_boolean()) return;
  const std::string_view provider = cloud_provider_of(context);
  if (!has_instance_types(provider) || is_known_instance_type(provider, machine_of_database(type))) return;
  const std::string prefix = record.text_or("type", "") == "REDIS" ? "cache." : "db.";
  const std::string_view machine = machine_of_database(type).empty() ? type : machine_of_database(type);
  refuse(violations, "instance_type",
         "must be an instance type of " + std::string(provider) + " for managed databases, not " + quoted(type) +
             "; the nearest known one is \"" + prefix + nearest_instance_type(provider, machine) + "\"");
}

void check(const Value& record, ValidationContext& context, Violations& violations) {
  check_groups(record, violations);
  check_version(record, context, violations);
  check_series(record, context, violations);
  check_growth(record, {"storage"}, context, violations);
  if (is_managed(record)) {
    check_instance_type(record, context, violations);
    return;
  }
  for (const std::string_view member : {"instance_type", "disk_type"}) {
    if (!record.has(member)) continue;
    refuse(violations, member,
           "must be null for a database of mode CONTAINER, not " + quoted(record.text_or(member, "")));
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
  if (const Value* const previous = context.previous(); record.find("addresses") != nullptr && previous != nullptr) {
    keep_from(record, previous, {"host", "port"});
    return;
  }
  record.set("port", Value(engine.port));
  record.set("host", Value("z" + to_text(context.self()) + branded(branded_names::internal_domain, context.brand())));
}

std::uint32_t plan_flags(const Value& record) {
  const std::uint32_t always = PlanFlag::restartable | PlanFlag::stoppable;
  return is_managed(record) ? always | PlanFlag::uninterruptible : always;
}

}  // namespace

extern const Family family;
constexpr Family family = {
    .number = 12,
    .name = "database",
    .schema = "Database",
    .segment = "database",
    .id_name = "databaseId",
    .service_kind = "DATABASE",
    .about =
        "A database is a PostgreSQL, MySQL, MongoDB or Redis server, run in a container on the cluster or as a managed "
        "service "
        "of the cloud provider.",
    .parent = "environment",
    .fields = fields,
    .machine = MachineKind::service,
    .sample = R"({"name": "orders", "type": "POSTGRESQL", "version": "16", "mode": "CONTAINER"})",
    .check = check,
    .complete = complete,
    .plan_flags = plan_flags,
};

}  // namespace orlop::families::database
