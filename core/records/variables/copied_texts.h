// References to resources inside of texts of copies. A key of a built-in variable and a host name contain the first
// eight digits of an id after a "z": {{PLATFORM_CONTAINER_Z0000000C_HOST_INTERNAL}}, app-z0000000c. In the texts of a
// copy they are changed to name the copies.
#pragma once

#include <string_view>

#include "base/result.h"
#include "records/variables/copy_variables.h"
#include "unit/unit.h"

namespace orlop {

// Reports whether the text contains a "z" with eight digits: most texts do not and need no parsing.
bool may_name_resource(std::string_view text);
// may_name_resource() for all texts of a record that a caller can set.
bool may_name_resource(const Record& record);

// Rewrites the texts of the copy of a service, of the records below it and of its variables; for the copy of an
// environment, only its variables. Call it once all services are copied. References to resources without a copy, names
// of resources and keys do not change.
Result<void> rewrite_copied_texts(Unit& unit, const VariableCopy& places);

}  // namespace orlop
