// A driver for simulations: a decider determines the result and the duration of steps. Times count from the commit of
// the step, and random numbers derive from its id, so that an interrupted run continues like an uninterrupted one.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/flat_map.h"
#include "base/id.h"
#include "base/instant.h"
#include "deploy/driver/driver.h"
#include "deploy/run/deadlines.h"
#include "model/value.h"
#include "wire/writer.h"

namespace orlop {

enum class ScriptOutcome : std::uint8_t {
  succeed = 1,
  fail = 2,
  refuse_credentials = 3,  // clusters; a service fails
  hang = 4,                // nothing more is reported: the deadline decides
};

// Condition for the outcome of a step, in place of its duration.
enum class StepHold : std::uint8_t {
  none,
  reads,   // a number of reads of its subject
  manual,  // release()
};

// Point at which a held step waits.
enum class HoldPoint : std::uint8_t {
  start,   // before it has begun
  begin,   // when it has begun: only the beginning is reported
  end,     // before its outcome
  cancel,  // before its outcome, and before the reply to a cancel
};

// A report of a running step.
struct ScriptedReport {
  Duration after;                          // from the beginning
  ReportKind kind = ReportKind::progress;  // progress or log_line
  std::string text;
};

// Course and outcome of a step.
struct ScriptRule {
  Duration start_delay;  // from the commit to the beginning
  Duration duration;     // from the beginning to the outcome
  Duration jitter;       // random addition to `duration`, at most
  ScriptOutcome outcome = ScriptOutcome::succeed;
  std::string reason;   // reason of a failure; empty: the driver's default
  std::string outputs;  // JSON object of a job or cluster that succeeds; empty: scripted_outputs.h
  RunningState running = RunningState::none;  // running state after a success; none: not reported
  std::vector<ScriptedReport> reports;
  std::optional<Duration> contact_lost_after;  // from the beginning
  std::optional<Duration> contact_back_after;  // from the beginning
  // From the success to a report of the running state ERROR, unless another step of the subject has started by then.
  std::optional<Duration> crash_after;
  Duration cancel_delay;                // from the cancel to its reply, unless the outcome comes first
  std::optional<Duration> build;        // duration of the build before a cluster is deployed
  std::optional<Duration> recap_after;  // from the beginning until the results are collected
  StepHold hold = StepHold::none;
  HoldPoint hold_point = HoldPoint::end;
  std::uint32_t reads = 0;             // number for StepHold::reads
  std::string title;                   // reported as a log line at the beginning, unless empty
  std::shared_ptr<const void> origin;  // object from which a decider made the rule
};

// In `pattern`, * matches any text and ? one byte.
bool matches(std::string_view pattern, std::string_view text);

// Decides about steps. Called with the lock of the driver held: it must not call the driver.
class StepDecider {
 public:
  virtual ~StepDecider() = default;
  // Returns the rule of a step that starts, or continues after the engine was opened; null: it succeeds at once.
  virtual std::shared_ptr<const ScriptRule> rule_for(const Step& step) = 0;
  // For a step that ran in a snapshot: returns the matching rule added since the snapshot was opened; null if none.
  virtual std::shared_ptr<const ScriptRule> later_rule_for(const Step& step) = 0;
  // As Driver::reads().
  virtual StepTexts reads(const Machine& subject) const = 0;
  virtual void ended(const Id& step) = 0;
};

// Decides when steps may begin, in addition to their rules: capacity for what they start may be missing. Called with
// the lock of the driver held: it must not call the driver.
class StepAdmission {
 public:
  virtual ~StepAdmission() = default;
  // Returns the instant at which the step was or is admitted; nullopt: it waits until ScriptedDriver::begin(), and
  // `reason` gets the cause. Returns the same again for a known step.
  virtual std::optional<Instant> begin_of(const Step& step, std::string& reason) = 0;
  // Reports whether begin_of() reads the configuration of the step in `subject`.
  virtual bool reads_configuration(const Machine& subject) const = 0;
  virtual void ended(const Id& step, const Id& subject, StepKind kind, ReportKind how) = 0;
};

// Threads: every function may be called from any thread.
class ScriptedDriver : public Driver {
 public:
  // Without a decider, every step succeeds at once. It must outlive the driver; call before the first step starts.
  void set_decider(StepDecider& decider) { decider_ = &decider; }
  // Null: every step may begin. It must outlive the driver or be reset; call while no step starts.
  void set_admission(StepAdmission* admission) { admission_ = admission; }
  // Declares that time is virtual, and that no effect or need of the driver is visible outside of the process. Call
  // before the first step starts.
  void set_simulated() { is_simulated_ = true; }
  // Its steps make releases, for which it reads configurations.
  void set_makes_releases(bool makes_releases) { makes_releases_ = makes_releases; }
  // Begins a step that waits for its admission; no effect on others.
  void begin(const Id& step, Instant now);
  // Loses contact with a running step: regain_contact() shifts its remaining reports by the time without contact. No
  // effect if the step does not run.
  void lose_contact(const Id& step, Instant now);
  void regain_contact(const Id& step, Instant now);

