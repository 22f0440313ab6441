// Counts of records, with a unit's own changes on top.
#include <algorithm>
#include <map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/sort_unique.h"
#include "unit/unit.h"

namespace orlop {
namespace {

// Stored counts, adjusted by the changes of a unit.
class ChangedCounts {
 public:
  ChangedCounts(const CountRange& range, const std::vector<RecordCount>& stored)
      : range_(range), keys_(range.keys.begin(), range.keys.end()) {
    for (const RecordCount& count : stored) counts_[{count.key, count.family}] = count.count;
  }
  void add(const Record& record, const std::vector<Id>& references, std::uint64_t difference) {
    if (range_.by == RecordRange::By::parent) add(record.parent, record.family, difference);
    else
      for (const Id& target : references) add(target, record.family, difference);
  }
  std::vector<RecordCount> all() const {
    std::vector<RecordCount> all;
    for (const auto& [place, count] : counts_) {
      if (count != 0) all.push_back({place.first, place.second, count});
    }
    return all;
  }

 private:
  void add(const Id& key, FamilyNumber family, std::uint64_t difference) {
    if (keys_.contains(key) && (range_.family == 0 || range_.family == family)) counts_[{key, family}] += difference;
  }

  const CountRange& range_;
  std::unordered_set<Id> keys_;
  std::map<std::pair<Id, FamilyNumber>, std::uint64_t> counts_;
};

constexpr std::uint64_t one_less = UINT64_MAX;

}  // namespace

Result<std::vector<RecordCount>> Unit::counts(const CountRange& range) {
  // No stored record lies below a record that this unit makes, or refers to it.
  const bool is_new = std::ranges::all_of(range.keys, [this](const Id& key) {
    const std::size_t* const place = record_places_.find(key);
    return place != nullptr && changes_.records[*place].expected_revision == 0;
  });
  std::vector<RecordCount> stored;
  if (!is_new) {
    CountRange all = range;
    // some counted records may be erased or changed
    if (erased_count() != 0 || !changes_.records.empty()) all.enough = UINT64_MAX;
    ORLOP_TRY(found, store_.counts(all));
    stored = std::move(found);
  }
  if (erased_count() == 0 && changes_.records.empty()) return stored;
  ChangedCounts counts(range, stored);
  const auto take_erased = [&](const Id& id) -> Result<void> {
    ORLOP_TRY(record, store_.record(id));
    ORLOP_TRY(links, store_.links(id));
    if (record) counts.add(*record, links.references, one_less);
    return {};
  };
  if (seldom_ != nullptr) {
    for (const Id& id : seldom_->erased) ORLOP_CHECK(take_erased(id));
  }
  for (const RecordWrite& write : changes_.records) {
    if (is_erased(write.record.id)) continue;
    RecordLinks links;
    if (write.expected_revision != 0) {
      ORLOP_TRY(record, store_.record(write.record.id));
      ORLOP_TRY(known, store_.links(write.record.id));
      links = std::move(known);
      if (record) counts.add(*record, links.references, one_less);
    }
    if (write.references) links.references = *write.references;
    sort_unique(links.references);
    counts.add(write.record, links.references, 1);
  }
  return counts.all();
}

}  // namespace orlop
