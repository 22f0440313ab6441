// Deletion of an MCP server, with the status 200 of the interface.
#include "endpoints/operation_set.h"
#include "records/verbs.h"

namespace orlop::operation_sets::integrations::mcp_servers {
namespace {

Result<Answer> remove_server(Unit& unit, const Call& call) {
  ORLOP_CHECK(remove(unit, call));
  return Answer{200, {}};
}

constexpr Operation operations[] = {{.method = Method::remove,
                                     .path = "{item}",
                                     .name = "delete_{family}",
                                     .access = Access::write,
                                     .handle = remove_server,
                                     .summary = "Delete {one}",
                                     .about = "Answers 200 without a body."}};

}  // namespace

extern const OperationSet set;
constexpr OperationSet set = {
    .families = families_named("mcp_server"),
    .operations = operations,
};

}  // namespace orlop::operation_sets::integrations::mcp_servers
