// Log of a service. External systems answer.
#include <utility>

#include "endpoints/operation_set.h"
#include "endpoints/services/parts/resource_and_machine.h"
#include "external_systems/question_shapes.h"
#include "records/ask_later.h"
#include "records/record_value.h"
#include "unit/operation.h"

namespace orlop::operation_sets::lookups::service_logs {
namespace {

Result<Answer> list_lines(Unit& unit, const Call& call) {
  ORLOP_TRY(subject, subject_of(unit, call));
  ORLOP_TRY(service, full_value(subject.record));
  Value input(Value::Object{{"organization_id", Value(to_text(subject.record.organization))},
                            {"environment_id", Value(to_text(subject.record.parent))},
                            {"service_id", Value(to_text(subject.record.id))},
                            {"family", Value(call.family->name)},
                            {"name", Value(service.text_or("name", ""))}});
  return ask_later(unit, {.question = Question::list_service_logs, .input = std::move(input)});
}

constexpr auto kinds =
    static_cast<std::uint8_t>(static_cast<int>(ServiceKind::application) | static_cast<int>(ServiceKind::container));

constexpr Operation operations[] = {{.path = "{flat}/log",
                                     .name = "list_{family}_logs",
                                     .handle = list_lines,
                                     .form = AnswerForm::shape_list,
                                     .answer = &question_shapes::log_line,
                                     .summary = "List the last lines of the log of {one}",
                                     .asks = Question::list_service_logs}};

}  // namespace

extern const OperationSet set;
constexpr OperationSet set = {
    .families = services_of(kinds),
    .operations = operations,
};

}  // namespace orlop::operation_sets::lookups::service_logs
