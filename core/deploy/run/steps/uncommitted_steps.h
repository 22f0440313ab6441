// Steps that start before their commit, where the driver allows it (Driver::may_start_uncommitted): what ticks have had
// of the driver since the last commit. Where it is not stored, the ticks come again and have the same: the driver,
// which has not lost its memory, is not asked again.
#pragma once

#include <span>
#include <vector>

#include "base/id.h"
#include "base/instant.h"
#include "deploy/driver/driver.h"

namespace orlop {

class UncommittedSteps {
 public:
  // Of one tick, which is that of one instant.
  struct Heard {
    Instant at;
    bool is_whole = false;     // all that the driver has said is here; memory may run out before
    std::vector<Report> held;  // that it began with
    std::vector<Report> polled;
    std::vector<Id> started;
    std::vector<Report> said;  // when these were started
  };

  // The tick of this instant begins. True: it comes again, and all that the driver said then is in tick().
  bool begin(Instant now);
  // The same of another instant that shares the commit.
  void begin_shared(Instant now);
  Heard& tick() { return tick_; }
  const Heard& tick() const { return tick_; }

  void committed();
  // The driver has gone back with the store.
  void forget();

  // After a commit that failed: its ticks come again, the first one as tick(), the others at their instants. Memory may
  // run out; `failed` is as it was then.
  void repeat(UncommittedSteps& failed);
  // When the next of the others comes again; nothing: none does.
  OptionalInstant pending() const { return later_.empty() ? OptionalInstant() : later_.front().at; }
  // Makes it tick() if its instant has come. False: there is none.
  bool take_pending(Instant now);
  // Whether the driver may have the step, although no commit has it.
  bool may_be_known(const Id& step) const;

 private:
  Heard tick_;
  std::vector<Heard> shared_;  // of earlier instants that share the commit
  std::vector<Heard> later_;
  std::vector<Id> left_behind_;  // steps that the driver may have, where not all that it said is known
  Instant left_until_;           // by then they are decided again
};

}  // namespace orlop
