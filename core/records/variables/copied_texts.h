// References to resources inside of texts of copies. A key of a built-in variable and a host name hold the first eight
// digits of an id behind a "z": {{PLATFORM_CONTAINER_Z0000000C_HOST_INTERNAL}}, app-z0000000c. In the texts of a copy
// they name the copies.
#pragma once

#include <string_view>

#include "base/result.h"
#include "records/variables/copy_variables.h"
#include "unit/unit.h"

namespace orlop {

// Whether the text holds a "z" with eight digits: most texts do not, and need no other look.
bool may_name_resource(std::string_view text);
// The same of the texts of a record that a caller can set.
bool may_name_resource(const Record& record);

// Rewrites the texts of the copy of a service, of the records below it and of its variables; of the copy of an
// environment only those of its variables. Called once all services are copied. What names a resource without a copy
// stays as it is. Names of resources and keys stay, too.
Result<void> rewrite_copied_texts(Unit& unit, const VariableCopy& places);

}  // namespace orlop
