// The documents that follow from the registry, the routes and the rows. The same tables give the same bytes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace orlop {

struct Document {
  std::string path;  // in the project: "docs/openapi.json"
  std::string text;
};

// All that are kept in the project, in the order of their paths.
std::vector<Document> all_documents();

// One document by its name: "openapi", "enums", "models.py", "reference", "reference/container", "diagram/service.mmd". An ending may be left out:
// "diagram/service" is the first of that name. "": the list of names, one in a line. Errors: not_found for any other name.
Result<std::string> describe(std::string_view name);

}  // namespace orlop
