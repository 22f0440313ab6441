// The C++20 API over orlop.h, header only: the same functions with RAII objects, std::string_view and std::chrono.
// orlop.h is the contract; this header describes the differences.
//
//   orlop::Engine engine({.storage = "platform.db"});
//   orlop::Reply reply = engine.dispatch({.method = "GET", .path = "/organization"});
//
// Every function that can fail exists twice: dispatch() throws orlop::Error, try_dispatch() returns an Outcome with the
// value or the Error. Objects can be moved and not copied. Calls on an object that was moved from, or closed, fail with
// ORLOP_ERROR_MISUSE or ORLOP_ERROR_CLOSED.
#ifndef ORLOP_ORLOP_HPP
#define ORLOP_ORLOP_HPP

#include "orlop/standard.hpp"

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "orlop/batch.h"
#include "orlop/driver.h"
#include "orlop/feed.h"
#include "orlop/options.hpp"
#include "orlop/orlop.h"
#include "orlop/ports.h"
#include "orlop/storage.h"
#include "orlop/values.hpp"

namespace orlop {
// An inline namespace, so that a program may contain this API and the library's internals at once.
inline namespace api {

// Loads a library whose stores Options::storage names by a URL (orlop_load_storage).
inline Outcome<Nothing> try_load_storage(std::string_view path) {
  if (orlop_error* error = orlop_load_storage(text_of(path))) return Error(error);
  return Nothing{};
}
inline void load_storage(std::string_view path) { try_load_storage(path).value(); }

// Copies a store in an SQLite file, which may be in use (orlop_backup).
inline Outcome<Nothing> try_backup(std::string_view storage, std::string_view file) {
  if (orlop_error* error = orlop_backup(text_of(storage), text_of(file))) return Error(error);
  return Nothing{};
}
inline void backup(std::string_view storage, std::string_view file) { try_backup(storage, file).value(); }

// Replaces the store by the copy (orlop_restore). Returns the path of the replaced file; empty if there was no file.
inline Outcome<std::string> try_restore(std::string_view storage, std::string_view file) {
  orlop_buffer* before = nullptr;
  if (orlop_error* error = orlop_restore(text_of(storage), text_of(file), &before)) return Error(error);
  return std::string(Buffer(before).text());
}
inline std::string restore(std::string_view storage, std::string_view file) {
  return try_restore(storage, file).value();
}

// ---- Batches ----

// Several requests in one transaction (batch.h). Used on the thread that began it. Without commit() it has no effect.
class Batch {
 public:
  explicit Batch(orlop_batch* batch) noexcept : batch_(batch) {}

  Outcome<Reply> try_dispatch(const Request& request);
  Reply dispatch(const Request& request) { return try_dispatch(request).value(); }
  Outcome<Nothing> try_commit() {
    if (orlop_error* error = orlop_batch_commit(batch_.get())) return Error(error);
    return Nothing{};
  }
  void commit() { try_commit().value(); }

 private:
  struct Free {
    void operator()(orlop_batch* batch) const noexcept { orlop_batch_free(batch); }
  };
  std::unique_ptr<orlop_batch, Free> batch_;
};

// ---- The engine ----
class Engine;

// A reference to an engine that does not keep it open, for the `engine` of a step, a cancellation or a delivery:
// orlop::EngineRef(step.engine). It can be copied. After the engine was closed, its calls fail with ORLOP_ERROR_CLOSED.
class EngineRef {
 public:
  explicit EngineRef(orlop_engine* engine) noexcept : engine_(engine) {}

  // For functions of orlop.h.
  orlop_engine* handle() const noexcept { return engine_; }

  Outcome<Engine> try_share();
  Engine share();

  Outcome<Reply> try_dispatch(const Request& request);
  Reply dispatch(const Request& request) { return try_dispatch(request).value(); }

  // Other writers wait until the batch ends.
  Outcome<Batch> try_begin_batch() {
    orlop_batch* batch = nullptr;
    if (orlop_error* error = orlop_batch_begin(&batch, engine_)) return Error(error);
    return Batch(batch);
  }
  Batch begin_batch() { return std::move(try_begin_batch().value()); }

  // Returns the refusal of the request's credentials, or nullopt if they are valid. For a server, before it reads the
  // body.
  Outcome<std::optional<Reply>> try_authenticate(const Request& request);
  std::optional<Reply> authenticate(const Request& request) { return std::move(try_authenticate(request).value()); }

  // Returns the time until the next call is needed, or nullopt if none is needed before a report or a request.
  Outcome<std::optional<Duration>> try_tick() {
    std::int64_t next = -1;
    if (orlop_error* error = orlop_tick(engine_, &next)) return Error(error);
    return next < 0 ? std::optional<Duration>() : Duration(next);
  }
  std::optional<Duration> tick() { return try_tick().value(); }

  // Returns true if a tick has something to do. Without a timeout: no limit.
  Outcome<bool> try_wait(std::optional<Duration> timeout = std::nullopt) {
    std::int32_t ready = 0;
    if (orlop_error* error = orlop_wait(engine_, timeout ? timeout->count() : -1, &ready)) return Error(error);
    return ready != 0;
  }
  bool wait(std::optional<Duration> timeout = std::nullopt) { return try_wait(timeout).value(); }

  // Returns the conditions of `wake` (ORLOP_WAKE_…) that are true; 0: none. `since` is used for events only.
  Outcome<orlop_wake> try_wait_for(orlop_wake wake, std::uint64_t since = 0,
                                   std::optional<Duration> timeout = std::nullopt) {
    orlop_wake woken = 0;
    return done(orlop_wait_for(engine_, wake, since, timeout ? timeout->count() : -1, &woken), woken);
  }
  orlop_wake wait_for(orlop_wake wake, std::uint64_t since = 0, std::optional<Duration> timeout = std::nullopt) {
    return try_wait_for(wake, since, timeout).value();
  }

  // Returns true if no running step was left. Without a timeout: no limit.
  Outcome<bool> try_drain(std::optional<Duration> timeout = std::nullopt) {
    std::int32_t drained = 0;
    if (orlop_error* error = orlop_drain(engine_, timeout ? timeout->count() : -1, &drained)) return Error(error);
    return drained != 0;
  }
  bool drain(std::optional<Duration> timeout = std::nullopt) { return try_drain(timeout).value(); }

  Outcome<bool> try_begin_drain(Duration timeout) {
    std::int32_t drained = 0;
    if (orlop_error* error = orlop_begin_drain(engine_, timeout.count(), &drained)) return Error(error);
    return drained != 0;
  }
  bool begin_drain(Duration timeout) { return try_begin_drain(timeout).value(); }

  Outcome<Nothing> try_interrupt() { return done(orlop_interrupt(engine_)); }
  void interrupt() { try_interrupt().value(); }

  Outcome<Nothing> try_report(const Report& report) {
    const orlop_step_report given = {sizeof given, report.step, report.kind, report.running, text_of(report.text)};
    return done(orlop_report(engine_, &given));
  }
  void report(const Report& report) { try_report(report).value(); }

  Outcome<Nothing> try_report_delivery(orlop_id delivery, int status, std::string_view text = {}) {
    return done(orlop_report_delivery(engine_, delivery, status, text_of(text)));
  }
  void report_delivery(orlop_id delivery, int status, std::string_view text = {}) {
    try_report_delivery(delivery, status, text).value();
  }

  Outcome<Buffer> try_events(std::uint64_t since = 0, std::uint32_t limit = 1000) {
    orlop_buffer* list = nullptr;
    if (orlop_error* error = orlop_events(&list, engine_, since, limit)) return Error(error);
    return Buffer(list);
  }
  Buffer events(std::uint64_t since = 0, std::uint32_t limit = 1000) { return try_events(since, limit).value(); }

  // Lists the events of one deployment request or about one subject; the other argument is nullptr.
  Outcome<Buffer> try_events_of(const orlop_id* request, const orlop_id* subject, std::uint64_t since = 0,
                                std::uint32_t limit = 1000) {
    orlop_buffer* list = nullptr;
    if (orlop_error* error = orlop_events_of(&list, engine_, request, subject, since, limit)) return Error(error);
    return Buffer(list);
  }
  Buffer events_of(const orlop_id* request, const orlop_id* subject, std::uint64_t since = 0,
                   std::uint32_t limit = 1000) {
    return try_events_of(request, subject, since, limit).value();
  }

  // Reads events as structs.
  Outcome<Feed> try_feed(std::uint64_t since = 0, std::uint32_t limit = 1000) {
    orlop_feed* feed = nullptr;
    if (orlop_error* error = orlop_feed_read(&feed, engine_, since, limit)) return Error(error);
    return Feed(feed);
  }
  Feed feed(std::uint64_t since = 0, std::uint32_t limit = 1000) { return try_feed(since, limit).value(); }

  // Read the events that match a query, as structs or as JSON. `next` (may be nullptr) becomes `since` of the next
  // query.
  Outcome<Feed> try_select(const EventQuery& query);
  Feed select(const EventQuery& query) { return std::move(try_select(query).value()); }
  Outcome<Buffer> try_select_json(const EventQuery& query, std::uint64_t* next = nullptr);
  Buffer select_json(const EventQuery& query, std::uint64_t* next = nullptr) {
    return std::move(try_select_json(query, next).value());
  }

  // Returns the number of the last event that the consumer has acknowledged.
  Outcome<std::uint64_t> try_register_consumer(std::string_view name) {
    std::uint64_t acknowledged = 0;
    return done(orlop_consumer_register(engine_, text_of(name), &acknowledged), acknowledged);
  }
  std::uint64_t register_consumer(std::string_view name) { return try_register_consumer(name).value(); }
  Outcome<Nothing> try_acknowledge(std::string_view name, std::uint64_t number) {
    return done(orlop_consumer_acknowledge(engine_, text_of(name), number));
  }
  void acknowledge(std::string_view name, std::uint64_t number) { try_acknowledge(name, number).value(); }
  Outcome<Nothing> try_unregister_consumer(std::string_view name) {
    return done(orlop_consumer_unregister(engine_, text_of(name)));
  }
  void unregister_consumer(std::string_view name) { try_unregister_consumer(name).value(); }
  Outcome<Buffer> try_consumers() {
    orlop_buffer* list = nullptr;
    if (orlop_error* error = orlop_consumers(&list, engine_)) return Error(error);
    return Buffer(list);
  }
  Buffer consumers() { return std::move(try_consumers().value()); }
  // Returns the number of the first event that is left.
  Outcome<std::uint64_t> try_forget_events(std::uint64_t through) {
    std::uint64_t first = 0;
    return done(orlop_events_forget(engine_, through, &first), first);
  }
  std::uint64_t forget_events(std::uint64_t through) { return try_forget_events(through).value(); }

  Outcome<Buffer> try_snapshot() {
    orlop_buffer* snapshot = nullptr;
    if (orlop_error* error = orlop_snapshot(&snapshot, engine_)) return Error(error);
    return Buffer(snapshot);
  }
  Buffer snapshot() { return try_snapshot().value(); }
  // The snapshot has all secrets, encrypted with a key of 32 bytes.
  Outcome<Buffer> try_snapshot(std::string_view secrets_key) {
    orlop_buffer* snapshot = nullptr;
    if (orlop_error* error = orlop_snapshot_with_secrets(&snapshot, engine_, text_of(secrets_key))) return Error(error);
    return Buffer(snapshot);
  }
  Buffer snapshot(std::string_view secrets_key) { return try_snapshot(secrets_key).value(); }

  // Returns the summary as JSON.
  Outcome<Buffer> try_import_from(const ImportRequest& request) {
    const orlop_import_request given = {
        sizeof(orlop_import_request), text_of(request.snapshot), text_of(request.family),     text_of(request.root),
        text_of(request.parent),      text_of(request.name),     text_of(request.secrets_key)};
    orlop_buffer* summary = nullptr;
    if (orlop_error* error = orlop_import(&summary, engine_, &given)) return Error(error);
    return Buffer(summary);
  }
  Buffer import_from(const ImportRequest& request) { return std::move(try_import_from(request).value()); }

  // Returns the faults as JSON.
  Outcome<Buffer> try_check(bool repair = false) {
    orlop_buffer* faults = nullptr;
    if (orlop_error* error = orlop_check(engine_, repair ? 1 : 0, &faults)) return Error(error);
    return Buffer(faults);
  }
  Buffer check(bool repair = false) { return try_check(repair).value(); }

  Outcome<std::uint64_t> try_last_event() {
    std::uint64_t number = 0;
    return done(orlop_last_event(engine_, &number), number);
  }
  std::uint64_t last_event() { return try_last_event().value(); }
  Outcome<Instant> try_now() {
    std::int64_t milliseconds = 0;
    if (orlop_error* error = orlop_now(engine_, &milliseconds)) return Error(error);
    return Instant(Duration(milliseconds));
  }
  Instant now() { return try_now().value(); }
  Outcome<Nothing> try_advance(Duration duration) { return done(orlop_advance(engine_, duration.count())); }
  void advance(Duration duration) { try_advance(duration).value(); }
  // Callbacks in virtual time (simulation.h). cancel_call() returns the number of canceled callbacks.
  Outcome<Nothing> try_call_at(Instant at, orlop_callback callback, void* context) {
    return done(orlop_call_at(engine_, at.time_since_epoch().count(), callback, context));
  }
  void call_at(Instant at, orlop_callback callback, void* context) { try_call_at(at, callback, context).value(); }
  Outcome<std::size_t> try_cancel_call(orlop_callback callback, void* context) {
    std::size_t canceled = 0;
    return done(orlop_call_cancel(engine_, callback, context, &canceled), canceled);
  }
  std::size_t cancel_call(orlop_callback callback, void* context) { return try_cancel_call(callback, context).value(); }
  Outcome<Nothing> try_record(orlop_recorded recorded) { return done(orlop_record_events(engine_, recorded)); }
  void record(orlop_recorded recorded) { try_record(recorded).value(); }
  Outcome<Nothing> try_reseed(std::uint64_t seed) { return done(orlop_reseed(engine_, seed)); }
  void reseed(std::uint64_t seed) { try_reseed(seed).value(); }
  // Saved states of a simulation in memory, by number.
  Outcome<std::uint64_t> try_save_state() {
    std::uint64_t state = 0;
    return done(orlop_state_save(&state, engine_), state);
  }
  std::uint64_t save_state() { return try_save_state().value(); }
  Outcome<Nothing> try_restore_state(std::uint64_t state) { return done(orlop_state_restore(engine_, state)); }
  void restore_state(std::uint64_t state) { try_restore_state(state).value(); }
  Outcome<Nothing> try_drop_state(std::uint64_t state) { return done(orlop_state_drop(engine_, state)); }
  void drop_state(std::uint64_t state) { try_drop_state(state).value(); }
  Outcome<Buffer> try_state_snapshot(std::uint64_t state) {
    orlop_buffer* snapshot = nullptr;
    if (orlop_error* error = orlop_state_snapshot(&snapshot, engine_, state)) return Error(error);
    return Buffer(snapshot);
  }
  Buffer state_snapshot(std::uint64_t state) { return try_state_snapshot(state).value(); }
  Outcome<Duration> try_run_until_idle() {
    std::int64_t passed = 0;
    if (orlop_error* error = orlop_run_until_idle(engine_, &passed)) return Error(error);
    return Duration(passed);
  }
  Duration run_until_idle() { return try_run_until_idle().value(); }
  // Returns false if the time has passed or the wait was interrupted.
  Outcome<bool> try_wait_ended(orlop_id deployment, std::optional<Duration> timeout = std::nullopt) {
    std::int32_t ended = 0;
    if (orlop_error* error = orlop_wait_ended(engine_, deployment, timeout ? timeout->count() : -1, &ended))
      return Error(error);
    return ended != 0;
  }
  bool wait_ended(orlop_id deployment, std::optional<Duration> timeout = std::nullopt) {
    return try_wait_ended(deployment, timeout).value();
  }
  // Returns a descriptor that is readable once events were stored (orlop_event_fd); owned by the engine.
  Outcome<std::int32_t> try_event_fd() {
    std::int32_t descriptor = -1;
    return done(orlop_event_fd(engine_, &descriptor), descriptor);
  }
  std::int32_t event_fd() { return try_event_fd().value(); }
  Outcome<orlop_run_end> try_run_until_ended(orlop_id deployment, std::optional<Duration> timeout = std::nullopt) {
    orlop_run_end end = ORLOP_RUN_IDLE;
    return done(orlop_run_until_ended(&end, engine_, deployment, timeout ? timeout->count() : -1), end);
  }
  orlop_run_end run_until_ended(orlop_id deployment, std::optional<Duration> timeout = std::nullopt) {
    return try_run_until_ended(deployment, timeout).value();
  }
  Outcome<Nothing> try_add_rule(const Rule& rule) {
    const orlop_rule given = {sizeof given,
                              text_of(rule.kind),
                              text_of(rule.step),
                              text_of(rule.name),
                              rule.attempt,
                              rule.times,
                              rule.after.value_or(Duration(0)).count(),
                              text_of(rule.fails),
                              rule.outcome,
                              rule.running,
                              text_of(rule.outputs),
                              rule.delay.count(),
                              rule.jitter.count(),
                              rule.cancel_after.count()};
    return done(orlop_rule_add(engine_, &given));
  }
  void add_rule(const Rule& rule) { try_add_rule(rule).value(); }
  Outcome<Nothing> try_clear_rules() { return done(orlop_rules_clear(engine_)); }
  void clear_rules() { try_clear_rules().value(); }

  // Nodes of a cluster (simulation.h).
  Outcome<Nothing> try_set_capacity(std::string_view cluster, const orlop_capacity& capacity) {
    return done(orlop_capacity_set(engine_, text_of(cluster), &capacity));
  }
  void set_capacity(std::string_view cluster, const orlop_capacity& capacity) {
    try_set_capacity(cluster, capacity).value();
  }
  Outcome<Nothing> try_lose_nodes(std::string_view cluster, std::uint32_t nodes, Duration back_after) {
    return done(orlop_nodes_lose(engine_, text_of(cluster), nodes, back_after.count()));
  }
  void lose_nodes(std::string_view cluster, std::uint32_t nodes, Duration back_after) {
    try_lose_nodes(cluster, nodes, back_after).value();
  }
  Outcome<Nothing> try_clear_capacity() { return done(orlop_capacity_clear(engine_)); }
  void clear_capacity() { try_clear_capacity().value(); }

  Outcome<Nothing> try_add_external_rule(const ExternalRule& rule) {
    const orlop_external_rule given = {
        sizeof given,        text_of(rule.question), text_of(rule.where), text_of(rule.answer),
        text_of(rule.error), rule.delay.count(),     rule.times};
    return done(orlop_external_rule_add(engine_, &given));
  }
  void add_external_rule(const ExternalRule& rule) { try_add_external_rule(rule).value(); }
  Outcome<Nothing> try_clear_external_rules() { return done(orlop_external_rules_clear(engine_)); }
  void clear_external_rules() { try_clear_external_rules().value(); }

  Outcome<Nothing> try_add_receiver(const Receiver& receiver) {
    const orlop_receiver given = {sizeof given, text_of(receiver.url), receiver.status, text_of(receiver.text),
                                  receiver.times};
    return done(orlop_receiver_add(engine_, &given));
  }
  void add_receiver(const Receiver& receiver) { try_add_receiver(receiver).value(); }
  Outcome<Nothing> try_clear_receivers() { return done(orlop_receivers_clear(engine_)); }
  void clear_receivers() { try_clear_receivers().value(); }

 protected:
  // Returns `value`, the output of a call that did not fail, or its error.
  template <typename Value = Nothing>
  static Outcome<Value> done(orlop_error* error, const Value& value = {}) {
    if (error != nullptr) return Error(error);
    return value;
  }
  orlop_engine* engine_;
};

class Engine : public EngineRef {
 public:
  // Opens an engine; with an `origin`, a fork of that simulation.
  static Outcome<Engine> try_open(const Options& options = {}, EngineRef* origin = nullptr);
  explicit Engine(const Options& options = {}, EngineRef* origin = nullptr)
      : Engine(try_open(options, origin).value()) {}
  // Takes ownership of a handle.
  static Engine attach(orlop_engine* engine) noexcept { return Engine(engine, Adopted{}); }
  Engine(Engine&& other) noexcept : EngineRef(std::exchange(other.engine_, nullptr)) {}
  Engine& operator=(Engine&& other) noexcept { return std::swap(engine_, other.engine_), *this; }
  ~Engine() { orlop_error_free(orlop_close(engine_)); }

  Outcome<Nothing> try_close() { return done(orlop_close(engine_)); }
  void close() { try_close().value(); }

 private:
  struct Adopted {};
  Engine(orlop_engine* engine, Adopted) noexcept : EngineRef(engine) {}
};

inline Outcome<Engine> EngineRef::try_share() {
  orlop_engine* second = nullptr;
  if (orlop_error* error = orlop_share(&second, engine_)) return Error(error);
  return Engine::attach(second);
}
inline Engine EngineRef::share() { return try_share().value(); }

inline Outcome<Engine> Engine::try_open(const Options& options, EngineRef* origin) {
  detail::Given given(options);
  if (orlop_error* error = given.take_refusal()) return Error(error);
  orlop_engine* engine = nullptr;
  if (orlop_error* error = origin == nullptr ? orlop_open(&engine, given.options())
                                             : orlop_fork(&engine, origin->handle(), given.options()))
    return Error(error);
  given.let_go();
  return Engine::attach(engine);
}

namespace detail {

// Returns the query as a C struct that points into `kinds`.
inline orlop_event_query given(const EventQuery& query, std::vector<orlop_text>& kinds) {
  for (const std::string_view kind : query.kinds) kinds.push_back(text_of(kind));
  return {sizeof(orlop_event_query),
          query.since,
          query.limit,
          query.organization,
          query.request,
          query.subject,
          kinds.data(),
          kinds.size(),
          query.timeout ? query.timeout->count() : -1};
}

}  // namespace detail

inline Outcome<Feed> EngineRef::try_select(const EventQuery& query) {
  std::vector<orlop_text> kinds;
  const orlop_event_query given = detail::given(query, kinds);
  orlop_feed* feed = nullptr;
  if (orlop_error* error = orlop_feed_select(&feed, engine_, &given)) return Error(error);
  return Feed(feed);
}

inline Outcome<Buffer> EngineRef::try_select_json(const EventQuery& query, std::uint64_t* next) {
  std::vector<orlop_text> kinds;
  const orlop_event_query given = detail::given(query, kinds);
  orlop_buffer* list = nullptr;
  if (orlop_error* error = orlop_events_select(&list, next, engine_, &given)) return Error(error);
  return Buffer(list);
}

inline Outcome<Reply> Batch::try_dispatch(const Request& request) {
  detail::RequestLists lists;
  const orlop_request given = detail::given(request, lists);
  orlop_reply* reply = nullptr;
  if (orlop_error* error = orlop_batch_dispatch(&reply, batch_.get(), &given)) return Error(error);
  return Reply(reply);
}

inline Outcome<Reply> EngineRef::try_dispatch(const Request& request) {
  detail::RequestLists lists;
  const orlop_request given = detail::given(request, lists);
  orlop_reply* reply = nullptr;
  if (orlop_error* error = orlop_dispatch(&reply, engine_, &given)) return Error(error);
  return Reply(reply);
}

inline Outcome<std::optional<Reply>> EngineRef::try_authenticate(const Request& request) {
  detail::RequestLists lists;
  const orlop_request given = detail::given(request, lists);
  orlop_reply* refusal = nullptr;
  if (orlop_error* error = orlop_authenticate(&refusal, engine_, &given)) return Error(error);
  if (refusal == nullptr) return std::optional<Reply>();
  return std::optional<Reply>(Reply(refusal));
}

}  // namespace api
}  // namespace orlop

#endif
