// An ordered map whose entries lie side by side in chunks: to walk over many, and to add at the end, costs little. Adding or erasing an entry moves others.
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
  // Not a pair: where key and value are copied as bytes, so are the entries that move up, and a value without members takes no space.
  struct Entry {
    Key first;
    [[no_unique_address]] Value second;
  };
  using Chunk = std::vector<Entry>;  // none is empty

 public:
  // A place among the entries, good until one is added or erased.
  class Cursor {
   public:
    bool is_end() const { return chunk_ == end_; }
    const Key& key() const { return (*chunk_)[at_].first; }
    const Value& value() const { return (*chunk_)[at_].second; }
    void next() {
      if (++at_ < chunk_->size()) return;
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

  // nullptr: there is none.
  Value* find(const Key& key) {
    const auto chunk = chunk_of(key);
    if (chunk == chunks_.end()) return nullptr;
    const auto entry = place_in(*chunk, key);
    return entry != chunk->end() && entry->first == key ? &entry->second : nullptr;
  }

  // The value under the key, added if there is none. Memory that runs out changes nothing.
  Value& operator[](const Key& key) {
    if (chunks_.empty() || chunks_.back().back().first < key) {
      if (!chunks_.empty() && chunks_.back().size() < chunk_max) return chunks_.back().emplace_back(Entry{key, Value()}).second;
      Chunk chunk;
      chunk.push_back({key, Value()});
      return chunks_.emplace_back(std::move(chunk)).back().second;
    }
    auto chunk = chunk_of(key);
    auto entry = place_in(*chunk, key);
    if (entry != chunk->end() && entry->first == key) return entry->second;
    if (chunk->size() == chunk_max) {
      chunk = split(chunk, key);
      entry = place_in(*chunk, key);
    }
    return chunk->insert(entry, {key, Value()})->second;
  }

  void erase(const Key& key) noexcept {
    const auto chunk = chunk_of(key);
    if (chunk == chunks_.end()) return;
    const auto entry = place_in(*chunk, key);
    if (entry == chunk->end() || entry->first != key) return;
    chunk->erase(entry);
    if (chunk->empty()) chunks_.erase(chunk);
  }

  // There is one.
  void erase_first() noexcept {
    Chunk& chunk = chunks_.front();
    chunk.erase(chunk.begin());
    if (chunk.empty()) chunks_.erase(chunks_.begin());
  }

  // Takes the entries of `other` in the place of its own, each with the value that `copy` makes of the one there; nothing: without it.
  template <typename Copy>
  void copy_from(const ChunkedMap& other, const Copy& copy) {
    chunks_.clear();
    chunks_.reserve(other.chunks_.size());
    for (const Chunk& chunk : other.chunks_) {
      Chunk made;
      made.reserve(chunk.size());
      for (const Entry& entry : chunk) {
        if (auto value = copy(entry.second)) made.push_back({entry.first, std::move(*value)});
      }
      if (!made.empty()) chunks_.push_back(std::move(made));
    }
  }

  Cursor begin() const { return cursor(0, 0); }
  // At the first key greater than this one.
  Cursor after(const Key& key) const {
    const auto behind = std::upper_bound(chunks_.begin(), chunks_.end(), key, [](const Key& wanted, const Chunk& chunk) { return wanted < chunk.front().first; });
    if (behind == chunks_.begin()) return begin();
    const auto chunk = std::prev(behind);
    const auto entry = std::upper_bound(chunk->begin(), chunk->end(), key, [](const Key& wanted, const Entry& other) { return wanted < other.first; });
    const auto number = static_cast<std::size_t>(chunk - chunks_.begin());
    return entry == chunk->end() ? cursor(number + 1, 0) : cursor(number, static_cast<std::size_t>(entry - chunk->begin()));
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
  // The chunk that has the key, or takes it: the last one that does not begin behind it, or the first.
  typename std::vector<Chunk>::iterator chunk_of(const Key& key) {
    if (!chunks_.empty() && !(key < chunks_.back().front().first)) return std::prev(chunks_.end());
    // Keys in their order are found without a search.
    const auto holds = [&](std::size_t number) {
      return number + 1 < chunks_.size() && !(key < chunks_[number].front().first) && key < chunks_[number + 1].front().first;
    };
    if (holds(found_) || holds(++found_)) return chunks_.begin() + static_cast<std::ptrdiff_t>(found_);
    const auto behind = std::upper_bound(chunks_.begin(), chunks_.end(), key, [](const Key& wanted, const Chunk& chunk) { return wanted < chunk.front().first; });
    const auto chunk = behind == chunks_.begin() ? behind : std::prev(behind);
    found_ = static_cast<std::size_t>(chunk - chunks_.begin());
    return chunk;
  }
  static typename Chunk::iterator place_in(Chunk& chunk, const Key& key) {
    return std::lower_bound(chunk.begin(), chunk.end(), key, [](const Entry& entry, const Key& wanted) { return entry.first < wanted; });
  }
  // Into two halves; the one that takes the key.
  typename std::vector<Chunk>::iterator split(typename std::vector<Chunk>::iterator chunk, const Key& key) {
    Chunk later;
    later.reserve(chunk_max);
    chunk = std::prev(chunks_.emplace(std::next(chunk)));
    Chunk& added = *std::next(chunk);
    added.swap(later);
    const auto middle = chunk->begin() + chunk_max / 2;
    added.assign(std::make_move_iterator(middle), std::make_move_iterator(chunk->end()));
    chunk->erase(middle, chunk->end());
    return key < added.front().first ? chunk : std::next(chunk);
  }

  std::vector<Chunk> chunks_;
  std::size_t found_ = 0;  // the chunk that was found last
};

}  // namespace orlop
