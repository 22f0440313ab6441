#include "known/row_cache.h"

#include <algorithm>
#include <string_view>

#include "server/values.h"

namespace orlop::postgresql {
namespace {

constexpr std::size_t row_bytes_max = 8 << 20;   // of all rows; about 12,000 machines
constexpr std::size_t overhead = 100;        // of a row: its place in the table
constexpr std::size_t text_max = 8 << 10;    // of one row
constexpr std::size_t list_max = 16'384;
constexpr std::size_t changes_max = 20'000;  // rows of one transaction: more would push out each other

std::size_t text_size(const orlop_record& record) { return record.body.size + record.secrets.size; }

std::size_t text_size(const orlop_machine& machine) {
  return machine.execution_id.size + machine.triggered_by.size + machine.reason.size + machine.outputs.size + machine.commit.size +
         machine.phase_count * sizeof(orlop_phase);
}

std::size_t size_of(const KeptRecord& row) { return sizeof row + text_size(row.record) + overhead; }
std::size_t size_of(const KeptMachine& row) { return sizeof row + text_size(row.machine) + overhead; }

// Copies the text to `place`, and leads to there.
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
  KeptMachine kept{machine, std::make_unique<char[]>(text_size(machine) + 1), {machine.phases, machine.phases + machine.phase_count}};
  char* place = kept.texts.get();
  orlop_machine& copy = kept.machine;
  for (orlop_text* text : {&copy.execution_id, &copy.triggered_by, &copy.reason, &copy.outputs, &copy.commit}) move_text(*text, place);
  copy.phases = kept.phases.data();
  return kept;
}

}  // namespace

std::shared_ptr<const KeptEvent> copy_of(const orlop_event& event) {
  auto kept = std::make_shared<KeptEvent>(KeptEvent{event, std::make_unique<char[]>(event.author.size + event.detail.size + 1)});
  char* place = kept->texts.get();
  for (orlop_text* text : {&kept->event.author, &kept->event.detail}) move_text(*text, place);
  return kept;
}

std::size_t RowCache::Hash::operator()(const orlop_id& id) const {
  return std::hash<std::string_view>()({reinterpret_cast<const char*>(id.bytes), sizeof id.bytes});
}

std::shared_ptr<const KeptRecord> RowCache::record(const orlop_id& id) const {
  const auto found = records_.find(id);
  return found == records_.end() ? nullptr : found->second;
}

std::shared_ptr<const KeptMachine> RowCache::machine(const orlop_id& id) const {
  const auto found = machines_.find(id);
  return found == machines_.end() ? nullptr : found->second;
}

bool RowCache::machines_of(const orlop_id& owner, std::uint16_t family, std::vector<std::shared_ptr<const KeptMachine>>& machines) const {
  const auto found = lists_.find(owner);
  if (found == lists_.end()) return false;
  auto list = found->second.find(family);
  if (list == found->second.end()) list = found->second.find(0);
  if (list == found->second.end()) return false;
  for (const orlop_id& id : list->second) {
    std::shared_ptr<const KeptMachine> kept = machine(id);
    if (family == 0 || kept->machine.family == family) machines.push_back(std::move(kept));
  }
  return true;
}

template <typename Kept>
void RowCache::put(Rows<Kept>& rows, const orlop_id& id, Kept row) {
  const std::size_t size = size_of(row);
  // Without room all rows go: those that are used come back with their next use.
  if (bytes_ + size > row_bytes_max) clear();
  auto& place = rows[id];
  if (place) bytes_ -= size_of(*place);
  bytes_ += size;
  place = std::make_shared<const Kept>(std::move(row));
}

void RowCache::keep(KeptRecord row) {
  const orlop_id id = row.record.id;
  if (text_size(row.record) <= text_max) return put(records_, id, std::move(row));
  erase_record(id);
}

void RowCache::keep(KeptMachine row) {
  const orlop_id id = row.machine.id;
  if (text_size(row.machine) <= text_max) return put(machines_, id, std::move(row));
  erase_machine(id);
}

void RowCache::keep(const orlop_record& record) { keep(copy_of(record)); }
void RowCache::keep(const orlop_machine& machine) { keep(copy_of(machine)); }

void RowCache::keep_list(const orlop_id& owner, std::uint16_t family, std::vector<orlop_id> ids) {
  if (ids.size() > list_max) return;
  for (const orlop_id& id : ids) {
    if (!machines_.contains(id)) return;
  }
  bytes_ += ids.size() * sizeof(orlop_id) + 200;
  lists_[owner].insert_or_assign(family, std::move(ids));
}

void RowCache::erase_record(const orlop_id& id) {
  const auto found = records_.find(id);
  if (found == records_.end()) return;
  bytes_ -= size_of(*found->second);
  records_.erase(found);
}

// With the lists that may name it.
void RowCache::erase_machine(const orlop_id& id) {
  const auto found = machines_.find(id);
  if (found == machines_.end()) return;
  bytes_ -= size_of(*found->second);
  lists_.erase(found->second->machine.owner);
  machines_.erase(found);
}

void RowCache::write(KeptMachine row) {
  const orlop_machine machine = row.machine;  // without its texts
  const auto known = machines_.find(machine.id);
  const bool is_known = known != machines_.end();
  if (is_known && (!Equal()(known->second->machine.owner, machine.owner) || known->second->machine.family != machine.family)) {
    lists_.erase(known->second->machine.owner);
    lists_.erase(machine.owner);
  }
  keep(std::move(row));
  const auto owned = lists_.find(machine.owner);
  if (is_known || owned == lists_.end()) return;
  // One that is new belongs to its lists; of another one it is not known whether it came from another owner.
  const bool is_new = machine.revision == 1 && machines_.contains(machine.id);
  if (!is_new) {
    lists_.erase(owned);
    return;
  }
  for (auto& [family, ids] : owned->second) {
    if (family != 0 && family != machine.family) continue;
    ids.insert(std::lower_bound(ids.begin(), ids.end(), machine.id, Less()), machine.id);
    bytes_ += sizeof(orlop_id);
  }
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
  for (std::size_t at = 0; at < changes.record_count; ++at) change.records.push_back(copy_of(*changes.records[at]->record));
  for (std::size_t at = 0; at < changes.machine_count; ++at) change.machines.push_back(copy_of(*changes.machines[at]));
}

void RowCache::commit() {
  if (has_lost_changes_) clear();
  for (Change& change : changes_) {
    for (const orlop_id& id : change.erasures) {
      erase_record(id);
      erase_machine(id);
    }
    for (KeptRecord& row : change.records) keep(std::move(row));
    for (KeptMachine& row : change.machines) write(std::move(row));
  }
  forget_changes();
}

void RowCache::forget_changes() {
  changes_.clear();
  has_lost_changes_ = false;
}

void RowCache::clear() {
  records_.clear();
  machines_.clear();
  lists_.clear();
  bytes_ = 0;
}

}  // namespace orlop::postgresql
