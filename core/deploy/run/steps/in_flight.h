// The running steps by id, and the calls of the driver after the commit. In memory only; rebuilt from the active
// machines.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "base/id.h"
#include "base/moment.h"
#include "deploy/driver/driver.h"
#include "deploy/run/steps/known_steps.h"
#include "deploy/run/steps/report_masks.h"
#include "deploy/run/steps/step_deadlines.h"
#include "deploy/run/steps/step_turns.h"
#include "store/partition.h"

namespace orlop {

struct CancelOrder {
  Id step;
  CancelMode mode = CancelMode::interruptible;
};

class InFlight {
 public:
  // The steps themselves are in `known`.
  InFlight(KnownSteps& known, const Driver& driver, const Settings& settings)
      : known_(known), driver_(driver), turns_(settings) {}

  // Deadlines are instants of the stored time, and pass by the monotonic clock: whatever the time does afterwards, a
  // step has what was left at `at`. Called before steps are added or postponed.
  void synchronize(Moment at) { offset_ = Duration{at.monotonic.milliseconds - at.now.milliseconds}; }

  // When the monotonic clock says that this instant of the stored time has come.
  Instant measured(Instant at) const { return at + offset_; }

  // Whose turn it is to start a step.
  StepTurns& turns() { return turns_; }
  const StepTurns& turns() const { return turns_; }

  void add(const Id& step, const StepPlace& place, const StepScope& scope);
  void end(const Id& step);
  // nullptr if no such step runs.
  const StepPlace* find(const Id& step) const {
    const RunningStep* const found = known_.find(step);
    return found == nullptr ? nullptr : &found->place;
  }
  void postpone(const Id& step, std::optional<Instant> deadline);

  // The partitions that have a running step.
  PartitionSet busy() const { return busy_; }
  // From now on nothing is started in these partitions, which are about to be given back.
  void withhold(PartitionSet partitions) { withheld_ = partitions; }
  bool is_withheld(std::uint8_t partition) const { return withheld_.contains(partition); }

  // The first deadline, if it is not later than `end`; both by the monotonic clock.
  std::optional<Instant> deadline_by(Instant end) { return deadlines_.first_by(end, has_deadline()); }
  // Whether the first deadline has passed.
  bool is_overdue(Duration monotonic) { return deadline_by(Instant{monotonic.milliseconds}).has_value(); }
  // The steps whose deadline has passed, in the order of deadlines. They are still in flight, and not overdue again
  // until they are postponed.
  std::vector<Id> take_overdue(Duration monotonic);

  // What reports of running steps must not show.
  ReportMasks& masks() { return masks_; }

  // What the step that this row runs is handed over with.
  StepTexts texts_of(const Machine& subject) const { return driver_.reads(subject); }
  void ask_start(Step&& step) { starts_.push_back(std::move(step)); }
  void ask_cancel(const Id& step, CancelMode mode) { cancels_.push_back({step, mode}); }
  // The partitions of the steps that the driver is to be asked to start or cancel.
  PartitionSet asked() const;
  bool has_asks() const { return !starts_.empty() || !cancels_.empty(); }
  std::size_t start_count() const { return starts_.size(); }
  std::vector<Step> take_starts() { return std::exchange(starts_, {}); }
  // Gives back the memory of those that were taken.
  void reuse(std::vector<Step> starts) {
    starts.clear();
    if (starts_.capacity() == 0) starts_ = std::move(starts);
  }
  // Those that were taken and not started.
  void ask_again(std::vector<Step> starts) { starts_ = std::move(starts); }
  std::vector<CancelOrder> take_cancels() { return std::exchange(cancels_, {}); }

 private:
  void set_due(const Id& step, RunningStep& running);
  void reset_due(RunningStep& running);
  StepDeadlines::Has has_deadline() const {
    return [this](Instant at, const Id& step) {
      const RunningStep* const found = known_.find(step);
      return found != nullptr && found->due == at;
    };
  }

  KnownSteps& known_;
  const Driver& driver_;
  StepTurns turns_;
  ReportMasks masks_;
  Duration offset_;  // from stored instants to those of the monotonic clock
  StepDeadlines deadlines_;
  std::array<std::uint32_t, partition_count> running_{};  // steps by partition
  PartitionSet busy_;                                     // those that have some
  PartitionSet withheld_;
  std::vector<Step> starts_;
  std::vector<CancelOrder> cancels_;
};

}  // namespace orlop
