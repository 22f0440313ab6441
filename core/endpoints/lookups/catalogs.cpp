// Catalogues of the platform: blueprints and lifecycle templates. External systems answer.
#include <string>
#include <string_view>
#include <utility>

#include "endpoints/operation_set.h"
#include "endpoints/services/parts/resource_and_machine.h"
#include "external_systems/question_shapes.h"
#include "model/registry.h"
#include "records/ask_later.h"
#include "unit/find_record.h"
#include "unit/operation.h"
#include "wire/writer.h"

namespace orlop::operation_sets::lookups::catalogs {
namespace {

Result<Value> organization_input(Unit& unit, const Call& call) {
  ORLOP_TRY(organization, require(unit, *find_family("organization"), call.ids.front()));
  return Value(Value::Object{{"organization_id", Value(to_text(organization.id))}});
}

Result<Value> blueprint_input(Unit& unit, const Call& call) {
  ORLOP_TRY(input, organization_input(unit, call));
  input.set("provider", Value(call.texts[0]));
  input.set("service_family", Value(call.texts[1]));
  input.set("service_version", Value(call.texts[2]));
  return std::move(input);
}

Result<Answer> read_catalog(Unit& unit, const Call& call) {
  ORLOP_TRY(input, organization_input(unit, call));
  return ask_later(unit, {.question = Question::get_blueprint_catalog, .input = std::move(input)});
}

// The environment in the query must belong to the organization in the path.
Result<Answer> read_manifest(Unit& unit, const Call& call) {
  ORLOP_TRY(input, blueprint_input(unit, call));
  ORLOP_TRY(environment, require_near(unit, "environment", parse_id(query_text(call, "environmentId")).value_or(Id{}),
                                      call.ids.front()));
  input.set("environment_id", Value(to_text(environment.id)));
  return ask_later(unit, {.question = Question::get_blueprint_manifest, .input = std::move(input)});
}

Result<Answer> read_readme(Unit& unit, const Call& call) {
  ORLOP_TRY(input, blueprint_input(unit, call));
  return ask_later(unit, {.question = Question::get_blueprint_readme, .input = std::move(input)});
}

Result<Value> templates_input(Unit& unit, const Call& call) {
  ORLOP_TRY(environment, require_environment(unit, call));
  ORLOP_TRY(body, unit.value_of(environment));
  const Value* provider = body->find_path({"cloud_provider", "provider"});
  return Value(Value::Object{{"organization_id", Value(to_text(environment.organization))},
                             {"environment_id", Value(to_text(environment.id))},
                             {"cloud_provider", provider == nullptr ? Value("") : *provider}});
}

Result<Answer> list_templates(Unit& unit, const Call& call) {
  ORLOP_TRY(input, templates_input(unit, call));
  return ask_later(
      unit,
      {.question = Question::list_lifecycle_templates, .input = std::move(input), .reply = [](const Value& templates) {
         Writer out;
         out.begin_object().key("results").begin_list();
         for (const Value& each : templates.items()) {
           out.begin_object().field("id", each.text_or("id", "")).field("name", each.text_or("name", ""));
           out.field("description", each.text_or("description", "")).end_object();
         }
         out.end_list().end_object();
         return Result<Answer>(Answer{200, std::move(out).take()});
       }});
}

Result<Answer> read_template(Unit& unit, const Call& call) {
  ORLOP_TRY(input, templates_input(unit, call));
  return ask_later(unit,
                   {.question = Question::list_lifecycle_templates,
                    .input = std::move(input),
                    .reply = [id = call.texts.front()](const Value& templates) {
                      for (const Value& each : templates.items()) {
                        if (each.text_or("id", "") == id) return Result<Answer>(Answer{200, to_json(each)});
                      }
                      return Result<Answer>(make_error(ErrorCode::not_found, "no lifecycle template has the id " + id));
                    }});
}

constexpr Field blueprint_texts[] = {
    text("provider", "Cloud provider of the blueprint, as in the catalogue.").required().at_least(1).at_most(255),
    text("serviceFamily", "Family of the service, as in the catalogue.").required().at_least(1).at_most(255),
    text("serviceVersion", "Major version of the service, as in the catalogue.").required().at_least(1).at_most(255),
};
constexpr Field template_texts[] = {
    text("lifecycleTemplateId", "ID of the template.").required().at_least(1).at_most(255)};
constexpr Field manifest_query[] = {
    uuid("environmentId", "ID of the environment for which values are proposed.").required()};
constexpr Field summary_fields[] = {
    uuid("id", "ID of the template.").required(),
    text("name", "Name of the template.").required(),
    text("description", "Purpose of the template.").required(),
};
constexpr Shape template_summary = {.name = "LifecycleTemplateListItem", .fields = summary_fields};

constexpr std::string_view catalog_path = "/organization/{organizationId}/blueprint/catalog";
constexpr std::string_view manifest_path =
    "/organization/{organizationId}/blueprint/catalog/{provider}/{serviceFamily}/{serviceVersion}/manifest";
constexpr std::string_view readme_path =
    "/organization/{organizationId}/blueprint/catalog/{provider}/{serviceFamily}/{serviceVersion}/readme";

constexpr Operation operations[] = {
    {.path = catalog_path,
     .name = "get_blueprint_catalog",
     .handle = read_catalog,
     .form = AnswerForm::shape,
     .answer = &question_shapes::blueprint_catalog,
     .summary = "Get the catalogue of blueprints of an organization",
     .asks = Question::get_blueprint_catalog},
    {.path = manifest_path,
     .name = "get_blueprint_manifest",
     .handle = read_manifest,
     .query = manifest_query,
     .form = AnswerForm::shape,
     .answer = &question_shapes::manifest_shape,
     .summary = "Get the variables and the engine of a blueprint",
     .asks = Question::get_blueprint_manifest,
     .path_texts = blueprint_texts},
    {.path = readme_path,
     .name = "get_blueprint_readme",
     .handle = read_readme,
     .form = AnswerForm::shape,
     .answer = &question_shapes::readme_shape,
     .summary = "Get the README of a blueprint",
     .asks = Question::get_blueprint_readme,
     .path_texts = blueprint_texts},
    {.path = "/environment/{environmentId}/lifecycleTemplate",
     .name = "list_lifecycle_templates",
     .handle = list_templates,
     .form = AnswerForm::shape_list,
     .answer = &template_summary,
     .summary = "List the templates of lifecycle jobs for an environment",
     .about = "Those for the cloud provider of the environment's cluster.",
     .asks = Question::list_lifecycle_templates},
    {.path = "/environment/{environmentId}/lifecycleTemplate/{lifecycleTemplateId}",
     .name = "get_lifecycle_template",
     .handle = read_template,
     .form = AnswerForm::shape,
     .answer = &question_shapes::lifecycle_template,
     .summary = "Get a template of lifecycle jobs",
     .asks = Question::list_lifecycle_templates,
     .path_texts = template_texts},
};

}  // namespace

extern const OperationSet set;
constexpr OperationSet set = {
    .operations = operations,
};

}  // namespace orlop::operation_sets::lookups::catalogs
