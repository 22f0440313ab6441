// Running steps by id, and calls of the driver after the commit. In memory only; rebuilt from the active machines.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
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
  // `known` holds the steps.
  InFlight(KnownSteps& known, const Driver& driver, const Settings& settings)
      : known_(known), driver_(driver), turns_(settings) {}

  // Deadlines are instants of the stored time, and pass by the monotonic clock: a step keeps the time that it had left
  // at `at`, even if the stored time jumps. Called before steps are added or postponed.
  void synchronize(Moment at) { offset_ = Duration{at.monotonic.milliseconds - at.now.milliseconds}; }

  // Converts an instant of the stored time to the monotonic clock.
  Instant measured(Instant at) const { return at + offset_; }

  StepTurns& turns() { return turns_; }
  const StepTurns& turns() const { return turns_; }

  void add(const Id& step, const StepPlace& place, const StepScope& scope);
  void end(const Id& step);
  // Null if no such step runs.
  const StepPlace* find(const Id& step) const {
    const RunningStep* const found = known_.find(step);
    return found == nullptr ? nullptr : &found->place;
  }
  void postpone(const Id& step, std::optional<Instant> deadline);

  // Partitions with a running step.
  PartitionSet busy() const { return busy_; }
  // Starts nothing any more in these partitions, which are about to be released.
  void withhold(PartitionSet partitions) { withheld_ = partitions; }
  bool is_withheld(std::uint8_t partition) const { return withheld_.contains(partition); }

  // Returns the first deadline, if it is not later than `end`; both by the monotonic clock.
  std::optional<Instant> deadline_by(Instant end) { return deadlines_.first_by(end, has_deadline()); }
  bool is_overdue(Duration monotonic) { return deadline_by(Instant{monotonic.milliseconds}).has_value(); }
  // Returns the steps whose deadline has passed, in the order of deadlines. They are still in flight, and not overdue
  // again until they are postponed.
  std::vector<Id> take_overdue(Duration monotonic);

  // Keeps the configuration with which a step is started, until it ends.
  void keep(const Step& step) {
    if (step.released != nullptr) released_.insert_or_assign(step.id, step.released);
  }
  // Returns it; null if it is not known.
  std::shared_ptr<const StepConfiguration> kept(const Id& step) const {
    const auto found = released_.find(step);
    return found == released_.end() ? nullptr : found->second;
  }

  // Masks for the reports of running steps.
  ReportMasks& masks() { return masks_; }

  // Returns the texts that the driver reads of the step that this row runs.
  StepTexts texts_of(const Machine& subject) const { return driver_.reads(subject); }
  void ask_start(Step&& step) { starts_.push_back(std::move(step)); }
  void ask_cancel(const Id& step, CancelMode mode) { cancels_.push_back({step, mode}); }
  // Partitions of the steps that the driver is asked to start or cancel.
  PartitionSet asked() const;
  bool has_asks() const { return !starts_.empty() || !cancels_.empty(); }
  std::size_t start_count() const { return starts_.size(); }
  std::vector<Step> take_starts() { return std::exchange(starts_, {}); }
  // Reuses the memory of a list that was taken.
  void reuse(std::vector<Step> starts) {
    starts.clear();
    if (starts_.capacity() == 0) starts_ = std::move(starts);
  }
  // Puts back steps that were taken and not started.
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
  std::unordered_map<Id, std::shared_ptr<const StepConfiguration>> released_;  // of steps that make releases
  Duration offset_;  // from stored instants to those of the monotonic clock
  StepDeadlines deadlines_;
  std::array<std::uint32_t, partition_count> running_{};  // steps by partition
  PartitionSet busy_;                                     // with running steps
  PartitionSet withheld_;
  std::vector<Step> starts_;
  std::vector<CancelOrder> cancels_;
};

}  // namespace orlop
