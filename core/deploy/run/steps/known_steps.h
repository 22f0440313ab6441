// The steps that an engine knows: the running ones, and the last ended ones. The thread that ticks adds and ends them;
// reports are checked against them on any thread, without waiting for a tick or the store.
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

// The owner of a step.
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

  // For the thread that ticks, which alone changes them. nullptr: it does not run. Good until one begins or ends.
  RunningStep* find(const Id& step) { return running_.find(step); }
  const RunningStep* find(const Id& step) const { return running_.find(step); }
  // It does not run yet.
  RunningStep& began(const Id& step, const StepPlace& place);
  void ended(const Id& step);
  // What runs is read from the store again. Until confirm() the steps that ran are known, and no more.
  void read_again();
  // Those of them that do not run any more have ended.
  void confirm();
  // Forgets what ran in these partitions, which another engine moves on: these steps are lost until they begin here
  // again.
  void forget(PartitionSet partitions);
  // Those of the lost ones that others have `taken`; each once. Those in `held` have come back, and are not lost; the
  // rest waits for the next call. For the thread that ticks.
  std::vector<Id> take_lost(PartitionSet held, PartitionSet taken);
  bool has_lost() const { return !newly_lost_.empty(); }

  // On any thread. False if the step neither runs nor is one of the last `ended_kept` ended ones.
  bool knows(const Id& step) const;
  // On any thread. Whether the step runs here, or did when its partition was lost. After `ended_kept` lost steps some
  // are not remembered.
  bool has_run(const Id& step) const;

 private:
  void keep_ended(const Id& step);

  mutable std::mutex mutex_;  // for changes, and for knows()
  FlatMap<Id, RunningStep> running_;
  FlatMap<Id, std::monostate> ran_;  // before what runs was read again
  FlatMap<Id, std::monostate> lost_;
  std::vector<Id> newly_lost_;  // of the thread that ticks
  // A ring, which is searched from end to end: steps end all the time, and reports about ended ones are rare.
  std::vector<Id> ended_;
  std::size_t oldest_ = 0;  // of the ring, once it is full
};

}  // namespace orlop
