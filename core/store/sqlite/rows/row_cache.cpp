#include "store/sqlite/rows/row_cache.h"

#include <mutex>
#include <new>
#include <utility>

namespace orlop {
namespace {

constexpr std::size_t record_bytes_max = 8 << 20;
constexpr std::size_t machine_bytes_max = 2 << 20;
constexpr std::size_t name_bytes_max = 1 << 20;
constexpr std::size_t list_bytes_max = 1 << 20;

// From this number on, dropping everything is as cheap.
constexpr std::size_t stale_rows_max = 4096;

std::size_t bytes_of(const Record& record) {
  return sizeof(Record) + record.body.capacity() + record.secrets.capacity();
}

std::size_t bytes_of(const Machine& machine) {
  const ActionDetail& detail = *machine.detail;
  return sizeof(Machine) + detail.execution_id.capacity() + detail.triggered_by.capacity() + detail.reason.capacity() +
         detail.outputs.capacity() + detail.commit.capacity() + machine.timing.phases.bytes_outside();
}

}  // namespace

void SqliteStaleRows::add(const Changes& changes) {
  const std::size_t count = ids_.size() + changes.erasures.size() + changes.records.size() + changes.machines.size();
  drops_all_ = drops_all_ || count > stale_rows_max;
  drops_all_lists_ = drops_all_lists_ || !changes.erasures.empty();
  drops_all_names_ = drops_all_names_ || !changes.erasures.empty();
  if (drops_all_) return;
  ids_.insert(ids_.end(), changes.erasures.begin(), changes.erasures.end());
  for (const RecordWrite& write : changes.records) {
    ids_.push_back(write.record.id);
    if (write.expected_revision != 0) {
      drops_all_names_ = drops_all_names_ || write.name_key.has_value();
      continue;
    }
    const Place place{write.record.parent, write.record.family};
    if (places_.empty() || places_.back() != place) places_.push_back(place);
  }
  for (const Machine& machine : changes.machines) ids_.push_back(machine.id);
}

void SqliteStaleRows::clear() noexcept {
  ids_.clear();
  places_.clear();
  drops_all_ = false;
  drops_all_lists_ = false;
  drops_all_names_ = false;
}

SqliteRowCache::SqliteRowCache()
    : records_(record_bytes_max), machines_(machine_bytes_max), names_(name_bytes_max), lists_(list_bytes_max) {}

std::optional<SqliteRowCache::Generation> SqliteRowCache::enter(const SqliteLogHeader& header) noexcept {
  {
    const std::shared_lock lock(mutex_);
    if (header_ == header) return generation_;
  }
  const std::lock_guard lock(mutex_);
  if (is_changing_) return std::nullopt;
  if (header_ != header) {
    forget_all();
    header_ = header;
  }
  return generation_;
}

SqliteRowCache::SharedRecord SqliteRowCache::record(Generation generation, const Id& id) const {
  const std::shared_lock lock(mutex_);
  const SharedRecord* const found = generation == generation_ ? records_.find(id) : nullptr;
  return found != nullptr ? *found : SharedRecord();
}

SqliteRowCache::SharedMachine SqliteRowCache::machine(Generation generation, const Id& id) const {
  const std::shared_lock lock(mutex_);
  const SharedMachine* const found = generation == generation_ ? machines_.find(id) : nullptr;
  return found != nullptr ? *found : SharedMachine();
}

std::optional<Id> SqliteRowCache::find(Generation generation, const std::string& name_key) const {
  const std::shared_lock lock(mutex_);
  const Id* const found = generation == generation_ ? names_.find(name_key) : nullptr;
  return found != nullptr ? std::optional(*found) : std::nullopt;
}

std::optional<SqliteRowCache::List> SqliteRowCache::records(Generation generation, const RecordRange& range) const {
  const std::shared_lock lock(mutex_);
  if (generation != generation_) return std::nullopt;
  const KnownList* const known = lists_.find({range.key, range.family});
  if (known == nullptr || known->after != range.after || known->limit != range.limit) return std::nullopt;
  List list;
  list.reserve(known->ids.size());
  for (const Id& id : known->ids) {
    const SharedRecord* const found = records_.find(id);
    if (found == nullptr) return std::nullopt;
    list.push_back(*found);
  }
  return list;
}

// Requires the mutex.
void SqliteRowCache::keep(const SharedRecord& record) { records_.put(record->id, record, bytes_of(*record)); }

void SqliteRowCache::put(Generation generation, SharedRecord record) noexcept try {
  const std::lock_guard lock(mutex_);
  if (generation == generation_) keep(record);
} catch (const std::bad_alloc&) { return; }

void SqliteRowCache::put(Generation generation, SharedMachine machine) noexcept try {
  const std::lock_guard lock(mutex_);
  if (generation == generation_) machines_.put(machine->id, machine, bytes_of(*machine));
} catch (const std::bad_alloc&) { return; }

void SqliteRowCache::put(Generation generation, const std::string& name_key, const Id& id) noexcept try {
  const std::lock_guard lock(mutex_);
  if (generation == generation_) names_.put(name_key, id, name_key.size() + sizeof(Id));
} catch (const std::bad_alloc&) { return; }

void SqliteRowCache::put(Generation generation, const RecordRange& range, const List& list) noexcept try {
  KnownList known{range.after, range.limit, {}};
  known.ids.reserve(list.size());
  for (const SharedRecord& record : list) known.ids.push_back(record->id);
  const std::size_t bytes = known.ids.capacity() * sizeof(Id);
  const std::lock_guard lock(mutex_);
  if (generation != generation_) return;
  for (const SharedRecord& record : list) keep(record);
  lists_.put({range.key, range.family}, std::move(known), bytes);
} catch (const std::bad_alloc&) { return; }

void SqliteRowCache::begin_change() noexcept {
  const std::lock_guard lock(mutex_);
  is_changing_ = true;
}

void SqliteRowCache::end_change(const SqliteLogHeader& before, const std::optional<SqliteLogHeader>& after,
                                const SqliteStaleRows& stale) noexcept {
  const std::lock_guard lock(mutex_);
  is_changing_ = false;
  if (!header_ || after == before) return;  // the commit has changed nothing
  const bool is_ours_alone = after && header_ == before && after->commit_count() == before.commit_count() + 1;
  if (is_ours_alone) {
    forget(stale);
    header_ = after;
  } else {
    forget_all();
  }
}

void SqliteRowCache::forget_all() noexcept {
  ++generation_;
  header_.reset();
  records_.clear();
  machines_.clear();
  names_.clear();
  lists_.clear();
}

void SqliteRowCache::forget(const SqliteStaleRows& stale) noexcept {
  if (stale.drops_all_) return forget_all();
  ++generation_;
  for (const Id& id : stale.ids_) {
    records_.drop(id);
    machines_.drop(id);
  }
  if (stale.drops_all_names_) names_.clear();
  if (stale.drops_all_lists_) return lists_.clear();
  for (const Place& place : stale.places_) {
    lists_.drop(place);
    lists_.drop({place.parent, 0});
  }
}

}  // namespace orlop
