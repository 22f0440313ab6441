#include "store/store_check.h"

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "model/registry.h"
#include "store/walk.h"

namespace orlop {
namespace {

constexpr std::size_t compared_at_once = 500;

std::string words_of(const RecordCount& count, RecordRange::By by) {
  const Family* family = find_family(count.family);
  const std::string name = family == nullptr ? "family " + std::to_string(count.family) : std::string(family->name);
  return "the number of records (" + name + ") that " + (by == RecordRange::By::parent ? "lie below " : "refer to ") +
         to_text(count.key);
}

// Returns the count of the same key and family; 0 if it is missing.
std::uint64_t count_in(const std::vector<RecordCount>& counts, const RecordCount& like) {
  const auto found = std::ranges::find_if(
      counts, [&like](const RecordCount& each) { return each.key == like.key && each.family == like.family; });
  return found == counts.end() ? 0 : found->count;
}

Result<void> compare(Transaction& store, const CountRange& range) {
  ORLOP_TRY(kept, store.counts(range));
  ORLOP_TRY(counted, store.counted(range));
  for (const auto* const counts : {&kept, &counted}) {
    for (const RecordCount& each : *counts) {
      const std::uint64_t is_kept = count_in(kept, each);
      const std::uint64_t is_counted = count_in(counted, each);
      if (is_kept == is_counted) continue;
      return make_error(ErrorCode::storage_corrupt, "the store is damaged: it keeps " + std::to_string(is_kept) +
                                                        " as " + words_of(each, range.by) + ", and holds " +
                                                        std::to_string(is_counted));
    }
  }
  return {};
}

Result<void> compare_all(Transaction& store, std::span<const Id> keys) {
  ORLOP_CHECK(compare(store, {RecordRange::By::reference, keys, 0}));
  for (const auto families : {all_families(), internal_families()}) {
    for (const Family* family : families) {
      if (family->is_counted) ORLOP_CHECK(compare(store, {RecordRange::By::parent, keys, family->number}));
    }
  }
  return {};
}

}  // namespace

Result<void> check_counts(Transaction& store) {
  std::vector<Id> keys = {Id{}};
  ORLOP_CHECK(for_each_record(store, [&](const Record& record) -> Result<void> {
    keys.push_back(record.id);
    if (keys.size() < compared_at_once) return {};
    const Result<void> compared = compare_all(store, keys);
    keys.clear();
    return compared;
  }));
  return compare_all(store, keys);
}

}  // namespace orlop
