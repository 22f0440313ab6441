// The deployment statuses of the containers that use a container registry.
#include <utility>

#include "endpoints/environments/parts/request_answers.h"
#include "endpoints/operation_set.h"
#include "endpoints/overviews/parts/visible_records.h"
#include "endpoints/services/parts/service_status.h"
#include "endpoints/services/parts/status_shapes.h"
#include "records/path.h"
#include "unit/find_record.h"
#include "unit/operation.h"
#include "wire/writer.h"

namespace orlop::operation_sets::overviews::container_statuses {
namespace {

Result<Answer> list_container_statuses(Unit& unit, const Call& call) {
  ORLOP_TRY(registry, record_on_path(unit, call));
  ORLOP_TRY(containers, visible_referrers(unit, call, registry.id, "container"));
  Writer out;
  out.begin_object().key("results").begin_list();
  for (const Record& container : containers) {
    ORLOP_TRY(machine, require_machine(unit, container.id));
    ORLOP_TRY(requests, view_requests(unit, container.parent));
    ORLOP_CHECK(write_status(unit, out, machine, requests));
  }
  out.end_list().end_object();
  return Answer{200, std::move(out).take()};
}

constexpr Operation operations[] = {
    {.path = "{item}/container/status",
     .name = "list_{family}_container_statuses",
     .handle = list_container_statuses,
     .form = AnswerForm::shape_list,
     .answer = &operation_shapes::reference_status,
     .summary = "List the deployment statuses of the containers that use {one}",
     .about = "Returns the status of each container, as the operation about one returns it."}};

}  // namespace

extern const OperationSet set;
constexpr OperationSet set = {
    .families = families_named("container_registry"),
    .operations = operations,
};

}  // namespace orlop::operation_sets::overviews::container_statuses
