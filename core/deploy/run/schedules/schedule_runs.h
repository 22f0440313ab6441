// Schedules: records for which the engine itself acts at an instant, such as the rule that stops an environment each
// night. The operation sets decide what is done (OperationSet::due); this class decides when, and asks their questions
// to external systems. In memory only, except for the deadlines of the machines; an idle schedule costs one entry.
// Schedules follow the clock (Unit::clock_time): after it was put back all are due, so that none waits for a deadline
// that a fast clock has set.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/id.h"
#include "base/instant.h"
#include "base/moment.h"
#include "base/options/settings.h"
#include "base/result.h"
#include "deploy/run/deadlines.h"
#include "store/partition.h"
#include "unit/unit.h"

namespace orlop {

class ScheduleRuns {
 public:
  // Without `runs_cron_jobs`, schedules of cron jobs are ignored.
  ScheduleRuns(const Settings& settings, bool runs_cron_jobs) : settings_(settings), runs_cron_jobs_(runs_cron_jobs) {}
  bool runs_cron_jobs() const { return runs_cron_jobs_; }

  // Takes up a schedule: it is due at the deadline of its machine, at once without one.
  void resume(const Machine& schedule);
  // Makes a new or edited schedule due at once.
  void wake(const Machine& schedule) { note(schedule, Instant{}); }

  // Updates the schedules of jobs that have been deployed, stopped or uninstalled in the unit, in the same commit.
  Result<void> settle(Unit& unit, const std::vector<Id>& jobs);

  // Returns the first deadline, or a past instant if answers or questions wait or the clock was put back; nullopt if
  // none.
  OptionalInstant first(Moment at) const;

  // Handles the schedules that are due in these partitions, until `is_full` returns true. `monotonic`: at the unit's
  // clock_time().
  Result<void> tick(Unit& unit, Duration monotonic, PartitionSet held, bool (*is_full)(const Unit& unit));

  // After the commit: asks external systems the tick's questions. Stops at a system that fails; the rest is asked after
  // the next tick, so that one tick waits for at most one system that does not answer.
  void act();
  bool has_questions() const { return !questions_.empty(); }

 private:
  struct Asked {
    std::uint64_t revision = 0;  // of the asking machine
    bool is_due_again = false;   // it has become due meanwhile
  };
  struct Answer {
    Id subject;
    Question question;
    Result<Value> value;
  };

  // Reports whether the clock was put back since the last tick, or since the newest change of a schedule taken up.
  bool is_put_back(Moment at) const;
  // Makes everything due if the clock was put back.
  void synchronize(Moment at);
  void note(const Id& schedule, std::optional<Instant> next);
  void note(const Machine& schedule, Instant next);
  // Drops the answer to a question that only reads if the schedule was edited meanwhile: the edited schedule asks
  // again.
  Result<void> take_answer(Unit& unit, PartitionSet held, const Answer& answer);
  Result<void> take_due(Unit& unit, PartitionSet held, const Id& schedule);

  const Settings& settings_;
  const bool runs_cron_jobs_;
  Deadlines queue_;
  std::unordered_map<Id, Instant> next_;  // when each is due; queue entries for other instants are out of date
  std::unordered_map<Id, Asked> asked_;   // schedules whose question is not answered yet
  // Time of the clock when the monotonic one was 0, the latest since it was put back; nullopt before the first tick.
  std::optional<Instant> start_;
  std::optional<Instant> newest_;  // newest change of the schedules taken up since the last tick
  std::vector<Id> overdue_;
  std::vector<ScheduledQuestion> questions_;
  std::vector<Answer> answers_;
};

}  // namespace orlop
