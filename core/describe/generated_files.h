// The generated files of the project. Only the generator and its tests need them: they are no part of the library.
#pragma once

#include <string>
#include <vector>

namespace orlop {

struct Document {
  std::string path;  // in the project: "docs/openapi.json"
  std::string text;
};

// All of them, in the order of their paths.
std::vector<Document> project_documents();

}  // namespace orlop
