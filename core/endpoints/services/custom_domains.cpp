#include "endpoints/operation_set.h"
#include "records/verbs.h"

namespace orlop::operation_sets::services::custom_domains {
namespace {

constexpr Operation operations[] = {
    {.path = "{item}/status",
     .name = "get_{family}_status",
     .handle = read,
     .form = AnswerForm::record,
     .summary = "Get the status of {one}",
     .about = "Answers the custom domain, with its `status`."},
};

}  // namespace

extern const OperationSet set;
constexpr OperationSet set = {
    .families = families_named("custom_domain"),
    .operations = operations,
};

}  // namespace orlop::operation_sets::services::custom_domains
