#include "store/store.h"

#include <map>
#include <utility>

namespace orlop {

Result<void> Transaction::apply_and_commit(Changes&& changes) {
  ORLOP_CHECK(apply(changes));
  return commit();
}

Result<std::shared_ptr<const Record>> Transaction::shared_record(const Id& id) {
  ORLOP_TRY(found, record(id));
  return found ? std::make_shared<const Record>(std::move(*found)) : nullptr;
}

Result<Shared<Machine>> Transaction::shared_machine(const Id& id) {
  ORLOP_TRY(found, machine(id));
  return found ? Shared<Machine>(std::move(*found)) : Shared<Machine>();
}

Result<FeedEnd> Transaction::feed_end() {
  FeedEnd end;
  ORLOP_CHECK(events({.order = EventRange::Order::newest_first, .limit = 1}, [&end](const Event& event) {
    end = {event.sequence, event.at, event.id_count};
    return false;
  }));
  return end;
}

Result<void> Transaction::records_by_ids(std::span<const Id> ids, const RecordVisitor& visit) {
  for (const Id& id : ids) {
    ORLOP_TRY(found, record(id));
    if (found && !visit(*found)) break;
  }
  return {};
}

Result<void> Transaction::machines_by_ids(std::span<const Id> ids, const MachineVisitor& visit) {
  for (const Id& id : ids) {
    ORLOP_TRY(found, machine(id));
    if (found && !visit(*found)) break;
  }
  return {};
}

Result<void> Transaction::records_below(std::span<const Id> parents, const RecordVisitor& visit) {
  bool goes_on = true;
  for (std::size_t at = 0; at < parents.size() && goes_on; ++at) {
    RecordRange range;
    range.key = parents[at];
    ORLOP_CHECK(records(range, [&](const Record& record) { return goes_on = visit(record); }));
  }
  return {};
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
