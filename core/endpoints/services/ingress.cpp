// Ingress of a service, which follows the state of the service.
#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "endpoints/operation_set.h"
#include "endpoints/services/parts/resource_and_machine.h"
#include "endpoints/services/parts/status_shapes.h"
#include "lifecycle/state.h"
#include "unit/operation.h"
#include "wire/writer.h"

namespace orlop::operation_sets::services::ingress {
namespace {

bool is_public(const Value& service) {
  const Value* ports = service.find("ports");
  return ports != nullptr && ports->is_list() && std::ranges::any_of(ports->items(), [](const Value& port) {
           return port.boolean_or("publicly_accessible", false);
         });
}

// A service without a public port has no ingress: its state is always READY.
Result<Answer> read_ingress(Unit& unit, const Call& call) {
  ORLOP_TRY(service, require_service(unit, call.ids.front()));
  if (service.family->service_kind != call.texts.front())
    return not_found("service of kind " + call.texts.front(), call.ids.front());
  ORLOP_TRY(body, unit.value_of(service.record));
  const bool has_ingress = service.family->service_kind == "HELM" || is_public(*body);
  const ServiceState state = has_ingress ? static_cast<ServiceState>(service.machine.state) : ServiceState::ready;
  Writer out;
  out.begin_object().field("routerId", service.record.id).field("status", to_string(state)).end_object();
  return Answer{200, std::move(out).take()};
}

constexpr std::string_view kinds[] = {"CONTAINER", "APPLICATION", "HELM"};
constexpr Field texts[] = {enumeration("serviceType", kinds, "Kind of the service.").required()};
constexpr Field answer_fields[] = {
    uuid("routerId", "ID of the ingress: that of the service."),
    enumeration("status", operation_shapes::service_states,
                "State of the ingress: that of the service. `READY` if the service has no public port."),
};
constexpr Shape answer_shape = {.name = "IngressDeploymentStatusResponse", .fields = answer_fields};

constexpr Operation operations[] = {
    {.path = "/{serviceType}/{serviceId}/ingressDeploymentStatus",
     .name = "get_ingress_deployment_status",
     .handle = read_ingress,
     .form = AnswerForm::shape,
     .answer = &answer_shape,
     .summary = "Get the state of the ingress of a service",
     .about = "The ingress comes and goes with the service. `READY`: the service has no public port.",
     .path_texts = texts}};

}  // namespace

extern const OperationSet set;
constexpr OperationSet set = {
    .operations = operations,
};

}  // namespace orlop::operation_sets::services::ingress
