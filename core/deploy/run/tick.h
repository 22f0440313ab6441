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
  // With `runs_cron_jobs` the runs of cron jobs are steps of the driver; without, a driver that deploys a cron job has
  // its schedule.
  Orchestrator(Driver& driver, const Settings& settings, bool runs_cron_jobs = false);
  ~Orchestrator();

  // Discards the memory and reads the active machines of these partitions: at open, and after a failed commit.
  // Committed steps are started again at the next act(), with `resumed` and their own ids. Stored deadlines pass when
  // what is left of them at `at` has passed by its monotonic clock, whatever the time does then.
  Result<void> recover(Transaction& store, PartitionSet held, Moment at = {});
  // Reads the active machines of these partitions too; as recover() does. Rows that an earlier fault has left without a
  // way on are mended by the next ticks.
  Result<void> take_up(Transaction& store, PartitionSet gained, Moment at = {});
  // Discards what is remembered of these partitions, none of which has a running step.
  Result<void> drop(Transaction& store, PartitionSet lost);
  // Asks the driver to stop working on the lost steps that others have `taken`. Outside of a unit.
  void release_lost(PartitionSet taken);
  // The partitions that have a running step.
  PartitionSet busy() const;
  // The partitions of what the next act() asks of the driver.
  PartitionSet asked() const;
  // From now on nothing begins in any partition; what runs comes to its end.
  void withhold();

  // Adds environments and clusters with new work.
  void wake(std::span<const Id> owners);

  // True if tick() has something to do at `at`, apart from reports.
  bool is_due(Moment at) const;

  // True if the last tick has left something to be read about many services; read_ahead() reads it, before the next
  // tick and without keeping a writer waiting.
  bool wants_reading() const;
  Result<void> read_ahead(Transaction& store, Instant now);

  // Processes reports (and those of the driver's poll), passed deadlines and woken owners; decides; writes into the
  // unit. The cost depends on what changed. `monotonic`: what the clock that never jumps says at the unit's now();
  // without, the same.
  Result<void> tick(Unit& unit, std::vector<Report> reports, std::optional<Duration> monotonic = std::nullopt);

  // In a simulation, behind tick() in the same unit: the next instant, at which the driver alone has something to say,
  // and what happens then may go into the commit of what is decided; nothing: there is none. `at`: what the clocks say.
  OptionalInstant next_ahead(const Unit& unit, Moment at) const;
  // As tick(), at that instant, which is the unit's now. False: what the driver says concerns what the unit has
  // changed, and waits for the next tick.
  Result<bool> tick_ahead(Unit& unit, Duration monotonic);

  // After a recovery with running steps, or an act() that was cut off: the next tick() decides nothing unless act()
  // comes before it. What the driver says about the steps is so known before anything is decided, and a run that was
  // cut off decides what the uncut one did.
  bool must_ask() const;

  // After the commit: starts and cancels steps as decided, and offers those again for which the driver said "try
  // later". Its other errors become reports for the next tick. Where `may_go_on`, which is asked before each step, says
  // no, the rest is left for the next act(), and must_ask() is true until then.
  void act(Moment at, const std::function<bool(bool is_first)>& may_go_on = nullptr);

  // Number of rows that ticks have mended since the last call: what an earlier fault had left (deploy/run/repair).
  std::size_t take_mended();

  // Number of steps that the next act() starts; after recover(): the number of running steps.
  std::size_t steps_under_way() const;

  // Safe on every thread, with no lock held.
  const KnownSteps& known_steps() const { return known_; }

  // The driver has gone back with the store: what the last tick had of it counts for nothing.
  void forget_uncommitted();

  // Whether tick() starts steps before they are committed (Driver::may_start_uncommitted).
  bool starts_uncommitted() const;

  // The instant at which tick() next has something to do, that of `at` if at once; nothing: not before a report or a
  // wake.
  std::optional<Instant> due(Moment at) const;
  // The same without the schedules that are due later: they go on for ever.
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
