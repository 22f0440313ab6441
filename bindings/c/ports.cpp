#include "ports.h"

#include <optional>
#include <string>
#include <vector>

#include "callbacks.h"
#include "guard.h"
#include "instance.h"
#include "versioned.h"

namespace orlop::c {
namespace {

// Runs one function of a port. Its error, or the exception that it threw into C, is the answer's, with this code: but where the port
// has no result (driver_failed), the engine cannot answer. The log names the port, except for
// tokens that a token authenticator refuses (unauthenticated).
template <typename Call>
Result<void> call_port(Instance* host, const char* port, ErrorCode code, const Call& call) {
  orlop_error* refusal = nullptr;
  orlop_error* thrown = guard([&]() -> Result<void> {
    const Inside inside(host, Callback::port);
    refusal = call();
    return {};
  });
  if (thrown != nullptr) {
    orlop_error_free(thrown);
    host->log(LogLevel::error, std::string(port) + " threw an exception into C");
    return make_error(code, "a port's function threw an exception into C");
  }
  if (refusal == nullptr) return {};
  const bool cannot_tell = orlop_error_code(refusal) == ORLOP_ERROR_DRIVER_FAILED;
  Error error = make_error(cannot_tell ? ErrorCode::driver_failed : code, orlop_error_message(refusal));
  orlop_error_free(refusal);
  if (error.code != ErrorCode::unauthenticated) host->log(LogLevel::warning, std::string(port) + " failed: " + error.message);
  return error;
}

// What the host's accept() was given; nothing while it was not called, or with something that is no identity.
struct Accepted {
  std::optional<Identity> identity;
};

void accept(void* accepted, const orlop_identity* identity) {
  guard_or(0, [&] {
    auto& held = *static_cast<Accepted*>(accepted);
    held.identity.reset();
    const auto given = read_versioned(identity, orlop_identity{}, offsetof(orlop_identity, email), "the identity");
    if (!given || !check_text(given->subject, "subject") || !check_text(given->email, "email") || !check_text(given->name, "name")) return 0;
    held.identity = {std::string(view_of(given->subject)), std::string(view_of(given->email)), std::string(view_of(given->name))};
    return 1;
  });
}

struct Answered {
  std::optional<RepositoryHook> hook;
};

void answer(void* answered, orlop_hook_presence presence, const orlop_text* events, size_t event_count) {
  constexpr size_t event_count_max = 1000;
  guard_or(0, [&] {
    auto& held = *static_cast<Answered*>(answered);
    held.hook.reset();
    if (presence < ORLOP_HOOK_UNKNOWN || presence > ORLOP_HOOK_PRESENT || event_count > event_count_max) return 0;
    if (events == nullptr && event_count != 0) return 0;
    RepositoryHook hook{static_cast<HookPresence>(presence), {}};
    for (size_t index = 0; index < event_count; ++index) {
      if (!check_text(events[index], "an event")) return 0;
      hook.events.emplace_back(view_of(events[index]));
    }
    held.hook = std::move(hook);
    return 1;
  });
}

}  // namespace

Result<Identity> HostTokenAuthenticator::verify(std::string_view token, Instant now) {
  Accepted accepted;
  ORLOP_CHECK(call_port(host_, "the token authenticator", ErrorCode::unauthenticated, [&] {
    return given_.verify(given_.context, text_of(token), now.milliseconds, accept, &accepted);
  }));
  if (!accepted.identity) return make_error(ErrorCode::unauthenticated, "the token authenticator returned no identity");
  return std::move(*accepted.identity);
}

Result<bool> HostPolicyEvaluator::allows(std::string_view policy, std::string_view input) {
  std::int32_t allowed = 0;
  ORLOP_CHECK(call_port(host_, "the policy evaluator", ErrorCode::forbidden, [&] {
    return given_.allows(given_.context, text_of(policy), text_of(input), &allowed);
  }));
  return allowed != 0;
}

Result<RepositoryHook> HostGitProvider::find_hook(const Repository& repository) {
  const orlop_repository given = {sizeof given, text_of(repository.provider), text_of(repository.url), text_of(repository.token)};
  Answered answered;
  ORLOP_CHECK(call_port(host_, "the git provider", ErrorCode::driver_failed, [&] {
    return given_.find_hook(given_.context, &given, answer, &answered);
  }));
  if (!answered.hook) return make_error(ErrorCode::driver_failed, "the git provider gave no answer that can be read");
  return std::move(*answered.hook);
}

Result<void> HostWebhookSender::deliver(const Delivery& delivery) {
  std::vector<orlop_header> headers;
  for (const auto& [name, value] : delivery.headers) headers.push_back({text_of(name), text_of(value)});
  orlop_delivery given{};
  given.size = sizeof given;
  given.engine = engine_;
  given.id = id_of(delivery.id);
  given.webhook = id_of(delivery.webhook);
  given.organization = id_of(delivery.organization);
  given.attempt = delivery.attempt;
  given.url = text_of(delivery.url);
  given.headers = headers.data();
  given.header_count = headers.size();
  given.body = text_of(delivery.body);
  return call_port(host_, "the webhook sender", ErrorCode::driver_failed, [&] { return given_.deliver(given_.context, &given); });
}

}  // namespace orlop::c

using namespace orlop;
using namespace orlop::c;

extern "C" orlop_error* orlop_report_delivery(orlop_engine* engine, orlop_id delivery, int32_t status, orlop_text text) {
  return guard([&]() -> Result<void> {
    constexpr std::size_t text_kept = 4096;
    ORLOP_TRY(host, host_of(engine, CalledFrom::driver));
    ORLOP_CHECK(check_text(text, "text"));
    if (status < 0 || status > 599) {
      return make_error(ErrorCode::invalid, "status must be 0 to 599, not " + std::to_string(status));
    }
    host->engine().report_delivery({id_of(delivery), static_cast<std::uint16_t>(status), std::string(view_of(text).substr(0, text_kept))});
    return {};
  });
}
