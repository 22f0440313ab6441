#include "sim/simulator.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "deploy/request/holds.h"
#include "model/registry.h"
#include "rest/problem.h"
#include "rest/request.h"
#include "sim/control.h"
#include "sim/states/set_state.h"
#include "snapshot/snapshot.h"
#include "store/open.h"
#include "wire/json.h"
#include "wire/writer.h"

namespace orlop {
namespace {

// Returns the last instant of the store: of its last event, or of the snapshot; nullopt if there was no event.
Result<std::optional<Instant>> end_of(const EngineOptions& options) {
  if (!options.snapshot.empty()) {
    ORLOP_TRY(taken, taken_at(options.snapshot));
    return std::optional(taken);
  }
  std::shared_ptr<Store> store = options.store;
  if (store == nullptr) {
    ORLOP_TRY(opened, open_store(options.storage, options.durability, options.mmap_size));
    store = std::move(opened);
  }
  ORLOP_TRY(reading, store->begin(Access::read));
  ORLOP_TRY(end, reading->feed_end());
  return end.sequence == 0 ? std::nullopt : std::optional(end.at);
}

}  // namespace

Result<std::unique_ptr<Simulator>> Simulator::open(SimulationOptions options) {
  if (options.engine.durability == Durability::automatic) options.engine.durability = Durability::normal;
  ORLOP_TRY(end, end_of(options.engine));
  auto simulator = prepare(options, std::max(options.start, end.value_or(options.start)));
  ORLOP_CHECK(simulator->restore(options.engine.snapshot));
  const bool may_have_requests = end.has_value() && options.engine.snapshot.empty();
  ORLOP_TRY(engine, Engine::open(std::move(options.engine)));
  simulator->engine_ = std::move(engine);
  if (may_have_requests)
    ORLOP_CHECK(simulator->engine_->perform([&](Unit& unit) { return simulator->queue_.note_open(unit); }));
  if (simulator->recorded_ != Recorded::all) simulator->record(simulator->recorded());
  simulator->skip_ids();
  return simulator;
}

// Makes a simulation without its engine, and sets the options of that engine.
std::unique_ptr<Simulator> Simulator::prepare(SimulationOptions& options, Instant start) {
  std::unique_ptr<Simulator> simulator(new Simulator(start, options.seed, {options.rules, options.script}));
  simulator->is_in_memory_ = options.engine.store == nullptr && options.engine.storage.starts_with("memory:");
  options.engine.clock = &simulator->clock_;
  options.engine.random_source = &simulator->random_source_;
  Settings& settings = options.engine.settings;
  simulator->external_systems_.set_timeout(settings.port_timeout);
  simulator->external_systems_.set_brand(settings.brand);
  simulator->external_systems_.set_fallbacks({&simulator->domains_, &simulator->sources_});
  simulator->asks_host_ = settings.external_systems != nullptr;
  if (!simulator->asks_host_) settings.external_systems = &simulator->external_systems_;
  if (options.rules != nullptr) options.rules->set_sources(&simulator->sources_);
  settings.request_gate = &simulator->queue_;
  simulator->queue_.set_rules(options.rules, simulator->lifetimes_);
  simulator->calls_no_host_ = options.script != nullptr && !simulator->asks_host_ && settings.webhook_sender == nullptr;
  if (settings.webhook_sender == nullptr) settings.webhook_sender = &simulator->webhook_sender_;
  if (options.script != nullptr) {
    options.engine.is_driver_scripted = true;
    options.script->set_admission(&simulator->capacities_);
    // Otherwise a writer would wait for the host, which may be asked for the secrets of a step.
    if (!simulator->asks_host_) options.script->set_simulated();
  }
  return simulator;
}

namespace {

// Kinds of a feed without the driver's reports.
constexpr std::uint32_t bits_of(std::initializer_list<EventKind> kinds) {
  std::uint32_t bits = 0;
  for (const EventKind kind : kinds) bits |= 1U << static_cast<unsigned>(kind);
  return bits;
}
constexpr std::uint32_t states_only =
    bits_of({EventKind::created, EventKind::edited, EventKind::deleted, EventKind::state_changed,
             EventKind::request_queued, EventKind::request_started, EventKind::request_ended});

}  // namespace

std::string_view to_string(Recorded recorded) {
  switch (recorded) {
    case Recorded::all: return "all";
    case Recorded::states: return "states";
    case Recorded::none: return "none";
  }
  return "all";
}

std::optional<Recorded> recorded_of(std::string_view text) {
  for (const Recorded recorded : {Recorded::all, Recorded::states, Recorded::none}) {
    if (to_string(recorded) == text) return recorded;
  }
  return std::nullopt;
}

void Simulator::record(Recorded recorded) {
  const std::lock_guard lock(moving_);
  note_recorded(recorded);
}

// Returns the number of ids given if the feed does not show it; else 0.
std::uint32_t Simulator::ids_given() const { return recorded_ == Recorded::all ? 0 : engine_->ids_given(); }

// Skips the ids that the snapshot has given.
void Simulator::skip_ids() {
  if (const std::uint32_t restored = std::exchange(ids_restored_, 0)) engine_->skip_ids(restored);
}

void Simulator::note_recorded(Recorded recorded) {
  recorded_ = recorded;
  engine_->record_events(recorded == Recorded::all      ? UINT32_MAX
                         : recorded == Recorded::states ? states_only
                                                        : 0,
                         !is_in_memory_);
}

Simulator::~Simulator() {
  if (options_.script != nullptr) options_.script->set_admission(nullptr);
  if (options_.rules != nullptr) options_.rules->set_sources(nullptr);
}

Result<std::string> Simulator::snapshot(PlainSecrets plain, std::string_view secrets_key) {
  const std::lock_guard lock(moving_);
  ORLOP_TRY(text, engine_->snapshot(plain, secrets_key));
  return with_line(std::move(text), line(ids_given()));
}

Result<Reply> Simulator::dispatch(const Request& request) {
  if (is_control_path(request.path)) return control(*this, request);
  if (!faults_.any() && request.headers.empty()) return dispatch_faultless(request);
  auto next = faults_.next(request);
  if (!next)
    return Reply{status_of(next.error().code), {{"content-type", "application/json"}}, problem_body(next.error())};
  return *next ? dispatch_faulty(request, **next) : dispatch_faultless(request);
}

namespace {

// Key of a read: the path and the caller.
std::string stale_key(const Request& request) {
  return std::string(request.path) + "?\n" + std::string(header_of(request, "authorization"));
}

}  // namespace

Result<Reply> Simulator::dispatch_faulty(const Request& request, const Fault& fault) {
  const bool is_stale = fault.stale.milliseconds > 0 && request.method == "GET";
  // A caller without credentials does not move the clock, and does not get the answer to another caller.
  if (fault.is_asked || is_stale) {
    ORLOP_TRY(refused, engine_->authenticate(request));
    if (refused) return std::move(*refused);
  }
  if (fault.latency.milliseconds > 0) ORLOP_CHECK(pass(fault.latency));
  if (fault.status != 0) return faulty_reply(fault.status);
  const auto fresh = [&] { return dispatch_faultless(request); };
  auto reply = is_stale ? stale_answers_.read(stale_key(request), clock_.now(), fault.stale, fresh) : fresh();
  if (!reply) return reply;
  if (fault.drop) return faulty_reply(dropped_status);
  return fault.unknown_enum.empty() ? std::move(reply) : with_unknown_enums(std::move(*reply), fault.unknown_enum);
}

Result<Reply> Simulator::dispatch_faultless(const Request& request) {
  auto reply = engine_->dispatch(request);
  if (external_systems_.has_refusals() && !calls_host_) {  // else the calling tick does it
    const std::lock_guard lock(moving_);
    ORLOP_CHECK(settle_limits());
  }
  const bool may_count = reply && reply->status < 300 && request.method == "GET" && options_.rules != nullptr;
  if (may_count && options_.rules->counts_reads()) ORLOP_CHECK(count_reads(request.path));
  return reply;
}

// A read is a GET whose path has the id of the resource. A tick may not have taken the request for the step yet.
Result<void> Simulator::count_reads(std::string_view path) {
  const std::lock_guard lock(moving_);
  ORLOP_CHECK(run_until(clock_.now()));
  bool is_released = false;
  path = path.substr(0, path.find('?'));
  while (!path.empty()) {
    path.remove_prefix(1);
    const std::size_t size = std::min(path.find('/'), path.size());
    if (const auto id = parse_id(path.substr(0, size)))
      is_released = options_.script->note_read(*id, clock_.now()) || is_released;
    path.remove_prefix(size);
  }
  return is_released ? run_until(clock_.now()) : Result<void>();
}

// Returns false if nothing of it is held.
Result<bool> Simulator::release_now(const Id& resource) {
  timers_.erase(resource);
  if (options_.script != nullptr && options_.script->release(resource, clock_.now())) return true;
  bool is_released = false;
  ORLOP_CHECK(engine_->perform([&](Unit& unit) -> Result<void> {
    ORLOP_TRY(released, release_held(unit, resource));
    is_released = released;
    if (is_released) return {};
    ORLOP_TRY(machine, unit.machine(resource));
    if (!machine || machine->request.is_nil()) return {};
    ORLOP_TRY(of_request, release_held(unit, machine->request));
    is_released = of_request;
    return {};
  }));
  return is_released;
}

Result<void> Simulator::release(const Id& resource) {
  const std::lock_guard lock(moving_);
  ORLOP_CHECK(settle());
  ORLOP_TRY(is_released, release_now(resource));
  if (!is_released) {
    return make_error(ErrorCode::conflict, "nothing of " + to_text(resource) +
                                               " waits to be advanced: transitions of its family must be manual or "
                                               "count reads, or it must be held, and a step must run");
  }
  return settle();
}

void Simulator::set_timer(const Id& resource, std::optional<Duration> lasts) {
  if (lasts) timers_[resource] = clock_.now() + *lasts;
  else timers_.erase(resource);
}

Result<void> Simulator::hold(const Id& resource, std::optional<Duration> lasts) {
  const std::lock_guard lock(moving_);
  ORLOP_CHECK(settle());
  ORLOP_CHECK(engine_->perform_for_host([&](Unit& unit) -> Result<void> {
    ORLOP_TRY(machine, unit.machine(resource));
    const Family* const family = machine ? find_family(machine->family) : nullptr;
    if (family == nullptr)
      return make_error(ErrorCode::not_found,
                        "there is no service, cluster, task, environment or deployment request " + to_text(resource));
    if (family->machine == MachineKind::environment) return hold_environment(unit, resource);
    if (machine->family == deployment_request_number) return hold_request(unit, resource);
    if (family->machine == MachineKind::cluster && machine->step.is_nil()) return hold_cluster(unit, resource);
    if (options_.script == nullptr)
      return make_error(ErrorCode::conflict,
                        "steps are held by the scripted driver, and this simulation has one of its host's");
    options_.script->hold(resource, machine->step, clock_.now());
    return {};
  }));
  set_timer(resource, lasts);
  return {};
}

Result<void> Simulator::set_state(const Id& resource, std::string_view state, std::optional<Duration> lasts) {
  const std::lock_guard lock(moving_);
  if (options_.script == nullptr || options_.rules == nullptr) {
    return make_error(ErrorCode::conflict,
                      "states are set by the scripted driver, and this simulation has one of its host's");
  }
  queue_.suspend(true);
  const auto set =
      StateSetter(*engine_, *options_.rules, *options_.script, [this] { return settle(); }).set(resource, state);
  queue_.suspend(false);
  ORLOP_CHECK(set);
  set_timer(resource, lasts);
  return {};
}

// The clock for a tick that may move it up to an instant.
class Simulator::Ahead final : public MovableClock {
 public:
  Ahead(VirtualClock& clock, Instant last) : clock_(clock), begin_(clock.now()), last_(last) {}
  bool move_to(Instant at) override {
    if (at > last_) return false;
    clock_.move_to(at);
    return true;
  }
  void move_back() noexcept override { clock_.set(begin_); }

