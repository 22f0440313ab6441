#include <string>
#include <utility>

#include "deploy/request/deployment_request.h"
#include "endpoints/operation_set.h"
#include "endpoints/services/parts/request_shapes.h"
#include "endpoints/services/parts/resource_and_machine.h"
#include "endpoints/services/parts/service_status.h"
#include "endpoints/services/parts/status_shapes.h"
#include "wire/writer.h"

namespace orlop::operation_sets::environments::deployment_requests {
namespace {

Result<Answer> cancel_queued(Unit& unit, const Call& call) {
  ORLOP_TRY(request, require_request(unit, call.ids.front()));
  ORLOP_CHECK(cancel_request(unit, request.id, CancelMode::interruptible));
  return Answer{202, {}};
}

Result<Answer> read_request_status(Unit& unit, const Call& call) {
  const Id id = parse_id(query_text(call, "deploymentRequestId")).value_or(Id{});
  ORLOP_TRY(request, require_request(unit, id));
  ORLOP_TRY(view, view_environment(unit, request.owner));
  ORLOP_TRY(shown, state_under(unit, request, view));
  Writer out;
  out.begin_object().field("deployment_request_id", id).field("environment_id", request.owner);
  out.field("status", to_string(shown)).end_object();
  return Answer{200, std::move(out).take()};
}

constexpr Field request_query[] = {uuid("deploymentRequestId", "ID of the deployment request.").required()};

constexpr Operation operations[] = {
    {.path = "/environment/deploymentStatus",
     .name = "get_deployment_status",
     .handle = read_request_status,
     .query = request_query,
     .form = AnswerForm::shape,
     .answer = &operation_shapes::request_status,
     .summary = "Get the status of a deployment request",
     .about = "Returns the state of the environment under the request."},
    {.method = Method::post,
     .path = "/deploymentQueue/{deploymentRequestId}/cancelDeployment",
     .name = "cancel_deployment_request",
     .status = 202,
     .access = Access::write,
     .handle = cancel_queued,
     .body = &operation_shapes::nothing,
     .summary = "Cancel a deployment request",
     .about =
         "A waiting request ends at once. A running one ends when its steps in progress have ended. 409: it has ended "
         "already.",
     .need = Level::operate},
};

}  // namespace

extern const OperationSet set;
constexpr OperationSet set = {
    .operations = operations,
};

}  // namespace orlop::operation_sets::environments::deployment_requests
