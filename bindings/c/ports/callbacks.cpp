#include "ports/callbacks.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <string>

#include "guard.h"
#include "model/registry.h"

namespace orlop::c {
namespace {

// In the memory that each thread has from its beginning: what is taken at the first use aborts where there is none.
[[gnu::tls_model("initial-exec")]] thread_local const Inside* innermost = nullptr;

orlop_step step_of(const Step& step, orlop_engine* engine) {
  const Family* family = find_family(step.family);
  orlop_step given{};
  given.size = sizeof given;
  given.engine = engine;
  given.id = id_of(step.id);
  given.kind = static_cast<orlop_step_kind>(step.kind);
  given.resumed = step.resumed ? 1 : 0;
  given.action = static_cast<orlop_action>(step.action);
  given.attempt = step.attempt;
  given.subject = id_of(step.subject);
  given.owner = id_of(step.owner);
  given.organization = id_of(step.organization);
  given.request = id_of(step.request);
  given.started_at_ms = step.started_at.milliseconds;
  given.deadline_ms = step.deadline.milliseconds;
  given.kind_name = text_of(to_string(step.kind));
  given.family = text_of(family == nullptr ? "" : family->name);
  given.name = text_of(step.name);
  given.configuration = text_of(step.configuration);
  return given;
}

}  // namespace

Inside::Inside(const void* host, Callback callback) : host_(host), callback_(callback), outer_(innermost) { innermost = this; }

Inside::~Inside() { innermost = outer_; }

Callback Inside::of(const void* host) {
  for (const Inside* inside = innermost; inside != nullptr; inside = inside->outer_) {
    if (inside->host_ == host) return inside->callback_;
  }
  return Callback::none;
}

Duration steady_time() {
  const auto since = std::chrono::steady_clock::now().time_since_epoch();
  return Duration{std::chrono::duration_cast<std::chrono::milliseconds>(since).count()};
}

Instant HostClock::now() {
  const Inside inside(host_, Callback::source);
  const std::int64_t given_now = guard_or(INT64_MIN, [&] { return given_.now(given_.context); });
  if (given_now == INT64_MIN) return {last_.load(std::memory_order_relaxed)};
  last_.store(given_now, std::memory_order_relaxed);
  return {given_now};
}

Duration HostClock::monotonic() {
  if (given_.monotonic == nullptr) return steady_time();
  const Inside inside(host_, Callback::source);
  const std::int64_t read = guard_or(INT64_MIN, [&] { return given_.monotonic(given_.context); });
  if (read == INT64_MIN) return Duration{last_monotonic_.load(std::memory_order_relaxed)};
  last_monotonic_.store(read, std::memory_order_relaxed);
  return Duration{read};
}

std::uint64_t HostRandomSource::draw(std::uint64_t, std::uint64_t) {
  const Inside inside(host_, Callback::source);
  return given_.draw(given_.context);
}

// What is written may be a view into something longer; the host is given a zero at its end as with every text.
void HostLog::write(LogLevel level, std::string_view message) {
  guard_or(0, [&] {
    const std::string text(message);
    const Inside inside(host_, Callback::log);
    given_.write(given_.context, static_cast<orlop_log_level>(level), text_of(text));
    return 1;
  });
}

Result<void> HostDriver::start(const Step& step) {
  const orlop_step given = step_of(step, engine_);
  orlop_error* refusal = nullptr;
  orlop_error* thrown = guard([&]() -> Result<void> {
    const Inside inside(host_, Callback::driver);
    refusal = given_.start(given_.context, &given);
    return {};
  });
  if (thrown != nullptr) {
    orlop_error_free(thrown);
    return make_error(ErrorCode::driver_failed, "the driver's start() threw an exception into C");
  }
  if (refusal == nullptr) return {};
  Error error = make_error(static_cast<ErrorCode>(orlop_error_code(refusal)), orlop_error_message(refusal));
  orlop_error_free(refusal);
  return error;
}

void HostDriver::cancel(const Id& step, CancelMode mode) {
  if (given_.cancel == nullptr) return;
  guard_or(0, [&] {
    const Inside inside(host_, Callback::driver);
    const orlop_cancellation given = {sizeof given, engine_, id_of(step), static_cast<orlop_cancel_mode>(mode)};
    given_.cancel(given_.context, &given);
    return 1;
  });
}

orlop_id id_of(const Id& id) {
  orlop_id out;
  std::copy(id.bytes.begin(), id.bytes.end(), std::begin(out.bytes));
  return out;
}

Id id_of(const orlop_id& id) {
  Id out;
  std::copy(std::begin(id.bytes), std::end(id.bytes), out.bytes.begin());
  return out;
}

}  // namespace orlop::c
