#include "deploy/run/state_transition.h"

#include <array>
#include <utility>

#include "lifecycle/machine.h"
#include "model/plan_flag.h"
#include "wire/writer.h"

namespace orlop {
namespace {

// Returns the phase of time spent in `state`; nullopt if it has none. `build_is_next`: the action's build has not
// begun.
std::optional<TimedPhase> phase_of(ServiceState state, bool build_is_next, bool is_building) {
  switch (timing_phase(state)) {
    case TimingPhase::none: return {};
    case TimingPhase::queueing: return build_is_next ? TimedPhase::build_queueing : TimedPhase::deployment_queueing;
    case TimingPhase::building: return TimedPhase::build;
    case TimingPhase::acting: return TimedPhase::deployment;
    case TimingPhase::executing: return TimedPhase::executing;
    case TimingPhase::interrupted: return is_building ? TimedPhase::build : TimedPhase::deployment;
  }
  return {};
}

constexpr std::size_t usual_text_size = 160;

void write_ending(Writer& out, StepKind kind, std::uint32_t attempt, std::string_view engine,
                  std::optional<PhaseStatus> status, std::string_view reason) {
  out.field("kind", to_string(kind)).field("attempt", std::uint64_t{attempt});
  if (!engine.empty()) out.field("engine", engine);
  if (status) out.field("status", to_string(*status));
  if (!reason.empty()) out.field("reason", reason);
  out.end_object();
}

// Endings of the details of step events, after the step's id, for engines without a name and few attempts. Made once.
class KnownEndings {
 public:
  KnownEndings() {
    for (std::size_t place = 0; place < texts_.size(); ++place) {
      const auto status = static_cast<std::uint8_t>(place % statuses);
      Writer out(usual_text_size);
      write_ending(out.begin_object().field("step", Id()), static_cast<StepKind>(place / statuses / attempts),
                   static_cast<std::uint32_t>(place / statuses % attempts), {},
                   status == 0 ? std::nullopt : std::optional(static_cast<PhaseStatus>(status)), {});
      texts_[place] = out.view().substr(EventDetail::ending_at);
    }
  }
  // Empty if it is none of them.
  std::string_view of(StepKind kind, std::uint32_t attempt, std::optional<PhaseStatus> status) const {
    const auto number = static_cast<std::size_t>(kind);
    if (number >= kinds || attempt >= attempts) return {};
    return texts_[(number * attempts + attempt) * statuses + (status ? static_cast<std::size_t>(*status) : 0)];
  }

