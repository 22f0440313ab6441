// The external systems of a simulation: rules determine what they answer, how long that takes in virtual time, how
// often, and what they refuse beyond a quota or a rate.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/brand.h"
#include "base/id.h"
#include "base/instant.h"
#include "base/port.h"
#include "base/result.h"
#include "model/value.h"
#include "sim/rules/allowance.h"
#include "wire/writer.h"

namespace orlop {

struct ScriptedExternalRule {
  std::string title;     // empty if none
  std::string question;  // of a failure also a pattern, with * for any text, ? for one byte
  // Members of the input: text as a pattern (* for any text, ? for one byte), other values must be equal.
  Value where = Value::object();
  std::string answer;  // JSON
  std::string error;   // reason of a failure; empty if there is an answer
  Duration delay;
  std::uint32_t times = 0;   // number of asks before it is used up; 0: no limit
  Allowance allowance = {};  // asks that pass before it applies
  AllowanceUse use = {};
};

// Errors (invalid): unknown question; `where` is not a JSON object, or names a member that the input does not have; the
// answer does not match the question; both or neither of `answer` and `error` are given. `brand`: that of the engine.
Result<ScriptedExternalRule> make_external_rule(std::string_view question, std::string_view where,
                                                std::string_view answer, std::string_view error, Duration delay,
                                                std::uint32_t times, std::string_view brand = brand_default);

// An ask that a limit has refused: by a failure whose allowance was used up.
struct ExternalRefusal {
  std::string rule;  // its title, or its question
  std::string question;
  std::string error;
  Allowance allowance;
  Id organization;  // nil if the question names none
};

// Reads one rule: {"rule", "question", "where", "answer", "error", "delay", "times", "over", "per"}. `path` begins
// messages. Errors: as above, with the member, its value and the values allowed. `brand`: that of the engine.
Result<ScriptedExternalRule> read_external_rule(const Value& given, const std::string& path, std::string_view brand);
// Writes the same members, with the used part of the allowance.
void write_external_rule(Writer& out, const ScriptedExternalRule& rule);

// Threads: every function may be called from any thread.
class ScriptedExternalSystems final : public ExternalSystems {
 public:
  // Lets virtual time pass.
  using Pass = std::function<Result<void>(Duration)>;
  ScriptedExternalSystems(Pass pass, std::function<Instant()> now) : pass_(std::move(pass)), now_(std::move(now)) {}

  // Sets the systems that answer questions without a matching rule: the first one that answers the question does. They
  // must outlive this.
  void set_fallbacks(std::vector<ExternalSystems*> fallbacks) { fallbacks_ = std::move(fallbacks); }
  void set_timeout(Duration timeout) { timeout_ = timeout; }
  // Sets the brand of the engine, which is part of answers. Default: brand_default.
  void set_brand(std::string brand) { brand_ = std::move(brand); }
  const std::string& brand() const { return brand_; }
  // Adds the rule before all others; rules with an allowance are checked before those without.
  void add(ScriptedExternalRule rule);
  // Adds one rule, or {"externals": [...]}: all or nothing. Error invalid.
  Result<void> add(const Value& given);
  void clear();
  // Writes {"externals": [...]}: the last one is checked first; with the used part of allowances, and the rest of
  // `times`.
  void write(Writer& out) const;
  // Write and restore the allowances of failures, for snapshots. Answers are not written, because they may contain
  // secrets.
  bool has_limits() const;
  void write_limits(Writer& out) const;
  Result<void> restore_limits(const Value& given);
  std::vector<ScriptedExternalRule> all() const {
    const std::lock_guard lock(mutex_);
    return rules_;
  }
  void set_all(std::vector<ScriptedExternalRule> all) {
    const std::lock_guard lock(mutex_);
    rules_ = std::move(all);
  }

  // Returns the asks that limits have refused since the last call.
  std::vector<ExternalRefusal> take_refusals();
  bool has_refusals() const { return has_refusals_; }

  // Answers by the first rule that matches, else by the fallback; unanswered without both.
  Result<std::string> ask(std::string_view question, std::string_view input) override;
  bool answers(std::string_view question) const override;

 private:
  ExternalSystems* fallback_for(std::string_view question) const;
  Result<ScriptedExternalRule> take(std::string_view question, const Value& input);

  Pass pass_;
  std::function<Instant()> now_;
  std::vector<ExternalSystems*> fallbacks_;
  Duration timeout_;
  std::string brand_{brand_default};
  mutable std::mutex mutex_;
  std::vector<ScriptedExternalRule> rules_;
  std::vector<ExternalRefusal> refusals_;
  std::atomic<bool> has_refusals_ = false;
};

}  // namespace orlop
