// The state of environments, and their queues.
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "access/permission.h"
#include "deploy/request/deployment_request.h"
#include "endpoints/environments/parts/stage_list.h"
#include "endpoints/history/parts/request_entry.h"
#include "endpoints/operation_set.h"
#include "endpoints/services/parts/request_shapes.h"
#include "endpoints/services/parts/resource_and_machine.h"
#include "endpoints/services/parts/service_status.h"
#include "endpoints/services/parts/status_shapes.h"
#include "model/registry.h"
#include "unit/find_record.h"
#include "unit/operation.h"
#include "wire/writer.h"

namespace orlop::operation_sets::environments::statuses {
namespace {

Result<Answer> read_status(Unit& unit, const Call& call) {
  ORLOP_TRY(environment, require_environment(unit, call));
  ORLOP_TRY(text, environment_status(unit, environment.id));
  return Answer{200, std::move(text)};
}

// Writes a list for each kind of service. Only the list of ArgoCD applications is omitted if empty: the interface does
// not define it.
Result<void> write_statuses(Unit& unit, Writer& out, const RequestsView& requests,
                            const std::vector<const Machine*>& services) {
  for (const ServiceKindNames& entry_kind : service_kinds) {
    bool is_open = entry_kind.kind != ServiceKind::argocd_app;
    if (is_open) out.key(entry_kind.plural).begin_list();
    for (const Machine* service : services) {
      if (find_family(service->family)->service_kind != entry_kind.name) continue;
      if (!is_open) out.key(entry_kind.plural).begin_list();
      is_open = true;
      ORLOP_CHECK(write_status(unit, out, *service, requests));
    }
    if (is_open) out.end_list();
  }
  out.key("agentic_workflows").begin_list().end_list();
  return {};
}

// Returns the time from the start of the first service to the end of the last one; nullopt if one has not ended.
std::optional<Duration> duration_of(const std::vector<const Machine*>& services) {
  std::optional<Instant> begin;
  std::optional<Instant> end;
  for (const Machine* service : services) {
    const ActionTiming& timing = service->timing;
    if (is_transient(static_cast<ServiceState>(service->state))) return std::nullopt;
    if (timing.started_at && (!begin || *timing.started_at < *begin)) begin = *timing.started_at;
    if (timing.ended_at && (!end || *timing.ended_at > *end)) end = *timing.ended_at;
  }
  return begin && end && *begin < *end ? *end - *begin : Duration{};
}

std::string_view outcome_name(std::string_view stage_status) {
  if (stage_status == "ERROR") return "ERROR";
  if (stage_status == "CANCELED") return "CANCEL";
  return stage_status == "SKIPPED" ? "SKIP" : "SUCCESS";
}

void write_stage_steps(Writer& out, const Id& stage, std::string_view status,
                       const std::vector<const Machine*>& concerned) {
  const auto duration = duration_of(concerned);
  out.key("steps").begin_object().field("stage_id", stage);
  if (!duration) {
    out.field_null("total_duration_sec").key("details").begin_list().end_list().end_object();
    return;
  }
  const std::int64_t seconds = duration->milliseconds / 1000;
  out.field("total_duration_sec", seconds).key("details").begin_list().begin_object().field("stage_id", stage);
  out.field("step_name", "TOTAL")
      .field("status", outcome_name(status))
      .field("duration_sec", seconds)
      .end_object()
      .end_list()
      .end_object();
}

Result<Answer> read_statuses(Unit& unit, const Call& call) {
  ORLOP_TRY(environment, require_environment(unit, call));
  ORLOP_TRY(machines, service_machines(unit, environment.id));
  ORLOP_TRY(view, view_environment(unit, environment.id, machines));
  std::vector<const Machine*> services;
  for (const Machine& service : machines) services.push_back(&service);
  ORLOP_CHECK(load_observations(unit, machines));
  Writer out;
  out.begin_object().key("environment");
  ORLOP_CHECK(write_environment_status(unit, out, view));
  ORLOP_CHECK(write_statuses(unit, out, view.requests, services));
  out.end_object();
  return Answer{200, std::move(out).take()};
}

Result<void> write_stage(Unit& unit, Writer& out, const Stage& stage, const RequestsView& requests,
                         const std::vector<Machine>& all) {
  const Machine* current = requests.current();
  std::vector<const Machine*> services;
  std::vector<const Machine*> concerned;
  std::vector<ServiceState> states;
  for (const Machine& service : all) {
    if (service.stage != stage.record.id) continue;
    services.push_back(&service);
    if (current == nullptr || !requests.concerns(*current, service)) continue;
    concerned.push_back(&service);
    states.push_back(static_cast<ServiceState>(service.state));
  }
  const std::string_view status = stage_status_name(states);
  out.begin_object();
  ORLOP_CHECK(write_statuses(unit, out, requests, services));
  out.key("stage").begin_object().field("id", stage.record.id).field("name", stage.body.text_or("name", ""));
  out.field("description", stage.body.text_or("description", "")).field("status", status);
  if (!concerned.empty()) write_stage_steps(out, stage.record.id, status, concerned);
  out.end_object();
  out.end_object();
  return {};
}

Result<Answer> read_statuses_with_stages(Unit& unit, const Call& call) {
  ORLOP_TRY(environment, require_environment(unit, call));
  ORLOP_TRY(services, service_machines(unit, environment.id));
  ORLOP_TRY(view, view_environment(unit, environment.id, services));
  ORLOP_TRY(stages, stages_of(unit, environment.id));
  ORLOP_CHECK(load_observations(unit, services));
  Writer out;
  out.begin_object().key("environment");
  ORLOP_CHECK(write_environment_status(unit, out, view));
  out.key("stages").begin_list();
  for (const Stage& stage : stages) ORLOP_CHECK(write_stage(unit, out, stage, view.requests, services));
  out.end_list().end_object();
  return Answer{200, std::move(out).take()};
}

Result<Answer> list_statuses(Unit& unit, const Call& call) {
  ORLOP_TRY(project, require(unit, *parent_of(*call.family), call.ids.front()));
  RecordRange range;
  range.key = project.id;
  range.family = call.family->number;
  // Permissions on an environment depend on its text.
  if (call.caller->kind == Caller::Kind::host) range.fields = RecordRange::Fields::no_text;
  ORLOP_TRY(environments, unit.records(range));
  ORLOP_CHECK(Permissions(unit, *call.caller).filter(environments));
  Writer out;
  out.begin_object().key("results").begin_list();
  for (const Record& environment : environments) {
    ORLOP_TRY(view, view_environment(unit, environment.id));
    ORLOP_CHECK(write_environment_status(unit, out, view));
  }
  out.end_list().end_object();
  return Answer{200, std::move(out).take()};
}

void write_queued_service(Writer& out, const ServiceEntry& service) {
  out.begin_object().key("identifier").begin_object().field("service_id", service.id);
  out.field("service_type", service.kind).field("name", service.name).end_object();
  out.field("status", "QUEUED").field("icon_uri", service.icon).end_object();
}

void write_queued(Writer& out, const RequestEntry& entry) {
  out.begin_object().key("identifier").begin_object().field("deployment_request_id", entry.body.id);
  out.field("environment_id", entry.body.environment).end_object();
  out.key("auditing_data").begin_object().field("triggered_by", entry.body.triggered_by);
  out.field("origin", entry.body.origin).end_object();
  out.field("trigger_action", trigger_name(entry.body.action)).key("stages").begin_list();
  for (const StageEntry& stage : entry.stages) {
    out.begin_object().field("name", stage.name).field("status", "QUEUED").key("services").begin_list();
    for (const ServiceEntry& service : stage.services) write_queued_service(out, service);
    out.end_list().end_object();
  }
  out.end_list().end_object();
}

Result<Answer> read_queue(Unit& unit, const Call& call) {
  ORLOP_TRY(environment, require_environment(unit, call));
  ORLOP_TRY(view, view_environment(unit, environment.id));
  ORLOP_TRY(reader, HistoryReader::open(unit, view));
  Writer out;
  out.begin_object().key("results").begin_list();
  for (const Machine& request : view.requests.machines) {
    if (!is_waiting(request)) continue;
    ORLOP_TRY(entry, reader.read(request));
    write_queued(out, entry);
  }
  out.end_list().end_object();
  return Answer{200, std::move(out).take()};
}

constexpr Operation reading(std::string_view path, std::string_view name, Handler handle, const Shape& answer,
                            std::string_view summary, std::string_view about) {
  return {.path = path,
          .name = name,
          .handle = handle,
          .form = AnswerForm::shape,
          .answer = &answer,
          .summary = summary,
          .about = about};
}

constexpr Operation listing(std::string_view path, std::string_view name, Handler handle, const Shape& answer,
                            std::string_view summary, std::string_view about) {
  return {.path = path,
          .name = name,
          .handle = handle,
          .form = AnswerForm::shape_list,
          .answer = &answer,
          .summary = summary,
          .about = about};
}

constexpr Field queued_service_fields[] = {
    open_object("identifier", "Identifiers of the service: `service_id`, `service_type` and `name`.").required(),
    enumeration("status", operation_shapes::stage_results,
                "Progress of the request on the service. Always `QUEUED` for a waiting request.")
        .required(),
    text("icon_uri", "URL of the icon of the service.").required(),
};
constexpr Shape queued_service = {.name = "QueuedService", .fields = queued_service_fields};
constexpr Field queued_stage_fields[] = {
    text("name", "Name of the deployment stage.").required(),
    enumeration("status", operation_shapes::stage_results,
                "Progress of the request in the stage. Always `QUEUED` for a waiting request.")
        .required(),
    list_of("services", queued_service, "Services of the stage that the request includes.").required(),
};
constexpr Shape queued_stage = {.name = "QueuedStage", .fields = queued_stage_fields};
constexpr Field queued_fields[] = {
    open_object("identifier", "Identifiers of the request: `deployment_request_id` and `environment_id`.").required(),
    open_object("auditing_data", "Origin of the request: `triggered_by` and `origin`.").required(),
    enumeration("trigger_action", operation_shapes::trigger_actions, "Action of the request.").required(),
    list_of("stages", queued_stage, "Stages in which the request will act.").required(),
};
constexpr Shape queued = {.name = "QueuedDeploymentRequestWithStages", .fields = queued_fields};

constexpr Operation operations[] = {
    reading("{flat}/status", "get_{family}_status", read_status, operation_shapes::environment_status,
            "Get the status of an environment",
            "Returns the state of the environment, which follows from its requests and services, and its last request. "
            "Ask again until the state is none of a queued or running action."),
    reading("{flat}/statuses", "get_{family}_statuses", read_statuses, operation_shapes::environment_statuses,
            "Get the statuses of an environment and its services",
            "Returns the status of the environment and those of its services by kind, all of one instant."),
    reading("{flat}/statusesWithStages", "get_{family}_statuses_with_stages", read_statuses_with_stages,
            operation_shapes::statuses_with_stages, "Get the statuses of an environment and its services by stage",
            "Returns the status of the environment and those of its services by deployment stage, in the order of "
            "deployment."),
    listing("{collection}/status", "list_{family}_statuses", list_statuses, operation_shapes::environment_status,
            "List the statuses of the environments of a project",
            "Returns the status of each environment that the caller may see."),
    listing("{flat}/deploymentQueue", "list_{family}_deployment_queue", read_queue, queued,
            "List the waiting deployment requests of an environment",
            "Returns the requests in the order in which they will start."),
};

}  // namespace

extern const OperationSet set;
constexpr OperationSet set = {
    .families = families_named("environment"),
    .operations = operations,
};

}  // namespace orlop::operation_sets::environments::statuses
