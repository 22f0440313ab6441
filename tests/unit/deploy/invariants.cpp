#include "unit/deploy/invariants.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "deploy/run/detail.h"
#include "lifecycle/state.h"
#include "model/plan_flag.h"
#include "model/registry.h"

namespace orlop {
namespace {

// A step's event begins with {"step":"<id>", …
constexpr std::size_t step_id_at = 9;

// Follows one feed, event by event.
class Follower {
 public:
  Follower(const Fixture& fixture, const Script& script) : fixture_(fixture), settings_(script.options.settings) {
    for (const Script::Service& service : script.services) services_[fixture.id_of(service.name)] = service;
  }

  std::string follow(const Event& event) {
    if (event.at < last_at_) return "time goes backwards";
    last_at_ = event.at;
    switch (event.kind) {
      case EventKind::request_queued: open_.push_back(event.subject); return {};
      case EventKind::request_started: return begin_request(event);
      case EventKind::request_ended: return end_request(event);
      case EventKind::step_started: return begin_step(event);
      case EventKind::step_ended: return end_step(event);
      case EventKind::state_changed: return change_state(event);
      case EventKind::deleted:
        if (event.subject == fixture_.environment()) open_.clear();  // including all waiting requests
        return {};
      case EventKind::created:
      case EventKind::edited:
      case EventKind::progress:
      case EventKind::log_line:
      case EventKind::running_changed:
      case EventKind::freshness_changed: return {};
    }
    return {};
  }

  std::string end() const {
    if (!open_.empty()) return "a request never ended";
    if (!steps_.empty()) return "a step never ended";
    std::set<Id> asked;
    for (const Step& step : fixture_.started()) asked.insert(step.id);
    if (asked.size() < ids_.size()) return "a step was stored that no driver was asked for";
    if (asked != ids_) return "a driver was asked for a step that was never stored";
    return {};
  }

 private:
  struct Running {
    Id id;
    StepKind kind = StepKind::none;
    std::int64_t rank = 0;
    Instant started_at;
  };

  std::string begin_request(const Event& event) {
    if (!running_request_.is_nil()) return "two requests run at the same time";
    if (std::ranges::find(open_, event.subject) == open_.end()) return "a request starts that was not queued";
    if (open_.front() != event.subject) return "a request starts before one that was asked for earlier";
    running_request_ = event.subject;
    backwards_ = static_cast<ServiceState>(event.to) == ServiceState::stopping ||
                 static_cast<ServiceState>(event.to) == ServiceState::deleting;
    removes_ = static_cast<ServiceState>(event.to) == ServiceState::deleting;
    has_failed_ = false;
    last_rank_ = std::numeric_limits<std::int64_t>::min();
    has_acted_ = false;
    executed_.clear();
    return {};
  }

  std::string end_request(const Event& event) {
    std::erase(open_, event.subject);
    if (event.subject != running_request_) return {};
    running_request_ = Id{};
    for (const auto& [subject, step] : steps_) {
      if (services_.contains(subject)) return "a request ends while a step of it runs";
    }
    return {};
  }

  // A job that runs once more before it is deleted comes before all stages, with its delete.
  std::int64_t rank_of(const Id& subject, const Script::Service& service, StepKind kind) {
    if (removes_ && kind == StepKind::execute) executed_.insert(subject);
    if (removes_ && executed_.contains(subject)) return std::numeric_limits<std::int64_t>::min() + 1;
    return backwards_ ? -service.stage : service.stage;
  }

  std::string begin_step(const Event& event) {
    const Id id = parse_id(event.detail.text().substr(step_id_at, id_text_size)).value_or(Id{});
    if (!ids_.insert(id).second) return "one step id for two steps";
    if (steps_.contains(event.subject)) return "two steps of one subject at the same time";
    const auto found = services_.find(event.subject);
    Running step{event.subject, static_cast<StepKind>(event.to), 0, event.at};
    if (found != services_.end()) step.rank = rank_of(event.subject, found->second, step.kind);
    steps_[event.subject] = step;
    if (found == services_.end()) return {};
    if (event.request != running_request_) return "a step of a request that does not run";
    if (has_failed_) return "a step starts after a failure or cancel";
    return step.kind == StepKind::build ? check_build() : check_stage(step);
  }

