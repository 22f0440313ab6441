// A driver for simulations: rules determine the result and the duration of steps. Times count from the instant at which the step was committed, and random
// numbers follow from the step's id, so that an interrupted run continues as an uninterrupted one.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/family_number.h"
#include "base/id.h"
#include "base/instant.h"
#include "deploy/run/deadlines.h"
#include "deploy/driver/driver.h"

namespace orlop {

enum class ScriptOutcome : std::uint8_t {
  succeed = 1,
  fail = 2,
  refuse_credentials = 3,  // clusters; a service fails
  hang = 4,                // nothing is ever heard of it again: its deadline decides
};

// A word on the way.
struct ScriptedReport {
  Duration after;                         // the beginning
  ReportKind kind = ReportKind::progress; // progress or log_line
  std::string text;
};

struct ScriptRule {
  // Which steps it is for; what is left as it is here holds for all.
  FamilyNumber family = 0;
  StepKind step = StepKind::none;
  std::string name = "*";     // of the subject; * stands for any text, ? for one byte
  std::uint32_t attempt = 0;

  // What becomes of them.
  Duration start_delay;       // from the commit to the beginning
  Duration duration;          // from the beginning to the outcome
  Duration jitter;            // up to this much more, by chance
  ScriptOutcome outcome = ScriptOutcome::succeed;
  std::string reason;         // of a failure; "" for a sentence of the driver's own
  std::string outputs;        // of a job or cluster that succeeds: a JSON object; "": scripted_outputs.h
  RunningState running = RunningState::none;  // what the workload is said to do after a success; none: nothing is said
  std::vector<ScriptedReport> reports;
  std::optional<Duration> contact_lost_after;  // the beginning
  std::optional<Duration> contact_back_after;  // the beginning
  Duration cancel_delay;      // from the cancel to its answer, if the outcome does not come first

  std::uint32_t times = 0;    // how many steps it answers before it is used up; 0: no bound
};

bool matches(std::string_view pattern, std::string_view text);

// Threads: every function may be called from any thread.
class ScriptedDriver : public Driver {
 public:
  // Without a rule that fits, a step succeeds at once.
  ScriptedDriver() = default;
  explicit ScriptedDriver(std::vector<ScriptRule> rules) { set_rules(std::move(rules)); }

  // For steps that start from now on. The first rule that fits holds.
  void set_rules(std::vector<ScriptRule> rules);
  // Before all others.
  void add_rule(ScriptRule rule);

  Result<void> start(const Step& step) override;
  bool reads_configuration(const Machine& subject) const override;
  void cancel(const Id& step, CancelMode mode) override;
  void poll(Instant now, std::vector<Report>& reports) override;
  std::optional<Instant> due() override;

 private:
  struct Timed {
    Instant due;
    Report report;
  };
  // Kept while a step runs by it, so that the step goes on as it began when it is started again.
  using Rule = std::shared_ptr<const ScriptRule>;
  struct Counted {
    Rule rule;
    std::uint32_t left;          // of rule->times
  };
  struct Running {
    Rule rule;
    std::vector<Timed> reports;  // in their order
    std::size_t next = 0;
    Duration cancel_delay;
    std::optional<Instant> canceling_since;
    bool is_canceled = false;
    bool is_queued = false;      // its next report is in queue_
  };

  Counted* rule_for(const Step& step);
  static Running script(const Step& step, const ScriptRule& rule);
  void queue(const Id& step, Running& running);
  void take_from_queue(Running& running);
  static bool is_due(const Running& running, Instant due);
  void say_due(Instant due, const Id& step, std::vector<Report>& reports);

  mutable std::mutex mutex_;
  std::vector<Counted> rules_;
  std::unordered_map<Id, Running> running_;
  Deadlines queue_;  // of each step the next report
  Instant now_;      // of the last poll
};

}  // namespace orlop
