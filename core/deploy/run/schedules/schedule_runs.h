// Schedules: records about which the engine itself does something at an instant, such as the rule that stops an
// environment each night. What is done is decided by the operation sets (OperationSet::due); here lies when, and what
// they ask of external systems. In memory only, but for the deadlines of the machines; idle schedules cost nothing but
// their entry. They follow the clock (Unit::clock_time): after one that was put back all are due, so that none waits
// for a deadline that a clock ahead has set.
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
  // Without `runs_cron_jobs` those of cron jobs are left alone.
  ScheduleRuns(const Settings& settings, bool runs_cron_jobs) : settings_(settings), runs_cron_jobs_(runs_cron_jobs) {}
  bool runs_cron_jobs() const { return runs_cron_jobs_; }

  // Takes up a schedule: it is due at the deadline of its machine, at once if that has none.
  void resume(const Machine& schedule);
  // The schedule is new, or was edited: it is due at once.
  void wake(const Machine& schedule) { note(schedule, Instant{}); }

  // These jobs have been deployed, stopped or uninstalled in the unit: they have their schedule, or have none, from the
  // same commit on.
  Result<void> settle(Unit& unit, const std::vector<Id>& jobs);

  // The instant of the first deadline, or one that has passed if answers or questions wait or the clock was put back;
  // nothing: none.
  OptionalInstant first(Moment at) const;

  // Does what is due in these partitions, as long as `is_full` does not say that the unit holds enough. `monotonic`: at
  // the unit's clock_time().
  Result<void> tick(Unit& unit, Duration monotonic, PartitionSet held, bool (*is_full)(const Unit& unit));

  // After the commit: asks external systems what the tick has decided to ask. A system that fails ends it; what is left
  // is asked after the next tick, so that one tick waits for at most one system that does not answer.
  void act();
  bool has_questions() const { return !questions_.empty(); }

 private:
  struct Asked {
    std::uint64_t revision = 0;  // of the machine that has asked
    bool is_due_again = false;   // it has become due meanwhile
  };
  struct Answer {
    Id subject;
    Question question;
    Result<Value> value;
  };

  // Since the last tick; or since a schedule that was taken up has been changed.
  bool is_put_back(Moment at) const;
  // After a clock that was put back everything is due.
  void synchronize(Moment at);
  void note(const Id& schedule, std::optional<Instant> next);
  void note(const Machine& schedule, Instant next);
  // The answer to a question that only reads is dropped if the schedule was edited meanwhile: it is asked again, as the
  // schedule is now.
  Result<void> take_answer(Unit& unit, PartitionSet held, const Answer& answer);
  Result<void> take_due(Unit& unit, PartitionSet held, const Id& schedule);

  const Settings& settings_;
  const bool runs_cron_jobs_;
  Deadlines queue_;
  std::unordered_map<Id, Instant> next_;  // when each is due; an entry of the queue for another instant is out of date
  std::unordered_map<Id, Asked> asked_;   // whose question is not answered yet
  // Of the monotonic clock by the other, the latest since that was put back; nothing: before the first tick.
  std::optional<Instant> start_;
  std::optional<Instant> newest_;  // change of the schedules that were taken up since the last tick
  std::vector<Id> overdue_;
  std::vector<ScheduledQuestion> questions_;
  std::vector<Answer> answers_;
};

}  // namespace orlop
