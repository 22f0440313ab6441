// Helm and Terraform services have variables too; the older operations do not serve them.
#include "operations/operation_set.h"

namespace orlop {

namespace operation_sets::variables {
extern const OperationSet owners;
constexpr OperationSet owners = {
    .families = families_named("helm", "terraform"),
    .python_class = "VariableOwner",
};
}  // namespace operation_sets::variables

}  // namespace orlop
