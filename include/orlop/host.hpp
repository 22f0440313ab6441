// What a host passes to the engine of orlop.hpp: driver, ports and options, and their conversion to C callbacks. Included by orlop.hpp.
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

struct Options {
  std::string_view storage = "memory:";
  std::shared_ptr<Driver> driver = nullptr;            // nullptr: the scripted one; kept until the engine is gone
  std::function<Instant()> clock = nullptr;            // nullptr: the system's; one that throws keeps the last instant
  std::function<std::uint64_t()> random_source = nullptr;    // nullptr: the operating system's; must not throw
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
  orlop_authentication authentication = ORLOP_AUTHENTICATION_OFF;
  std::uint32_t rate_limit = 0;
  // Ports, each called from any thread. One that throws refuses the token, cannot tell, or has failed to deliver.
  std::function<Identity(std::string_view token, Instant now)> token_authenticator = nullptr;
  std::function<Hook(const Repository&)> git_provider = nullptr;
  std::function<void(const Delivery&)> webhook_sender = nullptr;
  std::vector<std::string_view> kubernetes_versions = {};
  std::vector<std::string_view> webhook_allow = {};
  std::function<bool(std::string_view policy, std::string_view input)> policy_evaluator = nullptr;  // a port, too: one that throws refuses
  const orlop_store* store = nullptr;    // storage.h has no face of its own here; copied, and `storage` is then left alone
  std::string_view snapshot = {};        // what Engine::snapshot gave
  std::string_view secret_key = {};      // 32 bytes
  std::vector<std::string_view> previous_secret_keys = {};
  std::uint64_t mmap_size = 0;  // bytes of the store's file that are mapped into memory; orlop.h says what that risks
  std::function<void(orlop_log_level level, std::string_view message)> log = nullptr;  // ports.h; one that throws has written nothing
  orlop_require_cluster require_cluster = ORLOP_REQUIRE_CLUSTER_YES;
  orlop_catalogs catalogs = ORLOP_CATALOGS_KNOWN;
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
    return (*static_cast<std::function<Instant()>*>(clock))().time_since_epoch().count();
  } catch (...) {
    return INT64_MIN;
  }
}

inline std::uint64_t draw(void* random_source) noexcept { return (*static_cast<std::function<std::uint64_t()>*>(random_source))(); }

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

using Verify = std::function<Identity(std::string_view, Instant)>;
using Allow = std::function<bool(std::string_view, std::string_view)>;
using FindHook = std::function<Hook(const Repository&)>;
using Deliver = std::function<void(const Delivery&)>;
using WriteLog = std::function<void(orlop_log_level, std::string_view)>;

inline void write_log(void* log, orlop_log_level level, orlop_text message) noexcept {
  try {
    (*static_cast<WriteLog*>(log))(level, view_of(message));
  } catch (...) {
    return;
  }
}

inline orlop_error* verify(void* token_authenticator, orlop_text token, std::int64_t now_ms,
                           void (*accept)(void* accepted, const orlop_identity* identity), void* accepted) noexcept {
  return run_port(ORLOP_ERROR_UNAUTHENTICATED, [&] {
    const Identity identity = (*static_cast<Verify*>(token_authenticator))(view_of(token), Instant(Duration(now_ms)));
    const orlop_identity given = {sizeof given, text_of(identity.subject), text_of(identity.email), text_of(identity.name)};
    accept(accepted, &given);
  });
}

inline orlop_error* allows(void* policy_evaluator, orlop_text policy, orlop_text input, std::int32_t* allowed) noexcept {
  return run_port(ORLOP_ERROR_FORBIDDEN, [&] { *allowed = (*static_cast<Allow*>(policy_evaluator))(view_of(policy), view_of(input)) ? 1 : 0; });
}

inline orlop_error* find_hook(void* git_provider, const orlop_repository* repository,
                              void (*answer)(void* answered, orlop_hook_presence presence, const orlop_text* events, size_t event_count),
                              void* answered) noexcept {
  return run_port(ORLOP_ERROR_DRIVER_FAILED, [&] {
    const Hook hook = (*static_cast<FindHook*>(git_provider))(*repository);
    std::vector<orlop_text> events;
    for (const std::string& event : hook.events) events.push_back(text_of(event));
    answer(answered, hook.presence, events.data(), events.size());
  });
}

inline orlop_error* deliver(void* webhook_sender, const orlop_delivery* delivery) noexcept {
  return run_port(ORLOP_ERROR_DRIVER_FAILED, [&] { (*static_cast<Deliver*>(webhook_sender))(*delivery); });
}

template <typename T>
void release(void* held) noexcept {
  delete static_cast<T*>(held);
}

// A copy of `given` that the library releases; nullptr if it is empty.
template <typename T>
std::unique_ptr<T> copy_of(const T& given) {
  return given ? std::make_unique<T>(given) : nullptr;
}

// Options as the library wants them, and the copies of the host's callbacks that they point to.
class Given {
 public:
  explicit Given(const Options& options);
  Given(const Given&) = delete;
  Given& operator=(const Given&) = delete;
  const orlop_options* options() const noexcept { return &options_; }
  // The library has taken the callbacks over, and will release them.
  void let_go() noexcept {
    (void)held_driver_.release(), (void)held_clock_.release(), (void)held_random_source_.release();
    (void)held_token_authenticator_.release(), (void)held_policy_evaluator_.release(), (void)held_git_provider_.release(), (void)held_webhook_sender_.release();
    (void)held_log_.release();
  }

