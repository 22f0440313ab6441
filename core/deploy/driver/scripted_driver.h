// A driver for simulations: a decider determines the result and the duration of steps. Times count from the instant at
// which the step was committed, and random numbers follow from the step's id, so that an interrupted run continues as
// an uninterrupted one.
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
  hang = 4,                // nothing is ever heard of it again: its deadline decides
};

// What a step waits for before its outcome, in the place of its duration.
enum class StepHold : std::uint8_t {
  none,
  reads,   // so many reads of its subject
  manual,  // release()
};

// Where a held step waits.
enum class HoldPoint : std::uint8_t {
  start,   // before it has begun
  begin,   // when it has begun: nothing but that is reported
  end,     // before its outcome
  cancel,  // before its outcome, and before the answer to a cancel
};

// A report of a running step.
struct ScriptedReport {
  Duration after;                          // the beginning
  ReportKind kind = ReportKind::progress;  // progress or log_line
  std::string text;
};

// How a step proceeds and ends.
struct ScriptRule {
  Duration start_delay;  // from the commit to the beginning
  Duration duration;     // from the beginning to the outcome
  Duration jitter;       // up to this much more, at random
  ScriptOutcome outcome = ScriptOutcome::succeed;
  std::string reason;   // of a failure; "" for a sentence of the driver's own
  std::string outputs;  // of a job or cluster that succeeds: a JSON object; "": scripted_outputs.h
  RunningState running = RunningState::none;  // what the workload is said to do after a success; none: nothing is said
  std::vector<ScriptedReport> reports;
  std::optional<Duration> contact_lost_after;  // the beginning
  std::optional<Duration> contact_back_after;  // the beginning
  // The success: the running state ERROR is reported, unless another step of the subject has started by then.
  std::optional<Duration> crash_after;
  Duration cancel_delay;                // from the cancel to its answer, if the outcome does not come first
  std::optional<Duration> build;        // of a deploy of a cluster: it begins with a build that takes so long
  std::optional<Duration> recap_after;  // the beginning: the results are collected from then on
  StepHold hold = StepHold::none;
  HoldPoint hold_point = HoldPoint::end;
  std::uint32_t reads = 0;             // of StepHold::reads
  std::string title;                   // reported as a log line at the beginning; "": nothing is
  std::shared_ptr<const void> origin;  // what a decider made it of
};

// In `pattern` * matches any text, and ? one byte.
bool matches(std::string_view pattern, std::string_view text);

// Decides about steps. Called with the lock of the driver held: it must not call the driver.
class StepDecider {
 public:
  virtual ~StepDecider() = default;
  // The rule of a step that starts, or that goes on after the engine was opened; nullptr: it succeeds at once.
  virtual std::shared_ptr<const ScriptRule> rule_for(const Step& step) = 0;
  // Of a step that was under way in a snapshot: the rule that was added since it was opened and applies; nullptr: none
  // does.
  virtual std::shared_ptr<const ScriptRule> later_rule_for(const Step& step) = 0;
  // As Driver::reads().
  virtual StepTexts reads(const Machine& subject) const = 0;
  virtual void ended(const Id& step) = 0;
};

// Says when steps may begin, beside what a rule says: there may be no room for what they start. Called with the lock of
// the driver held: it must not call the driver.
class StepAdmission {
 public:
  virtual ~StepAdmission() = default;
  // When the step was let begin, or is now; nothing: it waits until ScriptedDriver::begin(), and `reason` says why. Of
  // a step that is known the same as before.
  virtual std::optional<Instant> begin_of(const Step& step, std::string& reason) = 0;
  // Whether begin_of() reads the configuration of the step that `subject` is about to run.
  virtual bool reads_configuration(const Machine& subject) const = 0;
  virtual void ended(const Id& step, const Id& subject, StepKind kind, ReportKind how) = 0;
};

