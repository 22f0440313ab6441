// Helm and Terraform services and agentic workflows, which have variables but no older operations.
#include "endpoints/operation_set.h"

namespace orlop::operation_sets::variables::owners {

extern const OperationSet set;
constexpr OperationSet set = {
    .families = families_named("helm", "terraform", "agentic_workflow"),
    .python_class = "VariableOwner",
};

}  // namespace orlop::operation_sets::variables::owners
