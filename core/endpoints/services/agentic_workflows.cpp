// Deployments of agentic workflows: none, since the engine only stores their configuration.
#include "endpoints/history/parts/history.h"
#include "endpoints/operation_set.h"
#include "records/path.h"
#include "unit/operation.h"
#include "unit/unique_name.h"
#include "wire/writer.h"

namespace orlop::operation_sets::services::agentic_workflows {
namespace {

Result<Answer> cancel(Unit& unit, const Call& call) {
  ORLOP_TRY(workflow, record_on_path(unit, call));
  return make_error(ErrorCode::conflict,
                    "agentic workflow \"" + name_of(workflow) + "\" has no deployment that could be canceled");
}

Result<Answer> list_history(Unit& unit, const Call& call) {
  ORLOP_TRY(workflow, record_on_path(unit, call));
  (void)workflow;
  Writer out;
  out.begin_object()
      .field("page", std::int64_t{1})
      .field("page_size", std::int64_t{0})
      .key("results")
      .begin_list()
      .end_list()
      .end_object();
  return Answer{200, std::move(out).take()};
}

constexpr Field cancel_fields[] = {
    boolean("force_cancel", "Cancel a step that cannot be interrupted too. Default: false.").defaults_to(false)};
constexpr Shape cancel_request = {.name = "AgenticWorkflowCancelRequest", .fields = cancel_fields};
constexpr Field entry_fields[] = {open_object("identifier", "Workflow that was deployed.")};
constexpr Shape entry = {.name = "AgenticWorkflowDeployment", .fields = entry_fields};
constexpr Field page_query[] = {
    number("pageSize", "Maximum number of entries, 1 to 100. Default: 20.").at_least(1).at_most(100).nullable()};

constexpr Operation operations[] = {
    {.method = Method::post,
     .path = "{flat}/cancelDeployment",
     .name = "cancel_{family}_deployment",
     .status = 202,
     .access = Access::write,
     .handle = cancel,
     .body = &cancel_request,
     .summary = "Cancel the deployment of an agentic workflow",
     .about = "Always 409: the engine deploys no agentic workflows.",
     .need = Level::operate},
    {.path = "{flat}/deploymentHistoryV2",
     .name = "list_{family}_deployment_history_v2",
     .handle = list_history,
     .query = page_query,
     .form = AnswerForm::shape_page,
     .answer = &entry,
     .summary = "List the deployment history of an agentic workflow",
     .about = "Always empty: the engine deploys no agentic workflows."},
};

}  // namespace

extern const OperationSet set;
constexpr OperationSet set = {
    .families = families_named("agentic_workflow"),
    .operations = operations,
};

}  // namespace orlop::operation_sets::services::agentic_workflows
