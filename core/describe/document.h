// The documents that follow from the tables that the engine runs on, for programs. The same tables give the same bytes.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace orlop {

// One document by its name: "openapi.json", "options.json", "diagram/service.mmd" … An ending may be left out:
// "diagram/service" is the first of that name. "": the list of names, one in a line. Errors: not_found for any other
// name.
Result<std::string> describe(std::string_view name);

}  // namespace orlop
