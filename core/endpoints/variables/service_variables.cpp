// Older operations on the variables of services.
#include "endpoints/variables/parts/older.h"

namespace orlop::operation_sets::variables::service_variables {

extern const OperationSet set;
constexpr OperationSet set = {
    .families = families_named("application", "container", "job"),
    .operations = older_variables::operations,
    .python_class = "VariableOwner",
};

}  // namespace orlop::operation_sets::variables::service_variables
