// The driver and the ports of a host in C++, and their conversion to C callbacks. Included by options.hpp.
#ifndef ORLOP_HOST_HPP
#define ORLOP_HOST_HPP

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "orlop/aead.h"
#include "orlop/callbacks.hpp"
#include "orlop/driver.h"
#include "orlop/orlop.h"
#include "orlop/ports.h"
#include "orlop/ports.hpp"
#include "orlop/storage.h"
#include "orlop/values.hpp"

namespace orlop {
// An inline namespace, so that a program may contain this API and the library's internals at once.
inline namespace api {

// ---- Driver and options ----
using Step = orlop_step;
using Cancellation = orlop_cancellation;
using Subjects = orlop_subjects;

struct Report {
  orlop_id step;
  orlop_report_kind kind;
  std::string_view text = {};  // a reason or line over 64 KiB is cut; outputs over 1 MiB fail the step (driver.h)
  orlop_running_state running = ORLOP_RUNNING_NONE;
};

// Thrown by Driver::start for a step that it cannot accept at the moment: start() is called again after 1 s, 2 s, 4 s,
// up to 60 s.
class TryLater : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The contract of drivers is in driver.h.
class Driver {
 public:
  virtual ~Driver() = default;
  // An exception other than TryLater fails the step with what() as the reason, cut to 64 KiB.
  virtual void start(const Step& step) = 0;
  // An exception is ignored.
  virtual void cancel(const Cancellation& cancellation) { (void)cancellation; }
  // Observes workloads, if observes() returns true when the engine is opened: answers with reports of running states,
  // now or later. An exception is ignored.
  virtual bool observes() const { return false; }
  virtual void observe(const Subjects& subjects) { (void)subjects; }
};

// A question to external systems (ports.h). It is answered once, now or later, from any thread; further, late answers
// and those after the engine was closed are dropped.
class Ask {
 public:
  explicit Ask(const orlop_ask& given)
      : engine_(given.engine), id_(given.id), question_(view_of(given.question)), input_(view_of(given.input)) {}

  const std::string& question() const { return question_; }
  const std::string& input() const { return input_; }  // JSON object

  void answer(std::string_view json) const noexcept { orlop_error_free(orlop_answer(engine_, id_, text_of(json))); }
  // Sets the virtual time that the answer takes (orlop_answer_takes); in a simulation, before the answer.
  void takes(Duration time) const noexcept { orlop_error_free(orlop_answer_takes(engine_, id_, time.count())); }
  // Fails the request with this reason; EXTERNAL_FAILED: with 502; EXTERNAL_TIMEOUT: with 504.
  void fail(std::string_view reason, orlop_code code = ORLOP_ERROR_EXTERNAL_FAILED) const noexcept {
    orlop_error_free(orlop_answer_error(engine_, id_, code, text_of(reason)));
  }
  // Reports that the systems do not know this question.
  void decline() const noexcept { fail("", ORLOP_ERROR_UNANSWERED); }

 private:
  orlop_engine* engine_;
  std::uint64_t id_;
  std::string question_;
  std::string input_;
};

// Answers questions to systems outside of the engine.
struct ExternalSystems {
  ExternalSystems() = default;
  ExternalSystems(std::nullptr_t) {}
  // `asked_questions`: names of the questions that `asked` answers, separated by commas. `asked` answers, or keeps the
  // ask and returns; an exception has the effect of Ask::fail with what().
  ExternalSystems(std::string asked_questions, std::function<void(const Ask& ask)> asked)
      : questions(std::move(asked_questions)), ask(std::move(asked)) {}

  explicit operator bool() const { return static_cast<bool>(ask); }

  std::string questions = {};
  std::function<void(const Ask& ask)> ask = nullptr;
};

// The custom ports, by the names of their options; ports.hpp has the others. Each may be called from any thread.

// A source of time. If it throws, the engine keeps the last instant. `monotonic` measures deadlines and pauses; without
// it the steady clock of the system does.
struct Clock {
  Clock() = default;
  Clock(std::nullptr_t) {}
  template <typename Now, typename = std::enable_if_t<std::is_invocable_r_v<Instant, Now&>>>
  Clock(Now given, std::function<Duration()> given_monotonic = nullptr)
      : now(std::move(given)), monotonic(std::move(given_monotonic)) {}

  explicit operator bool() const { return static_cast<bool>(now); }

  std::function<Instant()> now;
  std::function<Duration()> monotonic;
};
using RandomSource = std::function<std::uint64_t()>;  // must not throw

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

// A rule of the scripted external systems of a simulation (ports.h).
struct ExternalRule {
  std::string_view question = {}, where = {}, answer = {}, error = {};
  Duration delay{0};
  std::uint32_t times = 0;
};

// A rule of the scripted receivers of a simulation.
struct Receiver {
  std::string_view url = {};
  int status = 200;
  std::string_view text = {};
  std::uint32_t times = 0;
};

// ---- Conversion to C callbacks ----
namespace detail {

inline orlop_error* start(void* driver, const orlop_step* step) noexcept {
  try {
    (*static_cast<std::shared_ptr<Driver>*>(driver))->start(*step);
    return nullptr;
  } catch (const TryLater& refusal) {
    return orlop_error_new(ORLOP_ERROR_TRY_LATER, text_of(refusal.what()));
  } catch (const std::exception& failure) {
    return orlop_error_new(ORLOP_ERROR_DRIVER_FAILED, text_of(failure.what()));
  } catch (...) {
    return orlop_error_new(ORLOP_ERROR_DRIVER_FAILED, ORLOP_TEXT("the driver threw what is no std::exception"));
  }
}

inline void cancel(void* driver, const orlop_cancellation* cancellation) noexcept {
  inform_port([&] { (*static_cast<std::shared_ptr<Driver>*>(driver))->cancel(*cancellation); });
}

inline void observe(void* driver, const orlop_subjects* subjects) noexcept {
  inform_port([&] { (*static_cast<std::shared_ptr<Driver>*>(driver))->observe(*subjects); });
}

inline std::int64_t now(void* clock) noexcept {
  try {
    return static_cast<Clock*>(clock)->now().time_since_epoch().count();
  } catch (...) { return INT64_MIN; }
}

inline std::int64_t monotonic(void* clock) noexcept {
  try {
    return static_cast<Clock*>(clock)->monotonic().count();
  } catch (...) { return INT64_MIN; }
}

inline std::uint64_t draw(void* random_source) noexcept { return (*static_cast<RandomSource*>(random_source))(); }

inline orlop_error* ask(void* external_systems, const orlop_ask* given) noexcept {
  return run_port([&] { static_cast<ExternalSystems*>(external_systems)->ask(Ask(*given)); },
                  ORLOP_ERROR_EXTERNAL_FAILED);
}

// Return the C struct of each custom port, around a copy that release() deletes; ports.hpp has the other ports.
inline orlop_driver callbacks_of(std::shared_ptr<Driver>* held) {
  return {sizeof(orlop_driver),
          held,
          start,
          cancel,
          release<std::shared_ptr<Driver>>,
          (*held)->observes() ? observe : nullptr};
}
inline orlop_clock callbacks_of(Clock* held) {
  return {sizeof(orlop_clock), held, now, release<Clock>, held->monotonic ? monotonic : nullptr};
}
inline orlop_random_source callbacks_of(RandomSource* held) {
  return {sizeof(orlop_random_source), held, draw, release<RandomSource>};
}
inline orlop_external_systems callbacks_of(ExternalSystems* held) {
  return {sizeof(orlop_external_systems), held, ask, release<ExternalSystems>, text_of(held->questions)};
}

// Owns a copy of a port until the library has taken it over.
template <typename Callbacks, typename Port>
class Held {
 public:
  // Returns null for an empty port.
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

// Converts lists to the library's form, one text. Keeps an error for the first invalid entry.
class GivenLists {
 public:
  GivenLists() = default;
  GivenLists(const GivenLists&) = delete;
  GivenLists& operator=(const GivenLists&) = delete;
  ~GivenLists() { orlop_error_free(refusal_); }
  // Returns the error, which the caller frees, or null.
  orlop_error* take_refusal() noexcept { return std::exchange(refusal_, nullptr); }

 protected:
  std::string join_entries(std::string_view option, const std::vector<std::string_view>& entries) {
    std::string text;
    for (const std::string_view entry : entries) {
      if (entry.empty() || entry.find(',') != entry.npos)
        refuse("an entry of options." + std::string(option) + " must be a text without a comma");
      text.append(text.empty() ? "" : ",").append(entry);
    }
    return text;
  }
  std::string concatenate_keys(std::string_view option, const std::vector<std::string_view>& keys) {
    std::string text;
    for (const std::string_view key : keys) {
      if (key.size() != 32)
        refuse("a key of options." + std::string(option) + " must have 32 bytes, not " + std::to_string(key.size()));
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
