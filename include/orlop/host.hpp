// What a host gives to the engine of orlop.hpp: its driver and its ports, and how they become C callbacks. Included by options.hpp.
#ifndef ORLOP_HOST_HPP
#define ORLOP_HOST_HPP

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "orlop/driver.h"
#include "orlop/orlop.h"
#include "orlop/ports.h"
#include "orlop/storage.h"
#include "orlop/values.hpp"

namespace orlop {
// An inline namespace, so that a program may contain this API and the library's internals at once.
inline namespace api {

// ---- Driver and options ----------------------------------------------------------------------------------------------------
using Step = orlop_step;
using Cancellation = orlop_cancellation;
using Delivery = orlop_delivery;
using Repository = orlop_repository;

struct Report {
  orlop_id step;
  orlop_report_kind kind;
  std::string_view text = {};  // a reason or line over 64 KiB is cut, outputs over 1 MiB fail the step (driver.h)
  orlop_running_state running = ORLOP_RUNNING_NONE;
};

// driver.h has the contract of drivers.
class Driver {
 public:
  virtual ~Driver() = default;
  // An exception fails the step with what() as the reason, cut to 64 KiB.
  virtual void start(const Step& step) = 0;
  // An exception is ignored.
  virtual void cancel(const Cancellation& cancellation) { (void)cancellation; }
};

// Thrown by a token authenticator or policy evaluator that cannot answer, for example after a timeout: the request fails with DRIVER_FAILED. Any other exception
// refuses.
class PortTimeout : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The person that a token authenticates (ports.h).
struct Identity {
  std::string subject;
  std::string email = {};
  std::string name = {};
};

struct Hook {
  orlop_hook_presence presence = ORLOP_HOOK_UNKNOWN;
  std::vector<std::string> events = {};
};

// Ports, by the names of their options. Each may be called from any thread.
using Clock = std::function<Instant()>;                // one that throws leaves the engine at the last instant
using RandomSource = std::function<std::uint64_t()>;   // must not throw
using TokenAuthenticator = std::function<Identity(std::string_view token, Instant now)>;             // one that throws refuses the token
using PolicyEvaluator = std::function<bool(std::string_view policy, std::string_view input)>;        // one that throws refuses the request
using GitProvider = std::function<Hook(const Repository& repository)>;                               // one that throws: the check was impossible
using WebhookSender = std::function<void(const Delivery& delivery)>;                                 // one that throws: the attempt failed
using Log = std::function<void(orlop_log_level level, std::string_view message)>;                    // one that throws has written nothing

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

// A rule of the scripted git provider of a simulation (ports.h).
struct HookRule {
  std::string_view provider = {}, url = {};
  orlop_hook_presence presence = ORLOP_HOOK_PRESENT;
  std::vector<std::string_view> events = {};
};

// A rule of the scripted receivers of a simulation.
struct Receiver {
  std::string_view url = {};
  int status = 200;
  std::string_view text = {};
  std::uint32_t times = 0;
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

inline void cancel(void* driver, const orlop_cancellation* cancellation) noexcept {
  try {
    (*static_cast<std::shared_ptr<Driver>*>(driver))->cancel(*cancellation);
  } catch (...) {
    return;
  }
}

inline std::int64_t now(void* clock) noexcept {
  try {
    return (*static_cast<Clock*>(clock))().time_since_epoch().count();
  } catch (...) {
    return INT64_MIN;
  }
}

inline std::uint64_t draw(void* random_source) noexcept { return (*static_cast<RandomSource*>(random_source))(); }

// Runs a port's function; an exception becomes an error of this code.
template <typename Call>
orlop_error* run_port(orlop_code code, const Call& call) noexcept {
  try {
    call();
    return nullptr;
  } catch (const PortTimeout& late) {
    return orlop_error_new(ORLOP_ERROR_DRIVER_FAILED, text_of(late.what()));
  } catch (const std::exception& failure) {
    return orlop_error_new(code, text_of(failure.what()));
  } catch (...) {
    return orlop_error_new(code, ORLOP_TEXT("the port threw what is no std::exception"));
  }
}

inline void write_log(void* log, orlop_log_level level, orlop_text message) noexcept {
  try {
    (*static_cast<Log*>(log))(level, view_of(message));
  } catch (...) {
    return;
  }
}

inline orlop_error* verify(void* token_authenticator, orlop_text token, std::int64_t now_ms,
                           void (*accept)(void* accepted, const orlop_identity* identity), void* accepted) noexcept {
  return run_port(ORLOP_ERROR_UNAUTHENTICATED, [&] {
    const Identity identity = (*static_cast<TokenAuthenticator*>(token_authenticator))(view_of(token), Instant(Duration(now_ms)));
    const orlop_identity given = {sizeof given, text_of(identity.subject), text_of(identity.email), text_of(identity.name)};
    accept(accepted, &given);
  });
}

inline orlop_error* allows(void* policy_evaluator, orlop_text policy, orlop_text input, std::int32_t* allowed) noexcept {
  return run_port(ORLOP_ERROR_FORBIDDEN, [&] { *allowed = (*static_cast<PolicyEvaluator*>(policy_evaluator))(view_of(policy), view_of(input)) ? 1 : 0; });
}

inline orlop_error* find_hook(void* git_provider, const orlop_repository* repository,
                              void (*answer)(void* answered, orlop_hook_presence presence, const orlop_text* events, size_t event_count),
                              void* answered) noexcept {
  return run_port(ORLOP_ERROR_DRIVER_FAILED, [&] {
    const Hook hook = (*static_cast<GitProvider*>(git_provider))(*repository);
    std::vector<orlop_text> events;
    for (const std::string& event : hook.events) events.push_back(text_of(event));
    answer(answered, hook.presence, events.data(), events.size());
  });
}

inline orlop_error* deliver(void* webhook_sender, const orlop_delivery* delivery) noexcept {
  return run_port(ORLOP_ERROR_DRIVER_FAILED, [&] { (*static_cast<WebhookSender*>(webhook_sender))(*delivery); });
}

template <typename Port>
void release(void* held) noexcept {
  delete static_cast<Port*>(held);
}

// The C struct of each port, around a copy that release() deletes.
inline orlop_driver callbacks_of(std::shared_ptr<Driver>* held) { return {sizeof(orlop_driver), held, start, cancel, release<std::shared_ptr<Driver>>}; }
inline orlop_clock callbacks_of(Clock* held) { return {sizeof(orlop_clock), held, now, release<Clock>}; }
inline orlop_random_source callbacks_of(RandomSource* held) { return {sizeof(orlop_random_source), held, draw, release<RandomSource>}; }
inline orlop_log callbacks_of(Log* held) { return {sizeof(orlop_log), held, write_log, release<Log>}; }
inline orlop_token_authenticator callbacks_of(TokenAuthenticator* held) {
  return {sizeof(orlop_token_authenticator), held, verify, release<TokenAuthenticator>};
}
inline orlop_policy_evaluator callbacks_of(PolicyEvaluator* held) {
  return {sizeof(orlop_policy_evaluator), held, allows, release<PolicyEvaluator>};
}
inline orlop_git_provider callbacks_of(GitProvider* held) { return {sizeof(orlop_git_provider), held, find_hook, release<GitProvider>}; }
inline orlop_webhook_sender callbacks_of(WebhookSender* held) { return {sizeof(orlop_webhook_sender), held, deliver, release<WebhookSender>}; }

// A port of the host on its way into the library.
template <typename Callbacks, typename Port>
class Held {
 public:
  // nullptr of nothing.
  const Callbacks* hold(const Port& given) {
    if (!given) return nullptr;
    held_ = std::make_unique<Port>(given);
    callbacks_ = callbacks_of(held_.get());
    return &callbacks_;
  }
  void let_go() noexcept { (void)held_.release(); }

 private:
  std::unique_ptr<Port> held_;
  Callbacks callbacks_{};
};

// Lists as the library takes them: one text. What an entry must not be is remembered as an error.
class GivenLists {
 public:
  GivenLists() = default;
  GivenLists(const GivenLists&) = delete;
  GivenLists& operator=(const GivenLists&) = delete;
  ~GivenLists() { orlop_error_free(refusal_); }
  // NULL, or the caller's to free.
  orlop_error* take_refusal() noexcept { return std::exchange(refusal_, nullptr); }

 protected:
  std::string join_entries(std::string_view option, const std::vector<std::string_view>& entries) {
    std::string text;
    for (const std::string_view entry : entries) {
      if (entry.empty() || entry.find(',') != entry.npos) refuse("an entry of options." + std::string(option) + " must be a text without a comma");
      text.append(text.empty() ? "" : ",").append(entry);
    }
    return text;
  }
  std::string concatenate_keys(std::string_view option, const std::vector<std::string_view>& keys) {
    std::string text;
    for (const std::string_view key : keys) {
      if (key.size() != 32) refuse("a key of options." + std::string(option) + " must have 32 bytes, not " + std::to_string(key.size()));
      text += key;
    }
    return text;
  }

 private:
  void refuse(const std::string& message) {
    if (refusal_ == nullptr) refusal_ = orlop_error_new(ORLOP_ERROR_MISUSE, text_of(message));
  }

  orlop_error* refusal_ = nullptr;
};

}  // namespace detail

}  // namespace api
}  // namespace orlop

#endif
