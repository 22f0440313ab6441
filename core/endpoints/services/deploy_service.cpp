// Deployment, removal and status of one service.
#include <string>
#include <utility>

#include "deploy/request/deployment_request.h"
#include "deploy/request/versions_to_deploy.h"
#include "endpoints/operation_set.h"
#include "endpoints/services/parts/cron_jobs.h"
#include "endpoints/services/parts/deploy_body.h"
#include "endpoints/services/parts/request_shapes.h"
#include "endpoints/services/parts/resource_and_machine.h"
#include "endpoints/services/parts/service_action.h"
#include "endpoints/services/parts/service_status.h"
#include "endpoints/services/parts/status_shapes.h"
#include "lifecycle/state.h"
#include "wire/writer.h"

namespace orlop::operation_sets::services::deploy_service {
namespace {

Result<Answer> answer_status(Unit& unit, const Id& service, std::uint16_t status) {
  ORLOP_TRY(text, service_status(unit, service));
  return Answer{status, std::move(text)};
}

Result<Answer> read_status(Unit& unit, const Call& call) {
  ORLOP_TRY(subject, subject_of(unit, call));
  return answer_status(unit, subject.record.id, 200);
}

struct Forced {
  std::string_view enum_value;
  ForcedEvent event;
  PlanFlag needs;
};
constexpr Forced forced_events[] = {
    {"START", ForcedEvent::start, PlanFlag::on_start},
    {"STOP", ForcedEvent::stop, PlanFlag::on_stop},
    {"DELETE", ForcedEvent::remove, PlanFlag::on_delete},
    {"CRON", ForcedEvent::cron, PlanFlag::cron},
};

// Returns the event that the query forces; null if none.
const Forced* forced_of(const Call& call) {
  const std::string_view enum_value = query_text(call, "forceEvent");
  for (const Forced& forced : forced_events) {
    if (forced.enum_value == enum_value) return &forced;
  }
  return nullptr;
}

// Adds settings of the query to the configuration of the step.
void add_query(const Call& call, Value& overrides) {
  if (query_text(call, "forceEvent") == "DIFF") overrides.set("event", Value("DIFF"));
  if (query_flag(call, "applyImmediately")) overrides.set("apply_immediately", Value(true));
}

enum class Version : std::uint8_t { asked, deployed };

Result<Answer> deploy_version(Unit& unit, const Call& call, Version version) {
  ORLOP_TRY(subject, subject_of(unit, call));
  Order order = order_for(call, subject.record, Action::deploy);
  if (const Forced* forced = forced_of(call);
      forced != nullptr && names_of_kind(*call.family)->kind == ServiceKind::job) {
    if (!has(subject.machine.plan_flags, forced->needs)) return answer_status(unit, subject.record.id, 202);
    if (forced->event == ForcedEvent::cron) ORLOP_CHECK(admit_forced_run(unit, subject.record));
    order.forced = forced->event;
  }
  Value overrides;
  if (version == Version::deployed) {
    ORLOP_TRY(stored, unit.value_of(subject.record));
    ORLOP_TRY(kept, kept_versions(unit, subject.record.parent));
    if (!kept.has(to_text(subject.record.id))) overrides = overrides_of_redeployment(*stored);
  } else if (call.body != nullptr) {
    ORLOP_TRY(asked, apply_deploy_body(unit, *call.family, subject.record, *call.body));
    overrides = std::move(asked);
  }
  add_query(call, overrides);
  set_overrides(order, subject.record.id, overrides);
  return place_and_answer(unit, order);
}

Result<Answer> deploy(Unit& unit, const Call& call) { return deploy_version(unit, call, Version::asked); }
Result<Answer> redeploy(Unit& unit, const Call& call) { return deploy_version(unit, call, Version::deployed); }

// A service that was never deployed needs no uninstall.
Result<Answer> uninstall(Unit& unit, const Call& call) {
  ORLOP_TRY(subject, subject_of(unit, call));
  if (static_cast<ServiceState>(subject.machine.state) == ServiceState::ready) return Answer{204, {}};
  Order order = order_for(call, subject.record, Action::uninstall);
  set_overrides(order, subject.record.id, overrides_of_removal(call));
  return place_and_answer(unit, order);
}

Result<Answer> list_statuses(Unit& unit, const Call& call) {
  ORLOP_TRY(environment, require_environment(unit, call));
  ORLOP_TRY(requests, view_requests(unit, environment.id));
  ORLOP_TRY(services, unit.machines(environment.id, call.family->number));
  ORLOP_CHECK(load_observations(unit, services));
  Writer out;
  out.begin_object().key("results").begin_list();
  for (const Machine& service : services) ORLOP_CHECK(write_status(unit, out, service, requests));
  out.end_list().end_object();
  return Answer{200, std::move(out).take()};
}

constexpr std::string_view job_events[] = {"START", "STOP", "DELETE", "CRON"};
constexpr Field job_query[] = {
    enumeration("forceEvent", job_events,
                "Run the job for this event. A job that is not configured for the event is left unchanged.")};
constexpr std::string_view helm_events[] = {"DIFF"};
constexpr Field helm_query[] = {enumeration(
    "forceEvent", helm_events, "Compute the changes that a deployment would make (`helm diff`), without making them.")};
constexpr Field database_query[] = {
    boolean("applyImmediately",
            "Apply changes of a managed database immediately, not in its next maintenance window. Default: false.")};
constexpr std::string_view terraform_deletions[] = {"SKIP_DESTROY"};
constexpr Field terraform_query[] = {
    enumeration("force_terraform_action", terraform_deletions,
                "Keep the resources that Terraform created (`SKIP_DESTROY`). Absent: they are destroyed.")};

constexpr auto application = static_cast<std::uint8_t>(ServiceKind::application);
constexpr auto container = static_cast<std::uint8_t>(ServiceKind::container);
constexpr auto database = static_cast<std::uint8_t>(ServiceKind::database);
constexpr auto job = static_cast<std::uint8_t>(ServiceKind::job);
constexpr auto helm = static_cast<std::uint8_t>(ServiceKind::helm);
constexpr auto terraform = static_cast<std::uint8_t>(ServiceKind::terraform);

constexpr Operation deploy_of(const Shape* body, std::span<const Field> query) {
  return service_action("{flat}/deploy", "deploy_{family}", deploy, body, query, "Deploy {one}",
                        "Queues a deployment request and returns the status of the service. 409: the state of the "
                        "service does not allow a "
                        "deployment, or its cluster is not ready.");
}

constexpr Operation redeploy_of(std::span<const Field> query) {
  return service_action("{flat}/redeploy", "redeploy_{family}", redeploy, nullptr, query, "Redeploy {one}",
                        "Queues a deployment request for the commit that is deployed, or the configured version, and "
                        "returns the status of the service. 409: the state of the "
                        "service does not allow a deployment, or its cluster is not ready.");
}

constexpr Operation uninstall_of(std::span<const Field> query) {
  Operation operation = service_action(
      "{flat}/uninstall", "uninstall_{family}", uninstall, &operation_shapes::nothing, query, "Uninstall {one}",
      "Queues a request that deletes the deployed resources and keeps the configuration. 204: the "
      "service is not deployed. 409: its state does not allow a deletion.");
  operation.status_of_nothing = 204;
  operation.need = Level::manage;
  return operation;
}

constexpr KindOperation operations[] = {
    {every_kind,
     {.path = "{flat}/status",
      .name = "get_{family}_status",
      .handle = read_status,
      .form = AnswerForm::shape,
      .answer = &operation_shapes::status,
      .summary = "Get the deployment status of {one}",
      .about = "Returns the state of the service in its lifecycle, whether its configuration is the deployed one, and "
               "the durations of the last action. Ask again until the state is none of a queued or running action."}},
    {every_kind,
     {.path = "{collection}/status",
      .name = "list_{family}_statuses",
      .handle = list_statuses,
      .form = AnswerForm::shape_list,
      .answer = &operation_shapes::reference_status,
      .summary = "List the deployment statuses of the {many} of an environment",
      .about = "Returns the status of each, as the operation about one returns it."}},
    {application, deploy_of(&operation_shapes::deploy_application, {})},
    {container, deploy_of(&operation_shapes::deploy_container, {})},
    {database, deploy_of(nullptr, database_query)},
    {job, deploy_of(&operation_shapes::deploy_job, job_query)},
    {helm, deploy_of(&operation_shapes::deploy_helm, helm_query)},
    {terraform, deploy_of(&operation_shapes::deploy_terraform, {})},
    {application | container | terraform, redeploy_of({})},
    {database, redeploy_of(database_query)},
    {job, redeploy_of(job_query)},
    {helm, redeploy_of(helm_query)},
    {application | container | database | job | helm, uninstall_of({})},
    {terraform, uninstall_of(terraform_query)},
};

}  // namespace

extern const OperationSet set;
constexpr OperationSet set = {
    .families = deployable_services,
    .operations_by_kind = operations,
    .python_class = "Deployable",
};

}  // namespace orlop::operation_sets::services::deploy_service
