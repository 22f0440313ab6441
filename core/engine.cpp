#include "engine.h"

#include <algorithm>
#include <atomic>
#include <iterator>
#include <mutex>
#include <new>
#include <optional>
#include <span>

#include "base/text/utf8.h"
#include "deploy/driver/report_bounds.h"
#include "deploy/driver/scripted_driver.h"
#include "deploy/request/request.h"
#include "deploy/run/tick.h"
#include "describe/openapi/openapi.h"
#include "operations/jobs.h"
#include "operations/registry.h"
#include "ops/commit/commit.h"
#include "ops/snapshot/snapshot.h"
#include "rest/dispatch.h"
#include "rest/event.h"
#include "store/check.h"
#include "store/hiding_store.h"
#include "webhooks/notifier.h"
#include "webhooks/outbox.h"

namespace orlop {

namespace {

constexpr std::size_t reports_by_tick = 256;  // of the host's driver; the others wait for the next tick, so that other writers get between

// Moves all of `from` behind `to`. Memory that runs out changes neither.
template <typename T>
void append(std::vector<T>& to, std::vector<T>& from) {
  if (to.empty()) return to.swap(from);
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
  from.clear();
}

// Sets a flag at the end of its scope, unless the work came to its own end: it may also have ended by an exception.
class UnlessDone {
 public:
  explicit UnlessDone(std::atomic<bool>& flag) : flag_(flag) {}
  ~UnlessDone() { if (!is_done_) flag_ = true; }
  UnlessDone(const UnlessDone&) = delete;
  UnlessDone& operator=(const UnlessDone&) = delete;
  void done() { is_done_ = true; }

 private:
  std::atomic<bool>& flag_;
  bool is_done_ = false;
};

}  // namespace

class Engine::Body {
 public:
  // `resting`: as secrets lie in it; `store`: as they are worked with.
  Body(EngineOptions options, std::shared_ptr<Store> resting, std::shared_ptr<Store> store)
      : options_(std::move(options)),
        resting_(std::move(resting)),
        store_(std::move(store)),
        seen_(store_),
        committer_(seen_, *options_.clock, *options_.random_source, options_.settings, Hooks{after_create, touch, touch, fill_outbox}),
        job_committer_(*store_, *options_.clock, *options_.random_source, options_.settings, Hooks{after_create, touch, touch, fill_outbox}),
        jobs_(seen_, committer_, job_committer_, [this](std::span<const Id> owners) { wake(owners); }),
        dispatcher_(seen_, committer_, *options_.clock, *options_.random_source, options_.settings,
                    [this](std::span<const Id> owners) { wake(owners); }, [this](const Id& job) { jobs_.finish(job); },
                    [this] { return description(); }),
        orchestrator_(options_.driver == nullptr ? scripted_ : *options_.driver, options_.settings) {
    job_committer_.count_ids_with(committer_);
    committer_.on_stored([this](std::uint64_t last) { note_stored(last); });
    job_committer_.on_stored([this](std::uint64_t last) { note_stored(last); });
    committer_.on_begun([this](std::span<const Job> jobs) { begin(jobs); });
    if (options_.settings.webhook_sender == nullptr) return;
    notifier_.emplace(*options_.settings.webhook_sender);
    committer_.on_posted([this](std::span<const Id> deliveries) { post(deliveries); });
  }

  Result<void> open() {
    ORLOP_TRY(transaction, store_->begin(Access::read));
    ORLOP_CHECK(jobs_.recover(*transaction));
    transaction.reset();
    return recover();
  }

  // Forgets what is remembered and reads it from the store. Errors: those of the store; the next tick tries again.
  Result<void> recover() {
    must_recover_ = false;  // first: what comes after may not be in what is read
    UnlessDone recovered(must_recover_);
    ORLOP_TRY(transaction, store_->begin(Access::read));
    ORLOP_CHECK(orchestrator_.recover(*transaction));
    if (notifier_) ORLOP_CHECK(notifier_->recover(*transaction));
    recovered.done();
    return {};
  }

