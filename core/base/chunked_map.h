// Ordered map with its entries in contiguous chunks: iteration and appending are cheap. Adding or erasing an entry
// moves others.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>
#include <utility>
#include <vector>

namespace orlop {

template <typename Key, typename Value>
class ChunkedMap {
  // Not a std::pair: an entry is trivially copyable where key and value are, and a value without members takes no
  // space.
  struct Entry {
    Key first;
    [[no_unique_address]] Value second;
  };
  struct Chunk {
    // Not greater than any key of the chunk, and greater than all keys of the chunk before. A search among the chunks
    // reads no entries.
    Key from;
    std::vector<Entry> entries;  // never empty
  };

 public:
  // Position among the entries, valid until an entry is added or erased.
  class Cursor {
   public:
    bool is_end() const { return chunk_ == end_; }
    const Key& key() const { return chunk_->entries[at_].first; }
    const Value& value() const { return chunk_->entries[at_].second; }
    void next() {
      if (++at_ < chunk_->entries.size()) return;
      ++chunk_;
      at_ = 0;
    }

   private:
    friend class ChunkedMap;
    const Chunk* chunk_ = nullptr;
    const Chunk* end_ = nullptr;
    std::size_t at_ = 0;
  };

  bool empty() const { return chunks_.empty(); }
  // Returns the value of the key, or null if the key is missing.
  Value* find(const Key& key) {
    const auto chunk = chunk_of(key);
    if (chunk == chunks_.end()) return nullptr;
    const auto entry = place_in(*chunk, key);
    return entry != chunk->entries.end() && entry->first == key ? &entry->second : nullptr;
  }

  // Returns the value of the key; adds it if the key is missing. If memory runs out, the map is unchanged.
  Value& operator[](const Key& key) {
    if (chunks_.empty() || chunks_.back().entries.back().first < key) {
      if (!chunks_.empty() && chunks_.back().entries.size() < chunk_max)
        return chunks_.back().entries.emplace_back(Entry{key, Value()}).second;
      Chunk chunk{key, {}};
      chunk.entries.push_back({key, Value()});
      return chunks_.emplace_back(std::move(chunk)).entries.back().second;
    }
    auto chunk = chunk_of(key);
    auto entry = place_in(*chunk, key);
    if (entry != chunk->entries.end() && entry->first == key) return entry->second;
    if (chunk->entries.size() == chunk_max) {
      chunk = split(chunk, key);
      entry = place_in(*chunk, key);
    }
    entry = chunk->entries.insert(entry, {key, Value()});
    if (key < chunk->from) chunk->from = key;
    return entry->second;
  }

  void erase(const Key& key) noexcept {
    const auto chunk = chunk_of(key);
    if (chunk == chunks_.end()) return;
    const auto entry = place_in(*chunk, key);
    if (entry == chunk->entries.end() || entry->first != key) return;
    erase_from(chunk, entry);
  }

  // Requires that the map is not empty.
  void erase_first() noexcept { erase_from(chunks_.begin(), chunks_.front().entries.begin()); }

  // Replaces the entries by those of `other`, each with the value that `copy` makes. Omits an entry for which `copy`
  // returns nullopt.
  template <typename Copy>
  void copy_from(const ChunkedMap& other, const Copy& copy) {
    chunks_.clear();
    chunks_.reserve(other.chunks_.size());
    for (const Chunk& chunk : other.chunks_) {
      std::vector<Entry> made;
      made.reserve(chunk.entries.size());
      for (const Entry& entry : chunk.entries) {
        if (auto value = copy(entry.second)) made.push_back({entry.first, std::move(*value)});
      }
      if (made.empty()) continue;
      chunks_.push_back({chunk.from, std::move(made)});
    }
  }

  Cursor begin() const { return cursor(0, 0); }
  // Returns the position of the first key greater than this one.
  Cursor after(const Key& key) const {
    const auto behind = std::upper_bound(chunks_.begin(), chunks_.end(), key, begins_behind);
    if (behind == chunks_.begin()) return begin();
    const auto chunk = std::prev(behind);
    const std::vector<Entry>& entries = chunk->entries;
    const auto entry = std::upper_bound(entries.begin(), entries.end(), key,
                                        [](const Key& wanted, const Entry& other) { return wanted < other.first; });
    const auto number = static_cast<std::size_t>(chunk - chunks_.begin());
    return entry == entries.end() ? cursor(number + 1, 0)
                                  : cursor(number, static_cast<std::size_t>(entry - entries.begin()));
  }

 private:
  static constexpr std::size_t chunk_max = 32;

  Cursor cursor(std::size_t chunk, std::size_t at) const {
    Cursor cursor;
    cursor.chunk_ = chunks_.data() + chunk;
    cursor.end_ = chunks_.data() + chunks_.size();
    cursor.at_ = at;
    return cursor;
  }
  static bool begins_behind(const Key& wanted, const Chunk& chunk) { return wanted < chunk.from; }
  // Returns the chunk that has the key or into which it is inserted: the last one that does not begin after the key, or
  // the first.
  typename std::vector<Chunk>::iterator chunk_of(const Key& key) {
    if (!chunks_.empty() && !(key < chunks_.back().from)) return std::prev(chunks_.end());
    // Fast path: keys in ascending order are found without a search.
    const auto holds = [&](std::size_t number) {
      return number + 1 < chunks_.size() && !(key < chunks_[number].from) && key < chunks_[number + 1].from;
    };
    if (holds(found_) || holds(++found_)) return chunks_.begin() + static_cast<std::ptrdiff_t>(found_);
    const auto behind = std::upper_bound(chunks_.begin(), chunks_.end(), key, begins_behind);
    const auto chunk = behind == chunks_.begin() ? behind : std::prev(behind);
    found_ = static_cast<std::size_t>(chunk - chunks_.begin());
    return chunk;
  }
  static typename std::vector<Entry>::iterator place_in(Chunk& chunk, const Key& key) {
    return std::lower_bound(chunk.entries.begin(), chunk.entries.end(), key,
                            [](const Entry& entry, const Key& wanted) { return entry.first < wanted; });
  }
  void erase_from(typename std::vector<Chunk>::iterator chunk, typename std::vector<Entry>::iterator entry) noexcept {
    chunk->entries.erase(entry);
    if (chunk->entries.empty()) chunks_.erase(chunk);
  }
  // Splits the chunk in two halves. Returns the one for the key.
  typename std::vector<Chunk>::iterator split(typename std::vector<Chunk>::iterator chunk, const Key& key) {
    std::vector<Entry> later;
    later.reserve(chunk_max);
    const auto middle = chunk_max / 2;
    chunk = std::prev(chunks_.insert(std::next(chunk), Chunk{chunk->entries[middle].first, std::move(later)}));
    Chunk& added = *std::next(chunk);
    const auto from = chunk->entries.begin() + middle;
    added.entries.assign(std::make_move_iterator(from), std::make_move_iterator(chunk->entries.end()));
    chunk->entries.erase(from, chunk->entries.end());
    return key < added.from ? chunk : std::next(chunk);
  }

  std::vector<Chunk> chunks_;
  std::size_t found_ = 0;  // index of the chunk found last
};

}  // namespace orlop
