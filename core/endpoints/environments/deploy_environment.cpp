// Actions on environments: on all services or a selection.
#include <string>
#include <utility>
#include <vector>

#include "deploy/request/deployment_request.h"
#include "deploy/request/queuing.h"
#include "deploy/request/versions_to_deploy.h"
#include "endpoints/operation_set.h"
#include "endpoints/services/parts/deploy_body.h"
#include "endpoints/services/parts/request_shapes.h"
#include "endpoints/services/parts/resource_and_machine.h"
#include "endpoints/services/parts/service_freshness.h"
#include "endpoints/services/parts/service_status.h"
#include "endpoints/services/parts/status_shapes.h"
#include "model/plan_flag.h"
#include "records/render_records.h"
#include "records/variables/reach.h"
#include "records/write_record.h"
#include "wire/json.h"
#include "wire/writer.h"

namespace orlop::operation_sets::environments::deploy_environment {
namespace {

Order order_for(const Call& call, Action action) {
  Order order;
  order.environment = call.ids.front();
  order.action = action;
  order.author = std::string(call.author);
  return order;
}

// `request`: the request to show; nil: the current one.
Result<Answer> answer_with_status(Unit& unit, const Id& environment, const Id& request, StatusForm form) {
  ORLOP_TRY(is_large, has_many_services(unit, environment));
  if (is_large || !unit.awaited_job().is_nil()) {
    const auto render = [environment, request, form](Unit& later) -> Result<std::string> {
      ORLOP_TRY(record, later.record(environment));
      if (!record) return not_found("environment", environment);  // deleted meanwhile
      return environment_status_after(later, environment, request, form);
    };
    return Answer{.status = 202, .body = {}, .ask = nullptr, .render = render};
  }
  ORLOP_TRY(text, environment_status_after(unit, environment, request, form));
  return Answer{202, std::move(text)};
}

Result<Answer> place_and_answer(Unit& unit, const Order& order, StatusForm form) {
  ORLOP_TRY(request, enqueue(unit, order));
  return answer_with_status(unit, order.environment, request, form);
}

Result<Answer> act_on_all(Unit& unit, const Call& call, Action action, StatusForm form = StatusForm::environment) {
  ORLOP_TRY(environment, require_environment(unit, call));
  Order order = order_for(call, action);
  order.environment = environment.id;
  order.whole_environment = true;
  return place_and_answer(unit, order, form);
}

// Returns the services that do not run what is wanted.
Result<std::vector<Id>> outdated_services(Unit& unit, const Id& environment) {
  std::vector<Id> outdated;
  ORLOP_TRY(services, service_machines(unit, environment));
  ORLOP_TRY(mark, pending_mark(unit, environment));
  for (const Machine& service : services) {
    if (has(service.plan_flags, PlanFlag::skipped)) continue;
    ORLOP_TRY(freshness, freshness_of(unit, mark, service));
    if (freshness != Freshness::up_to_date) outdated.push_back(service.id);
  }
  return outdated;
}

Result<Answer> deploy_all(Unit& unit, const Call& call) {
  constexpr StatusForm form = StatusForm::environment_and_service;
  if (query_text(call, "only") != "OUT_OF_DATE") return act_on_all(unit, call, Action::deploy, form);
  ORLOP_TRY(environment, require_environment(unit, call));
  Order order = order_for(call, Action::deploy);
  ORLOP_TRY(services, outdated_services(unit, environment.id));
  if (services.empty()) return Answer{204, {}};
  order.services = std::move(services);
  return place_and_answer(unit, order, form);
}
// Deploys each service at its deployed commit, unless a newer commit of a push is waiting for it.
Result<Answer> redeploy_all(Unit& unit, const Call& call) {
  ORLOP_TRY(environment, require_environment(unit, call));
  Order order = order_for(call, Action::deploy);
  order.environment = environment.id;
  order.whole_environment = true;
  ORLOP_TRY(services, unit.machines(environment.id));
  ORLOP_TRY(kept, kept_versions(unit, environment.id));
  Value overrides = Value::object();
  for (const Machine& service : services) {
    if (!has(service.plan_flags, PlanFlag::has_git) || kept.has(to_text(service.id))) continue;
    ORLOP_TRY(record, unit.record(service.id));
    if (!record) continue;
    ORLOP_TRY(stored, unit.value_of(*record));
    if (Value own = overrides_of_redeployment(*stored); !own.is_null())
      overrides.set(to_text(service.id), std::move(own));
  }
  if (!overrides.members().empty()) order.overrides = to_json(overrides);
  return place_and_answer(unit, order, StatusForm::environment);
}
Result<Answer> restart_all(Unit& unit, const Call& call) { return act_on_all(unit, call, Action::restart); }
Result<Answer> stop_all(Unit& unit, const Call& call) { return act_on_all(unit, call, Action::stop); }
Result<Answer> uninstall_all(Unit& unit, const Call& call) { return act_on_all(unit, call, Action::uninstall); }

Result<Answer> cancel(Unit& unit, const Call& call) {
  ORLOP_TRY(environment, require_environment(unit, call));
  const bool force = call.body != nullptr && call.body->boolean_or("force_cancel", false);
  ORLOP_CHECK(cancel_environment(unit, environment.id, force ? CancelMode::force : CancelMode::interruptible));
  return answer_with_status(unit, environment.id, Id{}, StatusForm::environment);
}

// Returns the service `id`, which must be of this kind and environment.
Result<Service> selected(Unit& unit, const Id& environment, const ServiceKindNames& kind, std::string_view text) {
  const Id id = parse_id(text).value_or(Id{});
  ORLOP_TRY(service, require_service(unit, id));
  const bool fits = service.record.parent == environment && service.family->service_kind == kind.name;
  if (!fits) return invalid_field(kind.plural, "must be of this environment and kind; " + to_text(id) + " is not");
  return std::move(service);
}

// Returns the services in the body's lists of ids, one list for each kind.
Result<std::vector<Id>> selection_of(Unit& unit, const Id& environment, const Value& body) {
  std::vector<Id> services;
  for (const ServiceKindNames& kind : service_kinds) {
    const Value* ids = body.find(kind.id_list);
    if (ids == nullptr || !ids->is_list()) continue;
    for (const Value& id : ids->items()) {
      ORLOP_TRY(service, selected(unit, environment, kind, id.as_text()));
      services.push_back(service.record.id);
    }
  }
  if (services.empty()) return invalid_field("", "the body must name at least one service");
  return services;
}

Result<Order> order_for_selection(Unit& unit, const Call& call, Action action) {
  ORLOP_TRY(environment, require_environment(unit, call));
  ORLOP_TRY(services, selection_of(unit, environment.id, call.body == nullptr ? Value() : *call.body));
  Order order = order_for(call, action);
  order.services = std::move(services);
  return order;
}

Result<void> act_on_selection(Unit& unit, const Call& call, Action action) {
  ORLOP_TRY(order, order_for_selection(unit, call, action));
  if (auto placed = enqueue(unit, order); !placed) return std::move(placed).error();
  return {};
}

Result<Answer> stop_selection(Unit& unit, const Call& call) {
  ORLOP_CHECK(act_on_selection(unit, call, Action::stop));
  return Answer{200, {}};
}
Result<Answer> uninstall_selection(Unit& unit, const Call& call) {
  ORLOP_CHECK(act_on_selection(unit, call, Action::uninstall));
  return Answer{200, {}};
}
Result<Answer> restart_selection(Unit& unit, const Call& call) {
  ORLOP_TRY(order, order_for_selection(unit, call, Action::restart));
  return place_and_answer(unit, order, StatusForm::environment_and_service);
}

Result<Answer> delete_selection(Unit& unit, const Call& call) {
  if (!query_flag(call, "skipReconcile")) {
    ORLOP_CHECK(act_on_selection(unit, call, Action::remove));
    return Answer{200, {}};
  }
  ORLOP_TRY(environment, require_environment(unit, call));
  ORLOP_TRY(services, selection_of(unit, environment.id, call.body == nullptr ? Value() : *call.body));
  for (const Id& id : services) {
    ORLOP_TRY(service, require_service(unit, id));
    ORLOP_CHECK(remove_tree(unit, service.record));
  }
  return Answer{200, {}};
}

// Entry of a deployment of a selection: an id, or an object with the service and the version to deploy.
std::string_view id_of_entry(const Value& entry) {
  if (entry.is_text()) return entry.as_text();
  return entry.text_or("id", entry.text_or("application_id", ""));
}

Result<Answer> deploy_selection(Unit& unit, const Call& call) {
  ORLOP_TRY(environment, require_environment(unit, call));
  Order order = order_for(call, Action::deploy);
  Value overrides;
  for (const ServiceKindNames& kind : service_kinds) {
    const Value* entries = call.body == nullptr ? nullptr : call.body->find(kind.plural);
    if (entries == nullptr || !entries->is_list()) continue;
    for (const Value& entry : entries->items()) {
      ORLOP_TRY(service, selected(unit, environment.id, kind, id_of_entry(entry)));
      ORLOP_TRY(asked, apply_deploy_body(unit, *service.family, service.record, entry));
      if (!asked.is_null()) overrides.set(to_text(service.record.id), std::move(asked));
      order.services.push_back(service.record.id);
    }
  }
  if (order.services.empty()) return invalid_field("", "the body must name at least one service");
  if (!overrides.is_null()) order.overrides = to_json(overrides);
  return place_and_answer(unit, order, StatusForm::environment);
}

constexpr Operation on_all(std::string_view path, std::string_view name, Handler handle, std::string_view summary,
                           std::string_view about) {
  return {.method = Method::post,
          .path = path,
          .name = name,
          .status = 202,
          .access = Access::write,
          .handle = handle,
          .form = AnswerForm::shape,
          .answer = &operation_shapes::environment_status,
          .summary = summary,
          .about = about,
          .need = Level::operate};
}

constexpr Field delete_query[] = {
    boolean("skipReconcile", "Delete only the stored configuration and keep the deployed resources. Default: false.")};

constexpr Operation on_selection(std::string_view path, std::string_view name, std::uint16_t status, Handler handle,
                                 const Shape& body, std::string_view summary, std::string_view about) {
  Operation operation = on_all(path, name, handle, summary, about);
  operation.status = status;
  operation.body = &body;
  operation.is_body_required = true;
  if (status == 202) return operation;
  operation.form = AnswerForm::none;
  operation.answer = nullptr;
  return operation;
}

constexpr Operation with_query(Operation operation, std::span<const Field> query) {
  operation.query = query;
  return operation;
}

constexpr Operation with_nothing_to_do(Operation operation) {
  operation.status_of_nothing = 204;
  return operation;
}

constexpr Operation needing(Level need, Operation operation) {
  operation.need = need;
  return operation;
}

constexpr Operation with_answer(Operation operation, const Shape& answer) {
  operation.answer = &answer;
  return operation;
}

constexpr Operation with_body(Operation operation, const Shape& body) {
  operation.body = &body;
  return operation;
}

constexpr std::string_view selections[] = {"OUT_OF_DATE"};
constexpr Field deploy_query[] = {enumeration(
    "only", selections,
    "Deploy only the services that do not run what is wanted: `OUT_OF_DATE`, or never deployed. Absent: all "
    "services.")};

constexpr Operation operations[] = {
    with_nothing_to_do(with_query(
        with_answer(on_all("{flat}/deploy", "deploy_{family}", deploy_all, "Deploy an environment",
                           "Queues a request that deploys all services stage by stage, except skipped ones. 409: "
                           "another request runs and the engine is set to reject, or the cluster is not ready. 204: no "
                           "service is out of date (`only`)."),
                    operation_shapes::action_status),
        deploy_query)),
    on_all("{flat}/redeploy", "redeploy_{family}", redeploy_all, "Redeploy an environment",
           "Queues a request that deploys all services again, at the commits that are deployed or in their configured "
           "versions, stage by stage, except skipped ones."),
    on_all("{flat}/restart-service", "restart_{family}", restart_all, "Restart the services of an environment",
           "Queues a request that restarts the running services stage by stage, except skipped ones."),
    on_all("{flat}/stop", "stop_{family}", stop_all, "Stop an environment",
           "Queues a request that stops all services in reverse order of the stages, except skipped ones."),
    needing(
        Level::manage,
        on_all("{flat}/uninstall", "uninstall_{family}", uninstall_all, "Uninstall an environment",
               "Queues a request that deletes the deployed resources of all services and keeps their configuration.")),
    with_body(
        on_all("{flat}/cancelDeployment", "cancel_{family}_deployment", cancel,
               "Cancel the deployments of an environment",
               "Cancels the running request and all waiting ones. Steps in progress end as `CANCELED`, except those "
               "that cannot be interrupted. 409: no request is running or waiting."),
        operation_shapes::cancel),
    on_selection("{flat}/service/deploy", "deploy_{family}_services", 202, deploy_selection,
                 operation_shapes::deploy_selection, "Deploy selected services of an environment",
                 "Queues a request that deploys the given services in the given versions, stage by stage."),
    on_selection("{flat}/service/stop", "stop_{family}_services", 200, stop_selection, operation_shapes::selection,
                 "Stop selected services of an environment",
                 "Queues a request that stops the given services in reverse order of the stages."),
    needing(Level::manage,
            with_query(on_selection("{flat}/service/delete", "delete_{family}_services", 200, delete_selection,
                                    operation_shapes::selection, "Delete selected services of an environment",
                                    "Queues a request that deletes the deployed resources of the given "
                                    "services, and then the services."),
                       delete_query)),
    needing(Level::manage,
            on_selection("{flat}/service/uninstall", "uninstall_{family}_services", 200, uninstall_selection,
                         operation_shapes::selection, "Uninstall selected services of an environment",
                         "Queues a request that deletes the deployed resources of the given services and "
                         "keeps their configuration.")),
    with_answer(on_selection("{flat}/service/restart-service", "restart_{family}_services", 202, restart_selection,
                             operation_shapes::restart_selection, "Restart selected services of an environment",
                             "Queues a request that restarts the given services stage by stage."),
                operation_shapes::action_status),
};

}  // namespace

extern const OperationSet set;
constexpr OperationSet set = {
    .families = families_named("environment"),
    .operations = operations,
    .python_class = "EnvironmentDeploy",
};

}  // namespace orlop::operation_sets::environments::deploy_environment
