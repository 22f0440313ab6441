// Previews of updates, which can only be read.
#include "endpoints/operation_set.h"
#include "records/verbs.h"

namespace orlop::operation_sets::blueprints::previews {
namespace {

constexpr Operation operations[] = {{.path = "{item}",
                                     .name = "get_{family}",
                                     .handle = read,
                                     .form = AnswerForm::record,
                                     .summary = "Get {one}",
                                     .about = "404: there is none with this ID."}};

}  // namespace

extern const OperationSet set;
constexpr OperationSet set = {
    .families = families_named("blueprint_preview"),
    .operations = operations,
};

}  // namespace orlop::operation_sets::blueprints::previews