  std::size_t count(bool builds) const {
    return static_cast<std::size_t>(std::ranges::count_if(steps_, [&](const auto& entry) {
      return services_.contains(entry.first) && (entry.second.kind == StepKind::build) == builds;
    }));
  }

  std::string check_build() const {
    if (has_acted_) return "a build starts after a deploy";
    return count(true) > settings_.max_parallel_builds ? "too many builds at the same time" : "";
  }

  std::string check_stage(const Running& step) {
    has_acted_ = true;
    if (count(true) > 0) return "a deploy starts while a build runs";
    if (step.rank < last_rank_) return "a stage comes out of its order";
    last_rank_ = step.rank;
    for (const auto& [subject, other] : steps_) {
      if (services_.contains(subject) && other.rank != step.rank)
        return "a stage starts before the one before it has ended";
    }
    return count(false) > settings_.max_parallel_deploys ? "too many steps of a stage at the same time" : "";
  }

  std::string end_step(const Event& event) {
    const auto found = steps_.find(event.subject);
    if (found == steps_.end()) return "a step ends that did not run";
    if (found->second.kind != static_cast<StepKind>(event.to)) return "another step ends than runs";
    const Instant latest =
        found->second.started_at + settings_.start_deadline + settings_.step_deadline + settings_.cancel_deadline;
    steps_.erase(found);
    return event.at > latest ? "a step outlives its deadline and that of its cancel" : "";
  }

  std::string change_state(const Event& event) {
    const auto known = states_.find(event.subject);
    if (known != states_.end() && known->second != event.from)
      return "a state changes from another than the subject was in";
    states_[event.subject] = event.to;
    if (services_.contains(event.subject) && event.request == running_request_) {
      const auto to = static_cast<ServiceState>(event.to);
      if (is_error(to) || to == ServiceState::canceling || to == ServiceState::canceled) has_failed_ = true;
    }
    return {};
  }

