#include "ports/callbacks.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <string>
#include <vector>

#include "base/text/connection_string.h"
#include "base/text/crypto.h"
#include "guard.h"
#include "model/registry.h"
#include "ports/ports.h"

namespace orlop::c {
namespace {

// In static TLS, which exists when the thread starts: lazily allocated TLS aborts when memory runs out.
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
  given.digest = text_of(step.released == nullptr ? std::string_view() : std::string_view(step.released->digest));
  given.release = step.release;
  given.unchanged = step.is_unchanged ? 1 : 0;
  return given;
}

orlop_aead_parameters parameters_of(const Aead::Parameters& parameters) {
  return {sizeof(orlop_aead_parameters), text_of(parameters.key), text_of(parameters.nonce), text_of(parameters.data)};
}

unsigned char* bytes_of(std::string& text) { return reinterpret_cast<unsigned char*>(text.data()); }

}  // namespace

Inside::Inside(const void* host, Callback callback) : host_(host), callback_(callback), outer_(innermost) {
  innermost = this;
}

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

// Removes passwords, because hosts quote connection strings.
Error take_refusal(orlop_error* refusal) {
  Error error =
      make_error(static_cast<ErrorCode>(orlop_error_code(refusal)), without_passwords(orlop_error_message(refusal)));
  orlop_error_free(refusal);
  return error;
}

std::string port_noun(std::string_view name) {
  std::string noun = "the " + std::string(name);
  std::ranges::replace(noun, '_', ' ');
  return noun;
}

Result<void> HostDriver::start(const Step& step) {
  const orlop_step given = step_of(step, engine_);
  return accept(Callback::driver, "driver", given_.start, &given);
}

void HostDriver::cancel(const Id& step, CancelMode mode) {
  const orlop_cancellation given = {sizeof given, engine_, id_of(step), static_cast<orlop_cancel_mode>(mode)};
  inform(Callback::driver, given_.cancel, &given);
}

void HostDriver::observe(const Id& cluster, std::span<const Id> services) {
  std::vector<orlop_id> ids;
  ids.reserve(services.size());
  for (const Id& service : services) ids.push_back(id_of(service));
  const orlop_subjects given = {sizeof given, engine_, id_of(cluster), ids.data(), ids.size()};
  inform(Callback::driver, given_.observe, &given);
}

Result<std::string> HostAead::encrypt(const Parameters& parameters, std::string_view text) {
  const orlop_aead_parameters given = parameters_of(parameters);
  std::string sealed(text.size() + tag_size, '\0');
  ORLOP_CHECK(accept(Callback::source, "aead", given_.encrypt, &given, text_of(text), bytes_of(sealed)));
  return sealed;
}

std::optional<std::string> HostAead::decrypt(const Parameters& parameters, std::string_view sealed) {
  const orlop_aead_parameters given = parameters_of(parameters);
  std::string text(sealed.size() - tag_size, '\0');
  const auto done =
      logged(host_, "aead", accept(Callback::source, "aead", given_.decrypt, &given, text_of(sealed), bytes_of(text)));
  if (done) return text;
  cleanse(text.data(), text.size());
  return std::nullopt;
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
