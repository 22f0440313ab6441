// The images of a container registry: the external systems answer.
#include <string_view>
#include <utility>

#include "externals/shapes.h"
#include "operations/external/parts/registry.h"
#include "operations/operation_set.h"
#include "operations/services/parts/subject.h"
#include "ops/external.h"

namespace orlop {
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

constexpr Field image_query[] = {
    text("imageName", "Name of the image whose tags to list. Default: all images."),
    text("search", "Text that names of images must contain. Default: any."),
};
constexpr std::string_view asks = "Asks the external systems of the host. Without any that answer the question: 501.";

constexpr Operation operations[] = {{.path = "{item}/images",
                                     .name = "list_{family}_images",
                                     .handle = list_images,
                                     .query = image_query,
                                     .form = AnswerForm::shape_list,
                                     .answer = &question_shapes::image,
                                     .summary = "List the images of {one} with their tags",
                                     .about = asks}};

}  // namespace

namespace operation_sets::external {
extern const OperationSet container_images;
constexpr OperationSet container_images = {
    .families = families_named("container_registry"),
    .operations = operations,
};
}  // namespace operation_sets::external

}  // namespace orlop
