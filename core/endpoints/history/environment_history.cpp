// History of the deployment requests of an environment.
#include <optional>
#include <string>
#include <utility>

#include "endpoints/history/parts/audit_names.h"
#include "endpoints/history/parts/history.h"
#include "endpoints/operation_set.h"
#include "endpoints/services/parts/resource_and_machine.h"
#include "endpoints/services/parts/service_kind.h"
#include "endpoints/services/parts/status_shapes.h"

namespace orlop::operation_sets::history::environment_history {
namespace {

void write_brief_service(Writer& out, const ServiceEntry& service, const RequestBody& body) {
  out.begin_object().field("id", service.id).field("created_at", body.created_at);
  out.field("updated_at", service.ended_at.value_or(body.started_at.value_or(body.created_at)));
  out.field("name", service.name).field("status", to_string(service.state));
  write_version(out, service, body);
  out.end_object();
}

void write_brief(Writer& out, const RequestEntry& entry) {
  const RequestBody& body = entry.body;
  out.begin_object().field("id", body.id).field("created_at", body.created_at);
  out.field("updated_at", body.ended_at.value_or(body.started_at.value_or(body.created_at)));
  out.field("status", to_string(entry.shown)).field("origin", body.origin).field("triggered_by", body.triggered_by);
  for (const ServiceKindNames& kind : service_kinds) {
    out.key(kind.plural).begin_list();
    for (const StageEntry& stage : entry.stages) {
      for (const ServiceEntry& service : stage.services) {
        if (service.kind == kind.name) write_brief_service(out, service, body);
      }
    }
    out.end_list();
  }
  out.end_object();
}

Result<Answer> read_brief(Unit& unit, const Call& call) {
  ORLOP_TRY(environment, require_environment(unit, call));
  ORLOP_TRY(entries, entries_of(unit, environment.id));
  const auto rest = entries_from(entries, parse_id(query_text(call, "startId")).value_or(Id{}));
  return history_page(rest, history_size_default, [&](Writer& out, const RequestEntry& entry) -> Result<bool> {
    write_brief(out, entry);
    return true;
  });
}

// Time from the first service's start to the last one's end.
Duration duration_of(const StageEntry& stage) {
  std::optional<Instant> begin;
  std::optional<Instant> end;
  for (const ServiceEntry& service : stage.services) {
    if (service.started_at && (!begin || *service.started_at < *begin)) begin = service.started_at;
    if (service.ended_at && (!end || *service.ended_at > *end)) end = service.ended_at;
  }
  return begin && end && *begin < *end ? *end - *begin : Duration{};
}

Result<void> write_stage(Unit& unit, Writer& out, const StageEntry& stage, const RequestBody& body) {
  std::vector<ServiceState> states;
  for (const ServiceEntry& service : stage.services) states.push_back(service.state);
  out.begin_object().field("name", stage.name).field("status", stage_status_name(states));
  out.field("duration", duration_text(duration_of(stage))).key("services").begin_list();
  for (const ServiceEntry& service : stage.services) ORLOP_CHECK(write_service_entry(unit, out, service, body));
  out.end_list().end_object();
  return {};
}

Result<void> write_entry(Unit& unit, Writer& out, const RequestEntry& entry) {
  const RequestBody& body = entry.body;
  out.begin_object().key("identifier").begin_object().field("execution_id", body.execution_id);
  out.field("environment_id", body.environment).field("deployment_request_id", body.id).end_object();
  out.key("auditing_data");
  write_auditing(out, body);
  out.field("status", to_string(entry.shown)).field("trigger_action", trigger_name(body.action));
  const Instant end = body.ended_at.value_or(unit.now());
  out.field("total_duration", duration_text(end - body.started_at.value_or(end))).key("stages").begin_list();
  for (const StageEntry& stage : entry.stages) ORLOP_CHECK(write_stage(unit, out, stage, body));
  out.end_list().field("action_status", request_status_name(entry)).end_object();
  return {};
}

Result<Answer> read_full(Unit& unit, const Call& call) {
  ORLOP_TRY(environment, require_environment(unit, call));
  ORLOP_TRY(entries, entries_of(unit, environment.id));
  return history_page(entries, history_size(call), [&](Writer& out, const RequestEntry& entry) -> Result<bool> {
    ORLOP_CHECK(write_entry(unit, out, entry));
    return true;
  });
}

constexpr std::array brief_service_fields = {
    uuid("id", "ID of the service.").required(),
    date_time("created_at", "Time at which the request was accepted, in UTC.").required(),
    date_time("updated_at",
              "Time at which the request finished with the service, in UTC; before, the time of its start."),
    text("name", "Name of the service."),
    enumeration("status", operation_shapes::service_states, "State of the service at the end of the request."),
};
constexpr Shape brief_service = {.name = "DeploymentHistoryEnvironmentService", .fields = brief_service_fields};
constexpr auto application_fields = joined(brief_service_fields, application_version);
constexpr Shape brief_application = {.name = "DeploymentHistoryEnvironmentApplication", .fields = application_fields};
constexpr auto container_fields = joined(brief_service_fields, container_version);
constexpr Shape brief_container = {.name = "DeploymentHistoryEnvironmentContainer", .fields = container_fields};
constexpr auto job_fields = joined(brief_service_fields, job_version);
constexpr Shape brief_job = {.name = "DeploymentHistoryEnvironmentJob", .fields = job_fields};
constexpr auto helm_fields = joined(brief_service_fields, helm_version);
constexpr Shape brief_helm = {.name = "DeploymentHistoryEnvironmentHelm", .fields = helm_fields};
constexpr Field brief_fields[] = {
    uuid("id", "ID of the deployment request.").required(),
    date_time("created_at", "Time at which the request was accepted, in UTC.").required(),
    date_time("updated_at", "Time at which the request ended, in UTC; while it runs, the time of its start."),
    enumeration("status", operation_shapes::service_states, "State of the environment under the request."),
    enumeration("origin", audit_origins, "Origin of the request."),
    text("triggered_by", "Name of the caller that triggered the request."),
    list_of("applications", brief_application, "Applications that the request included."),
    list_of("containers", brief_container, "Containers that the request included."),
    list_of("databases", brief_service, "Databases that the request included."),
    list_of("jobs", brief_job, "Jobs that the request included."),
    list_of("helms", brief_helm, "Helm services that the request included."),
    list_of("terraforms", brief_service, "Terraform services that the request included."),
    list_of("argocd_apps", brief_service, "ArgoCD applications that the request included."),
};
constexpr Shape brief = {.name = "DeploymentHistoryEnvironment", .fields = brief_fields};
constexpr std::string_view request_statuses[] = {"QUEUED", "ONGOING", "CANCELING", "CANCELED", "ERROR", "SUCCESS"};
constexpr Field full_fields[] = {
    open_object("identifier",
                "Identifiers of the request: `execution_id`, `environment_id` and `deployment_request_id`.")
        .required(),
    open_object("auditing_data",
                "Times and origin of the request: `created_at`, `updated_at`, `triggered_by` and `origin`.")
        .required(),
    enumeration("status", operation_shapes::service_states, "State of the environment under the request.").required(),
    enumeration("trigger_action", operation_shapes::trigger_actions, "Action of the request.").required(),
    duration(
        "total_duration",
        "Time between start and end of the request as an ISO 8601 duration; while it runs, the time since its start.")
        .required(),
    list_of("stages", FieldKind::any, "Stages of the request, each with its services.").required(),
    enumeration("action_status", request_statuses, "Progress or outcome of the request.").required(),
};
constexpr Shape full = {.name = "DeploymentHistoryEnvironmentV2", .fields = full_fields};

constexpr Operation operations[] = {
    {.path = "{flat}/deploymentHistory",
     .name = "list_{family}_deployment_history",
     .handle = read_brief,
     .query = start_query,
     .form = AnswerForm::shape_page,
     .answer = &brief,
     .summary = "List the deployment history of an environment",
     .about = "Returns the requests that have started, newest first, at most 20."},
    {.path = "{flat}/deploymentHistoryV2",
     .name = "list_{family}_deployment_history_v2",
     .handle = read_full,
     .query = page_query,
     .form = AnswerForm::shape_page,
     .answer = &full,
     .summary = "List the detailed deployment history of an environment",
     .about = "Returns the requests that have started, with their stages and services, newest first."},
};

}  // namespace

extern const OperationSet set;
constexpr OperationSet set = {
    .families = families_named("environment"),
    .operations = operations,
};

}  // namespace orlop::operation_sets::history::environment_history
