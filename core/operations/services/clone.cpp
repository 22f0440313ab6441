// Copies of services.
#include <string>
#include <unordered_map>
#include <utility>

#include "model/registry.h"
#include "operations/operation_set.h"
#include "operations/services/parts/request_shapes.h"
#include "operations/services/parts/subject.h"
#include "ops/tree/copy_children.h"
#include "ops/variables/copy.h"
#include "ops/verbs.h"

namespace orlop::operation_sets::services::clone {
namespace {

Result<Answer> clone_service(Unit& unit, const Call& call) {
  ORLOP_TRY(subject, subject_of(unit, call));
  const Id target = id_in(*call.body, "environment_id").value_or(Id{});
  ORLOP_TRY(environment, require_near(unit, "environment", target, subject.record.organization));
  ORLOP_TRY(request, as_request(*call.family, subject.record));
  request.set("name", *call.body->find("name"));
  ORLOP_TRY(copy, create_record(unit, *call.family, environment.id, request));
  std::unordered_map<Id, Id> copies;
  ORLOP_CHECK(copy_children(unit, subject.record, copy, copies));
  if (has_variables(*call.family)) {
    ORLOP_TRY(places, variable_copy(unit, subject.record, copy));
    ORLOP_TRY(copied, copy_variables(unit, places));
    if (copied.has_sibling_links) ORLOP_CHECK(copy_sibling_links(unit, places));
  }
  ORLOP_TRY(text, render(unit, *call.family, copy));
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
    .about = "Creates a service with the same configuration and variables in the given environment. Custom domains and data are not "
             "copied. 409: the name is taken.",
}};

}  // namespace

extern const OperationSet set;
constexpr OperationSet set = {
    .families = deployable_services,
    .operations = operations,
    .python_class = "ClonableService",
};

}  // namespace orlop::operation_sets::services::clone
