// A group of annotations that services share.
#include "families/shapes/group.h"

namespace orlop::computations {
ComputeFunction referring_items;
}

namespace orlop::families::annotations_group {
namespace {

using namespace shapes;

constexpr Field fields[] = {
    text("name", "Name of the group. Several groups of an organization may have the same name.")
        .required()
        .unique_name(),
    list_of("annotations", annotation, "Kubernetes annotations of the group, at most 200; each key once.")
        .at_most(200)
        .required(),
    enumeration_list("scopes", annotation_scopes,
                     "Kinds of Kubernetes resources that receive the annotations, as in `PODS`.")
        .at_most(100)
        .required(),
    computed(
        integer("associated_items_count", "Number of services that use the group. A group in use cannot be deleted."),
        computations::referring_items),
};

void check(const Value& record, ValidationContext&, Violations& violations) {
  check_distinct(record, "annotations", "key", violations);
}

}  // namespace

extern const Family family;
constexpr Family family = {
    .number = 34,
    .name = "annotations_group",
    .schema = "OrganizationAnnotationsGroup",
    .segment = "annotationsGroups",
    .id_name = "annotationsGroupId",
    .about = "An annotations group is a named set of Kubernetes annotations that services of the organization share.",
    .parent = "organization",
    .path = PathForm::nested,
    .fields = fields,
    .name_scope = NameScope::none,
    .sample = R"({"name": "scraping", "annotations": [{"key": "prometheus.io/scrape", "value": "true"}], "scopes": )"
              R"(["PODS"]})",
    .check = check,
};

}  // namespace orlop::families::annotations_group
