// The waiting deployment requests of a service.
#include <string>
#include <utility>

#include "endpoints/environments/parts/request_answers.h"
#include "endpoints/history/parts/audit_names.h"
#include "endpoints/history/parts/history.h"
#include "endpoints/operation_set.h"
#include "endpoints/services/parts/link_addresses.h"
#include "endpoints/services/parts/resource_and_machine.h"
#include "endpoints/services/parts/service_status.h"
#include "endpoints/services/parts/status_shapes.h"
#include "lifecycle/action.h"
#include "lifecycle/state.h"
#include "unit/operation.h"
#include "unit/unique_name.h"
#include "wire/writer.h"

namespace orlop::operation_sets::overviews::deployment_queue {
namespace {

Result<void> write_waiting(Unit& unit, const Service& service, const Machine& request, Writer& out) {
  ORLOP_TRY(body, body_of_request(unit, request.id));
  ORLOP_TRY(value, unit.value_of(service.record));
  ORLOP_TRY(icon, icon_of(unit, service.record.id, value->text_or("icon_uri", ""), service.family->service_kind));
  out.begin_object()
      .key("identifier")
      .begin_object()
      .field("deployment_request_id", request.id)
      .field("service_id", service.record.id);
  out.field("service_type", service.family->service_kind).field("name", name_of(service.record)).end_object();
  out.key("auditing_data")
      .begin_object()
      .field("triggered_by", body.triggered_by)
      .field("origin", body.origin)
      .end_object();
  out.key("status_details");
  write_status_details(out, static_cast<Action>(request.action), row_of(static_cast<Action>(request.action)).queued,
                       "NONE", {});
  out.field("icon_uri", icon).end_object();
  return {};
}

Result<Answer> list_queue(Unit& unit, const Call& call) {
  ORLOP_TRY(service, require_service(unit, call.ids.front()));
  ORLOP_TRY(view, view_requests(unit, service.record.parent));
  Writer out;
  out.begin_object().key("results").begin_list();
  for (const Machine& request : view.machines) {
    if (is_waiting(request) && view.concerns(request, service.machine))
      ORLOP_CHECK(write_waiting(unit, service, request, out));
  }
  out.end_list().end_object();
  return Answer{200, std::move(out).take()};
}

constexpr Field identifier_fields[] = {
    uuid("deployment_request_id", "ID of the deployment request.").required(),
    uuid("service_id", "ID of the service.").required(),
    enumeration("service_type", service_kind_names, "Kind of the service.").required(),
    text("name", "Name of the service.").required(),
};
constexpr Shape identifier_shape = {.fields = identifier_fields};
constexpr Field auditing_fields[] = {
    text("triggered_by", "Name of the caller that triggered the request.").required(),
    enumeration("origin", audit_origins, "Origin of the request.").required(),
};
constexpr Shape auditing_shape = {.fields = auditing_fields};
constexpr Field queued_fields[] = {
    object("identifier", identifier_shape, "The request and the service.").required(),
    object("auditing_data", auditing_shape, "Origin of the request.").required(),
    object("status_details", operation_shapes::status_details, "Action of the request.").required(),
    text("icon_uri", "URL of the icon of the service.").required(),
};
constexpr Shape queued_shape = {.name = "QueuedDeploymentRequestForService", .fields = queued_fields};

constexpr Operation operations[] = {{.path = "/service/{serviceId}/deploymentQueue",
                                     .name = "list_service_deployment_queue",
                                     .handle = list_queue,
                                     .form = AnswerForm::shape_list,
                                     .answer = &queued_shape,
                                     .summary = "List the waiting deployment requests of a service",
                                     .about = "In the order in which they will run."}};

}  // namespace

extern const OperationSet set;
constexpr OperationSet set = {
    .operations = operations,
};

}  // namespace orlop::operation_sets::overviews::deployment_queue
