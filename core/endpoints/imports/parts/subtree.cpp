#include "endpoints/imports/parts/subtree.h"

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>

#include "base/bulk_job_number.h"
#include "base/family_number.h"
#include "model/check_value.h"
#include "model/registry.h"
#include "unit/operation.h"
#include "unit/unique_name.h"
#include "wire/json.h"

namespace orlop {
namespace {

constexpr std::string_view chain[] = {"organization", "project", "environment"};

// Internal families that belong to the configuration of their parents.
constexpr std::string_view own_records_taken[] = {"database_credentials", "platform_binding", "preview_source",
                                                  "token_digest"};
// Resources that are history of the original.
constexpr std::string_view history[] = {"invoice"};

bool is_one_of(std::span<const std::string_view> names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

bool is_taken(const Family& family) {
  if (family.machine == MachineKind::task || is_one_of(history, family.name)) return false;
  return !family.is_internal || is_one_of(own_records_taken, family.name);
}

Result<void> find_named(Transaction& store, std::span<const std::string_view> families, const Record& above,
                        std::string_view path, std::vector<Record>& found) {
  const Family& family = *find_family(families.front());
  const bool is_last = families.size() == 1;
  for (std::size_t end = is_last ? path.size() : path.find('/'); end != std::string_view::npos;
       end = path.find('/', end + 1)) {
    ORLOP_TRY(id, store.find(name_key(family, above.id, above.organization, path.substr(0, end))));
    ORLOP_TRY(record, id ? store.record(*id) : Result<Shared<Record>>(Shared<Record>()));
    if (record && is_last) found.push_back(*record);
    else if (record) ORLOP_CHECK(find_named(store, families.subspan(1), *record, path.substr(end + 1), found));
    if (is_last) break;
  }
  return {};
}

// A snapshot during a clone lacks services of the copy.
Result<void> require_whole(const Record& job, const Record& parent) {
  ORLOP_TRY(body, parse_stored(job.body));
  if (body.text_or("kind", "") != "COPY") return {};
  return make_error(ErrorCode::conflict, "the environment \"" + name_of(parent) +
                                             "\" was still being cloned when the snapshot was taken: take another one");
}

}  // namespace

Result<Record> find_by_path(Transaction& store, std::string_view family, std::string_view path, std::string_view what) {
  const auto end = std::ranges::find(chain, family);
  if (end == std::end(chain))
    return invalid(std::string(what) + " must be an organization, project or environment, not a " +
                   quoted_text(family));
  const auto id = parse_id(path);
  ORLOP_TRY(record, id ? store.record(*id) : Result<Shared<Record>>(Shared<Record>()));
  if (record && record->family == find_family(family)->number) return *record;
  std::vector<Record> found;
  ORLOP_CHECK(find_named(store, std::span(std::begin(chain), end + 1), Record(), path, found));
  if (found.size() == 1) return std::move(found.front());
  const std::string given = std::string(family) + " " + quoted_text(path);
  if (found.empty()) return make_error(ErrorCode::not_found, std::string(what) + " has no " + given);
  return make_error(ErrorCode::conflict, std::string(what) + " has several " + given + ": give its id");
}

Result<Subtree> subtree_of(Transaction& store, Record root) {
  Subtree tree;
  for (Id above = root.parent; !above.is_nil();) {
    ORLOP_TRY(record, store.record(above));
    if (!record)
      return make_error(ErrorCode::storage_corrupt,
                        "the parent " + to_text(above) + " of a record is not in the snapshot");
    above = record->parent;
    tree.above.insert(tree.above.begin(), *record);
  }
  tree.records.push_back(std::move(root));
  for (std::size_t at = 0; at < tree.records.size(); ++at) {
    RecordRange range;
    range.key = tree.records[at].id;
    std::vector<Record> children;
    ORLOP_CHECK(store.records(range, [&](const Record& record) { return children.push_back(record), true; }));
    for (Record& child : children) {
      if (child.family == bulk_job_number) ORLOP_CHECK(require_whole(child, tree.records[at]));
      const Family* const family = find_family(child.family);
      if (family == nullptr) continue;  // a record of the store itself
      if (is_taken(*family)) tree.records.push_back(std::move(child));
      else if (!family->is_internal) ++tree.left_out[std::string(family->name)];
    }
  }
  return tree;
}

}  // namespace orlop
