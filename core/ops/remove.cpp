#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <unordered_set>
#include <vector>

#include "base/family_number.h"
#include "model/registry.h"
#include "ops/path.h"
#include "ops/removal.h"
#include "ops/verbs.h"

namespace orlop {
namespace {

// The record and all below it, each after its parent; no more than `limit` and one.
Result<std::vector<Record>> tree_of(Unit& unit, const Record& root, std::size_t limit) {
  std::vector<Record> tree = {root};
  for (std::size_t at = 0; at < tree.size() && tree.size() <= limit; ++at) {
    RecordRange range;
    range.key = tree[at].id;
    if (limit != SIZE_MAX) range.limit = limit + 1 - tree.size();
    ORLOP_TRY(children, unit.records(range));
    for (Record& child : children) tree.push_back(std::move(child));
  }
  return tree;
}

// Nothing outside the tree may refer into it, but for variables: the alias of a built-in of a service goes with the service.
Result<void> require_unused(Unit& unit, std::vector<Record>& tree) {
  std::vector<Record> aliases;
  std::unordered_set<Id> inside;
  for (const Record& record : tree) inside.insert(record.id);
  for (const Record& record : tree) {
    RecordRange range;
    range.by = RecordRange::By::reference;
    range.key = record.id;
    ORLOP_TRY(referrers, unit.records(range));
    std::erase_if(referrers, [&](const Record& referrer) {
      const bool is_alias = referrer.family == variable_number && !inside.contains(referrer.id);
      if (is_alias && inside.insert(referrer.id).second) aliases.push_back(referrer);
      return is_alias || inside.contains(referrer.id);
    });
    if (referrers.empty()) continue;
    const std::string others = referrers.size() > 1 ? " and " + std::to_string(referrers.size() - 1) + " more" : "";
    return make_error(ErrorCode::conflict, label_of(record) + " is in use by " + label_of(referrers.front()) + others +
                                               "; change or delete what uses it first");
  }
  std::ranges::move(aliases, std::back_inserter(tree));
  return {};
}

Result<void> require_still(Unit& unit, const std::vector<Record>& tree) {
  for (const Record& record : tree) {
    ORLOP_TRY(machine, unit.machine(record.id));
    const bool is_running = machine && machine->active && !machine->step.is_nil();
    if (is_running) {
      return make_error(ErrorCode::conflict, label_of(record) + " is being deployed; cancel the deployment or wait for its end");
    }
  }
  return {};
}

}  // namespace

Result<void> remove_tree(Unit& unit, const Record& record) {
  ORLOP_TRY(tree, tree_of(unit, record, removed_at_once_max));
  if (tree.size() > removed_at_once_max) {
    if (is_closed_tree(record)) return begin_removal(unit, record);
    ORLOP_TRY(whole, tree_of(unit, record, SIZE_MAX));
    tree = std::move(whole);
  }
  ORLOP_CHECK(require_still(unit, tree));
  ORLOP_CHECK(require_unused(unit, tree));
  for (auto at = tree.rbegin(); at != tree.rend(); ++at) {
    emit_deleted(unit, *at);
    unit.erase(at->id);
  }
  return {};
}

Result<Answer> remove(Unit& unit, const Call& call) {
  ORLOP_TRY(record, record_on_path(unit, call));
  ORLOP_CHECK(remove_tree(unit, record));
  return Answer{204, ""};
}

}  // namespace orlop
