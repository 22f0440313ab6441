// The external systems of the host as the core's interface: a question is handed over, and the thread that asks sleeps
// until its answer is there.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/port.h"
#include "orlop/ports.h"
#include "ports/callbacks.h"

namespace orlop::c {

// Safe on every thread.
class HostExternalSystems final : public ExternalSystems, public HostPort<orlop_external_systems> {
 public:
  HostExternalSystems(const orlop_external_systems& given, Instance* host, orlop_engine* engine);

  void set_timeout(Duration timeout) { timeout_ = timeout; }
  // Lets the virtual time of an answer pass.
  using Pass = std::function<Result<void>(Duration)>;
  void set_pass(Pass pass) { pass_ = std::move(pass); }

  Result<std::string> ask(std::string_view question, std::string_view input) override;
  bool answers(std::string_view question) const override;

  // The first answer to this ask; dropped if no caller waits for it any more.
  void take_answer(std::uint64_t ask, Result<std::string> answer);
  // How much virtual time its answer takes.
  Result<void> note_time(std::uint64_t ask, Duration time);
  // Ends every ask that is under way, and those to come.
  void close();

 private:
  struct Waiting {
    std::optional<Result<std::string>> answer;
    Duration takes;                   // in virtual time
    std::condition_variable changed;  // notified with mutex_ held
  };
  void hand_over(std::uint64_t id, std::string_view question, std::string_view input);

  std::vector<std::string> questions_;
  Duration timeout_;
  Pass pass_;
  std::mutex mutex_;
  std::uint64_t last_ = 0;
  bool is_closed_ = false;
  std::unordered_map<std::uint64_t, Waiting> waiting_;
};

// The questions that the struct names. Errors: misuse (it names none; there is no question of a name; the message gives
// the nearest).
Result<std::vector<std::string>> questions_of(const orlop_external_systems& given);

}  // namespace orlop::c
