// Default values of a chart that a request names, before a service is created from it. External systems answer.
#include <string>
#include <utility>

#include "endpoints/lookups/parts/git_source.h"
#include "endpoints/lookups/parts/registry_input.h"
#include "endpoints/operation_set.h"
#include "endpoints/services/parts/resource_and_machine.h"
#include "external_systems/question_shapes.h"
#include "records/ask_later.h"

namespace orlop::operation_sets::lookups::chart_values {
namespace {

Result<void> add_git_source(Unit& unit, const Value& repository, const Id& organization, Value& input) {
  if (const auto git_token = id_in(repository, "git_token_id"))
    ORLOP_CHECK(require_near(unit, "git_token", *git_token, organization));
  Value source = Value::object();
  ORLOP_CHECK(add_git_branch(unit, repository, source));
  input.add("git_repository", std::move(source));
  input.add("repository", Value());
  return {};
}

Result<void> add_chart(Unit& unit, const Value& chart, const Id& organization, Value& input) {
  const auto id = id_in(chart, "repository");
  if (!id) return invalid_field("source.helm_repository.repository", "is required");
  ORLOP_TRY(repository, require_near(unit, "helm_repository", *id, organization));
  ORLOP_TRY(described, registry_input(repository));
  input.add("git_repository", Value());
  input.add("repository", std::move(described));
  input.add("chart_name", Value(chart.text_or("chart_name", "")));
  input.add("chart_version", Value(chart.text_or("chart_version", "")));
  return {};
}

Result<Answer> read_values(Unit& unit, const Call& call) {
  ORLOP_TRY(environment, require_environment(unit, call));
  Value input(Value::Object{{"organization_id", Value(to_text(environment.organization))}});
  const Value& source = *call.body->find("source");
  if (source.has("git_repository")) {
    ORLOP_CHECK(add_git_source(unit, *source.find("git_repository"), environment.organization, input));
  } else {
    ORLOP_CHECK(add_chart(unit, *source.find("helm_repository"), environment.organization, input));
  }
  return ask_later(
      unit, {.question = Question::read_chart_values, .input = std::move(input), .reply = [](const Value& values) {
               Answer answer{201, values.as_text()};
               answer.type = ContentType::text;
               return Result<Answer>(std::move(answer));
             }});
}

constexpr Field git_fields[] = {
    uri("url", "HTTPS URL of the git repository, as in `https://github.com/acme/charts.git`.").required(),
    text("branch", "Branch to read. Default: the default branch of the repository.").empty_is_absent(),
    text("root_path", "Folder of the chart. Default: `/`, the root of the repository.").defaults_to("/"),
    reference("git_token_id", "git_token",
              "ID of the git token that gives access to the repository. Null: public repository, no token.")
        .nullable(),
};
constexpr Shape git_source = {.name = "HelmGitRepositoryRequest", .fields = git_fields};
constexpr Field chart_fields[] = {
    reference("repository", "helm_repository", "ID of the Helm repository that contains the chart.").nullable(),
    text("chart_name", "Name of the chart in the Helm repository, as in `ingress-nginx`."),
    text("chart_version", "Version of the chart, as in `4.11.2`. Default: the newest."),
};
constexpr Shape chart_source = {.name = "HelmDefaultValuesRepository", .fields = chart_fields};
constexpr Field source_fields[] = {
    object("git_repository", git_source, "Git repository that contains the chart.").nullable(),
    object("helm_repository", chart_source, "Helm repository that contains the chart.").nullable(),
};
constexpr Shape source = {.name = "HelmDefaultValuesSource", .fields = source_fields, .exactly_one = true};
constexpr Field request_fields[] = {
    object("source", source, "Chart to read. Exactly one of its members is given.").required()};
constexpr Shape request = {.name = "HelmDefaultValuesRequest", .fields = request_fields};

constexpr Operation operations[] = {{.method = Method::post,
                                     .path = "/environment/{environmentId}/helmDefaultValues",
                                     .name = "create_helm_default_values",
                                     .status = 201,
                                     .handle = read_values,
                                     .body = &request,
                                     .is_body_required = true,
                                     .summary = "Get the default values of a Helm chart",
                                     .about = "Returns the content of the chart's `values.yaml`.",
                                     .gives = ContentType::text,
                                     .asks = Question::read_chart_values}};

}  // namespace

extern const OperationSet set;
constexpr OperationSet set = {
    .operations = operations,
};

}  // namespace orlop::operation_sets::lookups::chart_values
