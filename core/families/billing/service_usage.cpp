// Number of running instances of a service, as its environment's meter counts them. An edit has no effect until it is
// deployed.
#include "base/family_number.h"
#include "model/family.h"

namespace orlop::families::service_usage {
namespace {

constexpr Field fields[] = {
    uuid("service_id", "ID of the service.").required(),
    integer("instances", "Instances that run.").at_least(0).defaults_to(0),
    date_time("building_since", "Begin of the build that runs. Absent: none runs."),
};

}  // namespace

extern const Family family;
constexpr Family family = {
    .number = service_usage_number,
    .name = "service_usage",
    .schema = "ServiceUsageRecord",
    .about = "The part of a service in its environment's usage meter.",
    .parent = "organization",
    .fields = fields,
    .verbs = 0,
    .name_scope = NameScope::none,
    .is_internal = true,
    .has_events = false,
    .is_cloned = false,
    .sample = R"({"service_id": "01900000-0000-7000-8000-000000000001", "instances": 2})",
};

}  // namespace orlop::families::service_usage
