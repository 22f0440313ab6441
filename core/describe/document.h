// Documents for programs, generated from the tables that the engine uses. The same tables give the same bytes.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace orlop {

// Returns a document by its name: "openapi.json", "options.json", "diagram/service.mmd" … The extension may be left
// out: "diagram/service" is the first of that name. "" gives the list of names, one on each line. Errors: not_found for
// any other name.
Result<std::string> describe(std::string_view name);

}  // namespace orlop
