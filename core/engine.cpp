#include "engine.h"

#include <mutex>

#include "base/utf8.h"
#include "deploy/request.h"
#include "deploy/scripted_driver.h"
#include "deploy/tick.h"
#include "describe/openapi.h"
#include "ops/commit.h"
#include "rest/dispatch.h"
#include "traits/after_create.h"
#include "rest/event.h"

namespace orlop {

class Engine::Body {
 public:
  Body(EngineOptions options, std::unique_ptr<Store> store)
      : options_(std::move(options)),
        store_(std::move(store)),
        committer_(*store_, *options_.clock, *options_.entropy, options_.settings, Hooks{complete_creation, touch}),
        dispatcher_(*store_, committer_, *options_.clock, *options_.entropy, options_.settings,
                    [this](std::span<const Id> owners) { wake(owners); }, [this] { return description(); }),
        orchestrator_(options_.driver == nullptr ? scripted_ : *options_.driver, options_.settings) {}

  Result<void> recover() {
    ORLOP_TRY(transaction, store_->begin(Access::read));
    return orchestrator_.recover(*transaction);
  }

  Result<Reply> dispatch(const Request& request) { return dispatcher_.dispatch(request); }
  Result<std::optional<Instant>> tick();
  void report(Report report);
  void delivered(DeliveryReport report);
  bool is_ready();
  void on_ready(std::function<void()> listener) { on_ready_ = std::move(listener); }
  Result<std::string> events(std::uint64_t since, std::size_t limit);
  Result<std::uint64_t> last_event();
  Instant now() { return options_.clock->now(); }

 private:
  void wake(std::span<const Id> owners);
  const std::string& description();
  Result<void> decide(std::vector<Report> reports);

  EngineOptions options_;
  std::unique_ptr<Store> store_;
  Committer committer_;
  Dispatcher dispatcher_;
  ScriptedDriver scripted_;

  std::once_flag described_;
  std::string description_;

  std::mutex tick_mutex_;  // one tick at a time; guards orchestrator_
  Orchestrator orchestrator_;

  std::mutex inbox_mutex_;  // guards the three below
  std::vector<Report> reports_;
  std::vector<DeliveryReport> deliveries_;
  std::vector<Id> woken_;
  std::function<void()> on_ready_;
};

void Engine::Body::wake(std::span<const Id> owners) {
  {
    const std::lock_guard lock(inbox_mutex_);
    woken_.insert(woken_.end(), owners.begin(), owners.end());
  }
  if (on_ready_) on_ready_();
}

// Nothing that it is made of changes, so it is made once, when somebody asks.
const std::string& Engine::Body::description() {
  std::call_once(described_, [this] { description_ = openapi(options_.settings.brand); });
  return description_;
}

void Engine::Body::report(Report report) {
  if (!is_utf8(report.text)) report.text = to_utf8(report.text);
  {
    const std::lock_guard lock(inbox_mutex_);
    reports_.push_back(std::move(report));
  }
  if (on_ready_) on_ready_();
}

void Engine::Body::delivered(DeliveryReport report) {
  if (!is_utf8(report.text)) report.text = to_utf8(report.text);
  {
    const std::lock_guard lock(inbox_mutex_);
    deliveries_.push_back(std::move(report));
  }
  if (on_ready_) on_ready_();
}

bool Engine::Body::is_ready() {
  const std::lock_guard lock(inbox_mutex_);
  return !reports_.empty() || !deliveries_.empty() || !woken_.empty();
}

Result<std::optional<Instant>> Engine::Body::tick() {
  const std::lock_guard tick_lock(tick_mutex_);
  std::vector<Report> reports;
  {
    const std::lock_guard lock(inbox_mutex_);
    reports.swap(reports_);
    deliveries_.clear();
    orchestrator_.wake(woken_);
    woken_.clear();
  }
  if (!reports.empty() || orchestrator_.is_due(now())) {
    ORLOP_CHECK(decide(std::move(reports)));
    orchestrator_.act();
  }
  // A driver may have reported from inside start().
  if (is_ready()) return std::optional(now());
  return orchestrator_.due();
}

// A commit that fails leaves the orchestrator with decisions that nobody stored: it starts over from the store, and the reports with it.
Result<void> Engine::Body::decide(std::vector<Report> reports) {
  const auto outcome = committer_.run([&](Unit& unit) { return orchestrator_.tick(unit, reports); });
  if (outcome) return {};
  {
    const std::lock_guard lock(inbox_mutex_);
    reports_.insert(reports_.begin(), std::make_move_iterator(reports.begin()), std::make_move_iterator(reports.end()));
  }
  (void)recover();
  return outcome.error();
}

Result<std::string> Engine::Body::events(std::uint64_t since, std::size_t limit) {
  ORLOP_TRY(transaction, store_->begin(Access::read));
  Writer out;
  out.begin_list();
  ORLOP_CHECK(transaction->events({.after = since, .limit = limit}, [&out](const Event& event) {
    write_event(out, event);
    return true;
  }));
  out.end_list();
  return std::move(out).take();
}

Result<std::uint64_t> Engine::Body::last_event() {
  ORLOP_TRY(transaction, store_->begin(Access::read));
  ORLOP_TRY(end, transaction->feed_end());
  return end.sequence;
}

Engine::Engine(std::unique_ptr<Body> body) : body_(std::move(body)) {}
Engine::~Engine() = default;

Result<std::unique_ptr<Engine>> Engine::open(EngineOptions options) {
  if (options.clock == nullptr || options.entropy == nullptr) {
    return make_error(ErrorCode::misuse, "an engine needs a clock and a source of chance");
  }
  ORLOP_TRY(store, open_store(options.storage, options.durability));
  auto body = std::make_unique<Body>(std::move(options), std::move(store));
  ORLOP_CHECK(body->recover());
  return std::unique_ptr<Engine>(new Engine(std::move(body)));
}

Result<Reply> Engine::dispatch(const Request& request) { return body_->dispatch(request); }
Result<std::optional<Instant>> Engine::tick() { return body_->tick(); }
void Engine::report(Report report) { body_->report(std::move(report)); }
void Engine::delivered(DeliveryReport report) { body_->delivered(std::move(report)); }
bool Engine::is_ready() { return body_->is_ready(); }
void Engine::on_ready(std::function<void()> listener) { body_->on_ready(std::move(listener)); }
Result<std::string> Engine::events(std::uint64_t since, std::size_t limit) { return body_->events(since, limit); }
Result<std::uint64_t> Engine::last_event() { return body_->last_event(); }
Instant Engine::now() { return body_->now(); }

}  // namespace orlop
