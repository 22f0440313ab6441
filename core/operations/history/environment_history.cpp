// The requests that an environment has seen.
#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "operations/history/parts/history.h"
#include "operations/operation_set.h"
#include "operations/services/parts/service_kind.h"
#include "operations/services/parts/status_shapes.h"
#include "operations/services/parts/subject.h"

namespace orlop {
namespace {

void write_brief_service(Writer& out, const ServiceEntry& service, const RequestBody& body) {
  out.begin_object().field("id", service.id).field("created_at", body.created_at);
  out.field("name", service.name).field("status", to_string(service.state)).end_object();
}

void write_brief(Writer& out, const RequestEntry& entry) {
  const RequestBody& body = entry.body;
  out.begin_object().field("id", body.id).field("created_at", body.created_at);
  out.field("updated_at", body.ended_at.value_or(body.started_at.value_or(body.created_at)));
  out.field("status", to_string(entry.shown)).field("origin", body.origin).field("triggered_by", body.triggered_by);
  for (const ServiceKindNames& enum_values : service_kinds) {
    out.key(enum_values.plural).begin_list();
    for (const StageEntry& stage : entry.stages) {
      for (const ServiceEntry& service : stage.services) {
        if (service.kind == enum_values.enum_value) write_brief_service(out, service, body);
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
  Writer out;
  out.begin_object();
  write_page(out, history_size_default);
  out.key("results").begin_list();
  for (const RequestEntry& entry : rest.first(std::min(rest.size(), history_size_default))) write_brief(out, entry);
  out.end_list().end_object();
  return Answer{200, std::move(out).take()};
}

// From its first service's begin to its last one's end.
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
  const std::size_t size = history_size(call);
  Writer out;
  out.begin_object();
  write_page(out, size);
  out.key("results").begin_list();
  for (std::size_t at = 0; at < std::min(size, entries.size()); ++at) ORLOP_CHECK(write_entry(unit, out, entries[at]));
  out.end_list().end_object();
  return Answer{200, std::move(out).take()};
}

constexpr Field brief_service_fields[] = {
    uuid("id", "The service."),
    date_time("created_at", "When the request was asked for."),
    text("name", "Its name."),
    enumeration("status", trait_shapes::service_states, "The state in which the request left it."),
};
constexpr Shape brief_service = {.name = "DeploymentHistoryEnvironmentService", .fields = brief_service_fields};
constexpr Field brief_fields[] = {
    uuid("id", "The request."),
    date_time("created_at", "When it was asked for."),
    date_time("updated_at", "When it ended, or began."),
    enumeration("status", trait_shapes::service_states, "The environment's state under it."),
    text("origin", "Where it came from."),
    text("triggered_by", "Who asked for it."),
    list_of("applications", brief_service, "Its applications."),
    list_of("containers", brief_service, "Its containers."),
    list_of("databases", brief_service, "Its databases."),
    list_of("jobs", brief_service, "Its jobs."),
    list_of("helms", brief_service, "Its Helm services."),
    list_of("terraforms", brief_service, "Its terraform services."),
    list_of("argocd_apps", brief_service, "Its ArgoCD applications."),
};
constexpr Shape brief = {.name = "DeploymentHistoryEnvironment", .fields = brief_fields};
constexpr Field full_fields[] = {
    open_object("identifier", "execution_id, environment_id and deployment_request_id."),
    open_object("auditing_data", "created_at, updated_at, triggered_by and origin."),
    enumeration("status", trait_shapes::service_states, "The environment's state under it."),
    text("trigger_action", "What it asked for."),
    duration("total_duration", "From its begin to its end."),
    list_of("stages", FieldKind::any, "Its stages with their services."),
    text("action_status", "How far it is."),
};
constexpr Shape full = {.name = "DeploymentHistoryEnvironmentV2", .fields = full_fields};

constexpr Operation operations[] = {
    {.path = "{flat}/deploymentHistory",
     .name = "list_{family}_deployment_history",
     .handle = read_brief,
     .query = start_query,
     .form = AnswerForm::shape_page,
     .answer = &brief,
     .about = "The requests of the environment that began, the newest first."},
    {.path = "{flat}/deploymentHistoryV2",
     .name = "list_{family}_deployment_history_v2",
     .handle = read_full,
     .query = page_query,
     .form = AnswerForm::shape_page,
     .answer = &full,
     .about = "The requests of the environment that began, with their stages and services, the newest first."},
};

}  // namespace

namespace operation_sets::history {
extern const OperationSet environment_history;
constexpr OperationSet environment_history = {
    .families = families_named("environment"),
    .operations = operations,
};
}  // namespace operation_sets::history

}  // namespace orlop
