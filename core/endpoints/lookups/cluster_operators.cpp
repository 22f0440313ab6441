// The platform's operator in a cluster: state, installation, updates. External systems answer.
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include "endpoints/operation_set.h"
#include "endpoints/services/parts/resource_and_machine.h"
#include "external_systems/question_shapes.h"
#include "records/ask_later.h"
#include "wire/writer.h"

namespace orlop::operation_sets::lookups::cluster_operators {
namespace {

Value cluster_input(const Record& cluster) {
  return Value(Value::Object{{"organization_id", Value(to_text(cluster.organization))},
                             {"cluster_id", Value(to_text(cluster.id))}});
}

Result<Answer> read_status(Unit& unit, const Call& call) {
  ORLOP_TRY(subject, subject_of(unit, call));
  const Value input = cluster_input(subject.record);
  return ask_later(unit,
                   {.question = Question::get_operator_status, .input = input, .reply = [input](const Value& answer) {
                      Value status = input;
                      for (const Member& member : answer.members()) status.set(member.name, member.value);
                      return Result<Answer>(Answer{200, to_json(status)});
                    }});
}

Result<Answer> read_bootstrap(Unit& unit, const Call& call) {
  ORLOP_TRY(subject, subject_of(unit, call));
  return ask_later(unit, {.question = Question::get_operator_bootstrap, .input = cluster_input(subject.record)});
}

Result<Answer> attach(Unit& unit, const Call& call) {
  ORLOP_TRY(subject, subject_of(unit, call));
  return ask_later(
      unit,
      {.question = Question::attach_operator, .input = cluster_input(subject.record), .reply = [](const Value& fault) {
         if (fault.as_text().empty()) return Result<Answer>(Answer{204, {}});
         return Result<Answer>(invalid_field("", "the operator cannot be attached: " + std::string(fault.as_text())));
       }});
}

Result<Answer> update(Unit& unit, const Call& call) {
  ORLOP_TRY(subject, subject_of(unit, call));
  Value input = cluster_input(subject.record);
  input.set("chart_version", *call.body->find("chart_version"));
  const Value* image = call.body->find("image_version");
  input.set("image_version", image == nullptr ? Value() : *image);
  return ask_later(unit, {.question = Question::update_operator, .input = std::move(input), .status = 202});
}

constexpr Field status_fields[] = {
    uuid("organization_id", "ID of the organization.").required(),
    uuid("cluster_id", "ID of the cluster.").required(),
    question_shapes::operator_status_fields[0],
    question_shapes::operator_status_fields[1],
    question_shapes::operator_status_fields[2],
    question_shapes::operator_status_fields[3],
    question_shapes::operator_status_fields[4],
    question_shapes::operator_status_fields[5],
    question_shapes::operator_status_fields[6],
    question_shapes::operator_status_fields[7],
    question_shapes::operator_status_fields[8],
    question_shapes::operator_status_fields[9],
};
static_assert(std::size(status_fields) == 2 + std::size(question_shapes::operator_status_fields));
constexpr Shape status_shape = {.name = "ClusterOperatorStatusResponse", .fields = status_fields};
constexpr Field update_fields[] = {question_shapes::operator_chart_version, question_shapes::operator_image_version};
constexpr Shape update_request = {.name = "ClusterOperatorUpdateRequest", .fields = update_fields};

constexpr Operation operations[] = {
    {.path = "{item}/operator/status",
     .name = "get_{family}_operator_status",
     .handle = read_status,
     .form = AnswerForm::shape,
     .answer = &status_shape,
     .summary = "Get the state of the operator in a cluster",
     .asks = Question::get_operator_status},
    {.path = "{item}/operator/bootstrap",
     .name = "get_{family}_operator_bootstrap",
     .handle = read_bootstrap,
     .form = AnswerForm::shape,
     .answer = &question_shapes::operator_bootstrap_shape,
     .summary = "Get the chart and values that install the operator in a cluster",
     .need = Level::manage,
     .asks = Question::get_operator_bootstrap},
    {.method = Method::post,
     .path = "{item}/operator/attach",
     .name = "attach_{family}_operator",
     .status = 204,
     .handle = attach,
     .summary = "Connect the operator of a cluster to the platform",
     .about = "400: it cannot be attached.",
     .need = Level::manage,
     .asks = Question::attach_operator},
    {.method = Method::post,
     .path = "{item}/operator/update",
     .name = "update_{family}_operator",
     .status = 202,
     .handle = update,
     .body = &update_request,
     .is_body_required = true,
     .form = AnswerForm::shape,
     .answer = &question_shapes::operator_update_shape,
     .summary = "Update the operator in a cluster",
     .about = "The update continues after the response.",
     .need = Level::manage,
     .asks = Question::update_operator},
};

}  // namespace

extern const OperationSet set;
constexpr OperationSet set = {
    .families = families_named("cluster"),
    .operations = operations,
};

}  // namespace orlop::operation_sets::lookups::cluster_operators
