// The older operations on the variables of projects and environments.
#include "operations/variables/parts/older.h"

namespace orlop {

namespace operation_sets::variables {
extern const OperationSet scopes;
constexpr OperationSet scopes = {
    .families = families_named("project", "environment"),
    .operations = older_variables::operations,
    .python_class = "VariableOwner",
};
}  // namespace operation_sets::variables

}  // namespace orlop
