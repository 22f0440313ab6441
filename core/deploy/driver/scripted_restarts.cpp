// Failed runs of jobs that are restarted within one step, as in a cluster.
#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "deploy/driver/scripted_driver.h"

namespace orlop {
namespace {

// Restarts of a job that are simulated at most: each one is kept.
constexpr std::uint32_t restarts_simulated_max = 1000;

// Gives each restart its own random numbers.
Id id_of_restart(Id step, std::uint32_t restart) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, step.bytes.data() + 8, sizeof bits);
  bits += restart * 0x9E3779B97F4A7C15ULL;
  std::memcpy(step.bytes.data() + 8, &bits, sizeof bits);
  return step;
}

Duration sum(Duration one, Duration other) { return {one.milliseconds + other.milliseconds}; }

void add_time(std::optional<Duration>& time, Duration more) {
  if (time) *time = sum(*time, more);
}

// Joins two rules: the first run, which fails, and then the next one.
ScriptRule one_after_the_other(ScriptRule first, ScriptRule next, std::string failure) {
  const Duration begin = sum(first.duration, next.start_delay);
  next.start_delay = first.start_delay;
  first.reports.push_back({first.duration, ReportKind::log_line, std::move(failure)});
  for (ScriptedReport& report : next.reports) {
    report.after = sum(begin, report.after);
    first.reports.push_back(std::move(report));
  }
  next.reports = std::move(first.reports);
  next.duration = sum(begin, next.duration);
  add_time(next.contact_lost_after, begin);
  add_time(next.contact_back_after, begin);
  add_time(next.recap_after, begin);
  next.title = std::move(first.title);
  next.hold = first.hold;
  next.hold_point = first.hold_point;
  next.reads = first.reads;
  next.origin = std::move(first.origin);
  return next;
}

}  // namespace

ScriptedDriver::Rule ScriptedDriver::with_restarts(const Step& step, Rule rule) {
  const std::uint32_t restarts = std::min(step.restarts_max, restarts_simulated_max);
  if (restarts == 0 || rule->outcome != ScriptOutcome::fail) return rule;
  ScriptRule course = *rule;
  course.duration = sum(course.duration, chance_of(step.id, course.jitter));
  course.jitter = {};
  for (std::uint32_t restart = 1; restart <= restarts && course.outcome == ScriptOutcome::fail; ++restart) {
    Step again = step;
    again.id = id_of_restart(step.id, restart);
    ScriptRule next = *take_rule(again);
    next.duration = sum(next.duration, chance_of(again.id, next.jitter));
    next.jitter = {};
    std::string failure = "run " + std::to_string(restart) + " of " + std::to_string(step.restarts_max + 1) +
                          " failed: " + text_of(course, step) + "; it is restarted";
    course = one_after_the_other(std::move(course), std::move(next), std::move(failure));
  }
  return std::make_shared<const ScriptRule>(std::move(course));
}

}  // namespace orlop
