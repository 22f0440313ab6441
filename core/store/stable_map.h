// A hash map whose entries keep their addresses, in blocks, until they are erased. An entry costs little more than its
// key and value.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "base/place_index.h"

namespace orlop {

template <typename Key, typename Value, typename Hash = std::hash<Key>>
class StableMap {
 public:
  struct Entry {
    Key key{};
    Value value{};
  };

  std::size_t size() const { return made_ - free_.size(); }

  // Returns the entry of the key; null if none. `Like` is hashed and compared as Key is.
  template <typename Like>
  const Entry* find(const Like& key) const {
    const std::size_t place = place_of(key);
    return place == PlaceIndex::none ? nullptr : &at(place);
  }
  template <typename Like>
  Entry* find(const Like& key) {
    return const_cast<Entry*>(std::as_const(*this).find(key));
  }
  // Returns the first entry of this hash for which `fits` is true; null if none.
  template <typename Fits>
  const Entry* find_if(std::size_t hash, const Fits& fits) const {
    const std::size_t place =
        index_.find(hash, [&](std::size_t other) { return Hash()(at(other).key) == hash && fits(at(other)); });
    return place == PlaceIndex::none ? nullptr : &at(place);
  }

  // Returns the entry of the key, added if there is none. Changes nothing if memory runs out.
  Entry& make(const Key& key) {
    if (Entry* const known = find(key)) return *known;
    index_.make_room(size() + 1, [this](const auto& act) {
      for (std::size_t place = 0; place < made_; ++place) {
        if (is_used(place)) act(place, Hash()(at(place).key));
      }
    });
    if (free_.empty() && made_ == blocks_.size() * block_size) add_block();
    const std::size_t place = free_.empty() ? made_ : free_.back();
    Entry& entry = at(place);
    entry.key = key;
    index_.add(place, Hash()(key));
    blocks_[place / block_size]->used |= std::uint64_t{1} << place % block_size;
    if (free_.empty()) ++made_;
    else free_.pop_back();
    return entry;
  }

  // Replaces the entries by those of `other`, with values made by `copy`; entries for which it returns nullopt are left
  // out.
  template <typename Copy>
  void copy_from(const StableMap& other, const Copy& copy) {
    StableMap made;
    std::vector<Key> left_out;
    made.blocks_.reserve(other.blocks_.capacity());
    for (const auto& block : other.blocks_) {
      Block& added = *made.blocks_.emplace_back(std::make_unique<Block>());
      added.used = block->used;
      for (std::uint64_t used = block->used; used != 0; used &= used - 1) {
        const auto place = static_cast<std::size_t>(std::countr_zero(used));
        added.entries[place].key = block->entries[place].key;
        if (auto value = copy(block->entries[place].value)) added.entries[place].value = std::move(*value);
        else left_out.push_back(added.entries[place].key);
      }
    }
    made.free_.reserve(other.free_.capacity());
    made.free_ = other.free_;
    made.made_ = other.made_;
    made.index_ = other.index_;
    for (const Key& key : left_out) made.erase(key);
    *this = std::move(made);
  }

  template <typename Like>
  void erase(const Like& key) noexcept {
    const std::size_t place = place_of(key);
    if (place == PlaceIndex::none) return;
    index_.erase(place, [this](std::size_t other) { return Hash()(at(other).key); });
    at(place) = Entry();
    blocks_[place / block_size]->used &= ~(std::uint64_t{1} << place % block_size);
    free_.push_back(static_cast<std::uint32_t>(place));  // never allocates: capacity is reserved
  }

 private:
  static constexpr std::size_t block_size = 64;
  struct Block {
    Entry entries[block_size];
    std::uint64_t used = 0;  // one bit per entry
  };

  Entry& at(std::size_t place) { return blocks_[place / block_size]->entries[place % block_size]; }
  const Entry& at(std::size_t place) const { return blocks_[place / block_size]->entries[place % block_size]; }
  bool is_used(std::size_t place) const { return (blocks_[place / block_size]->used >> place % block_size & 1) != 0; }
  template <typename Like>
  std::size_t place_of(const Like& key) const {
    return index_.find(Hash()(key), [&](std::size_t place) { return at(place).key == key; });
  }
  void add_block() {
    const std::size_t places = (blocks_.size() + 1) * block_size;
    if (free_.capacity() < places) free_.reserve(places * 2);
    blocks_.push_back(std::make_unique<Block>());
  }

  std::vector<std::unique_ptr<Block>> blocks_;
  std::size_t made_ = 0;             // indices that were ever used
  std::vector<std::uint32_t> free_;  // unused indices below made_; has capacity for all
  PlaceIndex index_;
};

}  // namespace orlop
