// Deletion of an organization or a project: all deployments below it, then the records.
#include <span>

#include "endpoints/operation_set.h"
#include "endpoints/organizations/parts/tree_deletion.h"
#include "records/path.h"

namespace orlop::operation_sets::organizations::delete_organization {
namespace {

Result<Answer> remove_above_deployed(Unit& unit, const Call& call) {
  ORLOP_TRY(record, record_on_path(unit, call));
  ORLOP_CHECK(delete_trees(unit, std::span(&record, 1)));
  return Answer{204, {}};
}

constexpr ReplacedVerb replaced[] = {{.verb = Verb::remove, .handle = remove_above_deployed}};

}  // namespace

extern const OperationSet set;
constexpr OperationSet set = {
    .families = families_named("organization", "project"),
    .replaced = replaced,
};

}  // namespace orlop::operation_sets::organizations::delete_organization
