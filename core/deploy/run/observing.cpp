#include "deploy/run/observing.h"

#include <algorithm>
#include <functional>
#include <string>
#include <tuple>
#include <utility>

#include "base/family_number.h"
#include "lifecycle/state.h"
#include "model/registry.h"
#include "observations/observation_records.h"
#include "unit/find_record.h"
#include "wire/json.h"

namespace orlop {
namespace {

// Number of services after which the rest of a round is left for the next tick, and of services in one call.
constexpr std::size_t services_by_part = 2000;
constexpr std::size_t services_by_call = 1000;

// Intervals without an answer after which a running state is not known any more.
constexpr std::int64_t intervals_max = 3;

// Jobs and Terraform services leave nothing that runs.
bool is_observed(const Machine& machine) {
  const std::string_view kind = find_family(machine.family)->service_kind;
  return kind != "JOB" && kind != "TERRAFORM";
}

std::uint64_t hash_of(const Report& report) {
  const std::uint64_t hash = std::hash<std::string>()(report.text) * 31 + static_cast<std::uint64_t>(report.running);
  return hash == 0 ? 1 : hash;
}

Result<std::vector<Record>> below(Unit& unit, const Id& parent, std::string_view family, RecordRange::Fields fields) {
  RecordRange range;
  range.key = parent;
  range.family = find_family(family)->number;
  range.fields = fields;
  return unit.records(range);
}

}  // namespace

bool has_workload(const Machine& machine) {
  const auto state = static_cast<ServiceState>(machine.state);
  return is_service(machine.family) && machine.deployed != 0 && state != ServiceState::stopped &&
         state != ServiceState::deleted;
}

OptionalInstant Observing::due() const {
  if (settings_.observe_interval.milliseconds == 0 || !driver_.observes()) return std::nullopt;
  return Instant{next_.milliseconds};  // of a part, the begin of its round, which has passed
}

Result<void> Observing::read_part(Unit& unit, Duration monotonic, PartitionSet held, std::vector<Report>& missing) {
  if (at_ == places_.size()) ORLOP_CHECK(begin_round(unit, held));
  for (std::size_t read = 0; at_ < places_.size() && read < services_by_part; ++at_) {
    ORLOP_TRY(machines, unit.machines(places_[at_].environment));
    read += machines.size();
    for (const Machine& machine : machines) {
      if (has_workload(machine) && is_observed(machine)) add(places_[at_], machine, monotonic, missing);
    }
  }
  if (at_ == places_.size()) end_round(monotonic);
  return {};
}

Result<void> Observing::begin_round(Unit& unit, PartitionSet held) {
  ++round_;
  places_.clear();
  at_ = 0;
  ORLOP_TRY(organizations, below(unit, Id{}, "organization", RecordRange::Fields::place));
  for (const Record& organization : organizations) {
    if (!held.contains(partition_of(organization.id))) continue;
    ORLOP_TRY(projects, below(unit, organization.id, "project", RecordRange::Fields::place));
    for (const Record& project : projects) {
      ORLOP_TRY(environments, below(unit, project.id, "environment", RecordRange::Fields::all));
      for (const Record& environment : environments) {
        ORLOP_TRY(cluster, parse_stored_member(environment.body, "cluster_id"));
        places_.push_back({environment.id, parse_id(cluster.as_text()).value_or(Id{})});
      }
    }
  }
  std::ranges::sort(places_, {}, [](const Place& place) { return std::tie(place.cluster, place.environment); });
  return {};
}

void Observing::end_round(Duration monotonic) {
  next_ = Duration{monotonic.milliseconds + settings_.observe_interval.milliseconds};
  std::erase_if(watched_, [this](const auto& entry) { return entry.second.round != round_; });
}

void Observing::add(const Place& place, const Machine& service, Duration monotonic, std::vector<Report>& missing) {
  Watched& watched = watched_.try_emplace(service.id, Watched{.heard_at = monotonic}).first->second;
  watched.round = round_;
  if (watched.running != service.running) watched.said = 0;
  watched.running = service.running;
  const Duration silent{monotonic.milliseconds - watched.heard_at.milliseconds};
  const bool is_unknown = static_cast<RunningState>(service.running) == RunningState::unknown;
  if (silent.milliseconds >= intervals_max * settings_.observe_interval.milliseconds && !is_unknown) {
    const std::string text = std::to_string(silent.milliseconds / 1000);
    missing.push_back({service.id, ReportKind::running_state, RunningState::unknown,
                       R"({"reason":"the driver has said nothing about the workload for )" + text + R"( s"})"});
  }
  const bool is_same = !asked_.empty() && asked_.back().cluster == place.cluster;
  if (!is_same || asked_.back().services.size() == services_by_call) asked_.push_back({place.cluster, {}});
  asked_.back().services.push_back(service.id);
}

void Observing::forget_answers() {
  for (auto& [service, watched] : watched_) watched.said = 0;
}

void Observing::go_on(Observing& before) {
  next_ = before.next_;
  round_ = before.round_;
  watched_ = std::move(before.watched_);
  forget_answers();
}

void Observing::act() {
  for (const Asked& asked : std::exchange(asked_, {})) driver_.observe(asked.cluster, asked.services);
}

bool Observing::is_news(const Report& report, Duration monotonic) {
  const auto found = watched_.find(report.step);
  if (found == watched_.end()) return true;
  Watched& watched = found->second;
  watched.heard_at = monotonic;
  const std::uint64_t said = hash_of(report);
  if (watched.said == said) return false;
  watched.said = said;
  watched.running = static_cast<std::uint8_t>(report.running);
  return true;
}

}  // namespace orlop
