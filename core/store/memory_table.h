// A map with versions: one writer changes it and commits or rolls back, while readers see the state of their begin. Not synchronized; the memory store locks.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/id.h"
#include "store/store.h"
#include "store/versions.h"

namespace orlop {

// The part that all tables share: the entries that the open transaction changed, and old versions that readers may still see.
// `Entries` gives make(key), find(key) and erase(key).
template <typename Key, typename Value, typename Entries>
class MemoryTable {
 public:
  template <typename Like>
  const Value* at(const Like& key, std::uint64_t snapshot) const {
    const Versions<Value>* versions = entries_.find(key);
    return versions == nullptr ? nullptr : versions->at(snapshot);
  }

  void put(const Key& key, std::uint64_t number, std::optional<Value> value) {
    touched_.push_back({key, nullptr});
    Versions<Value>& versions = entries_.make(key);
    touched_.back().versions = &versions;
    const bool again = versions.number() == number;
    versions.put(number, std::move(value));
    if (again) touched_.pop_back();
  }

  void roll_back(std::uint64_t number) noexcept {
    while (!leftovers_.empty() && leftovers_.back().number == number) leftovers_.pop_back();
    for (const Touched& touched : touched_) {
      if (touched.versions == nullptr) continue;
      touched.versions->undo(number);
      if (touched.versions->is_bare()) entries_.erase(touched.key);
    }
    touched_.clear();
  }

  // Before commit(): allocates everything that the commit needs; undone by roll_back(). `has_readers`: replaced versions may still be visible.
  void prepare(std::uint64_t number, bool has_readers) {
    if (!has_readers) return;
    for (const Touched& touched : touched_) leftovers_.push_back({touched.key, number});
  }

  void commit(const Snapshots& snapshots) noexcept {
    for (const Touched& touched : touched_) {
      touched.versions->prune(snapshots);
      if (touched.versions->is_bare()) entries_.erase(touched.key);
    }
    touched_.clear();
  }

  // Forgets every change with a number greater than `snapshot`, which was one that readers may see since before the first of them. No transaction is open.
  void go_back(std::uint64_t snapshot) {
    for (; !leftovers_.empty() && leftovers_.back().number > snapshot; leftovers_.pop_back()) {
      Versions<Value>* versions = entries_.find(leftovers_.back().key);
      if (versions == nullptr) continue;
      versions->cut(snapshot);
      if (versions->is_bare()) entries_.erase(leftovers_.back().key);
    }
  }

  // Releases the versions that only the last ended reader could see.
  void sweep(const Snapshots& snapshots) {
    while (!leftovers_.empty() && leftovers_.front().number <= snapshots.front()) {
      const Key key = std::move(leftovers_.front().key);
      leftovers_.pop_front();
      Versions<Value>* versions = entries_.find(key);
      if (versions == nullptr || versions->number() > snapshots.back()) continue;  // the open writer has it
      versions->prune(snapshots);
      if (versions->is_bare()) entries_.erase(key);
    }
  }

  const Entries& entries() const { return entries_; }

 private:
  struct Touched {
    Key key;
    Versions<Value>* versions;
  };
  struct Leftover {
    Key key;
    std::uint64_t number;  // of the commit that replaced what is left over
  };

  Entries entries_;
  std::vector<Touched> touched_;
  std::deque<Leftover> leftovers_;
};

struct KeyHash {
  using is_transparent = void;
  std::size_t operator()(const Id& id) const { return std::hash<Id>()(id); }
  std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
};

template <typename Key, typename Value>
class HashEntries {
 public:
  Versions<Value>& make(const Key& key) { return map_[key]; }
  template <typename Like>
  const Versions<Value>* find(const Like& key) const {
    const auto found = map_.find(key);
    return found == map_.end() ? nullptr : &found->second;
  }
  Versions<Value>* find(const Key& key) {
    const auto found = map_.find(key);
    return found == map_.end() ? nullptr : &found->second;
  }
  void erase(const Key& key) { map_.erase(key); }

 private:
  std::unordered_map<Key, Versions<Value>, KeyHash, std::equal_to<>> map_;
};

// A directed pair: child of a parent, machine of an owner, source of a reference.
struct Link {
  Id from;
  FamilyNumber family = 0;  // of `to`; groups ids that are queried together
  Id to;
};

struct Linked {};

class LinkEntries {
 public:
  Versions<Linked>& make(const Link& link);
  const Versions<Linked>* find(const Link& link) const;
  Versions<Linked>* find(const Link& link);
  void erase(const Link& link);

  // Appends up to `limit` ids greater than `after` to which `from` is linked, ascending. `family` 0: any.
  void collect(const Id& from, FamilyNumber family, const Id& after, std::size_t limit, std::uint64_t snapshot,
               std::vector<Id>& out) const;

 private:
  struct Group {
    Id from;
    FamilyNumber family = 0;
    friend bool operator==(const Group&, const Group&) = default;
  };
  struct GroupHash {
    std::size_t operator()(const Group& group) const { return std::hash<Id>()(group.from) * 31 + group.family; }
  };
  using Members = std::map<Id, Versions<Linked>>;

  std::unordered_map<Group, Members, GroupHash> groups_;
  std::vector<FamilyNumber> families_;  // that ever had a group
};

template <typename Key, typename Value>
using HashTable = MemoryTable<Key, Value, HashEntries<Key, Value>>;
using LinkTable = MemoryTable<Link, Linked, LinkEntries>;

}  // namespace orlop
