#include <string>
#include <unordered_map>
#include <utility>

#include "endpoints/operation_set.h"
#include "endpoints/services/parts/request_shapes.h"
#include "endpoints/services/parts/resource_and_machine.h"
#include "model/registry.h"
#include "records/record_value.h"
#include "records/render_records.h"
#include "records/tree/copy_children.h"
#include "records/variables/copied_texts.h"
#include "records/variables/copy_variables.h"
#include "records/write_record.h"
#include "unit/find_record.h"

namespace orlop::operation_sets::services::clone_service {
namespace {

Result<Answer> clone_service(Unit& unit, const Call& call) {
  ORLOP_TRY(subject, subject_of(unit, call));
  const Id target = id_in(*call.body, "environment_id").value_or(Id{});
  ORLOP_TRY(environment, require_near(unit, "environment", target, subject.record.organization));
  ORLOP_TRY(request, as_request(*call.family, subject.record));
  request.set("name", *call.body->find("name"));
  forget_lost_aliases(request);
  ORLOP_TRY(copy, create_record(unit, *call.family, environment.id, request));
  std::unordered_map<Id, Id> copies;
  ORLOP_TRY(names_resources, copy_children(unit, subject.record, copy, copies));
  ORLOP_TRY(places, variable_copy(unit, subject.record, copy));
  CopiedVariables copied;
  if (has_variables(*call.family)) {
    ORLOP_TRY(variables, copy_variables(unit, places));
    copied = std::move(variables);
  }
  if (copied.names_siblings || names_resources || may_name_resource(subject.record)) {
    ORLOP_TRY(lost, copy_sibling_links(unit, places));
    copied.lost.insert(copied.lost.end(), lost.begin(), lost.end());
  }
  ORLOP_CHECK(list_lost_aliases(unit, copy.id, copied.lost));
  ORLOP_TRY(made, require(unit, *call.family, copy.id));
  ORLOP_TRY(text, render(unit, *call.family, made));
  return Answer{202, std::move(text)};
}

constexpr Operation operations[] = {{
    .method = Method::post,
    .path = "{flat}/clone",
    .name = "clone_{family}",
    .status = 202,
    .access = Access::write,
    .handle = clone_service,
    .body = &operation_shapes::clone_service,
    .is_body_required = true,
    .form = AnswerForm::record,
    .summary = "Clone {one}",
    .about = "Creates a service with the same configuration and variables in the given environment. Custom domains and "
             "data are not "
             "copied. References to the service in its own texts name the copy; those to other services name the "
             "services of the same name in the other environment. "
             "`metadata.aliases_not_copied` lists aliases whose target is not there. 409: the name is taken.",
}};

}  // namespace

extern const OperationSet set;
constexpr OperationSet set = {
    .families = deployable_services,
    .operations = operations,
    .python_class = "ClonableService",
};

}  // namespace orlop::operation_sets::services::clone_service
