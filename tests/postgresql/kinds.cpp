// The kinds of store that the suite runs on in this program.
#include "contract/fixture.h"
#include "postgresql/server.h"

namespace orlop::contract {

std::vector<Kind> all_kinds() {
  const auto over = [](const char* name) {
    // A schema for each test; its name is that of the test's folder, which is there once.
    return [name](const std::filesystem::path& folder) { return open_postgresql(connection_to(name), folder.filename().string()); };
  };
  return {{"direct", over("direct"), true}, {"tls", over("tls"), true, 100}, {"pooled", over("pooled"), true, 100}};
}

}  // namespace orlop::contract
