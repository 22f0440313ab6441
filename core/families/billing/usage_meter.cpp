// Usage of an organization, an environment or a cluster in a month: counters that grow while something runs, updated
// whenever that changes.
#include "base/billing_months.h"
#include "base/family_number.h"
#include "model/family.h"

namespace orlop::families::usage_meter {
namespace {

constexpr std::string_view scopes[] = {"ORGANIZATION", "ENVIRONMENT", "CLUSTER"};

constexpr Field count(std::string_view name, std::string_view about) {
  return integer(name, about).at_least(0).defaults_to(0);
}

constexpr Field month_fields[] = {
    date_time("month", "Begin of the month.").required(),
    count("instance_ms", "Time that instances ran, in milliseconds."),
    count("cluster_ms", "Time that clusters ran, in milliseconds."),
    count("build_ms", "Time of builds, in milliseconds."),
};
constexpr Shape closed_month = {.name = "ClosedMonth", .fields = month_fields};

constexpr Field fields[] = {
    enumeration("scope", scopes, "Kind of resource that is metered.").required(),
    uuid("scope_id", "ID of the metered organization, environment or cluster.").required(),
    text("name", "Name of the resource when it was metered last.").required(),
    date_time("settled_at", "Time up to which the counters hold what was used.").required(),
    count("instances", "Instances of services that run since then."),
    count("clusters", "Clusters that run since then."),
    count("instance_ms", "Time that instances ran in the month of `settled_at`, in milliseconds."),
    count("cluster_ms", "Time that clusters ran in that month, in milliseconds."),
    count("build_ms", "Time of the builds that ended in that month, in milliseconds."),
    count("last_instance_ms", "As `instance_ms`, of the month before."),
    count("last_cluster_ms", "As `cluster_ms`, of the month before."),
    count("last_build_ms", "As `build_ms`, of the month before."),
    list_of("closed_months", closed_month,
            "Months that have ended and have no invoice yet. Only in the meter of an organization.")
        .at_most(closed_months_max)
        .defaults_to_empty(),
};

}  // namespace

extern const Family family;
constexpr Family family = {
    .number = usage_meter_number,
    .name = "usage_meter",
    .schema = "UsageMeterRecord",
    .about =
        "A meter of what an organization, an environment or a cluster uses. It outlives the environment or cluster, so "
        "that an invoice can name it.",
    .parent = "organization",
    .fields = fields,
    .verbs = 0,
    .name_scope = NameScope::none,
    .is_internal = true,
    .has_events = false,
    .is_cloned = false,
    .sample = R"({"scope": "ENVIRONMENT", "scope_id": "01900000-0000-7000-8000-000000000001", "name": "production", )"
              R"("settled_at": "2026-01-01T00:00:00Z"})",
};

}  // namespace orlop::families::usage_meter
