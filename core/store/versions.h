// The versions of one value in the memory store: what it was after which commit. Old ones are kept only while a reader
// that began before the change is still open.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace orlop {

// The commit numbers that readers see or may yet come to see, ascending.
using Snapshots = std::vector<std::uint64_t>;

template <typename Value>
class Versions {
 public:
  // The value after commit `snapshot`; nullptr where there was none.
  const Value* at(std::uint64_t snapshot) const {
    for (const Version* version = &newest_; version != nullptr; version = version->older.get()) {
      if (version->number <= snapshot) return version->value ? &*version->value : nullptr;
    }
    return nullptr;
  }

  // The number of the last change; 0: never changed.
  std::uint64_t number() const { return newest_.number; }

  // Sets the value as of `number`, which is not below number(). nullopt: from then on there is none.
  void put(std::uint64_t number, std::optional<Value> value) {
    if (newest_.number != number) {
      if (!is_bare()) newest_.older = std::make_unique<Version>(std::move(newest_));
      newest_.number = number;
    }
    newest_.value = std::move(value);
  }

  // Takes back every put() of `number`.
  void undo(std::uint64_t number) {
    if (newest_.number != number) return;
    std::unique_ptr<Version> older = std::move(newest_.older);
    newest_ = older ? std::move(*older) : Version{};
  }

  // Forgets what none of these can see, but for the newest. The chain is never longer than they are many.
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

  bool has_older() const { return newest_.older != nullptr; }
  // No value, now or for any reader: the entry can go.
  bool is_bare() const { return !newest_.value && !newest_.older; }

 private:
  struct Version {
    std::uint64_t number = 0;
    std::optional<Value> value;
    std::unique_ptr<Version> older;
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
