// A cache of the most recently used values, limited in bytes.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <unordered_map>
#include <utility>

namespace orlop {

// Values by key, in two generations. New values go into the younger one. When that holds half of the bytes, it becomes
// the older one; the former older one is dropped, except values found since. find() may run in several threads at a
// time, all other functions in one alone.
template <typename Key, typename Value, typename Hash = std::hash<Key>>
class Recent {
 public:
  explicit Recent(std::size_t bytes_max) : generation_bytes_max_(bytes_max / 2) {}

  // Returns the value, valid until the next change; null if it is missing.
  const Value* find(const Key& key) const {
    if (const auto found = young_.find(key); found != young_.end()) return &found->second.value;
    const auto found = old_.find(key);
    if (found == old_.end()) return nullptr;
    found->second.is_used.store(true, std::memory_order_relaxed);
    return &found->second.value;
  }

  // `bytes`: size of the value. A value larger than a quarter of the limit is not kept. After std::bad_alloc the key
  // may be missing.
  void put(const Key& key, Value value, std::size_t bytes) {
    drop(key);
    bytes += entry_bytes;
    if (bytes > generation_bytes_max_ / 2) return;
    if (young_bytes_ + bytes > generation_bytes_max_) turn();
    young_.try_emplace(key, std::move(value), bytes);
    young_bytes_ += bytes;
  }

  void drop(const Key& key) noexcept {
    if (const auto found = young_.find(key); found != young_.end()) {
      young_bytes_ -= found->second.bytes;
      young_.erase(found);
    }
    old_.erase(key);
  }

  void clear() noexcept {
    young_.clear();
    old_.clear();
    young_bytes_ = 0;
  }

 private:
  // Estimate for a key, its map entry and allocations of the value that `bytes` does not count.
  static constexpr std::size_t entry_bytes = 128;

  struct Entry {
    Entry(Value put, std::size_t put_bytes) : value(std::move(put)), bytes(put_bytes) {}
    Value value;
    std::size_t bytes;
    mutable std::atomic<bool> is_used = false;  // since its generation became the older one
  };
  using Generation = std::unordered_map<Key, Entry, Hash>;

  void turn() {
    Generation used;
    std::size_t used_bytes = 0;
    for (auto at = old_.begin(); at != old_.end() && used_bytes < generation_bytes_max_ / 2;) {
      const auto here = at++;
      if (!here->second.is_used.exchange(false, std::memory_order_relaxed)) continue;
      used_bytes += here->second.bytes;
      used.insert(old_.extract(here));
    }
    old_ = std::move(young_);
    young_ = std::move(used);
    young_bytes_ = used_bytes;
  }

  std::size_t generation_bytes_max_;
  Generation young_;
  Generation old_;
  std::size_t young_bytes_ = 0;
};

}  // namespace orlop