  // Releases the subject's held step (StepHold, hold()). Returns false if none is held.
  bool release(const Id& subject, Instant now);
  // Holds the subject's running step; release() shifts its remaining reports by the time held. If `step` does not run,
  // the next one does not begin before the release.
  void hold(const Id& subject, const Id& step, Instant now);
  // Makes the reply to the step's cancel immediate, whether the cancel was requested already or not.
  void answer_cancel_at_once(const Id& step);
  // Counts a read of the subject. Returns true if a step that waited for it is released.
  bool note_read(const Id& subject, Instant now);

  // State of the driver without its decider, for a simulation that goes back.
  class Memory;
  std::shared_ptr<const Memory> memory() const;
  void go_back(const Memory& memory);

  // Returns ScriptRule::origin of the running steps, ascending by step; steps restored from JSON have none.
  std::vector<std::pair<Id, std::shared_ptr<const void>>> origins() const;

  // The state as JSON; call restore() before the first step starts. Error invalid: a number of edited JSON is out of
  // range.
  bool is_empty() const;
  void write(Writer& out) const;
  Result<void> restore(const Value& given);

  Result<void> start(const Step& step) override;
  StepTexts reads(const Machine& subject) const override;
  void cancel(const Id& step, CancelMode mode) override;
  bool may_start_uncommitted() const override { return is_simulated_; }
  void poll(Instant now, std::vector<Report>& reports) override;
  OptionalInstant due() override;

 private:
  // A report of the step, or of the running state of its subject.
  struct Timed {
    Instant due;
    ReportKind kind = ReportKind::progress;
    RunningState running = RunningState::none;
    std::shared_ptr<const std::string> text;  // null if none, as in most reports
  };
  static std::shared_ptr<const std::string> kept(std::string_view text) {
    return text.empty() ? nullptr : std::make_shared<const std::string>(text);
  }
  // Kept while a step runs, so that a step that is started again continues as it began.
  using Rule = std::shared_ptr<const ScriptRule>;
  struct Running {
    Rule rule;
    Id subject;
    std::shared_ptr<const Step> waiting;  // step that waits for admission; null if it does not wait
    std::vector<Timed> reports;           // in their order
    std::vector<Timed> withheld;          // reports of a held step; due counts from its release
    OptionalInstant held_since;           // since hold(), or since contact was lost
    OptionalInstant released_at;
    Duration cancel_delay;
    OptionalInstant canceling_since;
    std::uint32_t next = 0;   // index of the next report
    std::uint32_t reads = 0;  // number of reads that it still waits for
    StepKind kind = StepKind::none;
    bool is_contact_lost = false;
    bool is_canceled = false;
    bool is_cancel_held = false;
    bool is_queued = false;  // its next report is in queue_
    bool has_ended = false;  // only a crash may still be reported
    // Restored by going back, forking or opening: the step continues when it is started again.
    bool is_restored = false;
  };

  // Locks the driver for a change; at the end stores the queue's first instant for due(), which takes no lock.
  class Changing {
   public:
    explicit Changing(ScriptedDriver& driver) : driver_(driver), lock_(driver.mutex_) {}
    ~Changing() { driver_.first_due_.store(driver_.queue_.first().value_or(never), std::memory_order_release); }
    Changing(const Changing&) = delete;
    Changing& operator=(const Changing&) = delete;

   private:
    ScriptedDriver& driver_;
    const std::lock_guard<std::mutex> lock_;
  };
  static constexpr Instant never{INT64_MAX};

  // Returns the rule of a step that begins.
  Rule take_rule(const Step& step);
  // Adds the restarts of a job to the rule while its runs fail.
  Rule with_restarts(const Step& step, Rule rule);
  static Duration chance_of(const Id& id, Duration bound);
  static std::string text_of(const ScriptRule& rule, const Step& step);
  void wait(const Step& step, Rule rule, const std::string& reason);
  void go(const Step& step, Rule rule, Running* known);
  static Running script(const Step& step, const ScriptRule& rule);
  static void drop_reported(Running& running, const Step& step);
  void queue(const Id& step, Running& running);
  void take_from_queue(const Id& step, Running& running);
  static bool is_due(const Running& running, Instant due);
  void say_due(Instant due, const Id& step, std::vector<Report>& reports);
  void hold(const Id& step, const Running& running);
  static void withhold(Running& running, Instant since);
  void answer_held_cancel(const Id& step);
  void hold_awaited(const Step& step, Running& running);
  void let_go(const Id& step, const Running& running);
  void release(const Id& step, Running& running, Instant now);
  void forget_crash(const Id& subject);
  void write_running(Writer& out, const Id& step, const Running& running) const;
  Result<void> restore_running(const Value& given);
  Running& note_end(const Id& step, Running& running, ReportKind how);

  mutable std::mutex mutex_;
  StepDecider* decider_ = nullptr;
  StepAdmission* admission_ = nullptr;
  bool is_simulated_ = false;
  bool makes_releases_ = false;
  FlatMap<Id, Running> running_;
  std::unordered_map<Id, Id> held_;      // by subject: its held step
  std::unordered_map<Id, Id> crashing_;  // succeeded step of each subject that will crash
  std::unordered_set<Id> awaited_;       // subjects whose next step is held
  std::atomic<std::size_t> held_count_ = 0;
  Deadlines queue_;  // next report of each step
  std::atomic<Instant> first_due_ = never;
  Instant now_;          // of the last poll
  std::vector<Id> due_;  // buffer of poll()
};

}  // namespace orlop
