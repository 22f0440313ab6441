// Steps that start before their commit, where the driver allows it (Driver::may_start_uncommitted): keeps what the
// driver has reported to ticks since the last commit. If the commit fails, the ticks are repeated with the same
// reports: the driver, which has not lost its memory, is not asked again.
#pragma once

#include <span>
#include <vector>

#include "base/id.h"
#include "base/instant.h"
#include "deploy/driver/driver.h"

namespace orlop {

class UncommittedSteps {
 public:
  // Reports to one tick, at one instant.
  struct Heard {
    Instant at;
    bool is_whole = false;     // has all of the driver's reports; memory may run out before
    std::vector<Report> held;  // with which the tick began
    std::vector<Report> polled;
    std::vector<Id> started;
    std::vector<Report> said;  // at these starts
  };

  // Begins the tick of this instant. Returns true if it is repeated, and tick() has all that the driver reported then.
  bool begin(Instant now);
  // Begins another instant that shares the commit.
  void begin_shared(Instant now);
  Heard& tick() { return tick_; }
  const Heard& tick() const { return tick_; }

  void committed();
  // Called when the driver has gone back with the store.
  void forget();

  // Repeats the ticks of a commit that failed: the first one as tick(), the others at their instants. If memory runs
  // out, `failed` is unchanged.
  void repeat(UncommittedSteps& failed);
  // Returns the instant of the next of the others; nullopt if none.
  OptionalInstant pending() const { return later_.empty() ? OptionalInstant() : later_.front().at; }
  // Makes it tick() if its instant has come; else returns false.
  bool take_pending(Instant now);
  // Reports whether the driver may have the step, although no commit has it.
  bool may_be_known(const Id& step) const;

 private:
  Heard tick_;
  std::vector<Heard> shared_;  // reports of earlier instants that share the commit
  std::vector<Heard> later_;
  std::vector<Id> left_behind_;  // steps that the driver may have, but reports are missing
  Instant left_until_;           // instant by which those steps are decided again
};

}  // namespace orlop
