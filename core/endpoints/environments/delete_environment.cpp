// Deletion of an environment: all of its services, then the environment itself.
#include <string>
#include <utility>

#include "deploy/request/deployment_request.h"
#include "endpoints/operation_set.h"
#include "endpoints/services/parts/resource_and_machine.h"
#include "records/write_record.h"
#include "unit/operation.h"

namespace orlop::operation_sets::environments::delete_environment {
namespace {

Result<Answer> remove_environment(Unit& unit, const Call& call) {
  ORLOP_TRY(subject, subject_of(unit, call));
  if (query_flag(call, "skipReconcile")) {
    ORLOP_CHECK(remove_tree(unit, subject.record));
    return Answer{204, {}};
  }
  Order order;
  order.environment = subject.record.id;
  order.action = Action::remove;
  order.whole_environment = true;
  order.author = std::string(call.author);
  if (auto placed = enqueue(unit, order); !placed) return std::move(placed).error();
  return Answer{204, {}};
}

constexpr Field remove_query[] = {
    boolean("skipReconcile", "Delete only the stored configuration and keep the deployed resources. Default: false.")};
constexpr ReplacedVerb replaced[] = {{.verb = Verb::remove, .handle = remove_environment, .query = remove_query}};

}  // namespace

extern const OperationSet set;
constexpr OperationSet set = {
    .families = families_named("environment"),
    .replaced = replaced,
};

}  // namespace orlop::operation_sets::environments::delete_environment
