// Steps that an engine knows: the running ones, and the last ended ones. The thread of the ticks adds and ends them;
// any thread checks reports against them, without waiting for a tick or the store.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <variant>
#include <vector>

#include "base/flat_map.h"
#include "base/id.h"
#include "base/instant.h"
#include "store/partition.h"

namespace orlop {

enum class SubjectKind : std::uint8_t { service = 1, cluster = 2, task = 3 };

// Subject and owner of a step.
struct StepPlace {
  SubjectKind kind = SubjectKind::service;
  std::uint8_t partition = 0;
  std::uint32_t part = 0;  // of a service: in the plan of the request's run
  Id subject;
  Id owner;    // of a service: its environment
  Id request;  // of a service: the request that the step belongs to
  OptionalInstant deadline;
};

struct RunningStep {
  StepPlace place;
  OptionalInstant due;  // its deadline, by the monotonic clock
};

class KnownSteps {
 public:
  static constexpr std::size_t ended_kept = 65'536;

  // For the thread of the ticks, which alone changes them. Null if it does not run. Valid until one begins or ends.
  RunningStep* find(const Id& step) { return running_.find(step); }
  const RunningStep* find(const Id& step) const { return running_.find(step); }
  // The step must not run yet.
  RunningStep& began(const Id& step, const StepPlace& place);
  void ended(const Id& step);
  // Called before running steps are read from the store again. Steps that ran stay known until confirm().
  void read_again();
  // Steps that ran and do not run any more have ended.
  void confirm();
  // Forgets steps that ran in these partitions, which another engine drives: they are lost until they begin here again.
  void forget(PartitionSet partitions);
  // Returns the lost steps in partitions that others have `taken`; each once. Steps in `held` have come back, and are
  // not lost; the rest waits for the next call. For the thread of the ticks.
  std::vector<Id> take_lost(PartitionSet held, PartitionSet taken);
  bool has_lost() const { return !newly_lost_.empty(); }

  // Any thread. False if the step neither runs nor is one of the last `ended_kept` ended ones.
  bool knows(const Id& step) const;
  // Any thread. Reports whether the step runs here, or did when its partition was lost. After `ended_kept` lost steps
  // some are not remembered.
  bool has_run(const Id& step) const;

 private:
  void keep_ended(const Id& step);

  mutable std::mutex mutex_;  // for changes, and for knows()
  FlatMap<Id, RunningStep> running_;
  FlatMap<Id, std::monostate> ran_;  // before read_again()
  FlatMap<Id, std::monostate> lost_;
  std::vector<Id> newly_lost_;  // for the thread of the ticks
  // A ring, searched from end to end: steps end all the time, and reports on ended ones are rare.
  std::vector<Id> ended_;
  std::size_t oldest_ = 0;  // index in the ring, once it is full
};

}  // namespace orlop
