// The C++20 face of orlop.h: the same functions with objects that free themselves, views and chrono. Header only.
// orlop.h is the manual; here stands only what differs.
//
//   orlop::Engine engine({.storage = "platform.db"});
//   orlop::Reply reply = engine.dispatch({.method = "GET", .path = "/organization"});
//
// Every function that can fail comes twice: dispatch() throws orlop::Error, try_dispatch() returns an Outcome that holds the
// value or the Error. Objects may be moved, not copied; one that was moved from, or closed, answers ORLOP_ERROR_MISUSE or
// ORLOP_ERROR_CLOSED.
#ifndef ORLOP_ORLOP_HPP
#define ORLOP_ORLOP_HPP

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "orlop/driver.h"
#include "orlop/orlop.h"

namespace orlop {
// A name of its own in object files, so that a program may hold this face and the library's inside at once.
inline namespace face {

using Duration = std::chrono::milliseconds;
using Instant = std::chrono::sys_time<Duration>;

inline orlop_text text_of(std::string_view text) noexcept { return {text.data(), text.size()}; }
inline std::string_view view_of(orlop_text text) noexcept { return {text.data == nullptr ? "" : text.data, text.size}; }
// ---- Errors ----------------------------------------------------------------------------------------------------------------
class Error : public std::runtime_error {
 public:
  // Takes the error over.
  explicit Error(orlop_error* error)
      : std::runtime_error(orlop_error_message(error)), code_(orlop_error_code(error)), name_(orlop_error_name(error)) {
    orlop_error_free(error);
  }
  orlop_code code() const noexcept { return code_; }
  std::string_view name() const noexcept { return name_; }

 private:
  orlop_code code_;
  const char* name_;
};

// A value, or the Error that kept it from being.
template <typename T>
class [[nodiscard]] Outcome {
 public:
  Outcome(T value) : held_(std::in_place_index<0>, std::move(value)) {}
  Outcome(Error error) : held_(std::in_place_index<1>, std::move(error)) {}

  explicit operator bool() const noexcept { return ok(); }
  bool ok() const noexcept { return held_.index() == 0; }
  // Throws the Error if there is no value.
  T& value() & { return ok() ? *std::get_if<0>(&held_) : throw error(); }
  T&& value() && { return ok() ? std::move(*std::get_if<0>(&held_)) : throw error(); }
  const Error& error() const { return std::get<1>(held_); }

 private:
  std::variant<T, Error> held_;
};

struct Nothing {};
// ---- Values ----------------------------------------------------------------------------------------------------------------
inline std::string to_text(orlop_id id) {
  char text[37];
  orlop_id_format(id, text);
  return text;
}

inline std::string to_text(Instant at) {
  char text[25];
  orlop_time_format(at.time_since_epoch().count(), text);
  return text;
}

inline Outcome<orlop_id> try_parse_id(std::string_view text) {
  orlop_id id{};
  if (orlop_error* error = orlop_id_parse(&id, text_of(text))) return Error(error);
  return id;
}
inline orlop_id parse_id(std::string_view text) { return try_parse_id(text).value(); }

inline Outcome<Instant> try_parse_instant(std::string_view text) {
  std::int64_t milliseconds = 0;
  if (orlop_error* error = orlop_time_parse(&milliseconds, text_of(text))) return Error(error);
  return Instant(Duration(milliseconds));
}
inline Instant parse_instant(std::string_view text) { return try_parse_instant(text).value(); }
// ---- Requests and replies --------------------------------------------------------------------------------------------------
using Header = std::pair<std::string_view, std::string_view>;

struct Request {
  std::string_view method;
  std::string_view path;
  std::string_view body = {};
  std::string_view query = {};
  std::vector<Header> headers = {};
};

class Reply {
 public:
  explicit Reply(orlop_reply* reply) noexcept : reply_(reply) {}

  int status() const noexcept { return orlop_reply_status(reply_.get()); }
  bool ok() const noexcept { return status() >= 200 && status() < 300; }
  std::string_view body() const noexcept { return view_of(orlop_reply_body(reply_.get())); }
  // "" if there is none of that name.
  std::string_view header(std::string_view name) const noexcept {
    return view_of(orlop_reply_header_find(reply_.get(), text_of(name)));
  }
  std::vector<Header> headers() const {
    std::vector<Header> headers(orlop_reply_header_count(reply_.get()));
    for (std::size_t index = 0; index < headers.size(); ++index) {
      const orlop_header header = orlop_reply_header(reply_.get(), index);
      headers[index] = {view_of(header.name), view_of(header.value)};
    }
    return headers;
  }

 private:
  struct Free {
    void operator()(orlop_reply* reply) const noexcept { orlop_reply_free(reply); }
  };
  std::unique_ptr<orlop_reply, Free> reply_;
};

// Text that the library made.
class Buffer {
 public:
  explicit Buffer(orlop_buffer* buffer) noexcept : buffer_(buffer) {}
  std::string_view text() const noexcept { return view_of(orlop_buffer_text(buffer_.get())); }

 private:
  struct Free {
    void operator()(orlop_buffer* buffer) const noexcept { orlop_buffer_free(buffer); }
  };
  std::unique_ptr<orlop_buffer, Free> buffer_;
};

inline std::string_view version() noexcept { return orlop_version(); }

inline Outcome<Buffer> try_describe(std::string_view name) {
  orlop_buffer* document = nullptr;
  if (orlop_error* error = orlop_describe(&document, text_of(name))) return Error(error);
  return Buffer(document);
}
inline Buffer describe(std::string_view name) { return try_describe(name).value(); }
// ---- What the host gives ---------------------------------------------------------------------------------------------------
using Step = orlop_step;

struct Report {
  orlop_id step;
  orlop_report_kind kind;
  std::string_view text = {};
  orlop_running_state running = ORLOP_RUNNING_NONE;
};

// See driver.h for what a driver must do.
class Driver {
 public:
  virtual ~Driver() = default;
  // To refuse the step, throw: what() becomes the reason that it failed with.
  virtual void start(const Step& step) = 0;
  // One that throws has done nothing.
  virtual void cancel(orlop_id step, orlop_cancel_mode mode) { (void)step, (void)mode; }
};

struct Options {
  std::string_view storage = "memory:";
  std::shared_ptr<Driver> driver = nullptr;            // nullptr: the scripted one; kept until the engine is gone
  std::function<Instant()> clock = nullptr;            // nullptr: the system's; one that throws keeps the last instant
  std::function<std::uint64_t()> entropy = nullptr;    // nullptr: the operating system's; must not throw
  std::optional<std::uint64_t> seed = std::nullopt;
  orlop_durability durability = ORLOP_DURABILITY_FULL;
  std::string_view brand = {};
  orlop_busy busy = ORLOP_BUSY_QUEUE;
  std::uint32_t max_parallel_builds = 0;
  std::uint32_t max_parallel_deploys = 0;
  Duration step_deadline{0};
  Duration cancel_deadline{0};
  std::uint32_t history_kept = 0;
  bool simulation = false;
  std::optional<Instant> start = std::nullopt;
};

struct Rule {
  std::string_view kind = {}, step = {}, name = {};
  std::uint32_t attempt = 0;
  std::optional<Duration> after = std::nullopt;
  std::string_view fails = {};
  std::uint32_t times = 0;
  orlop_outcome outcome = ORLOP_OUTCOME_USUAL;
  orlop_running_state running = ORLOP_RUNNING_NONE;
  std::string_view outputs = {};
  Duration delay{0}, jitter{0}, cancel_after{0};
};
// ---- The engine ------------------------------------------------------------------------------------------------------------
class Engine {
 public:
  static Outcome<Engine> try_open(const Options& options = {});
  explicit Engine(const Options& options = {}) : Engine(try_open(options).value()) {}
  // Takes a handle over.
  static Engine adopt(orlop_engine* engine) noexcept { return Engine(engine, Adopted{}); }
  Engine(Engine&& other) noexcept : engine_(std::exchange(other.engine_, nullptr)) {}
  Engine& operator=(Engine&& other) noexcept { return std::swap(engine_, other.engine_), *this; }
  ~Engine() { orlop_error_free(orlop_close(engine_)); }

  Outcome<Nothing> try_close() { return done(orlop_close(engine_)); }
  void close() { try_close().value(); }

  // The handle, for functions of orlop.h; stays this object's.
  orlop_engine* handle() const noexcept { return engine_; }

  Outcome<Engine> try_share() {
    orlop_engine* second = nullptr;
    if (orlop_error* error = orlop_share(&second, engine_)) return Error(error);
    return adopt(second);
  }
  Engine share() { return try_share().value(); }

  Outcome<Reply> try_dispatch(const Request& request);
  Reply dispatch(const Request& request) { return try_dispatch(request).value(); }

  // How long until it wants the next call; nothing: not before a report or a request.
  Outcome<std::optional<Duration>> try_tick() {
    std::int64_t next = -1;
    if (orlop_error* error = orlop_tick(engine_, &next)) return Error(error);
    return next < 0 ? std::optional<Duration>() : Duration(next);
  }
  std::optional<Duration> tick() { return try_tick().value(); }

  // True: a tick has something to do. No timeout: no bound.
  Outcome<bool> try_wait(std::optional<Duration> timeout = std::nullopt) {
    std::int32_t ready = 0;
    if (orlop_error* error = orlop_wait(engine_, timeout ? timeout->count() : -1, &ready)) return Error(error);
    return ready != 0;
  }
  bool wait(std::optional<Duration> timeout = std::nullopt) { return try_wait(timeout).value(); }

  Outcome<Nothing> try_interrupt() { return done(orlop_interrupt(engine_)); }
  void interrupt() { try_interrupt().value(); }

  Outcome<Nothing> try_report(const Report& report) {
    const orlop_step_report given = {sizeof given, report.step, report.kind, report.running, text_of(report.text)};
    return done(orlop_report(engine_, &given));
  }
  void report(const Report& report) { try_report(report).value(); }

  Outcome<Buffer> try_events(std::uint64_t since = 0, std::uint32_t limit = 1000) {
    orlop_buffer* list = nullptr;
    if (orlop_error* error = orlop_events(&list, engine_, since, limit)) return Error(error);
    return Buffer(list);
  }
  Buffer events(std::uint64_t since = 0, std::uint32_t limit = 1000) { return try_events(since, limit).value(); }

  Outcome<std::uint64_t> try_last_event() {
    std::uint64_t number = 0;
    if (orlop_error* error = orlop_last_event(engine_, &number)) return Error(error);
    return number;
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
  Outcome<Duration> try_run_until_idle() {
    std::int64_t passed = 0;
    if (orlop_error* error = orlop_run_until_idle(engine_, &passed)) return Error(error);
    return Duration(passed);
  }
  Duration run_until_idle() { return try_run_until_idle().value(); }

  Outcome<Nothing> try_add_rule(const Rule& rule) {
    const orlop_rule given = {sizeof given, text_of(rule.kind), text_of(rule.step), text_of(rule.name), rule.attempt, rule.times,
                              rule.after.value_or(Duration(0)).count(), text_of(rule.fails), rule.outcome, rule.running,
                              text_of(rule.outputs), rule.delay.count(), rule.jitter.count(), rule.cancel_after.count()};
    return done(orlop_rule_add(engine_, &given));
  }
  void add_rule(const Rule& rule) { try_add_rule(rule).value(); }
  Outcome<Nothing> try_clear_rules() { return done(orlop_rules_clear(engine_)); }
  void clear_rules() { try_clear_rules().value(); }

 private:
  struct Adopted {};
  Engine(orlop_engine* engine, Adopted) noexcept : engine_(engine) {}
  static Outcome<Nothing> done(orlop_error* error) {
    if (error != nullptr) return Error(error);
    return Nothing{};
  }

  orlop_engine* engine_;
};
// ---- How the host's objects become C callbacks -----------------------------------------------------------------------------
namespace detail {

inline orlop_error* start(void* driver, const orlop_step* step) noexcept {
  try {
    (*static_cast<std::shared_ptr<Driver>*>(driver))->start(*step);
    return nullptr;
  } catch (const std::exception& failure) {
    return orlop_error_new(ORLOP_ERROR_DRIVER_FAILED, text_of(failure.what()));
  } catch (...) {
    return orlop_error_new(ORLOP_ERROR_DRIVER_FAILED, ORLOP_TEXT("the driver threw what is no std::exception"));
  }
}

inline void cancel(void* driver, orlop_id step, orlop_cancel_mode mode) noexcept {
  try {
    (*static_cast<std::shared_ptr<Driver>*>(driver))->cancel(step, mode);
  } catch (...) {
    return;
  }
}

inline std::int64_t now(void* clock) noexcept {
  try {
    return (*static_cast<std::function<Instant()>*>(clock))().time_since_epoch().count();
  } catch (...) {
    return INT64_MIN;
  }
}

inline std::uint64_t draw(void* entropy) noexcept { return (*static_cast<std::function<std::uint64_t()>*>(entropy))(); }

template <typename T>
void release(void* held) noexcept {
  delete static_cast<T*>(held);
}

// A copy of `given` for the library to release; nullptr of nothing.
template <typename T>
std::unique_ptr<T> copy_of(const T& given) {
  return given ? std::make_unique<T>(given) : nullptr;
}

}  // namespace detail

inline Outcome<Engine> Engine::try_open(const Options& options) {
  auto held_driver = detail::copy_of(options.driver);
  auto held_clock = detail::copy_of(options.clock);
  auto held_entropy = detail::copy_of(options.entropy);
  const orlop_driver driver = {sizeof driver, held_driver.get(), detail::start, detail::cancel,
                               detail::release<std::shared_ptr<Driver>>};
  const orlop_clock clock = {sizeof clock, held_clock.get(), detail::now, detail::release<std::function<Instant()>>};
  const orlop_entropy entropy = {sizeof entropy, held_entropy.get(), detail::draw,
                                 detail::release<std::function<std::uint64_t()>>};
  orlop_options given = ORLOP_OPTIONS_INIT;
  given.storage = text_of(options.storage);
  given.durability = options.durability;
  given.driver = held_driver ? &driver : nullptr;
  given.clock = held_clock ? &clock : nullptr;
  given.entropy = held_entropy ? &entropy : nullptr;
  given.brand = text_of(options.brand);
  given.busy = options.busy;
  given.max_parallel_builds = options.max_parallel_builds;
  given.max_parallel_deploys = options.max_parallel_deploys;
  given.step_deadline_ms = options.step_deadline.count();
  given.cancel_deadline_ms = options.cancel_deadline.count();
  given.history_kept = options.history_kept;
  given.seeded = options.seed ? 1 : 0;
  given.simulation = options.simulation ? 1 : 0;
  given.seed = options.seed.value_or(0);
  given.start_ms = options.start ? options.start->time_since_epoch().count() : 0;
  orlop_engine* engine = nullptr;
  if (orlop_error* error = orlop_open(&engine, &given)) return Error(error);
  // From here on the library owns what it was given.
  (void)held_driver.release();
  (void)held_clock.release();
  (void)held_entropy.release();
  return Engine::adopt(engine);
}

inline Outcome<Reply> Engine::try_dispatch(const Request& request) {
  std::vector<orlop_header> headers;
  headers.reserve(request.headers.size());
  for (const auto& [name, value] : request.headers) headers.push_back({text_of(name), text_of(value)});
  const orlop_request given = {text_of(request.method), text_of(request.path), text_of(request.query),
                               headers.data(), headers.size(), text_of(request.body)};
  orlop_reply* reply = nullptr;
  if (orlop_error* error = orlop_dispatch(&reply, engine_, &given)) return Error(error);
  return Reply(reply);
}

}  // namespace face
}  // namespace orlop

#endif