  Result<Reply> dispatch(const Request& request) { return dispatcher_.dispatch(request); }
  Result<std::optional<Reply>> authenticate(const Request& request) { return dispatcher_.authenticate(request); }
  Result<std::optional<Instant>> tick();
  Result<void> report(Report report);
  void report_delivery(DeliveryReport report);
  bool is_ready();
  void on_ready(std::function<void()> listener) { on_ready_ = std::move(listener); }
  Result<std::string> events(const EventRange& range);
  Result<std::vector<Event>> read_events(std::uint64_t since, std::size_t limit);
  Result<std::uint64_t> last_event();
  std::uint64_t last_stored_event() const { return last_stored_event_; }
  void on_stored(std::function<void()> listener) { on_stored_ = std::move(listener); }
  void log(LogLevel level, const std::string& message);
  void log_opened();
  Result<std::string> snapshot();
  Result<void> check();
  Instant now() { return options_.clock->now(); }

 private:
  // All three follow a commit, and so cannot fail.
  void wake(std::span<const Id> owners) noexcept { remember(woken_, owners); }
  void post(std::span<const Id> deliveries) noexcept { remember(posted_, deliveries); }
  void remember(std::vector<Id>& among, std::span<const Id> ids) noexcept;
  void note_stored(std::uint64_t last);
  void begin(std::span<const Job> jobs) noexcept;
  const std::string& description();
  void take_inbox();
  Result<void> decide();
  Result<void> decide_once();

  EngineOptions options_;
  std::shared_ptr<Store> resting_;
  std::shared_ptr<Store> store_;
  HidingStore seen_;  // as requests and ticks see it
  Committer committer_;
  Committer job_committer_;  // writes to what requests do not see
  Jobs jobs_;
  Dispatcher dispatcher_;
  ScriptedDriver scripted_;

  std::once_flag described_;
  std::string description_;

  std::mutex tick_mutex_;  // one tick at a time; guards the four below
  Orchestrator orchestrator_;
  std::optional<Notifier> notifier_;  // nothing: there is no webhook sender, and messages stay in the outbox
  std::vector<Report> taken_reports_;  // out of the inbox, and of no commit yet
  std::vector<DeliveryReport> taken_deliveries_;
  std::atomic<bool> must_recover_ = false;  // what is remembered may not be what is stored

  std::mutex inbox_mutex_;  // guards the four below
  std::vector<Report> reports_;
  std::vector<DeliveryReport> deliveries_;
  std::vector<Id> woken_;
  std::vector<Id> posted_;
  std::function<void()> on_ready_;

