// The tables of the memory store, and the application of changes to them.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/flat_map.h"
#include "base/shared.h"
#include "base/sort_unique.h"
#include "model/registry.h"
#include "store/active_machines.h"
#include "store/event_log.h"
#include "store/memory_table.h"
#include "store/refusal.h"
#include "store/store.h"
#include "store/stored_record.h"

namespace orlop {

using SharedRecord = Shared<StoredRecord>;
using SharedMachine = Shared<Machine>;

// The row of a machine, and its index in ActiveMachines.
struct MachineSlot : Versions<SharedMachine> {
  MachineSlot copy_at(std::uint64_t snapshot) const { return {Versions::copy_at(snapshot), noted}; }

  std::uint32_t noted = 0;  // index plus 1; 0 if it is not noted
  // Index of its change in Tables::in_place_; valid only if that element refers to this slot.
  std::uint32_t change = 0;
};

// A record with a name key of this hash. The record holds the key itself.
struct NameHolder {
  std::uint64_t hash = 0;
  Id record;
  friend bool operator==(const NameHolder&, const NameHolder&) = default;
};
struct HashNameHolder {
  std::size_t operator()(const NameHolder& holder) const { return holder.hash; }
};

// Number of records of each family below a record, or referring to it.
using FamilyCounts = std::vector<std::pair<FamilyNumber, std::uint64_t>>;

// The store that owns this synchronizes readers and writer.
class Tables {
 public:
  // Moves the rows out of `changes`. `in_place`: these changes are the last step that can fail, and no reader sees the
  // previous state. Machine rows that nothing else holds are then overwritten after all other changes; the others get
  // versions.
  Result<void> apply(Changes&& changes, std::uint64_t number, bool in_place) {
    for (const Id& id : changes.erasures) erase(id, number);
    for (RecordWrite& write : changes.records) {
      if (!may_put(write, changes)) return revision_does_not_follow();
      ORLOP_CHECK(put_record(std::move(write), number));
    }
    ORLOP_CHECK(put_machines(changes, number, in_place && !changes.is_restore));
    for (const Event& event : changes.events) {
      if (changes.is_restore && events.last() == 0 && event.sequence != 0) events.begin_at(event.sequence);
      events.append(event);
    }
    for (const InPlace& change : in_place_) {  // nothing below can fail
      const bool was_active = (*change.slot->only())->active;
      change.slot->only()->edit() = std::move(*change.row);
      change.slot->note(number);
      const Machine& row = **change.slot->only();
      if (was_active && !row.active && change.slot->noted != 0) active.forget(std::exchange(change.slot->noted, 0) - 1);
      else note_active(*change.slot, row, was_active);
    }
    return {};
  }

  // `last_event`: number of the last event that stays.
  void roll_back(std::uint64_t number, std::uint64_t last_event) {
    for_each([&](auto& table) { table.roll_back(number); });
    events.drop_after(last_event);
  }
  void go_back(std::uint64_t number, std::uint64_t last_event) {
    for_each([&](auto& table) { table.go_back(number); });
    events.drop_after(last_event);
  }
  // Copies the state that commit `number` sees in `other`, with its events up to `last_event`. Rows are shared.
  void copy_from(const Tables& other, std::uint64_t number, std::uint64_t last_event) {
    for_each_of([number](auto& table, const auto& source) { table.copy_from(source, number); }, *this, other);
    active = other.active;
    patterns_ = other.patterns_;
    events.copy_from(other.events);
    events.drop_after(last_event);
  }
  // Called before commit(): allocates the memory that it needs.
  void prepare(std::uint64_t number, bool has_readers) {
    if (has_readers) for_each([&](auto& table) { table.prepare(number); });
  }
  void commit(const Snapshots& snapshots) noexcept {
    for_each([&](auto& table) { table.commit(snapshots); });
    active.tidy([this](const Id& machine, std::uint32_t from, std::uint32_t to) {
      auto* const slot = machines.find(machine);
      if (slot == nullptr || slot->noted != from + 1) return false;
      const bool is_kept = slot->any([](const SharedMachine& row) { return row->active; });
      slot->noted = is_kept ? to + 1 : 0;
      return is_kept;
    });
  }
  bool has_unseen(const Snapshots& snapshots) const {
    bool has = false;
    for_each_of([&](const auto& table) { has = has || table.has_unseen(snapshots); }, *this);
    return has;
  }
  void sweep(const Snapshots& snapshots) {
    for_each([&](auto& table) { table.sweep(snapshots); });
  }

