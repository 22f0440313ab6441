// The orchestrator: what turns waiting requests and reports into steps. It decides inside one unit (tick), and acts on the driver only
// after that unit was committed (act). Its memory holds nothing but what recover() rebuilds from the store.
//
// Threads: one at a time for all but nothing here locks; the engine holds its tick lock around every call.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/result.h"
#include "base/settings.h"
#include "deploy/driver/driver.h"
#include "deploy/run/known_steps.h"
#include "ops/unit.h"

namespace orlop {

class Orchestrator {
 public:
  Orchestrator(Driver& driver, const Settings& settings);
  ~Orchestrator();

  // Forgets everything and reads the active machines: at open, and after a commit that failed. Steps that had been committed are
  // handed to the driver again at the next act(), `resumed`, under their own ids.
  Result<void> recover(Transaction& store);

  // Environments and clusters that have new work.
  void wake(std::span<const Id> owners);

  // True if tick() would have something to do at `now`, beside reports.
  bool is_due(Instant now) const;

  // Takes the reports (and what the driver's poll brings), the deadlines that have passed and the woken owners; decides; writes into
  // the unit. Cost follows what changed.
  Result<void> tick(Unit& unit, std::vector<Report> reports);

  // After the unit was committed: starts and cancels what it decided. Refusals of the driver become reports for the next tick.
  void act();

  // How many steps are handed to the driver by the next act(); after recover(): how many were under way.
  std::size_t steps_under_way() const;

  // Safe on every thread, with no lock held.
  const KnownSteps& known_steps() const { return known_; }

  // When tick() next has something to do; nothing: not before a report or a wake.
  std::optional<Instant> due() const;

 private:
  struct State;
  KnownSteps known_;  // outlives a recovery that fails, so that no report is refused because of it
  std::unique_ptr<State> state_;
};

}  // namespace orlop
