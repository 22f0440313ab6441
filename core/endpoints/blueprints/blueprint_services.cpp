// Blueprints in environments: create, edit, deploy. External systems answer with the blueprint, from which a service is
// made.
#include <optional>
#include <string>
#include <utility>

#include "catalogs/blueprint_settings.h"
#include "deploy/request/deployment_request.h"
#include "deploy/request/request_record.h"
#include "endpoints/blueprints/parts/blueprint_record.h"
#include "endpoints/blueprints/parts/blueprint_shapes.h"
#include "endpoints/blueprints/parts/blueprint_values.h"
#include "endpoints/operation_set.h"
#include "endpoints/services/parts/resource_and_machine.h"
#include "external_systems/question_shapes.h"
#include "model/registry.h"
#include "records/ask_later.h"
#include "records/path.h"
#include "records/record_value.h"
#include "records/write_record.h"
#include "unit/find_record.h"
#include "unit/operation.h"
#include "wire/writer.h"

namespace orlop::operation_sets::blueprints::blueprint_services {
namespace {

struct NewBlueprint {
  Id environment;
  std::string tag;
  BlueprintSettings settings;
  bool deploys = false;
  std::string author;
};

Result<Id> request_deployment(Unit& unit, const Id& environment, const Id& service, const std::string& author) {
  Order order;
  order.environment = environment;
  order.action = Action::deploy;
  order.services = {service};
  order.author = author;
  return enqueue(unit, order);
}

Answer describe(const Id& id, const Id& environment, std::string_view catalog_url, std::string_view tag,
                std::uint16_t status) {
  Writer out;
  out.begin_object()
      .field("id", id)
      .field("catalog_url", catalog_url)
      .field("tag", tag)
      .field("environment_id", environment)
      .end_object();
  return {status, std::move(out).take()};
}

// The id is made here: ids of a transaction that writes nothing are given again.
Result<Answer> store_new(Unit& unit, const NewBlueprint& creation, const Value& found) {
  const Id id = unit.make_id();
  ORLOP_TRY(request, service_request(found, creation.settings, id));
  ORLOP_TRY(service, create_record(unit, blueprint_service_family(found), creation.environment, request));
  const Value body = blueprint_body(found, creation.tag, creation.settings, service.id);
  ORLOP_CHECK(create_record(unit, *find_family("blueprint"), creation.environment, body, id));
  if (creation.deploys) ORLOP_CHECK(request_deployment(unit, creation.environment, service.id, creation.author));
  return describe(id, creation.environment, found.text_or("catalog_url", ""), creation.tag,
                  creation.deploys ? 202 : 201);
}

Error no_such_tag(std::string_view tag) {
  return invalid_field("tag", "must be the tag of a blueprint, not \"" + std::string(tag.substr(0, 80)) + "\"");
}

Result<Answer> create_blueprint(Unit& unit, const Call& call) {
  ORLOP_TRY(environment, require_environment(unit, call));
  NewBlueprint creation{.environment = environment.id,
                        .tag = std::string(call.body->text_or("tag", "")),
                        .settings = {},
                        .deploys = query_flag(call, "deploy"),
                        .author = std::string(call.author)};
  ORLOP_TRY(settings, settings_of(*call.body, nullptr));
  creation.settings = std::move(settings);
  return ask_later(unit, {.question = Question::find_blueprint,
                          .input = blueprint_input(environment.organization, environment.id, creation.tag),
                          .reply = [creation](const Value& found) -> Result<Answer> {
                            if (found.is_null()) return no_such_tag(creation.tag);
                            ORLOP_CHECK(check_values(found, creation.settings.values, "variables"));
                            Answer answer;
                            answer.apply = [creation, found](Unit& later) { return store_new(later, creation, found); };
                            return answer;
                          }});
}

Result<Answer> store_update(Unit& unit, const Id& id, const std::string& tag, const BlueprintSettings& settings,
                            const Value& found) {
  ORLOP_TRY(record, require(unit, *find_family("blueprint"), id));
  ORLOP_TRY(service, blueprint_service(unit, record));
  if (service.family != blueprint_service_family(found).number) {
    return invalid_field("tag", "must be the tag of a blueprint that is deployed with the same tool as before, not \"" +
                                    tag.substr(0, 80) + "\"");
  }
  ORLOP_TRY(request, service_request(found, settings, id));
  const Id service_id = service.id;
  const Id environment = record.parent;
  ORLOP_CHECK(edit_record(unit, blueprint_service_family(found), std::move(service), request));
  ORLOP_CHECK(edit_record(unit, *find_family("blueprint"), std::move(record),
                          blueprint_body(found, tag, settings, service_id)));
  return describe(id, environment, found.text_or("catalog_url", ""), tag, 200);
}

Result<Answer> update_blueprint(Unit& unit, const Call& call) {
  ORLOP_TRY(record, record_on_path(unit, call));
  ORLOP_TRY(stored, full_value(record));
  ORLOP_TRY(settings, settings_of(*call.body, &stored));
  const std::string tag(call.body->text_or("tag", ""));
  return ask_later(unit, {.question = Question::find_blueprint,
                          .input = blueprint_input(record.organization, record.parent, tag),
                          .reply = [id = record.id, tag, settings](const Value& found) -> Result<Answer> {
                            if (found.is_null()) return no_such_tag(tag);
                            ORLOP_CHECK(check_values(found, settings.values, "variables"));
                            Answer answer;
                            answer.apply = [id, tag, settings, found](Unit& later) {
                              return store_update(later, id, tag, settings, found);
                            };
                            return answer;
                          }});
}

Result<Answer> deploy_blueprint(Unit& unit, const Call& call) {
  ORLOP_TRY(record, record_on_path(unit, call));
  ORLOP_TRY(service, blueprint_service(unit, record));
  ORLOP_TRY(request, request_deployment(unit, record.parent, service.id, std::string(call.author)));
  ORLOP_TRY(placed, unit.record(request));
  if (!placed) return not_found("deployment request", request);
  ORLOP_TRY(body, parse_request(placed->body));
  Writer out;
  out.begin_object().field("deployment_id", request).field("execution_id", body.execution_id).end_object();
  return Answer{202, std::move(out).take()};
}

constexpr Field variable_fields[] = {
    text("name", "Name of the variable.").required().at_least(1).at_most(255),
    text("value", "Value of the variable.").required(),
    boolean("is_secret", "Store the value encrypted and never return it. Default: false.").defaults_to(false),
};
constexpr Shape variable_shape = {.name = "BlueprintVariableRequest", .fields = variable_fields};
constexpr Field create_fields[] = {
    blueprint_shapes::name,
    blueprint_shapes::tag,
    blueprint_shapes::icon,
    list_of("variables", variable_shape,
            "Values of the blueprint's variables, at most 1000; each name once. Default: none.")
        .at_most(1000),
    object("spec_overrides", blueprint_shapes::spec_overrides,
           "Settings of the tool that deploys the blueprint, in the place of the blueprint's own."),
};
constexpr Shape create_request = {.name = "BlueprintCreateRequest", .fields = create_fields};
constexpr Field answer_fields[] = {
    uuid("id", "ID of the blueprint.").required(),
    uri("catalog_url", "URL of the blueprint in its catalogue.").required(),
    text("tag", "Tag of the blueprint.").required(),
    uuid("environment_id", "ID of the environment.").required(),
};
constexpr Shape answer_shape = {.name = "BlueprintResponse", .fields = answer_fields};
constexpr Field deployment_fields[] = {
    uuid("deployment_id", "ID of the deployment request.").required(),
    text("execution_id", "Execution ID of the deployment, as in its history.").required(),
};
constexpr Shape deployment_shape = {.name = "BlueprintDeploymentAckResponse", .fields = deployment_fields};
constexpr Field create_query[] = {
    boolean("deploy", "Deploy the service at once; the response is 202 then. Default: false.").defaults_to(false)};

constexpr Operation operations[] = {
    {.method = Method::post,
     .path = "/environment/{environmentId}/blueprint",
     .name = "create_{family}",
     .status = 201,
     .access = Access::write,
     .handle = create_blueprint,
     .body = &create_request,
     .is_body_required = true,
     .query = create_query,
     .form = AnswerForm::shape,
     .answer = &answer_shape,
     .summary = "Create a blueprint in an environment",
     .about =
         "Makes a Terraform or Helm service of the blueprint and the given values. 202: its deployment was requested.",
     .asks = Question::find_blueprint},
    {.method = Method::patch,
     .path = "{flat}",
     .name = "update_{family}",
     .access = Access::write,
     .handle = update_blueprint,
     .body = &blueprint_shapes::update_request,
     .is_body_required = true,
     .form = AnswerForm::shape,
     .answer = &answer_shape,
     .summary = "Update a blueprint to a tag, or change its values",
     .about = "Edits the service that the blueprint has made; it is `OUT_OF_DATE` until it is deployed. 409: the "
              "service was deleted.",
     .asks = Question::find_blueprint},
    {.method = Method::post,
     .path = "{flat}/deploy",
     .name = "deploy_{family}",
     .status = 202,
     .access = Access::write,
     .handle = deploy_blueprint,
     .form = AnswerForm::shape,
     .answer = &deployment_shape,
     .summary = "Deploy the service of a blueprint",
     .about = "409: the service was deleted, or cannot be deployed at the moment.",
     .need = Level::operate},
};

}  // namespace

extern const OperationSet set;
constexpr OperationSet set = {
    .families = families_named("blueprint"),
    .operations = operations,
};

}  // namespace orlop::operation_sets::blueprints::blueprint_services
