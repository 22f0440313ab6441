// Environments of a simulation to which a rule gives a lifetime (rules/rule.h), such as previews, and when they are
// deleted.
#pragma once

#include <atomic>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "base/id.h"
#include "base/instant.h"
#include "base/result.h"
#include "model/value.h"
#include "wire/writer.h"

namespace orlop {

// Threads: every function may be called from any thread.
class Lifetimes {
 public:
  using Memory = std::map<Id, Instant>;  // ends by environment

  bool has(const Id& environment) const;
  void add(const Id& environment, Instant end);
  void remove(const Id& environment);
  // Removes and returns those whose end has come, in the order of the ends.
  std::vector<Id> take_ended(Instant now);
  bool is_empty() const;
  std::optional<Instant> due() const;

  Memory memory() const;
  void go_back(const Memory& memory);
  // Write and restore a list of {"environment", "ends"}. Error invalid.
  void write(Writer& out) const;
  Result<void> restore(const Value& given);

 private:
  // Call with the lock held after a change of ends_.
  void note_any() { has_any_ = !ends_.empty(); }

  mutable std::mutex mutex_;
  Memory ends_;
  std::set<std::pair<Instant, Id>> order_;
  std::atomic<bool> has_any_ = false;  // whether ends_ has entries; if not, no lock
};

}  // namespace orlop
