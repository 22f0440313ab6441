// Updates of blueprints: changes of an update to the latest tag, and its preview, which is a task of the driver.
#include <string>
#include <string_view>
#include <utility>

#include "catalogs/blueprint_settings.h"
#include "endpoints/blueprints/parts/blueprint_record.h"
#include "endpoints/blueprints/parts/blueprint_shapes.h"
#include "endpoints/blueprints/parts/blueprint_values.h"
#include "endpoints/operation_set.h"
#include "endpoints/services/parts/resource_and_machine.h"
#include "external_systems/ask.h"
#include "external_systems/question_shapes.h"
#include "model/registry.h"
#include "records/ask_later.h"
#include "records/path.h"
#include "records/record_value.h"
#include "records/write_record.h"
#include "unit/find_record.h"
#include "unit/operation.h"
#include "wire/writer.h"

namespace orlop::operation_sets::blueprints::updates {
namespace {

Error no_such_tag(std::string_view tag) {
  return invalid_field("tag", "must be the tag of a blueprint, not \"" + std::string(tag.substr(0, 80)) + "\"");
}

// Asks the catalogue twice: for the present tag, whose answer names the latest one, and for the latest.
Result<Answer> check_update(Unit& unit, const Call& call) {
  ORLOP_TRY(record, record_on_path(unit, call));
  ORLOP_TRY(stored, full_value(record));
  const std::string tag(stored.text_or("tag", ""));
  const Value input = blueprint_input(record.organization, record.parent, tag);
  return ask_later(unit, {.question = Question::find_blueprint,
                          .input = input,
                          .reply = [stored, tag, input,
                                    systems = unit.settings().external_systems](const Value& found) -> Result<Answer> {
                            if (found.is_null())
                              return make_error(ErrorCode::not_found, "the catalogue no longer has the tag " + tag);
                            const std::string latest_tag(found.text_or("latest_tag", tag));
                            Value latest = found;
                            if (latest_tag != tag) {
                              Value question = input;
                              question.set("tag", Value(latest_tag));
                              ORLOP_TRY(answer, ask(systems, Question::find_blueprint, question));
                              latest = std::move(answer);
                            }
                            const Value* current = stored.find("manifest");
                            return Answer{200, to_json(describe_update(current == nullptr ? found : *current, tag,
                                                                       latest, latest_tag, stored_settings(stored)))};
                          }});
}

Result<Answer> begin_preview(Unit& unit, const Id& blueprint, const Value& body) {
  ORLOP_CHECK(require(unit, *find_family("blueprint"), blueprint));
  ORLOP_TRY(preview, create_record(unit, *find_family("blueprint_preview"), blueprint, body));
  Writer out;
  out.begin_object()
      .field("preview_id", preview.id)
      .field("service_type", body.text_or("service_type", ""))
      .end_object();
  return Answer{202, std::move(out).take()};
}

Result<Answer> preview_update(Unit& unit, const Call& call) {
  ORLOP_TRY(record, record_on_path(unit, call));
  ORLOP_TRY(stored, full_value(record));
  ORLOP_TRY(settings, settings_of(*call.body, &stored));
  const std::string tag(call.body->text_or("tag", ""));
  return ask_later(unit, {.question = Question::find_blueprint,
                          .input = blueprint_input(record.organization, record.parent, tag),
                          .reply = [id = record.id, tag, stored, settings](const Value& found) -> Result<Answer> {
                            if (found.is_null()) return no_such_tag(tag);
                            ORLOP_CHECK(check_values(found, settings.values, "variables"));
                            ORLOP_TRY(service, service_request(found, settings, id));
                            const Value* current = stored.find("manifest");
                            Value body = Value::object();
                            body.set("tag", Value(tag));
                            body.set("service_type", Value(service_type_of(found)));
                            body.set("difference", describe_update(current == nullptr ? found : *current,
                                                                   stored.text_or("tag", ""), found, tag, settings));
                            body.set("service", without_secrets(std::move(service)));
                            Answer answer;
                            answer.apply = [id, body](Unit& later) { return begin_preview(later, id, body); };
                            return answer;
                          }});
}

constexpr Field value_name = text("name", "Name of the variable.").required();
constexpr Field value_type = object("type", question_shapes::manifest_type, "Type and bounds of the value.").required();
constexpr Field value_allowed =
    list_of("allowed_values", FieldKind::text, "Values that are allowed. Null or absent: any.").nullable();
constexpr Field value_secret = boolean("is_secret", "True if the value is a secret.").required();
constexpr Field required_fields[] = {value_name, value_type, value_allowed, value_secret};
constexpr Shape required_value = {.name = "BlueprintUpdateNewRequiredValue", .fields = required_fields};
constexpr Field optional_fields[] = {value_name,
                                     text("default_value", "Value that is used where none is given.").nullable(),
                                     value_type, value_allowed, value_secret};
constexpr Shape optional_value = {.name = "BlueprintUpdateNewOptionalValue", .fields = optional_fields};
constexpr Field old_default = text("current_default_value", "Default at the present tag. Null: none.").nullable();
constexpr Field new_default = text("new_default_value", "Default at the latest tag. Null: none.").nullable();
constexpr Field present_value = text("current_value", "Value that was chosen. Null: none, or a secret.").nullable();
constexpr Field updated_fields[] = {value_name, old_default,   new_default, present_value,
                                    value_type, value_allowed, value_secret};
constexpr Shape updated_value = {.name = "BlueprintUpdateUpdatedValue", .fields = updated_fields};
constexpr Field removed_fields[] = {value_name};
constexpr Shape removed_value = {.name = "BlueprintUpdateRemovedValue", .fields = removed_fields};
constexpr Field change_fields[] = {text("name", "Name of the setting, as in `spec_overrides`.").required(), old_default,
                                   new_default, present_value};
constexpr Shape engine_change = {.name = "BlueprintUpdateEngineFieldChange", .fields = change_fields};
constexpr Field engine_fields[] = {
    list_of("updated_values", engine_change, "Settings whose defaults change.").required()};
constexpr Shape engine_difference = {.name = "BlueprintUpdateEngineDiff", .fields = engine_fields};
constexpr Field update_fields[] = {
    boolean("is_up_to_date", "True if the tag is the latest one of its major version.").required(),
    text("current_tag", "Tag of the version that is in use.").required(),
    text("latest_tag", "Latest tag of the same major version.").required(),
    list_of("new_required_values", required_value, "New variables that need a value.").required(),
    list_of("new_optional_values", optional_value, "New variables that have a default, or need none.").required(),
    list_of("now_required_values", required_value, "Variables that need a value now, and have none.").required(),
    list_of("updated_values", updated_value, "Variables whose type or default changes.").required(),
    list_of("removed_values", removed_value, "Variables that are gone.").required(),
    object("engine_diff", engine_difference, "Changes of the tool that deploys the blueprint.").required(),
    list_of("new_major_versions", question_shapes::new_major_version, "Later major versions of the service.")
        .required(),
};
constexpr Shape update_shape = {.name = "BlueprintUpdateResponse", .fields = update_fields};
constexpr Field preview_fields[] = {
    text("preview_id", "ID of the preview.").required(),
    enumeration("service_type", blueprint_shapes::service_types, "Kind of the service.").required(),
};
constexpr Shape preview_shape = {.name = "BlueprintUpdatePreviewResponse", .fields = preview_fields};
constexpr Operation operations[] = {
    {.path = "{flat}/update",
     .name = "check_{family}_update",
     .handle = check_update,
     .form = AnswerForm::shape,
     .answer = &update_shape,
     .summary = "Get what an update of a blueprint to its latest tag would change",
     .asks = Question::find_blueprint},
    {.method = Method::post,
     .path = "{flat}/update/preview",
     .name = "preview_{family}_update",
     .status = 202,
     .access = Access::write,
     .handle = preview_update,
     .body = &blueprint_shapes::update_request,
     .is_body_required = true,
     .form = AnswerForm::shape,
     .answer = &preview_shape,
     .summary = "Preview an update of a blueprint",
     .about = "The driver makes the preview in a step of kind `task`; nothing is changed. Its state and its difference "
              "are answered by the operation `get_blueprint_preview`.",
     .need = Level::operate,
     .asks = Question::find_blueprint},
};

}  // namespace

extern const OperationSet set;
constexpr OperationSet set = {
    .families = families_named("blueprint"),
    .operations = operations,
};

}  // namespace orlop::operation_sets::blueprints::updates