// Threads: every function may be called from any thread.
class ScriptedDriver : public Driver {
 public:
  // Without a decider, every step succeeds at once. It must outlive the driver; called before the first step starts.
  void set_decider(StepDecider& decider) { decider_ = &decider; }
  // nullptr: every step may begin. Must outlive the driver, or be taken away; called while no step starts.
  void set_admission(StepAdmission* admission) { admission_ = admission; }
  // Time is virtual, and neither what the driver does nor what it needs is seen outside of the process. Called before
  // the first step starts.
  void set_simulated() { is_simulated_ = true; }
  // A step that waits for its admission begins now. Nothing happens if it does not.
  void begin(const Id& step, Instant now);
  // Contact with the running step is lost: what it has not reported yet comes as long after regain_contact() as it was
  // ahead. Nothing happens if it does not run.
  void lose_contact(const Id& step, Instant now);
  void regain_contact(const Id& step, Instant now);

  // Lets the step of the subject go on that waits for it (StepHold, hold()). False: none does.
  bool release(const Id& subject, Instant now);
  // Holds the subject's running step where it is, until release(): what it has not reported yet comes as long after
  // that as it was ahead. If `step` does not run, the next one does not begin until then.
  void hold(const Id& subject, const Id& step, Instant now);
  // The answer to the step's cancel, asked for or not yet, takes no time.
  void answer_cancel_at_once(const Id& step);
  // Counts a read of the subject. True: the step that waited for it ends.
  bool note_read(const Id& subject, Instant now);

  // All that the driver knows beside its decider, for a simulation that goes back.
  class Memory;
  std::shared_ptr<const Memory> memory() const;
  void go_back(const Memory& memory);

  // What the rules of the steps that run were made of, ascending by step; those that were restored from JSON have none.
  std::vector<std::pair<Id, std::shared_ptr<const void>>> origins() const;

  // The same as JSON, which restore() takes before the first step starts. Error invalid: it was edited, and a number
  // says nothing.
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
  // A report of the step, or about the running state of its subject.
  struct Timed {
    Instant due;
    ReportKind kind = ReportKind::progress;
    RunningState running = RunningState::none;
    std::shared_ptr<const std::string> text;  // nullptr: none, as of most
  };
  static std::shared_ptr<const std::string> kept(std::string_view text) {
    return text.empty() ? nullptr : std::make_shared<const std::string>(text);
  }
  // Kept while a step runs by it, so that the step goes on as it began when it is started again.
  using Rule = std::shared_ptr<const ScriptRule>;
  struct Running {
    Rule rule;
    Id subject;
    std::shared_ptr<const Step> waiting;  // for its admission; nullptr: it does not
    std::vector<Timed> reports;           // in their order
    std::vector<Timed> withheld;          // of a step that is held: what comes after it is released
    OptionalInstant held_since;           // by hold(), or since contact was lost
    OptionalInstant released_at;
    Duration cancel_delay;
    OptionalInstant canceling_since;
    std::uint32_t next = 0;   // of the reports
    std::uint32_t reads = 0;  // that it still waits for
    StepKind kind = StepKind::none;
    bool is_contact_lost = false;
    bool is_canceled = false;
    bool is_cancel_held = false;
    bool is_queued = false;  // its next report is in queue_
    bool has_ended = false;  // only a crash is to come
    // As it was when the simulation went back to it, forked or was opened: it goes on so when it is started again.
    bool is_restored = false;
  };

  // The lock, for a change. At its end what due() answers without the lock is as the queue says.
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

  // The rule of a step that begins.
  Rule take_rule(const Step& step);
  // The same with the restarts of a job, while its runs fail.
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
  FlatMap<Id, Running> running_;
  std::unordered_map<Id, Id> held_;      // of each subject whose step is held: the step
  std::unordered_map<Id, Id> crashing_;  // of each subject that is going to crash: the step that succeeded
  std::unordered_set<Id> awaited_;       // subjects whose next step is held
  std::atomic<std::size_t> held_count_ = 0;
  Deadlines queue_;  // of each step the next report
  std::atomic<Instant> first_due_ = never;
  Instant now_;          // of the last poll
  std::vector<Id> due_;  // of poll(), for its memory
};

}  // namespace orlop