 private:
  void give_settings(const Options& options);

  std::unique_ptr<std::shared_ptr<Driver>> held_driver_;
  std::unique_ptr<std::function<Instant()>> held_clock_;
  std::unique_ptr<std::function<std::uint64_t()>> held_random_source_;
  std::unique_ptr<Verify> held_token_authenticator_;
  std::unique_ptr<Allow> held_policy_evaluator_;
  std::unique_ptr<FindHook> held_git_provider_;
  std::unique_ptr<Deliver> held_webhook_sender_;
  std::unique_ptr<WriteLog> held_log_;
  orlop_driver driver_;
  orlop_clock clock_;
  orlop_random_source random_source_;
  orlop_token_authenticator token_authenticator_;
  orlop_policy_evaluator policy_evaluator_;
  orlop_git_provider git_provider_;
  orlop_webhook_sender webhook_sender_;
  orlop_log log_;
  std::vector<orlop_text> versions_;
  std::vector<orlop_text> webhook_allow_;
  std::vector<orlop_text> previous_secret_keys_;
  orlop_options options_ = ORLOP_OPTIONS_INIT;
};

inline Given::Given(const Options& options)
    : held_driver_(copy_of(options.driver)),
      held_clock_(copy_of(options.clock)),
      held_random_source_(copy_of(options.random_source)),
      held_token_authenticator_(copy_of(options.token_authenticator)),
      held_policy_evaluator_(copy_of(options.policy_evaluator)),
      held_git_provider_(copy_of(options.git_provider)),
      held_webhook_sender_(copy_of(options.webhook_sender)),
      held_log_(copy_of(options.log)),
      driver_{sizeof driver_, held_driver_.get(), start, cancel, release<std::shared_ptr<Driver>>},
      clock_{sizeof clock_, held_clock_.get(), now, release<std::function<Instant()>>},
      random_source_{sizeof random_source_, held_random_source_.get(), draw, release<std::function<std::uint64_t()>>},
      token_authenticator_{sizeof token_authenticator_, held_token_authenticator_.get(), verify, release<Verify>},
      policy_evaluator_{sizeof policy_evaluator_, held_policy_evaluator_.get(), allows, release<Allow>},
      git_provider_{sizeof git_provider_, held_git_provider_.get(), find_hook, release<FindHook>},
      webhook_sender_{sizeof webhook_sender_, held_webhook_sender_.get(), deliver, release<Deliver>},
      log_{sizeof log_, held_log_.get(), write_log, release<WriteLog>} {
  options_.driver = held_driver_ ? &driver_ : nullptr;
  options_.clock = held_clock_ ? &clock_ : nullptr;
  options_.random_source = held_random_source_ ? &random_source_ : nullptr;
  options_.token_authenticator = held_token_authenticator_ ? &token_authenticator_ : nullptr;
  options_.policy_evaluator = held_policy_evaluator_ ? &policy_evaluator_ : nullptr;
  options_.git_provider = held_git_provider_ ? &git_provider_ : nullptr;
  options_.webhook_sender = held_webhook_sender_ ? &webhook_sender_ : nullptr;
  options_.log = held_log_ ? &log_ : nullptr;
  for (const std::string_view version : options.kubernetes_versions) versions_.push_back(text_of(version));
  options_.kubernetes_versions = versions_.data();
  options_.kubernetes_version_count = versions_.size();
  for (const std::string_view entry : options.webhook_allow) webhook_allow_.push_back(text_of(entry));
  options_.webhook_allow = webhook_allow_.data();
  options_.webhook_allow_count = webhook_allow_.size();
  for (const std::string_view key : options.previous_secret_keys) previous_secret_keys_.push_back(text_of(key));
  options_.previous_secret_keys = previous_secret_keys_.data();
  options_.previous_secret_key_count = previous_secret_keys_.size();
  options_.secret_key = text_of(options.secret_key);
  options_.snapshot = text_of(options.snapshot);
  options_.store = options.store;
  give_settings(options);
}

inline void Given::give_settings(const Options& options) {
  if (options.store == nullptr) options_.storage = text_of(options.storage);
  options_.durability = options.durability;
  options_.mmap_size = options.mmap_size;
  options_.brand = text_of(options.brand);
  options_.busy = options.busy;
  options_.require_cluster = options.require_cluster;
  options_.catalogs = options.catalogs;
  options_.max_parallel_builds = options.max_parallel_builds;
  options_.max_parallel_deploys = options.max_parallel_deploys;
  options_.step_deadline_ms = options.step_deadline.count();
  options_.cancel_deadline_ms = options.cancel_deadline.count();
  options_.history_kept = options.history_kept;
  options_.authentication = options.authentication;
  options_.rate_limit = options.rate_limit;
  options_.seeded = options.seed ? 1 : 0;
  options_.simulation = options.simulation ? 1 : 0;
  options_.seed = options.seed.value_or(0);
  options_.start_ms = options.start ? options.start->time_since_epoch().count() : 0;
}

}  // namespace detail

}  // namespace face
}  // namespace orlop

#endif