  HashTable<Id, SharedRecord> records;
  HashTable<Id, SharedMachine, std::hash<Id>, MachineSlot> machines;
  HashTable<NameHolder, Linked, HashNameHolder> names;
  LinkTable children;   // parent -> record
  LinkTable referrers;  // record -> the records that refer to it; family 0
  LinkTable owned;      // owner -> machine
  ActiveMachines active;
  HashTable<Id, FamilyCounts> child_counts;     // parent -> its records of counted families
  HashTable<Id, FamilyCounts> referrer_counts;  // record -> the records that refer to it
  EventLog events;

  // Returns the record with this name key.
  std::optional<Id> find(std::string_view name_key, std::uint64_t snapshot) const {
    return find(name_key, HashText()(name_key), snapshot, {});
  }
  // Returns the record with this name key other than `but`. `hash`: of the name key.
  std::optional<Id> find(std::string_view name_key, std::size_t hash, std::uint64_t snapshot, const Id& but) const {
    const NameHolder* const found =
        names.entries().find_if(hash, [&](const NameHolder& holder, const Versions<Linked>& versions) {
          if (holder.record == but || versions.at(snapshot) == nullptr) return false;
          const SharedRecord* const record = records.at(holder.record, snapshot);
          return record != nullptr && (*record)->name_key() == name_key;
        });
    return found == nullptr ? std::nullopt : std::optional(found->record);
  }

 private:
  static NameHolder holder_of(std::string_view name_key, const Id& record) { return {HashText()(name_key), record}; }

  template <typename Act>
  void for_each(const Act& act) {
    for_each_of(act, *this);
  }
  // Calls `act` for each table, with that table of every object.
  template <typename Act, typename... Each>
  static void for_each_of(const Act& act, Each&... each) {
    act(each.records...);
    act(each.machines...);
    act(each.names...);
    act(each.children...);
    act(each.referrers...);
    act(each.owned...);
    act(each.child_counts...);
    act(each.referrer_counts...);
  }

  void erase(const Id& id, std::uint64_t number) {
    if (const SharedRecord* found = records.at(id, number)) {
      const SharedRecord old = *found;
      unlink_child(old->parent(), old->family(), id, number);
      if (!old->name_key().empty()) names.put(holder_of(old->name_key(), id), number, std::nullopt);
      unlink_targets(*old, number);
      records.put(id, number, std::nullopt);
    }
    if (const SharedMachine* found = machines.at(id, number)) {
      if ((*found)->active) active.leave();
      unlink_machine(**found, number);
      machines.put(id, number, std::nullopt);
    }
  }

  Result<void> put_record(RecordWrite&& write, std::uint64_t number) {
    const Id id = write.record.id;
    const SharedRecord* found = records.at(id, number);
    const SharedRecord old = found == nullptr ? SharedRecord() : *found;
    if ((old ? old->revision() : 0) != write.expected_revision) return record_lost(id);

    const Id parent = write.record.parent;
    const FamilyNumber family = write.record.family;
    const std::string_view old_name = old ? old->name_key() : std::string_view();
    const std::string_view name = write.name_key ? *write.name_key : old_name;
    if (write.references) sort_unique(*write.references);
    else write.references = old ? old->references() : std::vector<Id>();

    ORLOP_CHECK(move_name(id, old_name, name, number));
    if (!old || old->parent() != parent || old->family() != family) {
      if (old) unlink_child(old->parent(), old->family(), id, number);
      link_child(parent, family, id, number);
    }
    // The family of a referring record is part of the count.
    const bool is_linked = old && old->has_references(*write.references) && old->family() == family;
    if (!is_linked) {
      if (old) unlink_targets(*old, number);
      link_targets(*write.references, family, id, number);
    }
    records.put(id, number, SharedRecord(StoredRecord(std::move(write.record), name, *write.references, patterns_)));
    return {};
  }

  void link_child(const Id& parent, FamilyNumber family, const Id& id, std::uint64_t number) {
    children.put({parent, family, id}, number, Linked{});
    if (is_counted(family)) count(child_counts, parent, family, true, number);
  }
  void unlink_child(const Id& parent, FamilyNumber family, const Id& id, std::uint64_t number) {
    children.put({parent, family, id}, number, std::nullopt);
    if (is_counted(family)) count(child_counts, parent, family, false, number);
  }
  void link_targets(const std::vector<Id>& targets, FamilyNumber family, const Id& id, std::uint64_t number) {
    for (const Id& target : targets) {
      referrers.put({target, 0, id}, number, Linked{});
      count(referrer_counts, target, family, true, number);
    }
  }
  void unlink_targets(const StoredRecord& stored, std::uint64_t number) {
    for (const Id& target : stored.references()) {
      referrers.put({target, 0, stored.id()}, number, std::nullopt);
      count(referrer_counts, target, stored.family(), false, number);
    }
  }

