// A simulation: an engine with a virtual clock and a seeded random source. Moves the clock.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/instant.h"
#include "base/result.h"
#include "deploy/driver/scripted_driver.h"
#include "engine.h"
#include "sim/capacity/capacities.h"
#include "sim/domains.h"
#include "sim/faults.h"
#include "sim/requests/request_queue.h"
#include "sim/rules/rule_set.h"
#include "sim/scripted_external_systems.h"
#include "sim/scripted_ports.h"
#include "sim/seeded_random_source.h"
#include "sim/sources/sources.h"
#include "sim/spoiled_answers.h"
#include "sim/virtual_clock.h"

namespace orlop {

// Events that the feed of a simulation keeps.
enum class Recorded : std::uint8_t {
  all = 0,
  states = 1,  // creates, edits, deletes, changes of state, deployments
  none = 2,
};

struct SimulationOptions {
  // The simulation replaces `clock` and `random_source` by its own, and ports that are not set by scripted ones. The
  // driver must report from poll() or inside start().
  EngineOptions engine;
  std::uint64_t seed = 0;
  // Rules and driver, if the driver is the scripted one. They must outlive the simulation, which restores a snapshot's
  // into them.
  RuleSet* rules = nullptr;
  ScriptedDriver* script = nullptr;
  // Start of the clock; the last event of the store or the instant of the snapshot if that is later.
  Instant start;
};

std::string_view to_string(Recorded recorded);
std::optional<Recorded> recorded_of(std::string_view text);

// Threads: every function may be called from any thread; those that move the clock do so one at a time.
class Simulator {
 public:
  // Errors: those of Engine::open.
  static Result<std::unique_ptr<Simulator>> open(SimulationOptions options);
  // Returns an independent simulation in memory that continues from here, as this one would: with its contents, clock,
  // seed, rules, faults and running steps. The options name neither a store nor a snapshot; their seed and start are
  // ignored. If this one is in memory the rows are shared. Errors: as for checkpoint(); those of open().
  Result<std::unique_ptr<Simulator>> fork(SimulationOptions options);
  ~Simulator();

  Engine& engine() { return *engine_; }

  // As Engine::tick, with the work of the simulation itself.
  Result<std::optional<Instant>> tick();

  // As Engine::dispatch; it also answers the requests that control the simulation (control.h), applies faults to all
  // others, and counts reads for steps that wait for them.
  Result<Reply> dispatch(const Request& request);
  // As Engine::snapshot, with a last line {"simulation": {"rules", "driver", "timers", "faults", "domains", "sources",
  // "capacity", "queued", "lifetimes", "externals"}} if there are any.
  Result<std::string> snapshot(PlainSecrets plain = PlainSecrets::left_out, std::string_view secrets_key = {});

  // State of a simulation whose store is in memory, to which it can return. Shares unchanged rows with the simulation.
  // Must be freed before it.
  struct Checkpoint {
    Engine::Checkpoint engine;
    Instant now;
    std::uint64_t seed = 0;
    Recorded recorded = Recorded::all;
    std::shared_ptr<const RuleSet::Memory> rules;
    std::shared_ptr<const ScriptedDriver::Memory> script;
    std::vector<Fault> faults;
    StaleAnswers::Memory answers;
    Domains::Memory domains;
    Sources::Memory sources;
    std::shared_ptr<const Capacities::Memory> capacities;
    RequestQueue::Memory queued;
    Lifetimes::Memory lifetimes;
    std::vector<ScriptedExternalRule> questions;
    std::vector<ScriptedAnswer> receivers;
    std::map<Id, Instant> timers;
  };
  // Errors: conflict if the store is not in memory; as for advance.
  Result<std::shared_ptr<const Checkpoint>> checkpoint();
  // Returns the checkpoint's state as snapshot() would. Errors: as for go_back().
  Result<std::string> snapshot_of(const Checkpoint& checkpoint);
  // Continues from that state, with its seed, rules, clock and faults; handles stay valid. Errors: those of
  // Engine::go_back.
  Result<void> go_back(const Checkpoint& checkpoint);
  // Checkpoints by number, for hosts that cannot hold a checkpoint. Numbers count from 1. Error not_found: no such
  // number, or it was dropped.
  Result<std::uint64_t> save();
  Result<std::string> saved_snapshot(std::uint64_t number);
  Result<void> go_back(std::uint64_t number);
  Result<void> drop_saved(std::uint64_t number);
  // As go_back(), to a snapshot of any simulation. Scripted ports keep their rules. Errors: those of Engine::load.
  Result<void> load(std::string_view snapshot);

