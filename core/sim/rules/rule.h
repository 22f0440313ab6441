// A rule of a simulation: the steps that it applies to, when, and their course. Data of one form for Python, C, HTTP
// and scenario files: read_rule() is its only validator.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/family_number.h"
#include "base/instant.h"
#include "base/result.h"
#include "deploy/driver/driver.h"
#include "deploy/driver/scripted_driver.h"
#include "model/value.h"
#include "sim/rules/age.h"
#include "sim/rules/allowance.h"
#include "sim/rules/distribution.h"

namespace orlop {

// A condition on the configuration of a step.
struct ConfigurationPattern {
  enum class Source : std::uint8_t { member, label, metadata };
  Source source = Source::member;
  std::vector<std::string> path;  // of a member: {"environment", "name"}; else the key
  Value pattern;                  // text: with * for any text, ? for one byte; other values must be equal
};

struct RuleReport {
  Distribution after;  // from the beginning
  ReportKind kind = ReportKind::progress;
  std::string text;
};

// Subject to which a rule applies.
enum class RuleSubject : std::uint8_t { step, request, environment };

struct Rule {
  // Conditions on the step.
  FamilyNumber family = 0;
  StepKind step = StepKind::none;
  std::string name = "*";
  std::uint32_t attempt = 0;
  std::vector<ConfigurationPattern> configuration;
  std::vector<AgeCondition> ages;
  int specificity = 0;  // 2 for each condition, 1 for one with a wildcard

  // Conditions on when it applies.
  std::optional<double> probability;
  double weight = 0;  // 0: none
  std::uint32_t times = 0;
  std::uint32_t every = 0;
  Allowance allowance;
  std::optional<Instant> from;
  std::optional<Instant> until;

  // Course and outcome.
  ScriptOutcome outcome = ScriptOutcome::succeed;
  std::string reason;
  std::string outputs;
  RunningState running = RunningState::none;
  std::optional<Distribution> delay;
  std::optional<Distribution> after;
  Duration jitter;
  std::optional<Distribution> cancel_after;
  std::optional<Distribution> crash_after;
  std::optional<Distribution> contact_lost_after;
  std::optional<Distribution> contact_back_after;
  std::optional<Distribution> recap_after;
  std::optional<Distribution> build;
  std::optional<StepHold> hold;  // none or manual; nullopt: by the transition of the family
  HoldPoint hold_point = HoldPoint::end;
  std::vector<RuleReport> reports;

  // Only of rules of requests: the wait in QUEUED.
  std::optional<Distribution> queued;
  std::uint32_t parallel = 0;  // 0: no limit

  // Only of rules of environments: from the creation to the deletion.
  std::optional<Distribution> lasts;

  std::string title;              // empty if none
  Value given = Value::object();  // the members, as given

  RuleSubject subject() const {
    return queued || parallel != 0 ? RuleSubject::request : lasts ? RuleSubject::environment : RuleSubject::step;
  }
};

// `where` begins messages: "rules[3]". Durations of `from` and `until` count from `now`. Error invalid, with the
// member, its value and the values allowed.
Result<Rule> read_rule(const Value& given, const std::string& where, Instant now);
// Error invalid: the member is an enumeration, and the pattern matches none of its values, so that the rule would never
// apply. `path` names it in messages.
Result<void> check_enum_pattern(std::string_view pattern, std::string_view family, std::string_view member,
                                const std::string& path);

// Names of the members of a rule, in the order of the documentation.
std::span<const std::string_view> rule_members();

// Returns the family of a subject of steps; 0 for an empty text. Error invalid.
Result<FamilyNumber> subject_family_of(const Value& given, const std::string& name);
Result<StepKind> step_kind_of(std::string_view given, const std::string& name);

// Check the members of a rule of requests or of environments together (request_rules.cpp).
Result<void> check_of_requests(const Rule& rule, const std::string& where);
Result<void> check_of_environments(const Rule& rule, const std::string& where);

// A step and its configuration, which is parsed when it is first used; or a request to an environment or cluster, in
// the form of a step.
class RuledStep {
 public:
  explicit RuledStep(const Step& step, RuleSubject of = RuleSubject::step) : step_(step), of_(of) {}
  const Step& step() const { return step_; }
  RuleSubject of() const { return of_; }
  const Value& configuration();

 private:
  const Step& step_;
  RuleSubject of_;
  std::optional<Value> configuration_;
};

bool applies_to(const Rule& rule, RuledStep& step);

}  // namespace orlop
