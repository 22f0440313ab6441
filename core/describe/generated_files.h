// The generated files of the project, for the generator and its tests. Not part of the library.
#pragma once

#include <string>
#include <vector>

namespace orlop {

struct Document {
  std::string path;  // path in the project, such as "docs/openapi.json"
  std::string text;
};

// Returns all files, in the order of their paths.
std::vector<Document> project_documents();

}  // namespace orlop
