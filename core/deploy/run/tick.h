// The tick: turns waiting requests and reports into steps. Decisions are made inside one unit (tick); the driver is
// called after that unit was committed (act). Its memory holds only what recover() reads from the store.
//
// Threads: one at a time, except where a function says otherwise; the engine holds its tick lock around every call.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/moment.h"
#include "base/options/settings.h"
#include "base/result.h"
#include "deploy/driver/driver.h"
#include "deploy/run/steps/known_steps.h"
#include "unit/unit.h"

namespace orlop {

class Orchestrator {
 public:
  // With `runs_cron_jobs` the runs of cron jobs are steps of the driver; without it, a driver that deploys a cron job
  // also runs its schedule.
  Orchestrator(Driver& driver, const Settings& settings, bool runs_cron_jobs = false);
  ~Orchestrator();

  // Discards the memory and reads the active machines of these partitions: at open, and after a failed commit.
  // Committed steps are started again at the next act(), with `resumed` and their own ids. Stored deadlines keep the
  // time that they had left at `at`, by its monotonic clock, even if the stored time jumps.
  Result<void> recover(Transaction& store, PartitionSet held, Moment at = {});
  // Reads the active machines of these partitions too; as recover() does. The next ticks repair rows that an earlier
  // fault has left without a transition.
  Result<void> take_up(Transaction& store, PartitionSet gained, Moment at = {});
  // Discards the memory of these partitions, none of which has a running step.
  Result<void> drop(Transaction& store, PartitionSet lost);
  // Asks the driver to stop working on the lost steps in partitions that others have `taken`. Outside of a unit.
  void release_lost(PartitionSet taken);
  // Partitions with a running step.
  PartitionSet busy() const;
  // Partitions for which the next act() calls the driver.
  PartitionSet asked() const;
  // Begins nothing any more in any partition; running steps continue to their end.
  void withhold();

  // Adds environments and clusters with new work.
  void wake(std::span<const Id> owners);

  // True if tick() has something to do at `at`, apart from reports.
  bool is_due(Moment at) const;

  // True if the last tick has left something to be read about many services, or the driver is to be asked what runs;
  // read_ahead() reads it before the next tick, while no writer waits.
  bool wants_reading(Moment at) const;
  Result<void> read_ahead(Transaction& store, Moment at);

  // Processes reports (and those of the driver's poll), passed deadlines and woken owners; decides; writes into the
  // unit. The cost depends on what changed. `monotonic`: the monotonic clock at the unit's now(); by default the same.
  Result<void> tick(Unit& unit, std::vector<Report> reports, std::optional<Duration> monotonic = std::nullopt);

  // In a simulation, after tick() in the same unit: returns the next instant, if only the driver has reports then and
  // their effects may share the commit; else nullopt. `at`: both clocks.
  OptionalInstant next_ahead(const Unit& unit, Moment at) const;
  // As tick(), at that instant, which is the unit's now. Returns false if the driver's reports concern what the unit
  // has changed, and wait for the next tick.
  Result<bool> tick_ahead(Unit& unit, Duration monotonic);

  // True after a recovery with running steps, or an act() that was cut off: the next tick() decides nothing unless
  // act() comes before it. So the driver's reports on the steps are known before anything is decided, and an
  // interrupted run decides as an uninterrupted one.
  bool must_ask() const;

  // After the commit: starts and cancels steps as decided, and offers steps again for which the driver returned
  // try_later. Its other errors become reports for the next tick. `may_go_on` is called before each step; if it returns
  // false, the rest is left for the next act(), and must_ask() is true until then.
  void act(Moment at, const std::function<bool(bool is_first)>& may_go_on = nullptr);

  // Returns the number of rows that ticks have repaired since the last call (deploy/run/repair).
  std::size_t take_mended();

  // Number of steps that the next act() starts; after recover(): the number of running steps.
  std::size_t steps_under_way() const;

  // Safe on every thread, with no lock held.
  const KnownSteps& known_steps() const { return known_; }

  // Called when the driver has gone back with the store: its reports to the last tick are dropped.
  void forget_uncommitted();

  // Reports whether tick() starts steps before they are committed (Driver::may_start_uncommitted).
  bool starts_uncommitted() const;

  // Returns when tick() next has something to do, the instant of `at` if at once; nullopt: not before a report or a
  // wake.
  std::optional<Instant> due(Moment at) const;
  // As due(), without rounds of observation, and schedules that are due later, because they never end.
  std::optional<Instant> work_due(Moment at) const;

 private:
  struct State;
  Result<void> decide(Unit& unit, std::vector<Report>& reports, Duration monotonic, bool was_whole);
  PartitionSet held_;
  bool is_withheld_ = false;
  KnownSteps known_;  // kept during a failed recovery, so that no report is refused because of it
  std::unique_ptr<State> state_;
};

}  // namespace orlop
