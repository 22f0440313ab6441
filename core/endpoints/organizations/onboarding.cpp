// Edit of the onboarding, which is a POST in the interface.
#include "endpoints/operation_set.h"
#include "records/single.h"

namespace orlop::operation_sets::organizations::onboarding {
namespace {

constexpr Operation operations[] = {{.method = Method::post,
                                     .path = "{item}",
                                     .name = "update_{family}",
                                     .access = Access::write,
                                     .handle = edit_single,
                                     .is_body_required = true,
                                     .form = AnswerForm::record,
                                     .summary = "Edit {one} of {parent}",
                                     .about = "Replaces all fields. An omitted field gets its default."}};

}  // namespace

extern const OperationSet set;
constexpr OperationSet set = {
    .families = families_named("organization_onboarding"),
    .operations = operations,
};

}  // namespace orlop::operation_sets::organizations::onboarding
