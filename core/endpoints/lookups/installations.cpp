// Helm values that install the platform on clusters of customers, and the state of its operators in all of them.
// External systems answer.
#include <string>
#include <string_view>
#include <utility>

#include "endpoints/operation_set.h"
#include "endpoints/services/parts/resource_and_machine.h"
#include "external_systems/question_shapes.h"
#include "records/ask_later.h"
#include "records/path.h"
#include "unit/operation.h"
#include "wire/writer.h"

namespace orlop::operation_sets::lookups::installations {
namespace {

// A JSON text is a valid YAML scalar.
void add_line(std::string& yaml, std::string_view name, std::string_view value) {
  yaml.append("  ").append(name).append(": ").append(to_json(Value(value))).append("\n");
}

std::string values_of(const Value& cluster, const Record& record) {
  std::string yaml = "cluster:\n";
  add_line(yaml, "id", to_text(record.id));
  add_line(yaml, "organizationId", to_text(record.organization));
  for (const std::string_view member : {"name", "region", "cloud_provider", "kubernetes", "version"})
    add_line(yaml, member, cluster.text_or(member, ""));
  return yaml;
}

Answer yaml_answer(const Value& yaml) {
  Answer answer;
  answer.body = yaml.as_text();
  answer.type = ContentType::yaml;
  return answer;
}

Result<Answer> read_values(Unit& unit, const Call& call) {
  ORLOP_TRY(cluster, record_on_path(unit, call));
  ORLOP_TRY(body, unit.value_of(cluster));
  const Value input(Value::Object{{"organization_id", Value(to_text(cluster.organization))},
                                  {"cluster_id", Value(to_text(cluster.id))}});
  return ask_later(unit, {.question = Question::get_installation_values,
                          .input = input,
                          .reply = [](const Value& yaml) { return Result<Answer>(yaml_answer(yaml)); },
                          .otherwise = [made = values_of(*body, cluster)] { return Result<Value>(Value(made)); }});
}

// Covers all organizations, so that only the host may call it.
Result<Answer> list_fleet(Unit& unit, const Call& call) {
  if (call.caller->kind != Caller::Kind::host)
    return make_error(ErrorCode::forbidden, "the operators of all organizations are shown to the host only");
  return ask_later(unit, {.question = Question::list_operator_fleet});
}

constexpr Operation operations[] = {{.path = "{item}/installationHelmValues",
                                     .name = "get_{family}_installation_values",
                                     .handle = read_values,
                                     .summary = "Get the Helm values of the platform's installation on a cluster",
                                     .about = "For clusters that the customer manages.",
                                     .need = Level::manage,
                                     .gives = ContentType::yaml,
                                     .asks = Question::get_installation_values},
                                    {.path = "/admin/operator/clusters",
                                     .name = "list_operator_fleet",
                                     .handle = list_fleet,
                                     .form = AnswerForm::shape_list,
                                     .answer = &question_shapes::fleet_cluster,
                                     .summary = "List the clusters of all organizations in which the operator runs",
                                     .about = "403: the caller is not the host.",
                                     .bypasses_tenancy = true,
                                     .has_no_subject = true,
                                     .asks = Question::list_operator_fleet}};

}  // namespace

extern const OperationSet set;
constexpr OperationSet set = {
    .families = families_named("cluster"),
    .operations = operations,
};

}  // namespace orlop::operation_sets::lookups::installations
