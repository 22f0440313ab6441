#include "known/row_cache.h"

#include <algorithm>
#include <string_view>

#include "server/values.h"

namespace orlop::postgresql {
namespace {

constexpr std::size_t bytes_max = 8 << 20;  // of all cached rows and lists; about 12,000 machines
constexpr std::size_t overhead = 100;       // of a row in the table
constexpr std::size_t text_max = 8 << 10;   // of one row
constexpr std::size_t list_max = 16'384;
constexpr std::size_t list_overhead = 200;   // of a list in the tables
constexpr std::size_t changes_max = 20'000;  // rows of one transaction: more would evict each other

std::size_t text_size(const orlop_record& record) { return record.body.size + record.secrets.size; }

std::size_t text_size(const orlop_machine& machine) {
  return machine.execution_id.size + machine.triggered_by.size + machine.reason.size + machine.outputs.size +
         machine.commit.size + machine.phase_count * sizeof(orlop_phase);
}

const orlop_record& row_of(const KeptRecord& kept) { return kept.record; }
const orlop_machine& row_of(const KeptMachine& kept) { return kept.machine; }
const orlop_id& owner_of(const orlop_record& record) { return record.parent; }
const orlop_id& owner_of(const orlop_machine& machine) { return machine.owner; }

std::size_t size_of(const KeptRecord& row) { return sizeof row + text_size(row.record) + overhead; }
std::size_t size_of(const KeptMachine& row) { return sizeof row + text_size(row.machine) + overhead; }

// Copies the text to `place` and points to the copy.
void move_text(orlop_text& text, char*& place) {
  std::copy_n(text.data, text.size, place);
  text.data = place;
  place += text.size;
}

KeptRecord copy_of(const orlop_record& record) {
  KeptRecord kept{record, std::make_unique<char[]>(text_size(record) + 1)};
  char* place = kept.texts.get();
  for (orlop_text* text : {&kept.record.body, &kept.record.secrets}) move_text(*text, place);
  return kept;
}

KeptMachine copy_of(const orlop_machine& machine) {
  KeptMachine kept{machine,
                   std::make_unique<char[]>(text_size(machine) + 1),
                   {machine.phases, machine.phases + machine.phase_count}};
  char* place = kept.texts.get();
  orlop_machine& copy = kept.machine;
  for (orlop_text* text : {&copy.execution_id, &copy.triggered_by, &copy.reason, &copy.outputs, &copy.commit})
    move_text(*text, place);
  copy.phases = kept.phases.data();
  return kept;
}

}  // namespace

std::shared_ptr<const KeptEvent> copy_of(const orlop_event& event) {
  auto kept = std::make_shared<KeptEvent>(
      KeptEvent{event, std::make_unique<char[]>(event.author.size + event.detail.size + 1)});
  char* place = kept->texts.get();
  for (orlop_text* text : {&kept->event.author, &kept->event.detail}) move_text(*text, place);
  return kept;
}

std::shared_ptr<const KeptRecord> RowCache::record(const orlop_id& id) const {
  std::shared_ptr<const KeptRecord> found = find(records_, id);
  return found && found->has_text ? found : nullptr;
}

const orlop_record* RowCache::row(const orlop_id& id) const {
  const auto found = records_.rows.find(id);
  return found == records_.rows.end() ? nullptr : &found->second->record;
}

bool RowCache::list(const Page& page, bool with_text, std::vector<std::shared_ptr<const KeptRecord>>& records) const {
  const auto serves = [with_text](const auto& kept) { return kept->has_text || !with_text; };
  return list(records_, page, records) && std::ranges::all_of(records, serves);
}

template <typename Kept>
std::shared_ptr<const Kept> RowCache::find(const Table<Kept>& table, const orlop_id& id) const {
  const auto found = table.rows.find(id);
  return found == table.rows.end() ? nullptr : found->second;
}
template std::shared_ptr<const KeptMachine> RowCache::find(const Table<KeptMachine>&, const orlop_id&) const;

template <typename Kept>
bool RowCache::list(const Table<Kept>& table, const Page& page, std::vector<std::shared_ptr<const Kept>>& rows) const {
  const auto found = table.lists.find(page.owner);
  if (found == table.lists.end()) return false;
  auto list = found->second.find(page.family);
  if (list == found->second.end()) list = found->second.find(0);
  if (list == found->second.end()) return false;
  const std::vector<orlop_id>& ids = list->second;
  for (auto id = std::upper_bound(ids.begin(), ids.end(), page.after, Less());
       id != ids.end() && rows.size() < page.most; ++id) {
    std::shared_ptr<const Kept> kept = find(table, *id);
    if (page.family == 0 || row_of(*kept).family == page.family) rows.push_back(std::move(kept));
  }
  return true;
}
template bool RowCache::list(const Table<KeptMachine>&, const Page&,
                             std::vector<std::shared_ptr<const KeptMachine>>&) const;

template <typename Kept>
void RowCache::keep_list(Table<Kept>& table, const orlop_id& owner, std::uint16_t family, std::vector<orlop_id> ids) {
  if (ids.size() > list_max || !make_room(ids.size() * sizeof(orlop_id) + list_overhead)) return;
  for (const orlop_id& id : ids) {
    if (!table.rows.contains(id)) return;
  }
  table.lists[owner].insert_or_assign(family, std::move(ids));
}
template void RowCache::keep_list(Table<KeptRecord>&, const orlop_id&, std::uint16_t, std::vector<orlop_id>);
template void RowCache::keep_list(Table<KeptMachine>&, const orlop_id&, std::uint16_t, std::vector<orlop_id>);

const RowCache::Counts* RowCache::counts(const orlop_id& parent) const {
  const auto found = counts_.find(parent);
  return found == counts_.end() ? nullptr : &found->second;
}

void RowCache::keep_counts(const orlop_id& parent, Counts counts) {
  make_room((counts.size() + 1) * list_overhead);
  counts_.insert_or_assign(parent, std::move(counts));
}

// Clears the cache if `size` does not fit: rows come back with their next use. Returns false in that case.
bool RowCache::make_room(std::size_t size) {
  const bool has_room = bytes_ + size <= bytes_max;
  if (!has_room) clear();
  bytes_ += size;
  return has_room;
}

template <typename Kept>
void RowCache::put(Table<Kept>& table, Kept row) {
  const orlop_id id = row_of(row).id;
  if (text_size(row_of(row)) > text_max) return forget(table, id);
  make_room(size_of(row));
  auto& place = table.rows[id];
  if (place) bytes_ -= size_of(*place);
  place = std::make_shared<const Kept>(std::move(row));
}

void RowCache::keep(const orlop_record& record, bool has_text) {
  if (!has_text && find(records_, record.id)) return;
  KeptRecord kept = copy_of(record);
  kept.has_text = has_text;
  put(records_, std::move(kept));
}
void RowCache::keep(const orlop_machine& machine) { put(machines_, copy_of(machine)); }

// Drops a row and the lists that contain it.
template <typename Kept>
void RowCache::forget(Table<Kept>& table, const orlop_id& id) {
  const auto found = table.rows.find(id);
  if (found == table.rows.end()) return;
  bytes_ -= size_of(*found->second);
  drop_lists(table, row_of(*found->second));
  table.rows.erase(found);
}

// Removes an erased row, also from its lists. No list contains a row that is not cached.
template <typename Kept>
void RowCache::erase(Table<Kept>& table, const orlop_id& id) {
  const auto found = table.rows.find(id);
  if (found == table.rows.end()) return;
  for_each_list(table, row_of(*found->second), [&id](std::vector<orlop_id>& ids) {
    const auto place = std::lower_bound(ids.begin(), ids.end(), id, Less());
    if (place != ids.end() && Equal()(*place, id)) ids.erase(place);
  });
  bytes_ -= size_of(*found->second);
  table.rows.erase(found);
}

// Drops the lists to which the row belongs.
template <typename Kept, typename Row>
void RowCache::drop_lists(Table<Kept>& table, const Row& row) {
  const auto owned = table.lists.find(owner_of(row));
  if (owned != table.lists.end())
    std::erase_if(owned->second, [&row](const auto& list) { return list.first == 0 || list.first == row.family; });
}

// Calls `each` for the cached lists to which the row belongs.
template <typename Kept, typename Row, typename Each>
void RowCache::for_each_list(Table<Kept>& table, const Row& row, const Each& each) {
  const auto owned = table.lists.find(owner_of(row));
  if (owned == table.lists.end()) return;
  for (auto& [family, ids] : owned->second) {
    if (family == 0 || family == row.family) each(ids);
  }
}

template <typename Kept>
void RowCache::write(Table<Kept>& table, Kept row) {
  const auto written = row_of(row);  // without its texts
  const auto known = table.rows.find(written.id);
  const bool is_known = known != table.rows.end();
  if (is_known && (!Equal()(owner_of(row_of(*known->second)), owner_of(written)) ||
                   row_of(*known->second).family != written.family)) {
    drop_lists(table, row_of(*known->second));
    drop_lists(table, written);
  }
  put(table, std::move(row));
  if (is_known) return;
  // A new row is added to its lists. Another one may have come from a different owner.
  const bool is_new = written.revision == 1 && table.rows.contains(written.id);
  if (!is_new) return drop_lists(table, written);
  for_each_list(table, written, [&](std::vector<orlop_id>& ids) {
    ids.insert(std::lower_bound(ids.begin(), ids.end(), written.id, Less()), written.id);
    bytes_ += sizeof(orlop_id);
  });
}

void RowCache::count(const orlop_id& parent, std::uint16_t family, int difference) {
  const auto found = counts_.find(parent);
  if (found == counts_.end()) return;
  std::uint64_t& count = found->second[family];
  count += static_cast<std::uint64_t>(difference);
  if (count == 0) found->second.erase(family);
}

// Called before the record is written. If it is neither new nor cached, it is unknown where it was counted.
void RowCache::count(const orlop_record& record) {
  const std::shared_ptr<const KeptRecord> known = find(records_, record.id);
  if (!known && record.revision != 1) return counts_.clear();
  if (known) count(known->record.parent, known->record.family, -1);
  count(record.parent, record.family, 1);
}

// Called before the record is erased.
void RowCache::count_erased(const orlop_id& id) {
  const std::shared_ptr<const KeptRecord> known = find(records_, id);
  if (known) count(known->record.parent, known->record.family, -1);
  else counts_.clear();
}

void RowCache::change(const orlop_changes& changes) {
  if (has_lost_changes_) return;
  if (changes.is_restore != 0 || changes.erasure_count + changes.record_count + changes.machine_count > changes_max) {
    has_lost_changes_ = true;
    changes_.clear();
    return;
  }
  Change& change = changes_.emplace_back();
  change.erasures.assign(changes.erasures, changes.erasures + changes.erasure_count);
  for (std::size_t at = 0; at < changes.record_count; ++at)
    change.records.push_back(copy_of(*changes.records[at]->record));
  for (std::size_t at = 0; at < changes.machine_count; ++at) change.machines.push_back(copy_of(*changes.machines[at]));
}

void RowCache::commit() {
  if (has_lost_changes_) clear();
  for (Change& change : changes_) {
    for (const orlop_id& id : change.erasures) {
      count_erased(id);
      erase(records_, id);
      erase(machines_, id);
    }
    for (KeptRecord& row : change.records) {
      count(row.record);
      write(records_, std::move(row));
    }
    for (KeptMachine& row : change.machines) write(machines_, std::move(row));
  }
  forget_changes();
}

void RowCache::forget_changes() {
  changes_.clear();
  has_lost_changes_ = false;
}

void RowCache::clear() {
  records_ = {};
  machines_ = {};
  counts_.clear();
  bytes_ = 0;
}

}  // namespace orlop::postgresql
