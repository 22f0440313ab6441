// A map with versions: one writer changes it and commits or rolls back, while readers see the state of their begin. Not
// synchronized; the memory store locks.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/chunked_map.h"
#include "base/id.h"
#include "store/stable_map.h"
#include "store/store.h"
#include "store/versions.h"

namespace orlop {

// Returns a copy with only the version that commit `snapshot` sees; nullopt if it sees no value.
template <typename Slot>
std::optional<Slot> copy_of(const Slot& slot, std::uint64_t snapshot) {
  auto copy = std::optional(slot.copy_at(snapshot));
  return copy->is_bare() ? std::nullopt : std::move(copy);
}

// Common part of all tables: the entries that the open transaction changed, and old versions that readers may still
// see. `Entries` provides make(key, place) and find(key), which return an entry and its Place, valid until the entry is
// erased; key_of(place); versions_at(place), null if there is no entry; erase(place); and copy_from(entries, snapshot).
template <typename Key, typename Value, typename Entries>
class MemoryTable {
 public:
  const Value* at(const Key& key, std::uint64_t snapshot) const {
    const Versions<Value>* versions = entries_.find(key);
    return versions == nullptr ? nullptr : versions->at(snapshot);
  }

  typename Entries::Slot& put(const Key& key, std::uint64_t number, std::optional<Value> value) {
    touched_.emplace_back();  // before make(): an entry without a note would survive a rollback
    typename Entries::Slot& versions = entries_.make(key, touched_.back());
    const bool again = versions.number() == number;
    must_prune_ = must_prune_ || !value || versions.number() != 0;
    versions.put(number, std::move(value));
    if (again) touched_.pop_back();
    return versions;
  }

  void roll_back(std::uint64_t number) noexcept {
    while (!leftovers_.empty() && leftovers_.back().number == number) leftovers_.pop_back();
    for (const Place& touched : touched_) {
      Versions<Value>* const versions = Entries::versions_at(touched);
      if (versions == nullptr) continue;
      versions->undo(number);
      if (versions->is_bare()) entries_.erase(touched);
    }
    touched_.clear();
    must_prune_ = false;
  }

  // Called before commit() if replaced versions may still be visible. Allocates all memory that the commit needs;
  // roll_back() reverts it.
  void prepare(std::uint64_t number) {
    for (const Place& touched : touched_) leftovers_.push_back({Entries::key_of(touched), number});
  }

  void commit(const Snapshots& snapshots) noexcept {
    if (must_prune_) prune(snapshots);
    touched_.clear();
    must_prune_ = false;
  }

  // Removes every change with a number greater than `snapshot`, which readers may have seen since before the first of
  // these changes. No transaction is open.
  void go_back(std::uint64_t snapshot) {
    for (; !leftovers_.empty() && leftovers_.back().number > snapshot; leftovers_.pop_back()) {
      const Place place = entries_.find(leftovers_.back().key);
      Versions<Value>* const versions = Entries::versions_at(place);
      if (versions == nullptr) continue;
      versions->cut(snapshot);
      if (versions->is_bare()) entries_.erase(place);
    }
  }

  // Reports whether sweep() would remove versions that only ended readers could see.
  bool has_unseen(const Snapshots& snapshots) const {
    return !leftovers_.empty() && leftovers_.front().number <= snapshots.front();
  }
  void sweep(const Snapshots& snapshots) {
    while (has_unseen(snapshots)) {
      const Place place = entries_.find(leftovers_.front().key);
      leftovers_.pop_front();
      Versions<Value>* const versions = Entries::versions_at(place);
      if (versions == nullptr || versions->number() > snapshots.back()) continue;  // changed by the open writer
      versions->prune(snapshots);
      if (versions->is_bare()) entries_.erase(place);
    }
  }

  // Copies the state that commit `snapshot` sees in `other`. Only values are shared.
  void copy_from(const MemoryTable& other, std::uint64_t snapshot) { entries_.copy_from(other.entries_, snapshot); }

  const Entries& entries() const { return entries_; }
  typename Entries::Slot* find(const Key& key) { return Entries::versions_at(entries_.find(key)); }

 private:
  using Place = typename Entries::Place;
  void prune(const Snapshots& snapshots) noexcept {
    for (const Place& touched : touched_) {
      Versions<Value>& versions = *Entries::versions_at(touched);
      versions.prune(snapshots);
      if (versions.is_bare()) entries_.erase(touched);
    }
  }
  struct Leftover {
    Key key;
    std::uint64_t number;  // of the commit that replaced the version
  };