  std::atomic<std::uint64_t> last_stored_event_ = 0;
  std::function<void()> on_stored_;
};

void Engine::Body::remember(std::vector<Id>& among, std::span<const Id> ids) noexcept {
  try {
    const std::lock_guard lock(inbox_mutex_);
    among.insert(among.end(), ids.begin(), ids.end());
  } catch (const std::bad_alloc&) {
    must_recover_ = true;  // the store knows of them
  }
  if (on_ready_) on_ready_();
}

void Engine::Body::note_stored(std::uint64_t last) {
  std::uint64_t before = last_stored_event_;
  while (before < last && !last_stored_event_.compare_exchange_weak(before, last)) continue;
  if (on_stored_) on_stored_();
}

void Engine::Body::log(LogLevel level, const std::string& message) {
  if (options_.log != nullptr) options_.log->write(level, message);
}

void Engine::Body::log_opened() {
  const std::size_t resumed = orchestrator_.steps_under_way();
  if (resumed != 0) log(LogLevel::info, std::to_string(resumed) + " steps were under way when the store was last used; the driver is asked for them again");
}

void Engine::Body::begin(std::span<const Job> jobs) noexcept {
  jobs_.take(jobs);
  if (on_ready_) on_ready_();
}

// It depends on nothing that changes, so it is made once, at the first request for it.
const std::string& Engine::Body::description() {
  std::call_once(described_, [this] { description_ = openapi(options_.settings.brand); });
  return description_;
}

Result<void> Engine::Body::report(Report report) {
  if (report.kind != ReportKind::running_state && !orchestrator_.known_steps().knows(report.step)) {
    return make_error(ErrorCode::not_found, "this engine knows no step " + to_text(report.step) + ": it is not under way, and did not end here lately");
  }
  report = within_bounds(std::move(report));
  {
    const std::lock_guard lock(inbox_mutex_);
    reports_.push_back(std::move(report));
  }
  if (on_ready_) on_ready_();
  return {};
}

void Engine::Body::report_delivery(DeliveryReport report) {
  if (!is_utf8(report.text)) report.text = to_utf8(report.text);
  {
    const std::lock_guard lock(inbox_mutex_);
    deliveries_.push_back(std::move(report));
  }
  if (on_ready_) on_ready_();
}

bool Engine::Body::is_ready() {
  if (must_recover_ || jobs_.has_work()) return true;
  const std::lock_guard lock(inbox_mutex_);
  return !reports_.empty() || !deliveries_.empty() || !woken_.empty() || !posted_.empty();
}

Result<std::optional<Instant>> Engine::Body::tick() {
  const std::lock_guard tick_lock(tick_mutex_);
  if (must_recover_) {
    if (const auto recovered = recover(); !recovered) {
      log(LogLevel::error, "what is under way could not be read again after a failed tick; the next tick tries again: " + recovered.error().message);
      return recovered.error();
    }
  }
  take_inbox();
  ORLOP_CHECK(decide());
  ORLOP_CHECK(jobs_.tick());
  // A driver may have reported from inside start(), a webhook sender from inside deliver().
  if (is_ready() || !taken_reports_.empty()) return std::optional(now());
  const Instant at = now();
  const auto wanted = orchestrator_.due(at);
  const auto mail = notifier_ ? notifier_->due(at) : std::nullopt;
  if (!wanted || !mail) return wanted ? wanted : mail;
  return std::optional(std::min(*wanted, *mail));
}

void Engine::Body::take_inbox() {
  const std::lock_guard lock(inbox_mutex_);
  append(taken_reports_, reports_);
  append(taken_deliveries_, deliveries_);
  orchestrator_.wake(woken_);
  woken_.clear();
  if (notifier_) notifier_->post(posted_);
  posted_.clear();
}

// What a large request waits for is read and used in one tick, and steps are resumed before what they say is taken: so every tick gets further, even if the process ends
// after each.
Result<void> Engine::Body::decide() {
  if (orchestrator_.must_ask()) {
    UnlessDone asked(must_recover_);
    orchestrator_.act();
    asked.done();
    take_inbox();
  }
  ORLOP_CHECK(decide_once());
  return orchestrator_.wants_reading() ? decide_once() : Result<void>();
}

// What fails leaves decisions behind that are not stored. The next tick begins again, with what the store holds and the reports that were taken.
Result<void> Engine::Body::decide_once() {
  const bool has_work = !taken_reports_.empty() || orchestrator_.is_due(now());
  const bool has_mail = notifier_ && (!taken_deliveries_.empty() || notifier_->is_due(now()));
  if (!has_work && !has_mail) return {};
  UnlessDone decided(must_recover_);
  if (orchestrator_.wants_reading()) {
    ORLOP_TRY(transaction, seen_.begin(Access::read));
    ORLOP_TRY(end, transaction->feed_end());
    ORLOP_CHECK(orchestrator_.read_ahead(*transaction, std::max(now(), end.at)));
  }
  const auto taken = taken_reports_.begin() + static_cast<std::ptrdiff_t>(std::min(taken_reports_.size(), reports_by_tick));
  const std::vector<Report> reports(taken_reports_.begin(), taken);
  const auto woken = committer_.run([&](Unit& unit) -> Result<void> {
    if (has_work) ORLOP_CHECK(orchestrator_.tick(unit, reports));
    return has_mail ? notifier_->tick(unit, taken_deliveries_) : Result<void>();
  });
  if (!woken) {
    log(LogLevel::warning, "a tick could not be stored and starts over: " + woken.error().message);
    return woken.error();
  }
  // In a tick the orchestrator wakes by itself, so that nothing is done with `woken`.
  taken_reports_.erase(taken_reports_.begin(), taken);
  taken_deliveries_.clear();
  if (has_work) orchestrator_.act();
  if (has_mail) notifier_->act();
  decided.done();
  return {};
}

Result<std::string> Engine::Body::events(const EventRange& range) {
  ORLOP_TRY(transaction, store_->begin(Access::read));
  Writer out;
  out.begin_list();
  ORLOP_CHECK(transaction->events(range, [&out](const Event& event) {
    write_event(out, event);
    return true;
  }));
  out.end_list();
  return std::move(out).take();
}

Result<std::vector<Event>> Engine::Body::read_events(std::uint64_t since, std::size_t limit) {
  ORLOP_TRY(transaction, store_->begin(Access::read));
  std::vector<Event> events;
  ORLOP_CHECK(transaction->events({.after = since, .limit = limit}, [&events](const Event& event) {
    events.push_back(event);
    return true;
  }));
  return events;
}

Result<std::uint64_t> Engine::Body::last_event() {
  ORLOP_TRY(transaction, store_->begin(Access::read));
  ORLOP_TRY(end, transaction->feed_end());
  return end.sequence;
}

Result<std::string> Engine::Body::snapshot() {
  ORLOP_TRY(transaction, resting_->begin(Access::read));
  ORLOP_TRY(end, transaction->feed_end());
  return take_snapshot(*transaction, end.sequence == 0 ? now() : std::max(now(), end.at));
}

Result<void> Engine::Body::check() {
  ORLOP_TRY(transaction, store_->begin(Access::read));
  return check_counts(*transaction);
}

namespace {

// The store that the options name, as the snapshot left it if they have one.
Result<std::shared_ptr<Store>> store_of(EngineOptions& options) {
  std::shared_ptr<Store> store = std::move(options.store);
  if (store == nullptr) {
    ORLOP_TRY(opened, open_store(options.storage, options.durability, options.mmap_size));
    store = std::move(opened);
  }
  if (!options.snapshot.empty()) ORLOP_CHECK(restore_snapshot(*store, options.snapshot));
  options.snapshot = {};
  return store;
}

}  // namespace

Engine::Engine(std::unique_ptr<Body> body) : body_(std::move(body)) {}
Engine::~Engine() = default;

Result<std::unique_ptr<Engine>> Engine::open(EngineOptions options) {
  if (options.clock == nullptr || options.random_source == nullptr) {
    return make_error(ErrorCode::misuse, "an engine needs a clock and a random source");
  }
  ORLOP_TRY(resting, store_of(options));
  ORLOP_TRY(store, seal_store(resting, options.keys, *options.random_source));
  options.keys = {};
  auto body = std::make_unique<Body>(std::move(options), std::move(resting), std::move(store));
  ORLOP_CHECK(body->open());
  body->log_opened();
  return std::unique_ptr<Engine>(new Engine(std::move(body)));
}

Result<Reply> Engine::dispatch(const Request& request) { return body_->dispatch(request); }
Result<std::optional<Reply>> Engine::authenticate(const Request& request) { return body_->authenticate(request); }
Result<std::optional<Instant>> Engine::tick() { return body_->tick(); }
Result<void> Engine::report(Report report) { return body_->report(std::move(report)); }
void Engine::report_delivery(DeliveryReport report) { body_->report_delivery(std::move(report)); }
bool Engine::is_ready() { return body_->is_ready(); }
void Engine::on_ready(std::function<void()> listener) { body_->on_ready(std::move(listener)); }
Result<std::string> Engine::events(const EventRange& range) { return body_->events(range); }
Result<std::vector<Event>> Engine::read_events(std::uint64_t since, std::size_t limit) { return body_->read_events(since, limit); }
Result<std::uint64_t> Engine::last_event() { return body_->last_event(); }
std::uint64_t Engine::last_stored_event() const { return body_->last_stored_event(); }
void Engine::on_stored(std::function<void()> listener) { body_->on_stored(std::move(listener)); }
Result<std::string> Engine::snapshot() { return body_->snapshot(); }
Result<void> Engine::check() { return body_->check(); }
Instant Engine::now() { return body_->now(); }

}  // namespace orlop
