// Images of a container registry, and the check for one. External systems answer.
#include <string>
#include <string_view>
#include <utility>

#include "endpoints/lookups/parts/registry_input.h"
#include "endpoints/operation_set.h"
#include "endpoints/services/parts/resource_and_machine.h"
#include "external_systems/question_shapes.h"
#include "records/ask_later.h"

namespace orlop::operation_sets::lookups::container_images {
namespace {

Result<Answer> list_images(Unit& unit, const Call& call) {
  ORLOP_TRY(registry, require_registry(unit, call));
  ORLOP_TRY(described, registry_input(registry));
  Value input(Value::Object{{"organization_id", Value(to_text(registry.organization))},
                            {"registry", std::move(described)},
                            {"image_name", Value(query_text(call, "imageName"))},
                            {"search", Value(query_text(call, "search"))}});
  return ask_later(unit, {.question = Question::list_images, .input = std::move(input)});
}

Answer no_fault() { return {200, "{}"}; }

Result<Answer> check_image(Unit& unit, const Call& call) {
  ORLOP_TRY(environment, require_environment(unit, call));
  const auto id = id_in(*call.body, "registry_id");
  ORLOP_TRY(registry, require_near(unit, "container_registry", id.value_or(Id{}), environment.organization));
  ORLOP_TRY(described, registry_input(registry));
  const std::string image(call.body->text_or("image_name", ""));
  const std::string tag(call.body->text_or("tag", ""));
  Value input(Value::Object{{"organization_id", Value(to_text(environment.organization))},
                            {"registry", std::move(described)},
                            {"image_name", Value(image)},
                            {"tag", Value(tag)}});
  return ask_later(
      unit, {.question = Question::has_image, .input = std::move(input), .reply = [image, tag](const Value& found) {
               if (found.as_boolean()) return Result<Answer>(no_fault());
               return Result<Answer>(invalid_field(
                   "tag", "must be a tag of the image in the registry, not \"" + image + ":" + tag + "\""));
             }});
}

constexpr Field image_query[] = {
    text("imageName", "Name of the image whose tags to list. Default: all images."),
    text("search", "Text that names of images must contain. Default: any."),
};
constexpr Field image_fields[] = {
    reference("registry_id", "container_registry", "ID of the container registry.").required(),
    text("image_name", "Name of the image, without registry and tag.").required(),
    text("tag", "Tag of the image.").required(),
};
constexpr Shape image_check = {.name = "ContainerImageCheckRequest", .fields = image_fields};
constexpr Shape image_answer = {.name = "ContainerImageCheckResponse"};

constexpr Operation operations[] = {
    {.path = "{item}/images",
     .name = "list_{family}_images",
     .handle = list_images,
     .query = image_query,
     .form = AnswerForm::shape_list,
     .answer = &question_shapes::image,
     .summary = "List the images of {one} with their tags",
     .asks = Question::list_images},
    {.method = Method::post,
     .path = "/environment/{environmentId}/checkContainerImage",
     .name = "check_container_image",
     .handle = check_image,
     .body = &image_check,
     .is_body_required = true,
     .form = AnswerForm::shape,
     .answer = &image_answer,
     .summary = "Check that a container registry has an image",
     .about = "400: it is not there.",
     .asks = Question::has_image},
};

}  // namespace

extern const OperationSet set;
constexpr OperationSet set = {
    .families = families_named("container_registry"),
    .operations = operations,
};

}  // namespace orlop::operation_sets::lookups::container_images
