#include "store/store.h"

#include <map>
#include <utility>

namespace orlop {

Result<void> Transaction::apply_and_commit(Changes changes) {
  ORLOP_CHECK(apply(std::move(changes)));
  return commit();
}

Result<Rows> Transaction::rows(const RowKeys& keys) {
  Rows found;
  for (const Id& id : keys.records) {
    ORLOP_TRY(row, record(id));
    if (row) found.records.push_back(std::move(row));
  }
  for (const Id& id : keys.machines) {
    ORLOP_TRY(row, machine(id));
    if (row) found.machines.push_back(std::move(row));
  }
  for (const Id& parent : keys.parents) {
    RecordRange range;
    range.key = parent;
    ORLOP_CHECK(records(range, [&found](const Record& row) { return found.children.emplace_back(Record(row)), true; }));
  }
  return found;
}

Result<FeedEnd> Transaction::feed_end() {
  FeedEnd end;
  ORLOP_CHECK(events({.order = EventRange::Order::newest_first, .limit = 1}, [&end](const Event& event) {
    end = {event.sequence, event.at, event.id_count};
    return false;
  }));
  return end;
}

Result<std::vector<RecordCount>> Transaction::counted(const CountRange& range) {
  std::vector<RecordCount> counts;
  for (const Id& key : range.keys) {
    std::map<FamilyNumber, std::uint64_t> of_key;
    RecordRange below;
    below.by = range.by;
    below.key = key;
    below.family = range.family;
    below.fields = RecordRange::Fields::no_text;
    ORLOP_CHECK(records(below, [&of_key](const Record& record) { return ++of_key[record.family], true; }));
    for (const auto& [family, count] : of_key) counts.push_back({key, family, count});
  }
  return counts;
}

}  // namespace orlop
