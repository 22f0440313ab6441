// Questions about the operator of the platform in a cluster.
#pragma once

#include <string_view>

#include "external_systems/shapes/logs_questions.h"
#include "model/field.h"

namespace orlop::question_shapes {

inline constexpr std::string_view operator_statuses[] = {
    "NOT_ATTACHED", "DISCONNECTED",   "TARGET_UNKNOWN", "REPORTED_VERSION_UNKNOWN",
    "CURRENT",      "OUTDATED_IMAGE", "OUTDATED_CHART", "OUTDATED_IMAGE_AND_CHART"};
inline constexpr Field operator_identity_fields[] = {
    text("release_digest", "Digest of the release: `sha256:` and 64 hexadecimal digits.").required(),
    text("runtime_image_id", "ID of the image that runs.").required(),
    text("chart_version", "Version of the Helm chart.").required(),
    date_time("observed_at", "Time of the report.").nullable(),
};
inline constexpr Shape operator_identity = {.name = "ReportedClusterOperatorIdentity",
                                            .fields = operator_identity_fields};
inline constexpr Field operator_connected =
    boolean("operator_connected", "True if the operator is connected with the platform.").required();
inline constexpr Field operator_status_fields[] = {
    operator_connected,
    date_time("last_heartbeat", "Time of the operator's last sign of life.").nullable(),
    text("operator_version", "Version of the operator.").nullable(),
    text("controller_version", "Version of its controller.").nullable(),
    text("request_schema_version", "Version of the requests that it understands.").nullable(),
    text("desired_image_version", "Version of the image that it is to run.").nullable(),
    text("desired_chart_version", "Version of the chart that it is to be installed with.").nullable(),
    enumeration("status", operator_statuses, "State of the operator and the versions that it is to have.").required(),
    text("reported_chart_version", "Version of the chart that the operator has reported.").nullable(),
    object("reported_identity", operator_identity, "Identity that the operator has reported."),
};
inline constexpr Shape operator_status_shape = {.fields = operator_status_fields};
inline constexpr Field operator_status = object("answer", operator_status_shape, "State of the operator.").required();

inline constexpr Field operator_bootstrap_fields[] = {
    text("chart_repository", "URL of the Helm repository.").required(),
    text("chart_name", "Name of the chart.").required(),
    text("chart_version", "Version of the chart.").required(),
    text("chart_reference", "Chart with its repository, as `helm install` takes it.").required(),
    text("namespace", "Kubernetes namespace of the operator.").required(),
    text("release_name", "Name of the Helm release.").required(),
    open_object("values", "Values of the chart.").required(),
    text("values_yaml", "The same values as YAML.").required(),
    text("helm_command", "Command that installs the operator.").required(),
};
inline constexpr Shape operator_bootstrap_shape = {.name = "ClusterOperatorBootstrapResponse",
                                                   .fields = operator_bootstrap_fields};
inline constexpr Field operator_bootstrap =
    object("answer", operator_bootstrap_shape, "Settings with which the operator is installed.").required();

inline constexpr Field operator_chart_version =
    text("chart_version", "Version of the chart to install, 1 to 128 bytes.").required().at_least(1).at_most(128);
inline constexpr Field operator_image_version =
    text("image_version", "Version of the image to run, 1 to 128 bytes. Null: that of the chart.")
        .nullable()
        .at_least(1)
        .at_most(128);
inline constexpr Field operator_update_input_fields[] = {service_organization, running_cluster, operator_chart_version,
                                                         operator_image_version};
inline constexpr Shape operator_update_input = {.fields = operator_update_input_fields};
inline constexpr Field operator_update_fields[] = {
    text("execution_id", "ID of the update.").required(),
    text("image_version", "Version of the image that is installed.").required(),
    text("chart_version", "Version of the chart that is installed.").required(),
};
inline constexpr Shape operator_update_shape = {.name = "ClusterOperatorUpdateResponse",
                                                .fields = operator_update_fields};
inline constexpr Field operator_update = object("answer", operator_update_shape, "Update that has begun.").required();

}  // namespace orlop::question_shapes
