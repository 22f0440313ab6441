// The external systems of a simulation: rules say what they answer, how long that takes in virtual time, and how often.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/instant.h"
#include "base/port.h"
#include "base/result.h"
#include "model/value.h"

namespace orlop {

struct ScriptedExternalRule {
  std::string question;
  Value where = Value::object();  // members of the input: text as a pattern (* stands for any text, ? for one byte), other values as they are
  std::string answer;             // JSON
  std::string error;              // reason of a failure; "": there is an answer
  Duration delay;
  std::uint32_t times = 0;        // how many asks it answers before it is used up; 0: no bound
};

// Errors (invalid): no such question; `where` is no JSON object, or names what is no member of the input; the answer does not match the question; both or neither of
// `answer` and `error` are given.
Result<ScriptedExternalRule> make_external_rule(std::string_view question, std::string_view where, std::string_view answer, std::string_view error, Duration delay,
                                                std::uint32_t times);

// Threads: every function may be called from any thread.
class ScriptedExternalSystems final : public ExternalSystems {
 public:
  // Lets virtual time pass.
  using Pass = std::function<Result<void>(Duration)>;
  explicit ScriptedExternalSystems(Pass pass) : pass_(std::move(pass)) {}

  void set_timeout(Duration timeout) { timeout_ = timeout; }
  // Before all others.
  void add(ScriptedExternalRule rule);
  void clear();
  std::vector<ScriptedExternalRule> all() const {
    const std::lock_guard lock(mutex_);
    return rules_;
  }
  void set_all(std::vector<ScriptedExternalRule> all) {
    const std::lock_guard lock(mutex_);
    rules_ = std::move(all);
  }

  // As the first rule that fits says; unanswered if none does.
  Result<std::string> ask(std::string_view question, std::string_view input) override;
  bool answers(std::string_view question) const override;

 private:
  Result<ScriptedExternalRule> take(std::string_view question, const Value& input);

  Pass pass_;
  Duration timeout_;
  mutable std::mutex mutex_;
  std::vector<ScriptedExternalRule> rules_;
};

}  // namespace orlop
