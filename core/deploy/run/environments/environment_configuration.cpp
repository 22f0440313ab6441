// Configuration of a service's step.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "deploy/driver/configuration.h"
#include "deploy/driver/helm_values.h"
#include "deploy/driver/released_configuration.h"
#include "deploy/run/environments/environment_runs.h"
#include "releases/find_git_repository.h"
#include "releases/release_records.h"
#include "unit/unit.h"
#include "wire/json.h"

namespace orlop {
namespace {

bool takes_away(StepKind kind) { return kind == StepKind::stop || kind == StepKind::remove; }

bool makes_release(const Step& step) {
  return step.action == Action::deploy && (step.kind == StepKind::deploy || step.kind == StepKind::execute);
}

// Returns the number of the release that the request rolls the service back to; 0: none.
std::uint32_t rollback_in(const Value* overrides) {
  return overrides == nullptr ? 0 : static_cast<std::uint32_t>(overrides->integer_or(rollback_name, 0));
}

// Codes of configuration_of_release(), by which the step fails.
bool is_of_release(ErrorCode code) { return code == ErrorCode::not_found || code == ErrorCode::conflict; }

// Returns false if the step may deploy another commit than the newest release did.
Result<bool> has_its_commit(Unit& unit, const Step& step) {
  ORLOP_TRY(configuration, parse_stored(step.configuration));
  if (find_git_repository(configuration) == nullptr) return true;
  ORLOP_TRY(releases, releases_of(unit, step.subject));
  const std::string_view asked = configuration.text_or("git_commit_id", "");
  return !asked.empty() && !releases.empty() && releases.front().version.text_or("git_commit_id", "") == asked;
}

// Adds what a driver needs to leave alone what is unchanged, to a step that makes a release. `rollback`: number of a
// release, whose configuration replaces the wanted one, also of a build; 0: none.
Result<void> add_release(Unit& unit, std::uint32_t rollback, SecretValues& secrets, Step& step) {
  std::string wanted;
  if (rollback != 0) {
    ORLOP_TRY(replaced, released_configuration(step.configuration, {}));
    wanted = std::move(replaced.digest);
    ORLOP_TRY(configuration, rolled_back(unit, step.subject, rollback, step.configuration, secrets));
    step.configuration = std::move(configuration);
  }
  step.secrets = std::move(secrets).take();
  if (step.kind == StepKind::build) return {};
  ORLOP_TRY(released, released_configuration(step.configuration, step.secrets));
  released.rollback_of = rollback;
  released.is_wanted = rollback == 0 || wanted == released.digest;
  ORLOP_TRY(newest, newest_release(unit, step.subject));
  step.release = newest.number;
  const bool is_same = newest.runs && newest.digest == released.digest;
  ORLOP_TRY(has_commit, is_same ? has_its_commit(unit, step) : Result<bool>(false));
  step.is_unchanged = has_commit;
  step.released = std::make_shared<const StepConfiguration>(std::move(released));
  return {};
}

}  // namespace

Result<bool> EnvironmentRuns::is_large(Unit& unit, Run& run) {
  if (!run.is_large) {
    ORLOP_TRY(large, is_large_environment(unit, run.environment));
    run.is_large = large;
  }
  return *run.is_large;
}

// The configuration of a roll-back is made for every driver, so that the step fails if the release is not there.
StepTexts EnvironmentRuns::texts_of(const Run& run, const Machine& service) const {
  StepTexts texts = in_flight_.texts_of(service);
  texts.configuration = texts.configuration || rollback_in(run.overrides_of(service.id)) != 0;
  return texts;
}

// Variables that cannot be resolved fail the step, unless it stops or removes the service.
Result<void> EnvironmentRuns::configure_step(Unit& unit, Run& run, std::uint32_t part, StepTexts texts, Step& step,
                                             const Record& record, std::vector<std::string>& remarks) {
  ORLOP_TRY(large, is_large(unit, run));
  const Value* overrides = run.overrides_of(step.subject);
  const std::uint32_t rollback = rollback_in(overrides);
  SecretValues secrets(texts);
  auto made = configuration_of(unit, record, overrides, run.outputs_before(part), {&shared_variables_, large, &remarks},
                               secrets);
  if (!made && made.error().code != ErrorCode::invalid) return std::move(made).error();
  if (made) {
    step.configuration = std::move(*made);
  } else if (takes_away(step.kind) || rollback != 0) {  // the release has the variables of a roll-back
    secrets = SecretValues(texts);
    made = configuration_of(unit, record, overrides, run.outputs_before(part), {}, secrets);
    if (!made && made.error().code != ErrorCode::invalid) return std::move(made).error();
    if (made) step.configuration = std::move(*made);
    else step.refusal = made.error().message;
  } else {
    step.refusal = made.error().message;
  }
  const bool must_know = rollback != 0 || (texts.release && settings_.releases_kept.value_or(0) != 0);
  const bool builds_release = rollback != 0 && step.kind == StepKind::build;
  if (made && must_know && (makes_release(step) || builds_release)) {
    const auto added = add_release(unit, rollback, secrets, step);
    if (added || !is_of_release(added.error().code)) return added;
    step.refusal = added.error().message;
  }
  step.secrets = std::move(secrets).take();
  return {};
}

// Asks once for all services that begin together.
Result<bool> EnvironmentRuns::may_refer_to_variables(Unit& unit, const Run& run, const Record& service) {
  if (takes_variables(service)) return true;
  if (const auto known = are_referring_.find(service.id); known != are_referring_.end()) return known->second;
  std::vector<Id> services = std::exchange(starting_, {});
  services.push_back(service.id);
  ORLOP_TRY(referring, with_set_variables(unit, run.environment, services));
  for (const Id& each : services) are_referring_[each] = referring.contains(each);
  return are_referring_[service.id];
}

// Checks the variables of a step for a driver that does not read the configuration.
Result<void> EnvironmentRuns::check_step(Unit& unit, Run& run, std::uint32_t part, Step& step, const Record& record,
                                         std::vector<std::string>& remarks) {
  ORLOP_TRY(may_refer, takes_away(step.kind) ? Result<bool>(false) : may_refer_to_variables(unit, run, record));
  if (!may_refer) return {};
  ORLOP_TRY(large, is_large(unit, run));
  const auto checked = check_variables(unit, record, run.outputs_before(part), {&shared_variables_, large, &remarks});
  if (checked) return {};
  if (checked.error().code != ErrorCode::invalid) return checked.error();
  step.refusal = checked.error().message;
  return {};
}

}  // namespace orlop
