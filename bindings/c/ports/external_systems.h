// Adapts the host's external systems to the interface of the core. The thread that asks a question sleeps until the
// answer arrives.
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
  // Advances virtual time by that of an answer.
  using Pass = std::function<Result<void>(Duration)>;
  void set_pass(Pass pass) { pass_ = std::move(pass); }

  Result<std::string> ask(std::string_view question, std::string_view input) override;
  bool answers(std::string_view question) const override;

  // Takes the first answer to this ask; drops it if the caller waits no more.
  void take_answer(std::uint64_t ask, Result<std::string> answer);
  // Sets the virtual time that the answer takes.
  Result<void> note_time(std::uint64_t ask, Duration time);
  // Ends every ask, also future ones.
  void close();

 private:
  struct Waiting {
    std::optional<Result<std::string>> answer;
    Duration takes;                   // virtual time of the answer
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

// Parses the questions of the struct. Errors: misuse (no question, or an unknown one; the message suggests the
// nearest).
Result<std::vector<std::string>> questions_of(const orlop_external_systems& given);

}  // namespace orlop::c