  // Returns false if the family has no count yet.
  static bool add_one(FamilyCounts& counts, FamilyNumber family) {
    const auto entry = std::ranges::find(counts, family, &FamilyCounts::value_type::first);
    if (entry == counts.end()) return false;
    ++entry->second;
    return true;
  }
  // Adds or subtracts one record of the family.
  static void count(HashTable<Id, FamilyCounts>& counts, const Id& key, FamilyNumber family, bool is_more,
                    std::uint64_t number) {
    auto* const versions = counts.find(key);
    if (FamilyCounts* const own = versions == nullptr ? nullptr : versions->of(number);
        own != nullptr && is_more && add_one(*own, family))
      return;
    const FamilyCounts* const known = counts.at(key, number);
    FamilyCounts changed = known == nullptr ? FamilyCounts() : *known;
    auto entry = std::ranges::find(changed, family, &FamilyCounts::value_type::first);
    if (entry == changed.end()) entry = changed.insert(entry, {family, 0});
    entry->second += is_more ? 1 : std::uint64_t(-1);
    if (entry->second == 0) changed.erase(entry);
    counts.put(key, number, changed.empty() ? std::nullopt : std::optional(std::move(changed)));
  }

  Result<void> move_name(const Id& id, std::string_view from, std::string_view to, std::uint64_t number) {
    if (from == to) return {};
    if (!to.empty()) {
      const NameHolder holder = holder_of(to, id);
      if (find(to, holder.hash, number, id)) return name_taken();
      names.put(holder, number, Linked{});
    }
    if (!from.empty()) names.put(holder_of(from, id), number, std::nullopt);
    return {};
  }

  Result<void> put_machine(Machine&& machine, std::uint64_t expected_revision, std::uint64_t number) {
    const SharedMachine* found = machines.at(machine.id, number);
    if ((found == nullptr ? 0 : (*found)->revision) != expected_revision) return machine_lost(machine.id);
    const Machine* const old = found == nullptr ? nullptr : &**found;
    const bool is_same_row = old != nullptr && is_owned_alike(*old, machine);
    if (old != nullptr && !is_same_row) unlink_machine(*old, number);
    if (!is_same_row) owned.put({machine.owner, machine.family, machine.id}, number, Linked{});
    const bool was_active = old != nullptr && old->active;
    const Id id = machine.id;
    MachineSlot& slot = machines.put(id, number, SharedMachine(std::move(machine)));
    note_active(slot, **slot.at(number), was_active);
    return {};
  }

  // Collects the changes that can be made in place in in_place_, and puts the other rows.
  Result<void> put_machines(Changes& changes, std::uint64_t number, bool in_place) {
    in_place_.clear();
    if (in_place) in_place_.reserve(changes.machines.size());
    for (Machine& machine : changes.machines) {
      MachineSlot* const slot = in_place ? machines.find(machine.id) : nullptr;
      if (slot != nullptr && is_taken(*slot)) return machine_lost(machine.id);
      if (slot != nullptr && may_change(*slot, machine)) {
        slot->change = static_cast<std::uint32_t>(in_place_.size());
        in_place_.push_back({slot, &machine});
        continue;
      }
      if (machine.revision == 0) return machine_revision_is_zero();
      const std::uint64_t expected_revision = changes.is_restore ? 0 : machine.revision - 1;
      ORLOP_CHECK(put_machine(std::move(machine), expected_revision, number));
    }
    active.make_room(in_place_.size());
    return {};
  }

  // Reports whether in_place_ already holds a change of this slot.
  bool is_taken(const MachineSlot& slot) const {
    return slot.change < in_place_.size() && in_place_[slot.change].slot == &slot;
  }
  // Reports whether the machine may overwrite the row in this slot, which nothing else holds.
  static bool may_change(MachineSlot& slot, const Machine& machine) {
    const SharedMachine* const row = slot.only();
    return row != nullptr && row->is_sole() && machine.revision == (*row)->revision + 1 &&
           is_owned_alike(**row, machine);
  }

  static bool is_owned_alike(const Machine& row, const Machine& other) {
    return row.owner == other.owner && row.family == other.family;
  }

  void note_active(MachineSlot& slot, const Machine& machine, bool was_active) {
    if (was_active && !machine.active) active.leave();
    if (machine.active && slot.noted == 0) slot.noted = active.note(machine.id) + 1;
  }

  void unlink_machine(const Machine& machine, std::uint64_t number) {
    owned.put({machine.owner, machine.family, machine.id}, number, std::nullopt);
  }

  struct InPlace {
    MachineSlot* slot;
    Machine* row;
  };
  BodyPatterns patterns_;
  std::vector<InPlace> in_place_;  // changes to make in place, while apply() runs
};

}  // namespace orlop