 private:
  static constexpr std::size_t kinds = static_cast<std::size_t>(StepKind::task) + 1;
  static constexpr std::size_t attempts = 4;
  static constexpr std::size_t statuses = static_cast<std::size_t>(PhaseStatus::skip) + 1;
  std::array<std::string, kinds * attempts * statuses> texts_;
};

std::string_view known_ending(StepKind kind, std::uint32_t attempt, std::optional<PhaseStatus> status) {
  static const KnownEndings known;
  return known.of(kind, attempt, status);
}

}  // namespace

void StateTransition::change_state(std::uint8_t to, bool is_error_state, bool is_transient_state, bool is_canceled) {
  const std::uint8_t from = std::exchange(machine_.state, to);
  machine_.changed_at = unit_.now();
  machine_.active = is_transient_state;
  if (!is_transient_state) machine_.timing.ended_at = unit_.now();
  Event& event = emit(EventKind::state_changed, from, to);
  if ((is_error_state || is_canceled) && !machine_.detail->reason.empty()) {
    event.detail = Writer().begin_object().field("reason", machine_.detail->reason).end_object().text();
  }
}

bool StateTransition::move(ServiceEvent event) {
  const ServiceState from = service_state();
  const std::optional<ServiceState> to = advance(from, event, context());
  if (!to) return false;
  const bool build_is_next = action() == Action::deploy && has(machine_.plan_flags, PlanFlag::builds) &&
                             !has_phase(machine_.timing, TimedPhase::build);
  const std::optional<TimedPhase> phase = phase_of(from, build_is_next, this->phase() == Phase::building);
  if (phase) {
    const bool is_cut = *to == ServiceState::canceled || *to == ServiceState::canceling;
    const PhaseStatus status = is_error(*to) ? PhaseStatus::error : is_cut ? PhaseStatus::cancel : success_;
    spend(machine_.timing, *phase, status, unit_.now() - machine_.changed_at);
  }
  change_state(static_cast<std::uint8_t>(*to), is_error(*to), is_transient(*to), *to == ServiceState::canceled);
  return true;
}

void StateTransition::follow(ServiceState state) {
  if (service_state() != state) change_state(static_cast<std::uint8_t>(state), is_error(state), false, false);
}

bool StateTransition::move(ClusterEvent event) {
  const std::optional<ClusterState> to = advance(cluster_state(), event, context());
  if (!to) return false;
  change_state(static_cast<std::uint8_t>(*to), is_error(*to), is_transient(*to), *to == ClusterState::canceled);
  return true;
}

bool StateTransition::move(TaskEvent event) {
  const std::optional<TaskState> to = advance(task_state(), event, context());
  if (!to) return false;
  change_state(static_cast<std::uint8_t>(*to), is_error(*to), is_transient(*to), *to == TaskState::canceled);
  return true;
}

void StateTransition::begin_action(Action action, const Id& request, const CopyOnWrite<ActionDetail>& detail) {
  if (action != this->action()) machine_.attempt = 0;
  machine_.origin_state = machine_.state;
  machine_.action = static_cast<std::uint8_t>(action);
  machine_.request = request;
  machine_.configuration = ConfigurationState::pending;
  machine_.configured = 0;
  machine_.timing = {};
  machine_.detail = detail;
}

void StateTransition::read_configuration(std::uint64_t revision) {
  if (machine_.configuration != ConfigurationState::pending) return;
  machine_.configuration = ConfigurationState::read;
  machine_.configured = revision;
}

void StateTransition::begin_step(const Id& step, StepKind kind, Instant deadline) {
  ActionTiming& timing = machine_.timing;
  if (!timing.started_at) {
    timing.started_at = unit_.now();
    ++machine_.attempt;
  }
  machine_.step = step;
  machine_.step_kind = static_cast<std::uint8_t>(kind);
  machine_.step_started_at = unit_.now();
  machine_.deadline = deadline;
  timing.reported_at.reset();
  timing.canceled_at.reset();
  emit(EventKind::step_started, 0, machine_.step_kind).detail = said_of_step({});
}

void StateTransition::end_step(PhaseStatus status) {
  if (status == PhaseStatus::success) status = success_;
  emit(EventKind::step_ended, 0, machine_.step_kind).detail = said_of_step(status);
  // Attempts count how often the same action was tried in succession without success.
  const bool has_succeeded = status == PhaseStatus::success || status == PhaseStatus::skip;
  if (has_succeeded && !machine_.active) machine_.attempt = 0;
  machine_.step = Id{};
  machine_.step_kind = 0;
  machine_.deadline.reset();
  machine_.timing.reported_at.reset();
  machine_.timing.canceled_at.reset();
}

// Most details are a known ending after the step's id. `status`: of the step's end; nullopt: it begins.
EventDetail StateTransition::said_of_step(std::optional<PhaseStatus> status) const {
  const auto kind = static_cast<StepKind>(machine_.step_kind);
  const std::string& engine = unit_.settings().engine_name;
  const bool has_reason = status == PhaseStatus::error && !machine_.detail->reason.empty();
  if (engine.empty() && !has_reason) {
    if (const std::string_view known = known_ending(kind, machine_.attempt, status); !known.empty())
      return {machine_.step, known};
  }
  Writer out(usual_text_size);
  write_ending(out.begin_object().field("step", machine_.step), kind, machine_.attempt, engine, status,
               has_reason ? machine_.detail->reason : std::string_view());
  return std::move(out).take();
}

void StateTransition::set_freshness(Freshness freshness) {
  const auto to = static_cast<std::uint8_t>(freshness);
  if (machine_.freshness == to) return;
  const std::uint8_t from = std::exchange(machine_.freshness, to);
  emit(EventKind::freshness_changed, from, to);
}

void StateTransition::set_running(RunningState running, std::string_view observation) {
  const auto to = static_cast<std::uint8_t>(running);
  if (machine_.running == to && observation.empty()) return;
  const std::uint8_t from = std::exchange(machine_.running, to);
  Event& event = emit(EventKind::running_changed, from, to);
  if (!observation.empty()) event.detail = std::string(observation);
}

Event& StateTransition::emit(EventKind kind, std::uint8_t from, std::uint8_t to) {
  Event& event = unit_.emit();
  event.kind = kind;
  event.family = machine_.family;
  event.from = from;
  event.to = to;
  event.subject = machine_.id;
  event.owner = machine_.owner;
  event.organization = organization_;
  event.request = machine_.request;
  // The end of a cluster's action has the author who requested it; for services, the request's event has the author.
  const bool is_end = kind == EventKind::state_changed && !machine_.active;
  if (is_end && !machine_.detail->triggered_by.empty()) event.author = machine_.detail->triggered_by;
  return event;
}

}  // namespace orlop