  Entries entries_;
  std::vector<Place> touched_;
  bool must_prune_ = false;  // touched entries may have older versions or no value; false if all are new
  std::deque<Leftover> leftovers_;
};

template <typename Key, typename Value, typename Hash, typename SlotType = Versions<Value>>
class HashEntries {
  using Map = StableMap<Key, SlotType, Hash>;

 public:
  using Slot = SlotType;
  using Place = typename Map::Entry*;
  Slot& make(const Key& key, Place& place) {
    place = &map_.make(key);
    return place->value;
  }
  static const Key& key_of(Place place) { return place->key; }
  static Slot* versions_at(Place place) { return place == nullptr ? nullptr : &place->value; }
  void erase(Place place) { map_.erase(Key(place->key)); }
  const Versions<Value>* find(const Key& key) const {
    const auto* const found = map_.find(key);
    return found == nullptr ? nullptr : &found->value;
  }
  Place find(const Key& key) { return map_.find(key); }
  void copy_from(const HashEntries& other, std::uint64_t snapshot) {
    map_.copy_from(other.map_, [snapshot](const Slot& slot) { return copy_of(slot, snapshot); });
  }
  // Returns the first key of this hash for which fits(key, versions) is true; null if none.
  template <typename Fits>
  const Key* find_if(std::size_t hash, const Fits& fits) const {
    const auto* const found =
        map_.find_if(hash, [&](const typename Map::Entry& entry) { return fits(entry.key, entry.value); });
    return found == nullptr ? nullptr : &found->key;
  }

 private:
  Map map_;
};

// A directed pair: child of a parent, machine of an owner, source of a reference.
struct Link {
  Id from;
  FamilyNumber family = 0;  // of `to`; groups ids that are queried together
  Id to;
};

struct Linked {};

class LinkEntries {
  using Members = ChunkedMap<Id, Versions<Linked>>;
  struct Group {
    FamilyNumber family = 0;
    Members members;  // empty only after memory ran out
  };
  using Sources = StableMap<Id, std::vector<Group>>;  // a vector: a source has few families

 public:
  using Slot = Versions<Linked>;
  struct Place {
    Sources::Entry* from = nullptr;  // null if there is no entry
    FamilyNumber family = 0;
    Id to;
  };
  Versions<Linked>& make(const Link& link, Place& place);
  static Link key_of(const Place& place) { return {place.from->key, place.family, place.to}; }
  static Versions<Linked>* versions_at(const Place& place) {
    Group* const group = place.from == nullptr ? nullptr : group_of(place.from->value, place.family);
    return group == nullptr ? nullptr : group->members.find(place.to);
  }
  void erase(const Place& place);
  Place find(const Link& link);
  void copy_from(const LinkEntries& other, std::uint64_t snapshot);
  // Appends up to `limit` ids greater than `after` to which `from` is linked, ascending. `family` 0: any.
  void collect(const Id& from, FamilyNumber family, const Id& after, std::size_t limit, std::uint64_t snapshot,
               std::vector<Id>& out) const;
  // Calls `act` with each family that has linked ids and their number, counted only up to `enough`.
  template <typename Act>
  void count(const Id& from, std::uint64_t snapshot, std::uint64_t enough, const Act& act) const {
    const Sources::Entry* const source = sources_.find(from);
    if (source == nullptr) return;
    for (const Group& group : source->value) {
      std::uint64_t count = 0;
      for (auto member = group.members.begin(); !member.is_end() && count < enough; member.next())
        count += member.value().at(snapshot) != nullptr;
      if (count != 0) act(group.family, count);
    }
  }

 private:
  // Returns the group of the family; null if none.
  template <typename Groups>
  static auto group_of(Groups& groups, FamilyNumber family) -> decltype(groups.data()) {
    for (auto& group : groups) {
      if (group.family == family) return &group;
    }
    return nullptr;
  }

  Sources sources_;
};

template <typename Key, typename Value, typename Hash = std::hash<Key>, typename Slot = Versions<Value>>
using HashTable = MemoryTable<Key, Value, HashEntries<Key, Value, Hash, Slot>>;
using LinkTable = MemoryTable<Link, Linked, LinkEntries>;

}  // namespace orlop