  const Fixture& fixture_;
  const Settings& settings_;
  std::map<Id, Script::Service> services_;
  std::map<Id, std::uint8_t> states_;
  std::map<Id, Running> steps_;  // running step by subject
  std::set<Id> ids_;
  std::set<Id> executed_;  // services executed in the running request
  std::vector<Id> open_;   // in the order of the requests; the first one may run
  Id running_request_;
  Instant last_at_;
  std::int64_t last_rank_ = 0;
  bool backwards_ = false;
  bool removes_ = false;
  bool has_failed_ = false;
  bool has_acted_ = false;
};

// Returns a fault if a machine is active or the cluster is in a transient state.
std::string unrest(const Fixture& fixture) {
  std::string found;
  const auto reading = fixture.reading();
  MachineRange range;
  range.by = MachineRange::By::active;
  const auto visited = reading->machines(range, [&](const Machine& machine) {
    found = "a machine of family " + std::to_string(machine.family) + " rests in state " +
            std::to_string(machine.state) + ", still active";
    return false;
  });
  if (!visited) return "the store cannot be read";
  if (is_transient(static_cast<ClusterState>(fixture.machine("main").state)))
    return "the cluster rests in a state that it only passes through";
  return found;
}

// Checks a service at the end: not in a transient state, without a step, and UP_TO_DATE only with its current revision.
std::string unrest(const Fixture& fixture, const Script::Service& service) {
  if (!fixture.exists(service.name)) return {};
  const Machine machine = fixture.machine(service.name);
  const auto record = fixture.reading()->record(machine.id).value();
  if (is_transient(static_cast<ServiceState>(machine.state)))
    return service.name + " rests in a state that it only passes through";
  if (!machine.step.is_nil() || machine.active) return service.name + " is at rest and has a step";
  const bool is_current = static_cast<Freshness>(machine.freshness) == Freshness::up_to_date;
  if (is_current && machine.deployed != record->revision)
    return service.name + " is UP_TO_DATE with another revision than it has";
  return {};
}

std::string asked_twice(const Fixture& fixture) {
  std::set<Id> started;
  for (const Step& step : fixture.started()) {
    if (!started.insert(step.id).second && !step.resumed)
      return "a driver is asked twice for one step, the second time as if it were new";
  }
  return {};
}

void append(std::string& text, const Machine& machine) {
  Writer steps;
  write_steps(steps, machine.timing);
  text += to_text(machine.id) + " revision " + std::to_string(machine.revision) + " state " +
          std::to_string(machine.state) + " from " + std::to_string(machine.origin_state) + " action " +
          std::to_string(machine.action) + " freshness " + std::to_string(machine.freshness) + " running " +
          std::to_string(machine.running) + " attempt " + std::to_string(machine.attempt) + " stage " +
          std::to_string(machine.stage_order) + " request " + to_text(machine.request) + " configured " +
          std::to_string(machine.configured) + " deployed " + std::to_string(machine.deployed) + " changed " +
          std::to_string(machine.changed_at.milliseconds) + " " + machine.detail->execution_id + " " +
          machine.detail->reason + " " + steps.text() + "\n";
}

}  // namespace

std::string broken_rule(const Fixture& fixture, const Script& script) {
  Follower follower(fixture, script);
  for (const Event& event : fixture.events()) {
    const std::string broken = follower.follow(event);
    if (!broken.empty())
      return broken + " (event " + std::to_string(event.sequence) + ": " + fixture.line_of(event) + ")";
  }
  if (const std::string broken = follower.end(); !broken.empty()) return broken;
  if (const std::string broken = unrest(fixture); !broken.empty()) return broken;
  for (const Script::Service& service : script.services) {
    if (const std::string broken = unrest(fixture, service); !broken.empty()) return broken;
  }
  return asked_twice(fixture);
}

std::string different_configuration(const Fixture& one, const Fixture& other) {
  std::map<Id, std::string> configurations;
  for (const Step& step : one.started()) {
    if (!step.resumed) configurations[step.id] = step.configuration;
  }
  for (const Step& step : other.started()) {
    const auto found = configurations.find(step.id);
    const bool is_same = step.resumed || found == configurations.end() || found->second == step.configuration;
    if (!is_same) return step.name + " was given " + step.configuration + " and not " + found->second;
  }
  return {};
}

std::string everything(const Fixture& fixture) {
  std::string text;
  for (const Event& event : fixture.events()) {
    text += std::to_string(event.sequence) + " " + std::to_string(event.at.milliseconds) + " " +
            std::to_string(static_cast<int>(event.kind)) + " " + std::to_string(event.family) + " " +
            std::to_string(event.from) + ">" + std::to_string(event.to) + " " + to_text(event.subject) + " " +
            to_text(event.owner) + " " + to_text(event.organization) + " " + to_text(event.request) + " " +
            std::to_string(event.revision) + " " + event.detail.text() + "\n";
  }
  const auto reading = fixture.reading();
  for (const Id& owner : {fixture.environment(), fixture.organization()}) {
    MachineRange range;
    range.owner = owner;
    const auto machines = reading->machines(range, [&](const Machine& machine) {
      append(text, machine);
      return true;
    });
    RecordRange records;
    records.key = owner;
    const auto bodies = reading->records(records, [&](const Record& record) {
      text += to_text(record.id) + " " + std::to_string(record.revision) + " " + record.body + "\n";
      return true;
    });
    if (!machines || !bodies) text += "the store cannot be read\n";
  }
  return text;
}

}  // namespace orlop
