// The kinds of store that the suite runs on in this program.
#include "contract/fixture.h"
#include "postgresql/host_pool.h"
#include "postgresql/open_store.h"
#include "postgresql/server.h"

namespace orlop::contract {

std::vector<Kind> all_kinds() {
  const auto over = [](const char* name) {
    // Each test has a schema, named after the test's folder, which is unique.
    return [name](const std::filesystem::path& folder) {
      return open_postgresql(connection_to(name), folder.filename().string());
    };
  };
  const auto over_pool = [](const std::filesystem::path& folder) {
    static auto& pool = *new HostPool(connection_to("direct"));
    const std::string schema = folder.filename().string();
    return open_postgresql(pool.options(schema));
  };
  return {{"direct", over("direct"), true, false, true, true, 200},
          {"tls", over("tls"), true, false, true, false, 40},
          {"pooled", over("pooled"), true, false, true, true, 40},
          {"hosted", over_pool, true, false, true, true, 40}};
}

}  // namespace orlop::contract
