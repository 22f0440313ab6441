// The status of a custom domain.
#include "operations/operation_set.h"
#include "ops/verbs.h"

namespace orlop {
namespace {

constexpr Operation operations[] = {
    {.path = "{item}/status", .name = "get_{family}_status", .handle = read, .form = AnswerForm::record, .summary = "Get the status of {one}",
     .about = "Answers the custom domain, with its `status`."},
};

}  // namespace

namespace operation_sets::services {
extern const OperationSet custom_domains;
constexpr OperationSet custom_domains = {
    .families = families_named("custom_domain"),
    .operations = operations,
};
}  // namespace operation_sets::services

}  // namespace orlop
