#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <unordered_set>
#include <vector>

#include "model/registry.h"
#include "model/validate.h"
#include "records/path.h"
#include "records/tree/propagate.h"
#include "records/tree/removal.h"
#include "records/verbs.h"
#include "records/write_record.h"

namespace orlop {
namespace {

// Size of a tree that is erased at once, however many records the unit has erased before.
constexpr std::size_t removed_in_any_case = 20;

struct TreeBound {
  std::size_t records = SIZE_MAX;
  std::size_t text = SIZE_MAX;  // bytes
  bool is_passed_by(std::size_t count, std::size_t read) const { return count > records || read > text; }
};

struct Tree {
  std::vector<Record> records;  // each record after its parent
  bool is_cut = false;          // the tree exceeds the limits
};

// Reads the record and all records below it.
Result<Tree> tree_of(Unit& unit, const Record& root, const TreeBound& bound = {}) {
  Tree tree{{root}};
  std::size_t text = 0;
  for (std::size_t at = 0; at < tree.records.size() && !tree.is_cut; ++at) {
    RecordRange range;
    range.key = tree.records[at].id;
    if (bound.records != SIZE_MAX) range.limit = bound.records + 1 - tree.records.size();
    ORLOP_CHECK(unit.visit(range, [&](const Record& child) {
      tree.records.push_back(child);
      text += child.body.size();
      tree.is_cut = bound.is_passed_by(tree.records.size(), text);
      return !tree.is_cut;
    }));
  }
  return tree;
}

// Reference from outside into the deleted tree that refuses the deletion.
struct RefusingReference {
  Record referrer;
  Record target;
};

// Adds the trees that are deleted with records they refer to. Returns the references that refuse the deletion.
Result<std::vector<RefusingReference>> complete_tree(Unit& unit, std::vector<Record>& tree,
                                                     std::unordered_set<Id>& inside) {
  std::vector<RefusingReference> refusing;
  for (const Record& record : tree) inside.insert(record.id);
  for (std::size_t at = 0; at < tree.size(); ++at) {
    RecordRange range;
    range.by = RecordRange::By::reference;
    range.key = tree[at].id;
    ORLOP_TRY(referrers, unit.records(range));
    for (Record& referrer : referrers) {
      if (inside.contains(referrer.id)) continue;
      ORLOP_TRY(behaviour, behaviour_of(referrer, tree[at]));
      if (behaviour == OnDelete::refuse) {
        refusing.push_back({std::move(referrer), tree[at]});
        continue;
      }
      ORLOP_TRY(more, tree_of(unit, referrer));
      for (Record& record : more.records) {
        if (inside.insert(record.id).second) tree.push_back(std::move(record));
      }
    }
  }
  const auto is_inside = [&inside](const RefusingReference& each) { return inside.contains(each.referrer.id); };
  std::erase_if(refusing, is_inside);
  return refusing;
}

Result<void> require_unused(const std::vector<RefusingReference>& refusing) {
  if (refusing.empty()) return {};
  const auto& [referrer, target] = refusing.front();
  const auto target_of = [](const RefusingReference& reference) { return reference.target.id; };
  const auto count = std::ranges::count(refusing, target.id, target_of);
  const std::string others = count > 1 ? " and " + std::to_string(count - 1) + " more" : "";
  return make_error(ErrorCode::conflict, label_of(target) + " is in use by " + label_of(referrer) + others +
                                             "; change or delete what uses it first");
}

Result<void> require_still(Unit& unit, const std::vector<Record>& tree) {
  for (const Record& record : tree) {
    ORLOP_TRY(machine, unit.machine(record.id));
    if (machine && keeps_from_removal(*machine)) {
      return make_error(ErrorCode::conflict,
                        label_of(record) + " is being deployed; cancel the deployment or wait for its end");
    }
  }
  return {};
}

}  // namespace

Result<void> remove_tree(Unit& unit, const Record& record) {
  const std::size_t erased = unit.changes().erasures.size();
  const std::size_t limit = erased < removed_at_once_max ? removed_at_once_max - erased : 0;
  ORLOP_TRY(read, tree_of(unit, record, {.records = std::max(limit, removed_in_any_case), .text = erased_text_max}));
  if (read.is_cut) {
    if (is_closed_tree(record)) return begin_removal(unit, record);
    ORLOP_TRY(whole, tree_of(unit, record));
    read = std::move(whole);
  }
  std::vector<Record>& tree = read.records;
  std::unordered_set<Id> inside;
  ORLOP_TRY(refusing, complete_tree(unit, tree, inside));
  ORLOP_CHECK(require_still(unit, tree));
  ORLOP_CHECK(require_unused(refusing));
  for (const Record& gone : tree) {
    const Family* family = find_family(gone.family);
    const bool reaches = family != nullptr && family->propagates != Propagation::self &&
                         (gone.id == record.id || !inside.contains(gone.parent));
    if (reaches) ORLOP_CHECK(propagate(unit, *family, gone));
  }
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