 private:
  VirtualClock& clock_;
  const Instant begin_;
  const Instant last_;
};

// Ticks, and again for requests that are released from the queue.
Result<std::optional<Instant>> Simulator::tick_queue(std::optional<Instant> last) {
  for (;;) {
    std::optional<Ahead> ahead;
    if (last) ahead.emplace(clock_, *last);
    ORLOP_TRY(due, engine_->tick(ahead ? &*ahead : nullptr));
    if (!queue_.has_work()) return std::move(due);
    RequestQueue::Settled settled;
    ORLOP_CHECK(engine_->perform([&](Unit& unit) -> Result<void> {
      ORLOP_TRY(done, queue_.settle(unit));
      settled = std::move(done);
      return {};
    }));
    queue_.confirm(settled);
    if (settled.has_released) continue;
    if (const auto queued = queue_.due(clock_.now())) due = std::min(due.value_or(*queued), *queued);
    return std::move(due);
  }
}

thread_local const Simulator* Simulator::asking_ = nullptr;

// Deletes environments whose lifetime is over, by requests of the host. A refused request is not
// repeated: the environment is gone, or its deletion is not admitted.
Result<void> Simulator::settle_lifetimes() {
  for (const Id& environment : lifetimes_.take_ended(clock_.now())) {
    const std::string path = "/environment/" + to_text(environment);
    Request request;
    request.method = "DELETE";
    request.path = path;
    request.trust = Trust::host;
    asking_ = this;
    const auto reply = engine_->dispatch(request);
    asking_ = nullptr;
    ORLOP_CHECK(reply);
  }
  return {};
}

Result<void> Simulator::decide_environments() {
  const std::lock_guard lock(moving_);
  return engine_->perform_for_host([&](Unit& unit) { return queue_.decide_environments(unit); });
}

Result<std::vector<CustomDomain>> Simulator::find_domains(const Id& service) {
  std::vector<CustomDomain> found;
  ORLOP_CHECK(engine_->perform([&](Unit& unit) -> Result<void> {
    RecordRange range;
    range.key = service;
    range.family = find_family("custom_domain")->number;
    ORLOP_TRY(records, unit.records(range));
    found.clear();
    for (const Record& record : records) {
      ORLOP_TRY(body, unit.value_of(record));
      const Instant changed_at = parse_instant(body->text_or("updated_at", "")).value_or(created_at_of(record.id));
      found.push_back({record.id, std::string(body->text_or("domain", "")), changed_at,
                       body->boolean_or("generate_certificate", false), body->boolean_or("use_cdn", false)});
    }
    return {};
  }));
  return found;
}

// Releases the resources whose hold ends now. Returns true if there was one.
Result<bool> Simulator::release_due() {
  std::vector<Id> due;
  for (const auto& [resource, at] : timers_) {
    if (at <= clock_.now()) due.push_back(resource);
  }
  for (const Id& resource : due) ORLOP_CHECK(release_now(resource));
  return !due.empty();
}

Result<std::optional<Instant>> Simulator::call_and_tick(std::optional<Instant> last) {
  ORLOP_CHECK(make_calls());
  if (capacities_.due()) ORLOP_CHECK(settle_capacity());
  if (lifetimes_.due()) ORLOP_CHECK(settle_lifetimes());
  return tick_queue(last);
}

// Returns up to when the engine may move the clock itself: not beyond work of the simulation, and not if the simulation
// has to act at each tick.
std::optional<Instant> Simulator::may_go_on_to(std::optional<Instant> last) {
  if (!last || options_.script == nullptr || queue_.has_work() || external_systems_.has_refusals() || capacities_.any())
    return std::nullopt;
  const Instant now = clock_.now();
  Instant end = std::min(*last, virtual_time_max);
  const OptionalInstant own = earlier(pending(), lifetimes_.due());
  return own ? std::min(end, *own > now ? Instant{own->milliseconds - 1} : now) : end;
}

// Returns when the simulation itself has work; lifetimes are not work.
OptionalInstant Simulator::pending() {
  OptionalInstant first = earlier(capacities_.due(), first_call());
  for (const auto& [resource, at] : timers_) first = earlier(first, at);
  return first;
}

Result<std::optional<Instant>> Simulator::tick_now(std::optional<Instant> last) {
  // Most simulations have none of these; a flag of each shows it.
  if (!timers_.empty()) ORLOP_CHECK(release_due());
  calls_host_ = options_.script == nullptr;
  const auto ticked = call_and_tick(may_go_on_to(last));
  calls_host_ = false;
  ORLOP_TRY(due, ticked);
  if (external_systems_.has_refusals()) ORLOP_CHECK(settle_limits());
  const OptionalInstant first = earlier(due, earlier(pending(), lifetimes_.due()));
  return first ? std::optional(std::max(*first, clock_.now())) : std::nullopt;
}

}  // namespace orlop
