// The older operation that imports variables for a service.
#include "operations/variables/parts/older.h"

namespace orlop {

namespace operation_sets::variables {
extern const OperationSet imports;
constexpr OperationSet imports = {
    .families = families_named("application", "container", "job"),
    .operations = older_variables::import_operations,
};
}  // namespace operation_sets::variables

}  // namespace orlop
