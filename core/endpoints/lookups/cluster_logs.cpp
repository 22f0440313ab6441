// Logs, readiness, metrics and Kubernetes events of a cluster. External systems answer; without them, logs come from
// the feed and readiness from the state.
#include <span>
#include <string_view>
#include <utility>

#include "deploy/request/cluster_gate.h"
#include "endpoints/lookups/parts/change_log.h"
#include "endpoints/operation_set.h"
#include "endpoints/services/parts/resource_and_machine.h"
#include "external_systems/question_shapes.h"
#include "records/ask_later.h"
#include "unit/find_record.h"
#include "unit/operation.h"
#include "wire/writer.h"

namespace orlop::operation_sets::lookups::cluster_logs {
namespace {

Result<Value> cluster_input(Unit& unit, const Call& call) {
  ORLOP_TRY(subject, subject_of(unit, call));
  return Value(Value::Object{{"organization_id", Value(to_text(subject.record.organization))},
                             {"cluster_id", Value(to_text(subject.record.id))}});
}

// Adds the query parameters of the request to cluster_input().
Result<Value> query_input(Unit& unit, const Call& call, std::span<const Field> query) {
  ORLOP_TRY(input, cluster_input(unit, call));
  Value parameters = Value::object();
  for (const Field& field : query) {
    if (const auto given = call.query->find(field.name)) parameters.add(field.name, Value(*given));
  }
  input.add("parameters", std::move(parameters));
  return std::move(input);
}

Answer object_of(std::string_view name, const Value& answer) {
  Writer out;
  out.begin_object().field(name, answer).end_object();
  return {200, std::move(out).take()};
}

Result<Answer> list_logs(Unit& unit, const Call& call) {
  ORLOP_TRY(input, cluster_input(unit, call));
  ORLOP_TRY(subject, subject_of(unit, call));
  ORLOP_TRY(lines, log_of_last_change(unit, subject.record));
  return ask_later(unit, {.question = Question::list_cluster_logs,
                          .input = std::move(input),
                          .otherwise = [lines = std::move(lines)] { return Result<Value>(lines); }});
}

Result<Answer> query_logs(Unit& unit, const Call& call) {
  ORLOP_TRY(input, query_input(unit, call, question_shapes::logs_query_fields));
  return ask_later(unit, {.question = Question::query_cluster_logs,
                          .input = std::move(input),
                          .reply = [](const Value& answer) { return Result<Answer>(object_of("response", answer)); }});
}

Result<Answer> query_metrics(Unit& unit, const Call& call) {
  ORLOP_TRY(input, query_input(unit, call, question_shapes::metrics_query_fields));
  return ask_later(unit, {.question = Question::query_cluster_metrics,
                          .input = std::move(input),
                          .reply = [](const Value& answer) { return Result<Answer>(object_of("metrics", answer)); }});
}

Result<Answer> list_events(Unit& unit, const Call& call) {
  ORLOP_TRY(input, query_input(unit, call, question_shapes::kubernetes_query_fields));
  return ask_later(unit, {.question = Question::list_kubernetes_events, .input = std::move(input)});
}

Result<Answer> read_readiness(Unit& unit, const Call& call) {
  ORLOP_TRY(input, cluster_input(unit, call));
  ORLOP_TRY(subject, subject_of(unit, call));
  ORLOP_TRY(machine, require_machine(unit, subject.record.id));
  return ask_later(
      unit, {.question = Question::is_cluster_ready,
             .input = std::move(input),
             .reply = [](const Value& answer) { return Result<Answer>(object_of("is_ready", answer)); },
             .otherwise = [is_open = gate_of(machine) == ClusterGate::open] { return Result<Value>(Value(is_open)); }});
}

constexpr Field response_fields[] = {text("response", "Response of the log store as text, usually JSON.")};
constexpr Shape response = {.name = "ClusterLogsResponse", .fields = response_fields};
constexpr Field metrics_fields[] = {text("metrics", "Response of the metrics store as text, usually JSON.")};
constexpr Shape metrics = {.name = "ClusterMetricsResponse", .fields = metrics_fields};
constexpr Field readiness_fields[] = {boolean("is_ready", "True if workloads can be deployed to the cluster.")};
constexpr Shape readiness = {.name = "ClusterReadinessStatus", .fields = readiness_fields};

constexpr Operation operations[] = {
    {.path = "{item}/logs",
     .name = "list_{family}_logs",
     .handle = list_logs,
     .form = AnswerForm::shape_list,
     .answer = &question_shapes::cluster_log,
     .summary = "List the log lines of the last change of {one}",
     .about = "Where no external system answers: the states that the cluster entered and what the driver has reported "
              "meanwhile, the last 1000 lines.",
     .asks = Question::list_cluster_logs},
    {.path = "{item}/isReady",
     .name = "get_{family}_readiness_status",
     .handle = read_readiness,
     .form = AnswerForm::shape,
     .answer = &readiness,
     .summary = "Get whether workloads can be deployed to {one}",
     .about = "Where no external system answers: true if the cluster is `DEPLOYED` or `RESTARTED`.",
     .asks = Question::is_cluster_ready},
    {.path = "{flat}/logs",
     .name = "query_{family}_logs",
     .handle = query_logs,
     .query = question_shapes::logs_query_fields,
     .form = AnswerForm::shape,
     .answer = &response,
     .summary = "Get lines of the log store of {one}",
     .asks = Question::query_cluster_logs},
    {.path = "{flat}/metrics",
     .name = "query_{family}_metrics",
     .handle = query_metrics,
     .query = question_shapes::metrics_query_fields,
     .form = AnswerForm::shape,
     .answer = &metrics,
     .summary = "Get values of the metrics store of {one}",
     .asks = Question::query_cluster_metrics},
    {.path = "{flat}/events",
     .name = "list_{family}_kubernetes_events",
     .handle = list_events,
     .query = question_shapes::kubernetes_query_fields,
     .form = AnswerForm::shape_list,
     .answer = &question_shapes::kubernetes_event,
     .summary = "List the Kubernetes events of {one}",
     .asks = Question::list_kubernetes_events},
};

}  // namespace

extern const OperationSet set;
constexpr OperationSet set = {
    .families = families_named("cluster"),
    .operations = operations,
};

}  // namespace orlop::operation_sets::lookups::cluster_logs
