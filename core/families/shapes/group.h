// Groups of labels and of annotations that a resource names; the answer shows what is in them.
#pragma once

#include "families/shapes/rules.h"

namespace orlop::shapes {

inline constexpr std::string_view annotation_scopes[] = {
    "DEPLOYMENTS", "STATEFUL_SETS", "SERVICES", "INGRESS", "GATEWAY_API_ROUTES", "HPA", "PODS", "SECRETS", "JOBS", "CRON_JOBS"};

inline constexpr Field annotation_fields[] = {
    text("key", "Its key.").required(),
    text("value", "Its value.").required(),
};
inline constexpr Shape annotation{.name = "Annotation", .fields = annotation_fields};

inline constexpr Field label_fields[] = {
    text("key", "Its key.").required(),
    text("value", "Its value.").required(),
    boolean("propagate_to_cloud_provider", "Whether the cloud provider's own resources carry it too.").required(),
};
inline constexpr Shape label{.name = "Label", .fields = label_fields};

inline constexpr Field annotations_group_fields[] = {
    reference("id", "annotations_group", "The group's id.").required(),
    date_time("created_at", "When the group was created.").read_only(),
    date_time("updated_at", "When the group was changed last.").read_only(),
    text("name", "The group's name.").read_only(),
    list_of("annotations", annotation, "The annotations in it.").read_only(),
    enumeration_list("scopes", annotation_scopes, "What the annotations are put on.").read_only(),
};
inline constexpr Shape annotations_group_item{.name = "OrganizationAnnotationsGroupResponse", .fields = annotations_group_fields};

inline constexpr Field labels_group_fields[] = {
    reference("id", "labels_group", "The group's id.").required(),
    date_time("created_at", "When the group was created.").read_only(),
    date_time("updated_at", "When the group was changed last.").read_only(),
    text("name", "The group's name.").read_only(),
    list_of("labels", label, "The labels in it.").read_only(),
};
inline constexpr Shape labels_group_item{.name = "OrganizationLabelsGroupResponse", .fields = labels_group_fields};

inline constexpr Field annotations_groups =
    list_of("annotations_groups", annotations_group_item, "The groups whose annotations it carries.")
        .at_most(50)
        .defaults_to_empty();
inline constexpr Field labels_groups =
    list_of("labels_groups", labels_group_item, "The groups whose labels it carries.").at_most(50).defaults_to_empty();

// Of both lists, whichever the record has. The copies that answers show are made anew when a group is edited.
void check_groups(const Value& record, Violations& violations);
void complete_groups(Value& record, ValidationContext& context);

}  // namespace orlop::shapes
