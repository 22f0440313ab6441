// Virtual time, and the rules of the scripted driver.
#include <cstddef>
#include <string>
#include <string_view>

#include "guard.h"
#include "instance.h"
#include "model/registry.h"
#include "versioned.h"

using namespace orlop;
using namespace orlop::c;

namespace {

constexpr std::int64_t duration_ms_max = 1000LL * 366 * 86'400'000;  // a thousand years

Error invalid(std::string message) { return make_error(ErrorCode::invalid, std::move(message)); }

Result<FamilyNumber> family_of(std::string_view kind) {
  if (kind.empty()) return FamilyNumber{0};
  const Family* family = find_family(kind);
  if (family == nullptr || family->machine == MachineKind::none || family->machine == MachineKind::environment) {
    return invalid("rule.kind must be the family of a service or task, or cluster; not \"" + std::string(kind.substr(0, 64)) + "\"");
  }
  return family->number;
}

Result<StepKind> step_of(std::string_view name) {
  using enum StepKind;
  if (name.empty()) return none;
  for (const StepKind kind : {build, deploy, execute, stop, restart, remove, cluster_create, cluster_update, cluster_upgrade,
                              cluster_dry_run, cluster_stop, cluster_remove, cluster_restart, task}) {
    if (to_string(kind) == name) return kind;
  }
  return invalid("rule.step must be the name of a kind of step, such as build or cluster_create; not \"" + std::string(name.substr(0, 64)) + "\"");
}

Result<ScriptOutcome> outcome_of(const orlop_rule& rule) {
  switch (rule.outcome) {
    case ORLOP_OUTCOME_USUAL: return rule.fails.size == 0 ? ScriptOutcome::succeed : ScriptOutcome::fail;
    case ORLOP_OUTCOME_CREDENTIALS_REFUSED: return ScriptOutcome::refuse_credentials;
    case ORLOP_OUTCOME_SILENCE: return ScriptOutcome::hang;
    default: return invalid("rule.outcome must be one of ORLOP_OUTCOME_…, not " + std::to_string(rule.outcome));
  }
}

Result<Duration> duration_of(const char* member, std::int64_t given) {
  if (given >= 0 && given <= duration_ms_max) return Duration{given};
  return invalid(std::string("rule.") + member + " must be 0 to " + std::to_string(duration_ms_max) + ", not " + std::to_string(given));
}

Result<void> check_texts(const orlop_rule& rule) {
  ORLOP_CHECK(check_text(rule.kind, "rule.kind"));
  ORLOP_CHECK(check_text(rule.step, "rule.step"));
  ORLOP_CHECK(check_text(rule.name, "rule.name"));
  ORLOP_CHECK(check_text(rule.fails, "rule.fails"));
  return check_text(rule.outputs, "rule.outputs");
}

Result<ScriptRule> read_rule(const orlop_rule* given) {
  ORLOP_TRY(rule, read_versioned(given, orlop_rule{}, sizeof(orlop_rule), "the rule"));
  ORLOP_CHECK(check_texts(rule));
  ORLOP_TRY(family, family_of(view_of(rule.kind)));
  ORLOP_TRY(step, step_of(view_of(rule.step)));
  ORLOP_TRY(outcome, outcome_of(rule));
  ORLOP_TRY(delay, duration_of("delay_ms", rule.delay_ms));
  ORLOP_TRY(duration, duration_of("after_ms", rule.after_ms));
  ORLOP_TRY(jitter, duration_of("jitter_ms", rule.jitter_ms));
  ORLOP_TRY(cancel_delay, duration_of("cancel_after_ms", rule.cancel_after_ms));
  if (rule.running < ORLOP_RUNNING_NONE || rule.running > ORLOP_RUNNING_UNKNOWN) {
    return invalid("rule.running must be one of ORLOP_RUNNING_…, not " + std::to_string(rule.running));
  }
  ScriptRule out;
  out.family = family;
  out.step = step;
  if (rule.name.size != 0) out.name = view_of(rule.name);
  out.attempt = rule.attempt;
  out.times = rule.times;
  out.start_delay = delay;
  out.duration = duration;
  out.jitter = jitter;
  out.cancel_delay = cancel_delay;
  out.outcome = outcome;
  out.reason = view_of(rule.fails);
  out.outputs = view_of(rule.outputs);
  out.running = static_cast<RunningState>(rule.running);
  return out;
}

}  // namespace

extern "C" {

orlop_error* orlop_advance(orlop_engine* engine, int64_t duration_ms) {
  return guard([&]() -> Result<void> {
    ORLOP_TRY(host, host_of(engine));
    ORLOP_TRY(simulator, host->simulator());
    if (duration_ms < 0 || duration_ms > duration_ms_max) {
      return misuse("duration_ms must be 0 to " + std::to_string(duration_ms_max) + ", not " + std::to_string(duration_ms));
    }
    return simulator->advance({duration_ms});
  });
}

orlop_error* orlop_run_until_idle(orlop_engine* engine, int64_t* passed_ms) {
  return guard([&]() -> Result<void> {
    ORLOP_TRY(host, host_of(engine));
    ORLOP_TRY(simulator, host->simulator());
    ORLOP_TRY(passed, simulator->run_until_idle());
    if (passed_ms != nullptr) *passed_ms = passed.milliseconds;
    return {};
  });
}

orlop_error* orlop_rule_add(orlop_engine* engine, const orlop_rule* rule) {
  return guard([&]() -> Result<void> {
    ORLOP_TRY(host, host_of(engine));
    ORLOP_TRY(script, host->script());
    ORLOP_TRY(read, read_rule(rule));
    script->add_rule(std::move(read));
    return {};
  });
}

orlop_error* orlop_rules_clear(orlop_engine* engine) {
  return guard([&]() -> Result<void> {
    ORLOP_TRY(host, host_of(engine));
    ORLOP_TRY(script, host->script());
    script->set_rules({});
    return {};
  });
}

}  // extern "C"
