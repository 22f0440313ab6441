// Configuration of a service's step.
#include <string>
#include <utility>
#include <vector>

#include "deploy/driver/configuration.h"
#include "deploy/driver/helm_values.h"
#include "deploy/run/environments/environment_runs.h"
#include "unit/unit.h"

namespace orlop {
namespace {

bool takes_away(StepKind kind) { return kind == StepKind::stop || kind == StepKind::remove; }

}  // namespace

Result<bool> EnvironmentRuns::is_large(Unit& unit, Run& run) {
  if (!run.is_large) {
    ORLOP_TRY(large, is_large_environment(unit, run.environment));
    run.is_large = large;
  }
  return *run.is_large;
}

// Variables that cannot be resolved fail the step, unless it stops or removes the service.
Result<void> EnvironmentRuns::configure_step(Unit& unit, Run& run, std::uint32_t part, StepTexts texts, Step& step,
                                             const Record& record, std::vector<std::string>& remarks) {
  ORLOP_TRY(large, is_large(unit, run));
  const Value* overrides = run.overrides_of(step.subject);
  SecretValues secrets(texts);
  auto made = configuration_of(unit, record, overrides, run.outputs_before(part), {&shared_variables_, large, &remarks},
                               secrets);
  if (!made && made.error().code != ErrorCode::invalid) return std::move(made).error();
  if (made) {
    step.configuration = std::move(*made);
  } else if (takes_away(step.kind)) {
    secrets = SecretValues(texts);
    auto bare = configuration_of(unit, record, overrides, run.outputs_before(part), {}, secrets);
    if (!bare && bare.error().code != ErrorCode::invalid) return std::move(bare).error();
    if (bare) step.configuration = std::move(*bare);
    else step.refusal = bare.error().message;
  } else {
    step.refusal = made.error().message;
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
