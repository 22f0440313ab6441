// The execution of a plan: which part may start now, what follows from a result, when the request has ended. Pure: it
// receives what happened and returns what to do, without store, driver or clock. A passed deadline is a failure.
#pragma once

#include <cstdint>
#include <vector>

#include "base/result.h"
#include "deploy/plan/plan.h"

namespace orlop {

enum class Progress : std::uint8_t {
  waiting = 0,  // not started
  building = 1,
  built = 2,      // waits for its stage
  acting = 3,     // its step runs
  following = 4,  // the step that follows runs
  done = 5,       // it has ended, with any result
};

struct Decision {
  enum class Kind : std::uint8_t {
    build = 1,    // start the part's build
    step = 2,     // start its step
    follow = 3,   // start the step that follows
    abandon = 4,  // it will not start
    end = 5,      // of the whole request; the last decision
  };
  Kind kind = Kind::end;
  std::uint32_t part = 0;
};

enum class RunOutcome : std::uint8_t { succeeded = 1, failed = 2, build_failed = 3, canceled = 4 };

struct RunLimits {
  std::uint32_t builds = 1;
  std::uint32_t steps = 1;               // inside a stage
  std::uint32_t decisions = UINT32_MAX;  // of one call; proceed() makes the rest
};

// Decisions are appended to `out`. Only a running part (building, acting, following) can succeed or fail. While
// has_more(), only proceed() starts, abandons or ends anything.
class Runner {
 public:
  Runner(Plan plan, RunLimits limits);

  const Plan& plan() const { return plan_; }
  // `done` for a part that is not in the plan.
  Progress progress(std::uint32_t part) const { return part < progress_.size() ? progress_[part] : Progress::done; }
  bool has_ended() const { return has_ended_; }
  // True if no further part starts, because one has failed or the request was canceled.
  bool is_stopped() const { return is_stopped_; }
  // Appends the next parts that may start, at most `count`, as far as they are known.
  void next_parts(std::size_t count, std::vector<std::uint32_t>& out) const;
  // Returns the parts whose start was decided and that have not ended, ascending.
  std::vector<std::uint32_t> running() const;
  RunOutcome outcome() const { return outcome_; }

  // Sets the state of a part after a recovery. Called before begin().
  void restore(std::uint32_t part, Progress progress) { progress_.at(part) = progress; }
  // Restores a failure or cancellation before begin(): no part will start.
  void restore_stop(RunOutcome outcome) { stop_as(outcome); }

  void begin(std::vector<Decision>& out);
  // Both: error internal if the part does not run; then nothing has changed.
  Result<void> succeeded(std::uint32_t part, std::vector<Decision>& out);
  Result<void> failed(std::uint32_t part, std::vector<Decision>& out);
  // The part was canceled or no longer exists; the others continue unless cancel() was called. Error internal if the
  // part is not in the plan; then nothing has changed.
  Result<void> left(std::uint32_t part, std::vector<Decision>& out);
  // Stops the run: no further part starts.
  void cancel(std::vector<Decision>& out);
  // True if the last call has left decisions to proceed().
  bool has_more() const { return has_more_; }
  void proceed(std::vector<Decision>& out);

 private:
  Result<void> require_running(std::uint32_t part) const;
  void start(std::uint32_t part, Decision::Kind kind, Progress progress, std::vector<Decision>& out);
  void finish(std::uint32_t part);
  void stop_as(RunOutcome outcome);
  void abandon_rest(std::vector<Decision>& out);
  bool start_builds(std::vector<Decision>& out);
  bool start_steps(std::vector<Decision>& out);
  void advance(std::vector<Decision>& out);
  // Counts a decision of this call; returns false if the limit is reached, and leaves the rest to proceed().
  bool may_decide();

  Plan plan_;
  RunLimits limits_;
  std::vector<Progress> progress_;
  std::uint32_t next_build_ = 0;   // in plan_.builds
  std::uint32_t builds_left_ = 0;  // waiting or building
  std::uint32_t building_ = 0;
  std::uint32_t stage_ = 0;
  std::uint32_t next_part_ = 0;   // in plan_.parts, of this stage
  std::uint32_t stage_left_ = 0;  // parts of this stage that are not done
  std::uint32_t acting_ = 0;      // following ones too
  RunOutcome outcome_ = RunOutcome::succeeded;
  bool is_stopped_ = false;
  std::uint32_t next_abandoned_ = 0;  // in plan_.parts
  std::uint32_t allowance_ = 0;       // decisions that this call may still make
  bool has_more_ = false;
  bool has_ended_ = false;
};

}  // namespace orlop