  // Calls back when virtual time has come to `at`, on the thread that moves it, where a driver may be called: the call
  // may report, and use call_at(). Calls at one instant come in the order of call_at(); an error of one ends the move
  // of the time. `key` identifies calls for cancel_calls().
  using CallKey = std::pair<void (*)(void*), void*>;
  void call_at(Instant at, std::function<Result<void>()> call, CallKey key);
  // Cancels the calls with this key. Returns their number.
  std::size_t cancel_calls(CallKey key);

  // Null if the driver is the host's.
  RuleSet* rules() { return options_.rules; }
  Faults& faults() { return faults_; }
  Domains& domains() { return domains_; }
  Sources& sources() { return sources_; }
  // Lets rules of environments that were added decide about all environments without a lifetime. Error: as for advance.
  Result<void> decide_environments();
  // Ends a hold: of the resource's step, or of its requests. Errors: conflict if neither is held; as for advance.
  Result<void> release(const Id& resource);
  // Holds the resource until release(), or for `lasts`. The running step of a service, task or cluster stays where it
  // is; without one the next step does not begin. Requests of an environment, and of a cluster without a running step,
  // wait in QUEUED. A deployment request that waits does not begin. Errors: not_found; as for advance.
  Result<void> hold(const Id& resource, std::optional<Duration> lasts);
  // Brings a service or cluster into the state (states/set_state.h), until release() or for `lasts`. Errors: conflict
  // if the driver is the host's; those of StateSetter; as for advance.
  Result<void> set_state(const Id& resource, std::string_view state, std::optional<Duration> lasts);

  // Sets the capacity of a cluster: {"cluster": id, "nodes": 3, "cpu": 4, "memory": "16GiB"} (capacity/settings.h); or
  // loses nodes: {"cluster": id, "lose": 2, "for": "2h"}. Errors: invalid; not_found; conflict (the driver is the
  // host's, or the cluster has no capacity of which nodes could be lost); as for advance.
  Result<void> set_capacity(const Value& given);
  // Removes the capacity limits of all clusters.
  Result<void> clear_capacity();
  const Capacities& capacities() const { return capacities_; }

  // Sets which events the feed keeps from now on. It has no effect on the simulation; snapshots keep the setting. A
  // store that is not in memory also keeps the last event of each commit that assigns ids, because the event holds
  // their number.
  void record(Recorded recorded);
  Recorded recorded() const { return recorded_; }

  // The scripted ports; those that the options replace are not called.
  ScriptedExternalSystems& external_systems() { return external_systems_; }
  ScriptedWebhookSender& webhook_sender() { return webhook_sender_; }
  // Derives ids and random durations from this seed from now on. Running steps keep what was drawn for them.
  void reseed(std::uint64_t seed);

  // Reports whether the external systems are the host's.
  bool asks_host() const { return asks_host_; }

  // Moves the clock on by `duration`, ticking at every instant on the way at which the engine has work. Errors: those
  // of a tick, after which the clock stays where the tick failed; internal if the work at one instant does not end.
  Result<void> advance(Duration duration);

  enum class RunEnd : std::uint8_t { ended = 0, idle = 1, late = 2 };

  // Delays an answer. Questions of a tick, of the simulation itself, or of the host's driver during a call are answered
  // without delay: time does not move until then.
  Result<void> pass(Duration delay) {
    return engine_->is_ticking_here() || asking_ == this || calls_host_ ? Result<void>() : advance(delay);
  }

  // Moves the clock from one instant with work to the next until nothing is under way, or the virtual time `timeout`
  // has passed. Schedules that are due meanwhile, such as the deployment rules of environments, act; one that is due
  // later is not work. Errors as for advance.
  struct Ran {
    RunEnd end;
    Duration passed;
  };
  Result<Ran> run_until_idle(std::optional<Duration> timeout = std::nullopt);

  // As run_until_idle(), until the deployment request has ended, no work is left, or the virtual time `timeout` has
  // passed. Ends after all work of an instant. Error not_found: there is no such request; else as for advance.
  Result<RunEnd> run_until_ended(const Id& request, std::optional<Duration> timeout);

