// The older operations on the variables of services.
#include "operations/variables/parts/older.h"

namespace orlop {

namespace operation_sets::variables {
extern const OperationSet services;
constexpr OperationSet services = {
    .families = families_named("application", "container", "job"),
    .operations = older_variables::operations,
    .python_class = "VariableOwner",
};
}  // namespace operation_sets::variables

}  // namespace orlop
