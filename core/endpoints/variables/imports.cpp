// Older operation that imports variables for a service.
#include "endpoints/variables/parts/older.h"

namespace orlop::operation_sets::variables::imports {

extern const OperationSet set;
constexpr OperationSet set = {
    .families = families_named("application", "container", "job"),
    .operations = older_variables::import_operations,
};

}  // namespace orlop::operation_sets::variables::imports
