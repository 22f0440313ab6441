// Charts of a helm repository. External systems answer.
#include <string_view>
#include <utility>

#include "endpoints/lookups/parts/registry_input.h"
#include "endpoints/operation_set.h"
#include "endpoints/services/parts/resource_and_machine.h"
#include "external_systems/question_shapes.h"
#include "records/ask_later.h"

namespace orlop::operation_sets::lookups::helm_charts {
namespace {

Result<Answer> list_charts(Unit& unit, const Call& call) {
  ORLOP_TRY(repository, require_registry(unit, call));
  ORLOP_TRY(described, registry_input(repository));
  Value input(Value::Object{{"organization_id", Value(to_text(repository.organization))},
                            {"repository", std::move(described)},
                            {"chart_name", Value(query_text(call, "chartName"))}});
  return ask_later(unit, {.question = Question::list_charts, .input = std::move(input)});
}

constexpr Field chart_query[] = {text("chartName", "Name of the chart whose versions to list. Default: all charts.")};

constexpr Operation operations[] = {{.path = "{item}/charts",
                                     .name = "list_{family}_charts",
                                     .handle = list_charts,
                                     .query = chart_query,
                                     .form = AnswerForm::shape_list,
                                     .answer = &question_shapes::chart,
                                     .summary = "List the charts of {one} with their versions",
                                     .asks = Question::list_charts}};

}  // namespace

extern const OperationSet set;
constexpr OperationSet set = {
    .families = families_named("helm_repository"),
    .operations = operations,
};

}  // namespace orlop::operation_sets::lookups::helm_charts
