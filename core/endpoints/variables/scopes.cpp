// Older operations on the variables of projects and environments.
#include "endpoints/variables/parts/older.h"

namespace orlop::operation_sets::variables::scopes {

extern const OperationSet set;
constexpr OperationSet set = {
    .families = families_named("project", "environment"),
    .operations = older_variables::operations,
    .python_class = "VariableOwner",
};

}  // namespace orlop::operation_sets::variables::scopes
