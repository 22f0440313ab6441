// Routes of a cluster's network in addition to those that the platform creates.
#include "families/shapes/rule_functions.h"
#include "model/family.h"

namespace orlop::families::routing_table {
namespace {

using namespace shapes;

constexpr Field route_fields[] = {
    text("destination", "CIDR range of the destination, as in `10.30.0.0/16`.").required().at_least(1).at_most(255),
    text("target", "ID of the target at the cloud provider, as in `pcx-06f8f5512c91e389c`.")
        .required()
        .at_least(1)
        .at_most(255),
    text("description", "Free text that describes the route.").required(),
};
constexpr Shape route{.name = "ClusterRoute", .fields = route_fields};

constexpr Field fields[] = {
    list_of("routes", route, "Routes that replace those of the table, at most 200. Each destination occurs once.")
        .required()
        .at_most(200)
        .input_only(),
    list_of("results", route, "Routes of the table.").read_only().always_present(),
};

void check(const Value& record, ValidationContext&, Violations& violations) {
  check_distinct(record, "routes", "destination", violations);
}

void complete(Value& record, ValidationContext&) {
  const Value* routes = record.find("routes");
  if (routes != nullptr) record.set("results", *routes);
  set_absent(record, "results", Value::list());
}

}  // namespace

extern const Family family;
constexpr Family family = {
    .number = 67,
    .name = "routing_table",
    .schema = "ClusterRoutingTable",
    .segment = "routingTable",
    .id_name = "routingTableId",
    .about = "The routing table of a cluster: routes of its network in addition to those that the platform makes.",
    .parent = "cluster",
    .parent_path = ParentPath::item,
    .path = PathForm::single,
    .fields = fields,
    .verbs = Verb::read | Verb::edit,
    .edit_status = 201,
    .name_scope = NameScope::none,
    .propagates = Propagation::parent,
    .configures = "routing_table",
    .sample =
        R"({"routes": [{"destination": "10.30.0.0/16", "target": "pcx-06f8f5512c91e389c", "description": "peering"}]})",
    .check = check,
    .complete = complete,
};

}  // namespace orlop::families::routing_table
