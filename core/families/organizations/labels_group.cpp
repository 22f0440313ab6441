// A group of labels that services and clusters share.
#include "families/shapes/group.h"

namespace orlop::computations {
ComputeFunction referring_items;
}

namespace orlop::families::labels_group {
namespace {

using namespace shapes;

constexpr Field fields[] = {
    text("name", "Name of the group. Several groups of an organization may have the same name.")
        .required()
        .unique_name(),
    list_of("labels", label, "Labels of the group, at most 200; each key once.").at_most(200).required(),
    computed(integer("associated_items_count",
                     "Number of services and clusters that use the group. A group in use cannot be deleted."),
             computations::referring_items),
};

void check(const Value& record, ValidationContext&, Violations& violations) {
  check_distinct(record, "labels", "key", violations);
}

}  // namespace

extern const Family family;
constexpr Family family = {
    .number = 33,
    .name = "labels_group",
    .schema = "OrganizationLabelsGroup",
    .segment = "labelsGroups",
    .id_name = "labelsGroupId",
    .about = "A labels group is a named set of Kubernetes labels that services and clusters of the organization share.",
    .parent = "organization",
    .path = PathForm::nested,
    .fields = fields,
    .name_scope = NameScope::none,
    .sample = R"({"name": "costs", "labels": [{"key": "team", "value": "shop", "propagate_to_cloud_provider": true}]})",
    .check = check,
};

}  // namespace orlop::families::labels_group