 private:
  struct Scripted {
    RuleSet* rules = nullptr;
    ScriptedDriver* script = nullptr;
  };
  Simulator(Instant start, std::uint64_t seed, Scripted options)
      : options_(options),
        clock_(start),
        seed_(seed),
        random_source_(seed),
        faults_(seed),
        external_systems_([this](Duration delay) { return pass(delay); }, [this] { return clock_.now(); }),
        webhook_sender_([this](DeliveryReport report) { engine_->report_delivery(std::move(report)); }) {}
  // Ticks, and moves the clock to the instant that `wanted` returns for the engine's next one, until it returns none.
  using Wanted = std::function<std::optional<Instant>(std::optional<Instant> due)>;
  // `last`: instant up to which a tick may move the clock itself; nullopt: it may not.
  Result<void> run(const Wanted& wanted, std::optional<Instant> last = std::nullopt);
  // Fails if one environment or cluster has been deployed again and again since this event, while time did not move.
  Result<void> require_end(std::uint64_t since);
  class Ahead;
  OptionalInstant pending();
  std::optional<Instant> may_go_on_to(std::optional<Instant> last);
  Result<std::optional<Instant>> tick_now(std::optional<Instant> last = std::nullopt);
  Result<std::optional<Instant>> call_and_tick(std::optional<Instant> last);
  Result<std::optional<Instant>> tick_queue(std::optional<Instant> last);
  Result<void> run_until(Instant end);
  Result<void> settle() { return run_until(clock_.now()); }
  Result<bool> release_now(const Id& resource);
  Result<bool> release_due();
  void set_timer(const Id& resource, std::optional<Duration> lasts);
  static std::unique_ptr<Simulator> prepare(SimulationOptions& options, Instant start);
  Result<void> restore(std::string_view snapshot);
  Result<void> check_line(std::string_view snapshot, Instant at) const;
  void take(const Checkpoint& checkpoint);
  Result<void> resume(const Checkpoint& checkpoint);
  Result<void> take_up();
  Result<void> change_capacity(const Id& cluster, const Value& given);
  Result<void> lose_nodes(const Id& cluster, const Value& given);
  Result<void> settle_capacity();
  Result<void> settle_lifetimes();
  Result<void> settle_limits();
  Result<std::vector<CustomDomain>> find_domains(const Id& service);
  void note_recorded(Recorded recorded);
  void seed_with(std::uint64_t seed);
  std::string line(std::uint32_t ids_given) const;
  static std::string line_of(const Checkpoint& checkpoint);
  std::optional<Instant> no_later(std::optional<Instant> due, std::optional<Instant> last, RunEnd& end);
  static std::string with_line(std::string snapshot, std::string_view line);
  std::uint32_t ids_given() const;
  void skip_ids();
  Result<std::shared_ptr<const Checkpoint>> saved(std::uint64_t number);
  Result<void> make_calls();
  // Ticks, or calls beyond those that wait, at one instant: more than any platform has work for.
  static constexpr std::size_t work_per_instant_max = 1'000'000;
  std::optional<Instant> first_call();
  Result<Reply> dispatch_faulty(const Request& request, const Fault& fault);
  Result<Reply> dispatch_faultless(const Request& request);
  Result<void> count_reads(std::string_view path);

  Scripted options_;
  bool is_in_memory_ = false;
  bool asks_host_ = false;
  bool calls_no_host_ = false;      // driver and ports are scripted
  std::uint32_t ids_restored_ = 0;  // given before the snapshot, if its feed does not show it
  std::atomic<Recorded> recorded_ = Recorded::all;
  std::mutex moving_;
  // Simulation that makes a request in this thread, with moving_ held; null if none.
  static thread_local const Simulator* asking_;
  VirtualClock clock_;
  std::uint64_t seed_;
  SeededRandomSource random_source_;
  Faults faults_;
  Domains domains_{[this](const Id& service) { return find_domains(service); }, [this] { return clock_.now(); }};
  Sources sources_{[this] { return clock_.now(); }};
  Capacities capacities_;
  Lifetimes lifetimes_;
  RequestQueue queue_;
  StaleAnswers stale_answers_;
  ScriptedExternalSystems external_systems_;
  ScriptedWebhookSender webhook_sender_;
  std::mutex calls_mutex_;
  struct Call {
    std::function<Result<void>()> make;
    CallKey key;
  };
  std::multimap<Instant, Call> calls_;
  std::atomic<bool> has_calls_ = false;  // if not, no lock is taken
  // The host's driver may be called, with moving_ held, and may ask from another thread.
  std::atomic<bool> calls_host_ = false;
  std::map<Id, Instant> timers_;    // when held resources are released
  std::unique_ptr<Engine> engine_;  // uses the other members until it is destroyed
  std::mutex saved_mutex_;
  std::map<std::uint64_t, std::shared_ptr<const Checkpoint>> saved_;  // last: they are freed before the store
  std::uint64_t last_saved_ = 0;
};

}  // namespace orlop
