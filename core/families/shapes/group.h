// Groups of labels and of annotations that a resource refers to; responses show their contents.
#pragma once

#include "families/shapes/rule_functions.h"

namespace orlop::shapes {

inline constexpr std::string_view annotation_scopes[] = {
    "DEPLOYMENTS", "STATEFUL_SETS", "SERVICES", "INGRESS", "GATEWAY_API_ROUTES",
    "HPA",         "PODS",          "SECRETS",  "JOBS",    "CRON_JOBS"};

inline constexpr Field annotation_fields[] = {
    text("key", "Key of the Kubernetes annotation, as in `prometheus.io/scrape`.").required().at_least(1),
    text("value", "Value of the Kubernetes annotation.").required(),
};
inline constexpr Shape annotation{.name = "Annotation", .fields = annotation_fields};

inline constexpr Field label_fields[] = {
    text("key", "Key of the Kubernetes label, as in `team`.").required().at_least(1),
    text("value", "Value of the Kubernetes label.").required(),
    boolean("propagate_to_cloud_provider", "Apply the label as a tag to the cloud provider's resources too.")
        .required(),
};
inline constexpr Shape label{.name = "Label", .fields = label_fields};

inline constexpr Field annotations_group_fields[] = {
    reference("id", "annotations_group", "ID of the annotations group.").required(),
    date_time("created_at", "Time of creation of the group, in UTC.").read_only().always_present(),
    date_time("updated_at", "Time of the last change of the group, in UTC.").read_only(),
    text("name", "Name of the annotations group.").read_only().always_present(),
    list_of("annotations", annotation, "Annotations of the group.").read_only().always_present(),
    enumeration_list("scopes", annotation_scopes, "Kinds of Kubernetes resources that receive the annotations.")
        .read_only()
        .always_present(),
};
inline constexpr Shape annotations_group_item{.name = "OrganizationAnnotationsGroupResponse",
                                              .fields = annotations_group_fields};

inline constexpr Field labels_group_fields[] = {
    reference("id", "labels_group", "ID of the labels group.").required(),
    date_time("created_at", "Time of creation of the group, in UTC.").read_only().always_present(),
    date_time("updated_at", "Time of the last change of the group, in UTC.").read_only(),
    text("name", "Name of the labels group.").read_only().always_present(),
    list_of("labels", label, "Labels of the group.").read_only().always_present(),
};
inline constexpr Shape labels_group_item{.name = "OrganizationLabelsGroupResponse", .fields = labels_group_fields};

inline constexpr Field annotations_groups = list_of("annotations_groups", annotations_group_item,
                                                    "Annotations groups that are applied to the Kubernetes resources "
                                                    "of the service; each group once, at most 50. Default: "
                                                    "none.")
                                                .at_most(50)
                                                .defaults_to_empty();
inline constexpr Field labels_groups = list_of("labels_groups", labels_group_item,
                                               "Labels groups that are applied to the Kubernetes resources of the "
                                               "service; each group once, at most 50. Default: "
                                               "none.")
                                           .at_most(50)
                                           .defaults_to_empty();

// Each handles the lists of both kinds that the record has. The copies in responses are updated when a group is edited.
void check_groups(const Value& record, Violations& violations);
void complete_groups(Value& record, ValidationContext& context);

}  // namespace orlop::shapes
