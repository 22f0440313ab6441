#include "unit/unit.h"

#include <algorithm>
#include <utility>

#include "base/sort_unique.h"
#include "store/sort.h"
#include "unit/agreed_time.h"
#include "wire/json.h"

namespace orlop {

namespace {

// Initial capacities: enough for most units, and small enough for the allocator's small blocks.
constexpr std::size_t usual_machines = 2;
constexpr std::size_t usual_events = 6;

}  // namespace

bool Unit::is_erased(const Id& id) const { return seldom_ != nullptr && seldom_->erased.contains(id); }

const Record* Unit::changed_record(const Id& id) const {
  const std::size_t* const place = record_places_.find(id);
  return place == nullptr ? nullptr : &changes_.records[*place].record;
}

const Machine* Unit::changed_machine(const Id& id) const {
  const std::size_t* const place = machine_places_.find(id);
  return place == nullptr ? nullptr : &changes_.machines[*place];
}

Result<Instant> Unit::agreed_time() {
  return agreed_time_ == nullptr ? Result<Instant>(now_) : agreed_time_->at(store_);
}

Result<Expiry> Unit::expiry() {
  return agreed_time_ == nullptr ? Result<Expiry>(Expiry{now_, now_}) : agreed_time_->expiry(store_, now_);
}

Result<Shared<Record>> Unit::record(const Id& id) {
  if (is_erased(id)) return Shared<Record>();
  if (const Record* const changed = changed_record(id)) return Shared<Record>(Record(*changed));
  if (!store_.reads_in_batches()) return store_.record(id);
  if (const auto* const loaded = found_in(&Seldom::loaded_records, id)) return *loaded;
  ORLOP_TRY(found, store_.record(id));
  return seldom().loaded_records.add(id, std::move(found));
}

Result<Shared<Machine>> Unit::machine(const Id& id) {
  if (is_erased(id)) return Shared<Machine>();
  if (const Machine* const changed = changed_machine(id)) return Shared<Machine>(Machine(*changed));
  if (!store_.reads_in_batches()) return store_.machine(id);
  if (const auto* const loaded = found_in(&Seldom::loaded_machines, id)) return *loaded;
  ORLOP_TRY(found, store_.machine(id));
  return seldom().loaded_machines.add(id, std::move(found));
}

template <typename Known>
std::vector<Id> Unit::unknown(std::span<const Id> ids, const Known& known) const {
  std::vector<Id> wanted;
  for (const Id& id : ids) {
    if (!id.is_nil() && !known.contains(id)) wanted.push_back(id);
  }
  sort_unique(wanted);
  return wanted;
}

Result<std::vector<Machine>> Unit::machines_of(std::span<const Id> ids) {
  std::vector<Machine> found;
  found.reserve(ids.size());
  std::vector<Id> wanted;
  for (const Id& id : ids) {
    if (is_erased(id)) continue;
    if (const Machine* const changed = changed_machine(id)) found.push_back(*changed);
    else wanted.push_back(id);
  }
  ORLOP_TRY(stored, store_.rows({.machines = wanted}));
  for (const Shared<Machine>& machine : stored.machines) found.push_back(*machine);
  sort_by_id(found);
  return found;
}

Result<void> Unit::load(std::span<const Id> ids) {
  if (!store_.reads_in_batches()) return {};
  auto& records = seldom().loaded_records;
  auto& machines = seldom().loaded_machines;
  const std::vector<Id> wanted_records = unknown(ids, records);
  const std::vector<Id> wanted_machines = unknown(ids, machines);
  if (wanted_records.empty() && wanted_machines.empty()) return {};
  records.make_room(wanted_records.size());
  machines.make_room(wanted_machines.size());
  for (const Id& id : wanted_records) records[id];
  for (const Id& id : wanted_machines) machines[id];
  ORLOP_TRY(found, store_.rows({.records = wanted_records, .machines = wanted_machines}));
  for (Shared<Record>& record : found.records) records[record->id] = record;
  for (Shared<Machine>& machine : found.machines) machines[machine->id] = machine;
  return {};
}

Result<void> Unit::load_children(std::span<const Id> parents) {
  if (!store_.reads_in_batches()) return {};
  auto& children = seldom().loaded_children;
  const std::vector<Id> wanted = unknown(parents, children);
  if (wanted.empty()) return {};
  for (const Id& id : wanted) children[id];
  ORLOP_TRY(found, store_.rows({.parents = wanted}));
  for (Shared<Record>& record : found.children) children[record->parent].push_back(record);
  return {};
}

Result<std::shared_ptr<const Value>> Unit::value_of(const Record& record) {
  Seldom::Parsed& known = seldom().parsed[record.id];
  if (known.value == nullptr || known.revision != record.revision) {
    ORLOP_TRY(value, parse_stored(record.body));
    known = {record.revision, std::make_shared<const Value>(std::move(value))};
  }
  return known.value;
}

Result<std::optional<Id>> Unit::find(std::string_view name_key, Expected expected) {
  if (const Id* const own = found_in(&Seldom::names, name_key)) return std::optional<Id>(*own);
  ORLOP_TRY(found, store_.find(name_key, expected));
  if (!found || is_erased(*found)) return std::optional<Id>();
  const std::size_t* const place = record_places_.find(*found);
  const bool renamed = place != nullptr && changes_.records[*place].name_key.has_value();
  return renamed ? std::optional<Id>() : found;
}

Result<void> Unit::visit_stored(const RecordRange& range, const RecordVisitor& visit) {
  const bool is_by_parent = range.by == RecordRange::By::parent;
  if (is_by_parent && is_erased(range.key)) return {};
  const auto visit_current = [&](const Record& record) {
    if (is_erased(record.id)) return true;
    const Record* changed = changed_record(record.id);
    return visit(changed != nullptr ? *changed : record);
  };
  const std::vector<Shared<Record>>* const loaded =
      is_by_parent ? found_in(&Seldom::loaded_children, range.key) : nullptr;
  if (loaded == nullptr) return store_.records(range, visit_current);
  std::size_t left = range.limit;
  for (const Shared<Record>& record : *loaded) {
    const bool fits = (range.family == 0 || record->family == range.family) && record->id > range.after;
    if (!fits) continue;
    if (left-- == 0 || !visit_current(*record)) break;
  }
  return {};
}

bool Unit::visit_new(const RecordRange& range, const RecordVisitor& visit) const {
  if (range.by != RecordRange::By::parent || is_erased(range.key)) return true;
  const std::vector<Id>* const added = found_in(&Seldom::new_children, range.key);
  if (added == nullptr) return true;
  for (const Id& id : *added) {
    const Record* record = changed_record(id);
    const bool fits = record != nullptr && (range.family == 0 || record->family == range.family) && id > range.after;
    if (fits && !visit(*record)) return false;
  }
  return true;
}

namespace {

// Allows for the records that may be left out.
RecordRange widened(RecordRange range, std::size_t left_out) {
  if (range.limit < SIZE_MAX - left_out) range.limit += left_out;
  return range;
}

}  // namespace

Result<void> Unit::visit(const RecordRange& range, const RecordVisitor& visit) {
  bool goes_on = true;
  ORLOP_CHECK(
      visit_stored(widened(range, erased_count()), [&](const Record& record) { return goes_on = visit(record); }));
  if (goes_on) visit_new(range, visit);
  return {};
}

Result<std::vector<Record>> Unit::records(const RecordRange& range) {
  std::vector<Record> found;
  ORLOP_CHECK(visit_stored(widened(range, erased_count()), [&](const Record& record) {
    found.push_back(record);
    return found.size() < range.limit;
  }));
  const std::size_t stored = found.size();
  visit_new(range, [&found](const Record& record) {
    found.push_back(record);
    return true;
  });
  if (found.size() > stored) sort_by_id(found);
  if (found.size() > range.limit) found.resize(range.limit);
  return found;
}

Result<std::vector<Machine>> Unit::machines(const Id& owner, FamilyNumber family) {
  std::vector<Machine> found;
  ORLOP_CHECK(visit_machines(owner, family, [&found](const Machine& machine) { found.push_back(machine); }));
  if (found_in(&Seldom::new_machines, owner) != nullptr) sort_by_id(found);
  return found;
}

Result<void> Unit::visit_machines(const Id& owner, FamilyNumber family,
                                  const std::function<void(const Machine&)>& visit) {
  return visit_range({.by = MachineRange::By::owner, .owner = owner, .family = family}, visit);
}

Result<void> Unit::visit_states(const Id& owner, const std::function<void(const Machine&)>& visit) {
  return visit_range({.by = MachineRange::By::owner, .owner = owner, .with_detail = false}, visit);
}

Result<void> Unit::visit_range(const MachineRange& range, const std::function<void(const Machine&)>& visit) {
  if (is_erased(range.owner)) return {};
  ORLOP_CHECK(store_.machines(range, [&](const Machine& machine) {
    if (is_erased(machine.id)) return true;
    const Machine* changed = changed_machine(machine.id);
    visit(changed != nullptr ? *changed : machine);
    return true;
  }));
  const std::vector<Id>* const added = found_in(&Seldom::new_machines, range.owner);
  if (added == nullptr) return {};
  for (const Id& id : *added) {
    const Machine* machine = changed_machine(id);
    if (machine != nullptr && (range.family == 0 || machine->family == range.family)) visit(*machine);
  }
  return {};
}

// Drops the record's cached value, and all cached texts, which may use it.
void Unit::forget_made_of(const Id& record) {
  if (seldom_ == nullptr) return;
  seldom_->parsed.erase(record);
  seldom_->texts.clear();
}

void Unit::note_name(const RecordWrite& write) {
  if (write.name_key && !write.name_key->empty()) seldom().names[*write.name_key] = write.record.id;
}

void Unit::forget_name(const RecordWrite& write) {
  const Id* const held = write.name_key ? found_in(&Seldom::names, *write.name_key) : nullptr;
  if (held != nullptr && *held == write.record.id) seldom().names.erase(*write.name_key);
}

void Unit::put(Record record, std::optional<std::string> name_key, std::optional<std::vector<Id>> references) {
  forget_made_of(record.id);
  const std::size_t* const place = record_places_.find(record.id);
  if (place == nullptr) {
    record_places_.add(record.id, changes_.records.size());
    if (record.revision == 0) seldom().new_children[record.parent].push_back(record.id);
    RecordWrite& write = changes_.records.emplace_back();
    write.expected_revision = record.revision++;
    write.record = std::move(record);
    write.name_key = std::move(name_key);
    write.references = std::move(references);
    note_name(write);
    return;
  }
  ++rewrites_;
  RecordWrite& write = changes_.records[*place];
  record.revision = write.expected_revision + 1;
  write.record = std::move(record);
  if (name_key) {
    forget_name(write);
    write.name_key = std::move(name_key);
    note_name(write);
  }
  if (references) write.references = std::move(references);
}

void Unit::put(Machine&& machine) {
  if (changes_.machines.capacity() == 0) changes_.machines.reserve(usual_machines);
  const std::size_t* const place = machine_places_.find(machine.id);
  if (place == nullptr) {
    machine_places_.add(machine.id, changes_.machines.size());
    // Copied before the revision is written: reading a row right after a write to it stalls.
    Machine& put = changes_.machines.emplace_back(std::move(machine));
    if (++put.revision == 1) seldom().new_machines[put.owner].push_back(put.id);
    return;
  }
  ++rewrites_;
  Machine& put = changes_.machines[*place];
  const std::uint64_t revision = put.revision;
  put = std::move(machine);
  put.revision = revision;
}

namespace {

// Removes the entry at `place` and moves the last one there; `id_of` returns an entry's key in the table of places.
template <typename Entries, typename Identify>
void take_out(Entries& entries, FlatMap<Id, std::size_t>& places, std::size_t place, Identify id_of) {
  places.erase(id_of(entries[place]));
  if (place + 1 != entries.size()) {
    entries[place] = std::move(entries.back());
    places[id_of(entries[place])] = place;
  }
  entries.pop_back();
}

}  // namespace

// Discards what this unit has put; erases what is stored.
void Unit::erase(const Id& id) {
  forget_made_of(id);
  bool is_stored = true;
  if (const std::size_t* const place = record_places_.find(id)) {
    is_stored = changes_.records[*place].expected_revision != 0;
    forget_name(changes_.records[*place]);
    take_out(changes_.records, record_places_, *place, [](const RecordWrite& write) { return write.record.id; });
  }
  if (const std::size_t* const place = machine_places_.find(id)) {
    take_out(changes_.machines, machine_places_, *place, [](const Machine& machine) { return machine.id; });
  }
  seldom().erased.insert(id);
  if (is_stored) changes_.erasures.push_back(id);
}

Result<void> Unit::note_ids() {
  if (!changes_.events.empty()) changes_.events.back().id_count = ids_.count();
  return {};
}

void Unit::leave_to_others(const std::function<bool(std::uint8_t partition)>& holds) {
  std::vector<WakeUp>& left = changes_.coordination.wake_ups;
  const auto leave = [&](const WakeUp& work) {
    const bool is_left = !holds(work.partition);
    if (is_left) left.push_back(work);
    return is_left;
  };
  std::erase_if(woken_, leave);
  std::erase_if(posted_, leave);
  for (Job& job : jobs_) job.is_elsewhere = leave({job.partition, job.id});
}

void Unit::leave_memory(UnitMemory& memory) {
  constexpr std::size_t kept_max = 128;  // capacity in rows; a larger one is released
  if (std::max({changes_.machines.capacity(), changes_.events.capacity(), machine_places_.size()}) > kept_max) return;
  changes_.machines.clear();
  changes_.events.clear();
  machine_places_.clear();
  exchange_memory(memory);
}

Event& Unit::emit() {
  if (changes_.events.capacity() == 0) changes_.events.reserve(usual_events);
  Event& event = changes_.events.emplace_back();
  event.at = now_;
  if (!author_.empty()) event.author = author_;
  return event;
}

void Unit::emit(Event&& event) {
  event.at = now_;
  if (event.author.empty()) event.author = author_;
  if (changes_.events.capacity() == 0) changes_.events.reserve(usual_events);
  changes_.events.push_back(std::move(event));
}

}  // namespace orlop
