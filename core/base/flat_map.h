// Map with contiguous entries: a linear search while there are few, a table of hashes from then on. Adding or erasing
// an entry moves others and so invalidates pointers to values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/place_index.h"

namespace orlop {

// Hashes strings of any type, eight bytes at a time. The last eight bytes overlap those before if the size is not a
// multiple of eight.
struct HashText {
  std::size_t operator()(std::string_view text) const {
    constexpr std::uint64_t odd = 0x9E3779B97F4A7C15U;
    constexpr std::uint64_t other_odd = 0xD6E8FEB86659FD93U;
    constexpr std::size_t size = sizeof(std::uint64_t);
    const auto word_at = [&text](std::size_t at, std::size_t count) {
      std::uint64_t word = 0;
      std::memcpy(&word, text.data() + at, count);
      return word;
    };
    std::uint64_t hash = text.size() * odd;
    const auto take = [&hash](std::uint64_t word) {
      hash = (hash ^ word) * odd;
      hash ^= hash >> 32;
    };
    for (std::size_t at = 0; at + size <= text.size(); at += size) take(word_at(at, size));
    if (text.size() % size != 0) take(text.size() < size ? word_at(0, text.size()) : word_at(text.size() - size, size));
    return static_cast<std::size_t>(hash * other_odd);
  }
};

template <typename Key, typename Value, typename Hash = std::hash<Key>>
class FlatMap {
 public:
  bool empty() const { return entries_.empty(); }
  std::size_t size() const { return entries_.size(); }
  // Entries as pairs, in unspecified order.
  auto begin() const { return entries_.begin(); }
  auto end() const { return entries_.end(); }

  // Returns the value of the key, or null if the key is missing. `Like` has the same hash and comparison as Key.
  template <typename Like>
  const Value* find(const Like& key) const {
    const std::size_t place = place_of(key);
    return place < entries_.size() ? &entries_[place].second : nullptr;
  }
  template <typename Like>
  Value* find(const Like& key) {
    return const_cast<Value*>(std::as_const(*this).find(key));
  }
  bool contains(const Key& key) const { return find(key) != nullptr; }
  // Returns the value of the key; adds it if the key is missing.
  Value& operator[](const Key& key) {
    if (Value* const known = find(key)) return *known;
    return add(key, Value());
  }
  // Requires that the key is missing.
  Value& add(const Key& key, Value value) {
    if (entries_.capacity() == 0) entries_.reserve(usual);
    const std::size_t place = entries_.size();
    if (place >= few) index_.make_room(place + 1, [this](const auto& act) { this->for_each_place(act); });
    entries_.emplace_back(key, std::move(value));
    if (!index_.empty()) index_.add(place, hash_at(place));
    return entries_.back().second;
  }
  // Returns false if the key was missing.
  template <typename Like>
  bool erase(const Like& key) {
    const std::size_t place = place_of(key);
    if (place == entries_.size()) return false;
    const std::size_t last = entries_.size() - 1;
    if (!index_.empty()) {
      index_.erase(place, [this](std::size_t other) { return hash_at(other); });
      if (place != last) index_.move(last, place, hash_at(last));
    }
    if (place != last) entries_[place] = std::move(entries_[last]);
    entries_.pop_back();
    return true;
  }
  // Erases the entries for which `is_gone` returns true.
  template <typename IsGone>
  void erase_if(const IsGone& is_gone) {
    for (std::size_t place = 0; place < entries_.size();) {
      if (is_gone(std::as_const(entries_[place]))) erase(Key(entries_[place].first));
      else ++place;
    }
  }
  // Reserves memory before `count` entries are added, if that more than doubles the map. Entries then do not move while
  // they are added.
  void make_room(std::size_t count) {
    if (count > entries_.size()) entries_.reserve(entries_.size() + count);
  }
  void clear() {
    entries_.clear();
    index_.clear();
  }

 private:
  static constexpr std::size_t usual = 4;  // initial capacity
  static constexpr std::size_t few = 8;    // maximum number of entries for the linear search

  std::size_t hash_at(std::size_t place) const { return Hash()(entries_[place].first); }
  template <typename Act>
  void for_each_place(const Act& act) const {
    for (std::size_t place = 0; place < entries_.size(); ++place) act(place, hash_at(place));
  }

  // Returns the index of the entry, or the number of entries if the key is missing.
  template <typename Like>
  std::size_t place_of(const Like& key) const {
    if (index_.empty()) {
      std::size_t place = 0;
      while (place < entries_.size() && !(entries_[place].first == key)) ++place;
      return place;
    }
    const std::size_t found = index_.find(Hash()(key), [&](std::size_t place) { return entries_[place].first == key; });
    return found == PlaceIndex::none ? entries_.size() : found;
  }

  std::vector<std::pair<Key, Value>> entries_;
  PlaceIndex index_;  // empty while the search is linear
};

}  // namespace orlop
