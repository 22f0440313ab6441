#include "deploy/run/run.h"

#include <algorithm>
#include <utility>

#include "wire/json.h"

namespace orlop {
namespace {

constexpr std::uint32_t decisions_by_tick = 500;  // of one request

// Bounds that keep the product in range; longer times make no difference.
constexpr std::int64_t longest_run = 1'000'000'000;  // seconds
constexpr std::int64_t most_restarts = 1'000'000;

std::int64_t restarts_in(const Value& job) {
  return std::clamp<std::int64_t>(job.integer_or("max_nb_restart", 0), 0, most_restarts);
}

Progress progress_of(const Machine& service, const Part& part) {
  const auto state = static_cast<ServiceState>(service.state);
  const auto step = static_cast<StepKind>(service.step_kind);
  if (!is_transient(state)) return Progress::done;
  if (!service.step.is_nil()) {
    if (step == StepKind::build) return Progress::building;
    return part.follow != StepKind::none && step == part.follow ? Progress::following : Progress::acting;
  }
  // A service is queued before its first step; it waits, or is out of contact, without a step only after its build.
  const bool is_built = state == ServiceState::waiting_running || state == ServiceState::unavailable;
  return is_built ? Progress::built : Progress::waiting;
}

void restore(Runner& runner, std::uint32_t part, const Machine& service) {
  runner.restore(part, progress_of(service, runner.plan().parts[part]));
  const auto state = static_cast<ServiceState>(service.state);
  if (state == ServiceState::build_error) return runner.restore_stop(RunOutcome::build_failed);
  if (is_error(state)) runner.restore_stop(RunOutcome::failed);
}

void restore_outputs(Run& run, std::uint32_t part, const Machine& service) {
  const bool has_outputs = run.runner.plan().parts[part].step == StepKind::execute && !service.detail->outputs.empty();
  if (has_outputs) run.outputs.push_back({part, service.detail->outputs});
}

}  // namespace

void Run::add_outputs(std::uint32_t part, std::string text) {
  const auto place = std::ranges::lower_bound(outputs, part, {}, &JobOutputs::part);
  if (place != outputs.end() && place->part == part) {
    place->text = std::move(text);
  } else {
    outputs.insert(place, {part, std::move(text)});
  }
}

Value Run::outputs_before(std::uint32_t part) const {
  const std::vector<Part>& parts = runner.plan().parts;
  Value together;
  for (const JobOutputs& job : outputs) {
    if (parts[job.part].stage >= parts[part].stage) break;
    const auto value = parse_stored(job.text);
    if (!value) continue;
    for (const Member& member : value->members()) together.set(member.name, member.value);
  }
  return together;
}

Result<Run> make_run(const StoredRequest& request, const std::vector<Machine>& services, const Settings& settings) {
  const RequestBody& body = request.body;
  Runner runner(make_plan(services, body.action, body.forced),
                {settings.max_parallel_builds, settings.max_parallel_deploys, decisions_by_tick});
  Run run{body.environment,  body.id,     request.record.organization,
          body.action,       body.forced, body.cancel,
          body.overrides,    {},          {},
          std::move(runner), {}};
  const std::vector<Part>& parts = run.runner.plan().parts;
  run.subjects.reserve(parts.size());
  for (std::uint32_t part = 0; part < parts.size(); ++part) {
    const Machine& service = services[parts[part].service];
    run.subjects.push_back(service.id);
    restore(run.runner, part, service);
    restore_outputs(run, part, service);
  }
  if (request_state(request.machine) == RequestState::canceling) run.runner.restore_stop(RunOutcome::canceled);
  return run;
}

Step step_of(const Machine& machine, const Id& organization, std::string name, std::string configuration) {
  Step step;
  step.id = machine.step;
  step.kind = static_cast<StepKind>(machine.step_kind);
  step.family = machine.family;
  step.subject = machine.id;
  step.owner = machine.owner;
  step.organization = organization;
  step.request = machine.request;
  step.attempt = machine.attempt;
  step.started_at = machine.step_started_at.value_or(machine.changed_at);
  step.deadline = machine.deadline.value_or(step.started_at);
  step.action = static_cast<Action>(machine.action);
  step.name = std::move(name);
  step.configuration = std::move(configuration);
  return step;
}

Result<Duration> bound_of(const Record& record, StepKind kind, const Settings& settings) {
  if (kind != StepKind::execute) return settings.step_deadline;
  ORLOP_TRY(value, parse_stored(record.body));
  const std::int64_t bound = std::min(value.integer_or("max_duration_seconds", 0), longest_run);
  if (bound <= 0) return settings.step_deadline;
  return seconds(60 + bound * (restarts_in(value) + 1));
}

Result<std::uint32_t> restarts_of(const Record& job) {
  ORLOP_TRY(value, parse_stored(job.body));
  return static_cast<std::uint32_t>(restarts_in(value));
}

}  // namespace orlop
