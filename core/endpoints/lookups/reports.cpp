// Reports of usage to download, made by external systems.
#include <utility>

#include "endpoints/operation_set.h"
#include "endpoints/services/parts/resource_and_machine.h"
#include "external_systems/question_shapes.h"
#include "model/registry.h"
#include "records/ask_later.h"
#include "unit/find_record.h"
#include "unit/operation.h"

namespace orlop::operation_sets::lookups::reports {
namespace {

Result<Answer> report_builds(Unit& unit, const Call& call) {
  ORLOP_TRY(environment, require_environment(unit, call));
  Value input = *call.body;
  input.set("organization_id", Value(to_text(environment.organization)));
  input.set("environment_id", Value(to_text(environment.id)));
  return ask_later(unit, {.question = Question::make_build_usage_report, .input = std::move(input), .status = 201});
}

Result<Answer> report_billing(Unit& unit, const Call& call) {
  ORLOP_TRY(organization, require(unit, *find_family("organization"), call.ids.front()));
  const auto from = parse_instant(call.body->text_or("from", ""));
  const auto to = parse_instant(call.body->text_or("to", ""));
  if (from && to && *to < *from) return invalid_field("to", "must not be before from, " + to_text(*from));
  Value input = *call.body;
  input.set("organization_id", Value(to_text(organization.id)));
  return ask_later(unit, {.question = Question::make_billing_usage_report, .input = std::move(input)});
}

constexpr Field build_fields[] = {
    text("execution_id", "Execution ID of the deployment, as in its history.").required().at_least(1).at_most(255),
    question_shapes::report_expiration,
};
constexpr Shape build_request = {.name = "DeploymentBuildUsageReportRequest", .fields = build_fields};
constexpr Field billing_fields[] = {
    date_time("from", "Begin of the range.").required(),
    date_time("to", "End of the range. Not before `from`.").required(),
    question_shapes::report_expiration,
};
constexpr Shape billing_request = {.name = "OrganizationBillingUsageReportRequest", .fields = billing_fields};

constexpr Operation operations[] = {
    {.method = Method::post,
     .path = "/environment/{environmentId}/deploymentBuildUsageReport",
     .name = "make_deployment_build_usage_report",
     .status = 201,
     .handle = report_builds,
     .body = &build_request,
     .is_body_required = true,
     .form = AnswerForm::shape,
     .answer = &question_shapes::build_report,
     .summary = "Create a report of the builds of a deployment",
     .asks = Question::make_build_usage_report},
    {.method = Method::post,
     .path = "/organization/{organizationId}/billingUsageReport",
     .name = "make_organization_billing_usage_report",
     .handle = report_billing,
     .body = &billing_request,
     .is_body_required = true,
     .form = AnswerForm::shape,
     .answer = &question_shapes::billing_report,
     .summary = "Create a report of the usage of an organization",
     .need = Level::administer,
     .is_of_billing = true,
     .asks = Question::make_billing_usage_report},
};

}  // namespace

extern const OperationSet set;
constexpr OperationSet set = {
    .operations = operations,
};

}  // namespace orlop::operation_sets::lookups::reports
