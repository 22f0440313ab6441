// The driver interface: steps from the engine to the host, reports from the host to the engine.
//
// A step is committed before the driver receives it, with an id that never changes. After a crash the driver is called
// again with the same id and `resumed` set. The id is therefore an idempotency key: starting a step that runs or has
// ended must start nothing new.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/id.h"
#include "base/instant.h"
#include "base/result.h"
#include "lifecycle/state.h"
#include "releases/release_records.h"
#include "store/store.h"

namespace orlop {

// Numbers are stored and public.
enum class StepKind : std::uint8_t {
  none = 0,
  build = 1,
  deploy = 2,
  execute = 3,  // jobs
  stop = 4,
  restart = 5,
  remove = 6,
  cluster_create = 11,
  cluster_update = 12,
  cluster_upgrade = 13,
  cluster_dry_run = 14,
  cluster_stop = 15,
  cluster_remove = 16,
  cluster_restart = 17,
  task = 21,  // a task; its kind is Step::family
};

std::string_view to_string(StepKind kind);  // "build", "cluster_create"

struct Step {
  Id id;
  StepKind kind = StepKind::none;
  FamilyNumber family = 0;  // of the subject
  Id subject;               // service, cluster or task
  Id owner;                 // its environment or organization; of a task: the record that it is about
  Id organization;
  Id request;
  std::uint32_t attempt = 1;
  std::uint32_t restarts_max = 0;  // maximum number of restarts of a failed job within the step
  Instant started_at;              // when it was committed
  Instant deadline;                // after it the engine applies `failed`, unless the driver reports a beginning
  bool resumed = false;            // started again after the engine was opened
  // For drivers that keep their own time. For a resumed step: when its last accepted report was made, and when its
  // cancel was requested. Reports due until `reported_at` need not be repeated.
  std::optional<Instant> reported_at;
  std::optional<Instant> canceling_since;
  Action action = Action::none;  // action of the request; distinguishes an uninstall from a delete
  std::string name;              // of the subject
  // Reason for which the step cannot be started, else empty: then the driver is not called, and the step fails with it.
  std::string refusal;
  std::string configuration;  // the subject's resolved configuration, secrets included: JSON text (configuration.h)
  // Values of the secrets in the configuration, which reports must not show (base/text/secret_mask.h).
  std::vector<std::string> secrets;
  // What the configuration makes of the subject, for a step that would make a release; else null. Also null if the
  // driver reads no configuration.
  std::shared_ptr<const StepConfiguration> released;
  std::uint32_t release = 0;  // number of the subject's newest release; 0: there is none
  bool is_unchanged = false;  // that release still runs, and has the same digest
};

// Texts of a step that its driver reads. The others need not be made: they cost more than the rest of the step.
struct StepTexts {
  bool name = true;
  bool configuration = true;
  // Secrets in the configuration: a step that lacks one fails. False: the configuration has no values of secrets.
  bool secrets = true;
  // Steps make releases (releases/release_records.h), if the engine keeps some.
  bool release = true;
};

// Numbers are public.
enum class ReportKind : std::uint8_t {
  build_started = 1,
  built = 2,
  started = 3,    // deploying, restarting, stopping, deleting has begun
  executing = 4,  // a job's command runs
  progress = 5,
  log_line = 6,
  succeeded = 7,            // text: outputs as a JSON object, or empty
  failed = 8,               // text: the reason
  credentials_refused = 9,  // clusters
  contact_lost = 10,
  canceled = 11,       // the reply to cancel()
  running_state = 12,  // of a service, at any time; the state is in `running`, what else is seen is JSON in the text
  recap_started = 13,  // the results of a deployment are being collected
  unchanged = 14,      // the step succeeded without work: the service runs what it deploys
};
constexpr ReportKind report_kind_last = ReportKind::unchanged;

struct Report {
  Id step;  // of running_state: the service
  ReportKind kind = ReportKind::progress;
  RunningState running = RunningState::none;
  std::string text;
  std::size_t left_out = 0;  // bytes of the driver's text that are not in `text`
};

// Mode of a cancel: `interruptible` lets a step that cannot be interrupted run to its end; `force` interrupts it too.
// `lost` is not a request to cancel: another engine has taken over the step and has given it to its own driver, so that
// this one stops, undoes nothing, and reports nothing. Numbers are public; the first two are stored.
enum class CancelMode : std::uint8_t { interruptible = 1, force = 2, lost = 3 };

// Called by the engine's tick, one call at a time, without the engine's lock held; nothing here may block.
class Driver {
 public:
  virtual ~Driver() = default;
  // An error counts as a report `failed` with its message; with the code try_later the step waits and is offered again.
  virtual Result<void> start(const Step& step) = 0;
  // Returns the texts that start() reads of the step in `subject`, which is the row as it is committed.
  virtual StepTexts reads(const Machine& subject) const {
    (void)subject;
    return {};
  }
  virtual void cancel(const Id& step, CancelMode mode) = 0;
  // Asks what the driver sees of the workloads of these services, all of one cluster. It answers with reports
  // `running_state`, now or later; called at an interval (Settings::observe_interval) if observes() returns true.
  virtual bool observes() const { return false; }
  virtual void observe(const Id& cluster, std::span<const Id> services) {
    (void)cluster;
    (void)services;
  }
  // Reports whether start() may be called before the step is committed, because all its effects end with the process.
  // Reports that it makes at once are then stored with the start; if the commit fails, they count for the same step of
  // the next tick. Only if memory ran out meanwhile, the step is started again, with `resumed`.
  virtual bool may_start_uncommitted() const { return false; }
  // For drivers that keep their own time (the scripted one): appends the reports due by `now`. Others use
  // Engine::report.
  virtual void poll(Instant now, std::vector<Report>& reports) {
    (void)now;
    (void)reports;
  }
  // Returns when poll() will next have a report; nullopt if not known.
  virtual OptionalInstant due() { return std::nullopt; }
};

}  // namespace orlop
