// A group of annotations that services carry together.
#include "families/shapes/group.h"

namespace orlop::computations {
ComputeFunction referring_items;
}

namespace orlop::families {
namespace {

using namespace shapes;

constexpr Field fields[] = {
    text("name", "Its name.").required().unique_name(),
    list_of("annotations", annotation, "The annotations in it, each with a key of its own.").at_most(200).required(),
    enumeration_list("scopes", annotation_scopes, "What the annotations are put on.").at_most(100).required(),
    computed(integer("associated_items_count", "How many services carry it."), computations::referring_items),
};


void check(const Value& record, ValidationContext&, Violations& violations) {
  check_distinct(record, "annotations", "key", violations);
}

}  // namespace

extern const Family annotations_group;
constexpr Family annotations_group = {
    .number = 34,
    .name = "annotations_group",
    .schema = "OrganizationAnnotationsGroup",
    .segment = "annotationsGroups",
    .id_name = "annotationsGroupId",
    .about = "An annotations group holds annotations that services carry together.",
    .parent = "organization",
    .path = PathForm::nested,
    .fields = fields,
    .name_scope = NameScope::none,
    .sample = R"({"name": "scraping", "annotations": [{"key": "prometheus.io/scrape", "value": "true"}], "scopes": ["PODS"]})",
    .check = check,
};

}  // namespace orlop::families
