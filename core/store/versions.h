// The versions of one value in the memory store, by commit. Old versions are kept only while a reader that began before
// the change is open.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace orlop {

// The commit numbers that readers see or may see, ascending.
using Snapshots = std::vector<std::uint64_t>;

template <typename Value>
class Versions {
 public:
  // Returns the value after commit `snapshot`; null if there was none.
  const Value* at(std::uint64_t snapshot) const {
    for (const Version* version = &newest_; version != nullptr; version = version->older.get()) {
      if (version->number <= snapshot) return version->get();
    }
    return nullptr;
  }

  // Returns the number of the last change; 0 if it was never changed.
  std::uint64_t number() const { return newest_.number; }

  // Sets the value as of `number`, which is not below number(). nullopt: no value from then on.
  void put(std::uint64_t number, std::optional<Value> value) {
    if (newest_.number != number) {
      if (!is_bare()) newest_.older = std::make_unique<Version>(std::move(newest_));
      newest_.number = number & number_max;
    }
    newest_.has_value = value.has_value();
    newest_.value = value ? std::move(*value) : Value();
  }

  // Reverts every put() of `number`.
  void undo(std::uint64_t number) {
    if (newest_.number != number) return;
    std::unique_ptr<Version> older = std::move(newest_.older);
    newest_ = older ? std::move(*older) : Version{};
  }

  // Forgets every put() with a number greater than `snapshot`.
  void cut(std::uint64_t snapshot) {
    while (newest_.number > snapshot) {
      std::unique_ptr<Version> older = std::move(newest_.older);
      newest_ = older ? std::move(*older) : Version{};
    }
  }

  // Returns a copy with only the version that commit `snapshot` sees.
  Versions copy_at(std::uint64_t snapshot) const {
    Versions copy;
    const Version* version = &newest_;
    while (version != nullptr && version->number > snapshot) version = version->older.get();
    if (version != nullptr && version->has_value) copy.put(version->number, version->value);
    return copy;
  }

  // Removes versions that none of the snapshots sees, except the newest. At most one version per snapshot is left
  // besides.
  void prune(const Snapshots& snapshots) {
    std::unique_ptr<Version>* link = &newest_.older;
    std::uint64_t end = newest_.number;
    while (*link) {
      if (is_seen(snapshots, (*link)->number, end)) {
        end = (*link)->number;
        link = &(*link)->older;
      } else {
        *link = std::move((*link)->older);
      }
    }
  }

  // Reports whether `fits` is true for any kept value.
  template <typename Fits>
  bool any(const Fits& fits) const {
    for (const Version* version = &newest_; version != nullptr; version = version->older.get()) {
      if (const Value* const value = version->get(); value != nullptr && fits(*value)) return true;
    }
    return false;
  }

  // Returns the value for a change in place as of note(number), if no reader sees the present state; null if older
  // versions are kept, or there is no value.
  Value* only() { return newest_.older == nullptr && newest_.has_value ? &newest_.value : nullptr; }
  // Returns the value that `number` has put, which it may change in place; null if none.
  Value* of(std::uint64_t number) { return newest_.number == number && newest_.has_value ? &newest_.value : nullptr; }
  void note(std::uint64_t number) { newest_.number = number & number_max; }

  // Reports whether there is no value, now or for any reader, so that the entry can be removed.
  bool is_bare() const { return !newest_.has_value && newest_.older == nullptr; }

 private:
  static constexpr std::uint64_t number_max = UINT64_MAX >> 1;
  // There are many versions, and a value may have no members: has_value takes a bit of the number.
  struct Version {
    std::uint64_t number : 63 = 0;
    std::uint64_t has_value : 1 = 0;
    [[no_unique_address]] Value value;
    std::unique_ptr<Version> older;

    const Value* get() const { return has_value ? &value : nullptr; }
  };

  static bool is_seen(const Snapshots& snapshots, std::uint64_t from, std::uint64_t end) {
    for (std::uint64_t snapshot : snapshots) {
      if (snapshot >= from && snapshot < end) return true;
    }
    return false;
  }

  Version newest_;
};

}  // namespace orlop
