// Questions about running services and clusters: logs, metrics, Kubernetes events.
#pragma once

#include <string_view>

#include "external_systems/shapes/services_questions.h"
#include "model/field.h"

namespace orlop::question_shapes {

inline constexpr Field running_cluster = uuid("cluster_id", "ID of the cluster.").required();

// ---- Services
inline constexpr Field service_logs_input_fields[] = {
    service_organization,
    uuid("environment_id", "ID of the environment of the service.").required(),
    service_id,
    text("family", "Family of the service, such as `container`.").required(),
    text("name", "Name of the service.").required(),
};
inline constexpr Shape service_logs_input = {.fields = service_logs_input_fields};
inline constexpr Field log_line_fields[] = {
    uuid("id", "ID of the line.").required(),
    date_time("created_at", "Time of the line.").required(),
    text("message", "Text of the line.").required(),
    text("pod_name", "Name of the Kubernetes pod that wrote the line."),
    text("version", "Version of the service that ran: the commit or the tag of the image."),
};
inline constexpr Shape log_line = {.name = "Log", .fields = log_line_fields};
inline constexpr Field service_logs = list_of("answer", log_line, "Last lines of the log, the oldest first.");

// ---- Clusters
inline constexpr Field cluster_input_fields[] = {service_organization, running_cluster};
inline constexpr Shape cluster_input = {.fields = cluster_input_fields};
inline constexpr std::string_view log_steps[] = {"LoadConfiguration",
                                                 "Create",
                                                 "Created",
                                                 "CreateError",
                                                 "Pause",
                                                 "Paused",
                                                 "PauseError",
                                                 "Delete",
                                                 "Deleted",
                                                 "DeleteError",
                                                 "RetrieveClusterConfig",
                                                 "RetrieveClusterResources",
                                                 "ValidateSystemRequirements",
                                                 "UnderMigration",
                                                 "Unknown"};
inline constexpr Field cluster_message_fields[] = {text("safe_message", "Text without secrets.")};
inline constexpr Shape cluster_message = {.fields = cluster_message_fields};
inline constexpr Field cluster_log_fields[] = {
    text("type", "Type of the line."),
    date_time("timestamp", "Time of the line."),
    enumeration("step", log_steps, "Step of the change of the cluster."),
    object("message", cluster_message, "Text of the line."),
    open_object("error", "Error of the step, if it failed: `tag`, `user_log_message`, `link`, `hint_message`."),
    open_object("details", "Origin of the line: `provider_kind`, `region`, `transmitter`."),
};
inline constexpr Shape cluster_log = {.name = "ClusterLogs", .fields = cluster_log_fields};
inline constexpr Field cluster_logs =
    list_of("answer", cluster_log, "Lines of the log of the cluster's last change, the oldest first.");

inline constexpr Field query_text_field =
    text("query", "Query in the language of the store, such as LogQL or PromQL.").required();
inline constexpr Field query_endpoint =
    text("endpoint", "Endpoint of the store's API, such as `query` or `query_range`.").required();
inline constexpr Field logs_query_fields[] = {
    query_endpoint,
    query_text_field,
    text("start", "Begin of the time range."),
    text("end", "End of the time range."),
    text("limit", "Number of lines at most."),
    text("since", "Length of the range, in place of its begin."),
    text("step", "Distance of the points of a metric query."),
    text("interval", "Distance of the lines of a stream."),
    text("direction", "Order of the lines: `forward` or `backward`."),
    text("time", "Time of an instant query."),
};
inline constexpr Field logs_query_input_fields[] = {
    service_organization, running_cluster,
    open_object("parameters", "Query parameters of the request, as it has them: text to text.").required()};
inline constexpr Shape store_query_input = {.fields = logs_query_input_fields};
inline constexpr Field store_answer = text("answer", "Response of the store as text, usually JSON.").at_most(4 << 20);

inline constexpr Field metrics_query_fields[] = {
    query_endpoint,
    query_text_field,
    text("start", "Begin of the time range."),
    text("end", "End of the time range."),
    text("step", "Distance of the points."),
    text("time", "Time of an instant query."),
    text("timeout", "Time that the store has for the query."),
    text("dedup", "Merge replicas of a series: `true` or `false`."),
    text("partial_response", "Accept a response of some of the stores: `true` or `false`."),
    text("max_source_resolution", "Coarsest resolution of the data that may be used."),
    text("engine", "Query engine of the store."),
    text("analyze", "Return an analysis of the query: `true` or `false`."),
    text("board_short_name", "Short name of the dashboard that asks."),
    text("metric_short_name", "Short name of the metric that is asked for."),
    text("trace_id", "ID of the trace that the request belongs to."),
    text("range", "Length of the range."),
};

inline constexpr Field kubernetes_query_fields[] = {
    date_time("from_date_time", "Begin of the range.").required(),
    date_time("to_date_time", "End of the range.").required(),
    text("node_name", "Return only events of this node."),
    text("pod_name", "Return only events of this pod."),
    text("reporting_component", "Return only events that this component has reported."),
};
inline constexpr Field kubernetes_event_fields[] = {
    date_time("created_at", "Time at which the event was created."),
    text("kind", "Kind of the object, such as `Pod`."),
    text("namespace", "Kubernetes namespace of the object."),
    text("name", "Name of the object."),
    text("reason", "Reason in one word, such as `BackOff`."),
    text("message", "Description of the event."),
    text("type", "`Normal` or `Warning`."),
    text("reporting_component", "Component that has reported the event, such as `kubelet`."),
    integer("count", "Number of times that the event occurred."),
    date_time("first_occurrence", "Time of the first occurrence."),
    date_time("last_occurrence", "Time of the last occurrence."),
};
inline constexpr Shape kubernetes_event = {.name = "ClusterKubernetesEvent", .fields = kubernetes_event_fields};
inline constexpr Field kubernetes_events =
    list_of("answer", kubernetes_event, "Kubernetes events of the range, the oldest first.");

inline constexpr Field readiness = boolean("answer", "True if workloads can be deployed to the cluster.");

}  // namespace orlop::question_shapes
