#include <utility>

#include "endpoints/billing/parts/limits_of_plan.h"
#include "endpoints/operation_set.h"
#include "records/record_value.h"
#include "records/render_records.h"
#include "records/write_record.h"
#include "unit/find_record.h"

namespace orlop::operation_sets::organizations::organization_plan {
namespace {

Result<Answer> change_plan(Unit& unit, const Call& call) {
  ORLOP_TRY(organization, require(unit, *call.family, call.ids.front()));
  ORLOP_CHECK(require_within_limits(unit, organization.id, call.body->text_or("plan", "")));
  ORLOP_TRY(request, as_request(*call.family, organization));
  request.set("plan", *call.body->find("plan"));
  ORLOP_TRY(stored, edit_record(unit, *call.family, std::move(organization), request));
  ORLOP_TRY(text, render(unit, *call.family, stored));
  return Answer{200, std::move(text)};
}

constexpr Field plan_fields[] = {
    text("plan", "New plan of the organization, such as `TEAM_2025`.").required().at_least(1)};
constexpr Shape plan_request = {.name = "OrganizationChangePlanRequest", .fields = plan_fields};

constexpr Operation operations[] = {
    {.method = Method::post,
     .path = "{flat}/changePlan",
     .name = "change_{family}_plan",
     .access = Access::write,
     .handle = change_plan,
     .body = &plan_request,
     .is_body_required = true,
     .form = AnswerForm::record,
     .summary = "Change the plan of {one}",
     .about = "409: the organization has more resources than the plan allows, as the option `billing` of the engine "
              "limits them.",
     .need = Level::administer},
};

}  // namespace

extern const OperationSet set;
constexpr OperationSet set = {
    .families = families_named("organization"),
    .operations = operations,
};

}  // namespace orlop::operation_sets::organizations::organization_plan
