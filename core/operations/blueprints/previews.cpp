// Previews of updates are read; there is no other way to them.
#include "operations/operation_set.h"
#include "ops/verbs.h"

namespace orlop {
namespace {

constexpr Operation operations[] = {{.path = "{item}", .name = "get_{family}", .handle = read, .form = AnswerForm::record, .summary = "Get {one}"}};

}  // namespace

namespace operation_sets::blueprints {
extern const OperationSet previews;
constexpr OperationSet previews = {
    .families = families_named("blueprint_preview"),
    .operations = operations,
};
}  // namespace operation_sets::blueprints

}  // namespace orlop
