// Memory of the orchestrator. Only for tick.cpp and take_up.cpp.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "deploy/run/clusters/cluster_runs.h"
#include "deploy/run/environments/environment_runs.h"
#include "deploy/run/observing.h"
#include "deploy/run/offers.h"
#include "deploy/run/schedules/schedule_runs.h"
#include "deploy/run/steps/uncommitted_steps.h"
#include "deploy/run/tasks/task_runs.h"
#include "deploy/run/tick.h"

namespace orlop {

// Changes after which one tick leaves the rest to the next one, so that other writers do not wait for many environments
// at once.
inline constexpr std::size_t changes_by_tick = 2000;

inline bool is_full(const Unit& unit) {
  return unit.changes().machines.size() + unit.changes().events.size() > changes_by_tick;
}

// For units that only read.
class NoRandomSource : public RandomSource {
 public:
  std::uint64_t draw(std::uint64_t, std::uint64_t) override { return 0; }
};

struct Orchestrator::State {
  State(Driver& driver_given, const Settings& settings_given, bool runs_cron_jobs, KnownSteps& known)
      : driver(driver_given),
        settings(settings_given),
        in_flight(known, driver_given, settings_given),
        environments(settings_given, in_flight, woken, again),
        clusters(settings_given, in_flight, woken),
        tasks(settings_given, in_flight),
        schedules(settings_given, runs_cron_jobs),
        observing(driver_given, settings_given) {}

  // Instants at which the next tick has something to do; nullopt if none is known.
  struct Pending {
    OptionalInstant driver;  // of its next report
    OptionalInstant others;
    OptionalInstant schedule;
    OptionalInstant observation;
  };
  Pending pending(Moment at, bool follows_schedules);

  Result<void> wake_all(Unit& unit);
  const Report& admitted(Report& report);
  Result<void> take(Unit& unit, const Report& report);
  Result<void> take_polled(Unit& unit);
  Result<void> take_overdue(Unit& unit, Duration monotonic);
  Result<void> load(Unit& unit, std::span<const Report> reports);
  Result<void> follow_schedules(Unit& unit, Duration monotonic, PartitionSet held_partitions, bool is_withheld);
  Result<void> resume(Unit& unit, const Machine& machine);
  Result<void> mend_suspects(Unit& unit);
  Result<void> take_turns(Unit& unit);
  void go_on();
  Result<void> start_uncommitted(Unit& unit, Duration monotonic, bool was_whole);
  bool offer(Step& step, Duration monotonic);
  Result<void> forget_woken(Transaction& store, PartitionSet lost);

  Driver& driver;
  const Settings& settings;
  InFlight in_flight;
  std::vector<Id> woken;
  std::vector<Id> again;  // whose work continues with the next tick
  EnvironmentRuns environments;
  ClusterRuns clusters;
  TaskRuns tasks;
  ScheduleRuns schedules;
  Observing observing;
  std::vector<Report> held;    // for the next tick
  std::vector<Report> polled;  // reports of the driver that no tick has taken yet
  Offers offers;
  std::vector<Machine> suspects;  // rows with a fault, to be repaired
  std::size_t mended = 0;
  UncommittedSteps uncommitted;
  bool must_ask_first = false;
};

}  // namespace orlop
