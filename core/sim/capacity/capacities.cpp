#include "sim/capacity/capacities.h"

#include <algorithm>

#include "wire/json.h"

namespace orlop {

class Capacities::Memory {
 public:
  Clusters clusters;
  std::vector<Id> freed;
};

bool Capacities::any() const {
  if (!has_any_) return false;
  const std::lock_guard lock(mutex_);
  return !clusters_.empty();
}

std::optional<CapacitySettings> Capacities::settings_of(const Id& cluster) const {
  const std::lock_guard lock(mutex_);
  const auto found = clusters_.find(cluster);
  return found == clusters_.end() ? std::nullopt : std::optional(found->second.nodes.settings());
}

void Capacities::set(const Id& cluster, const CapacitySettings& settings, const Found& found) {
  const std::lock_guard lock(mutex_);
  const auto known = clusters_.find(cluster);
  if (known != clusters_.end()) {
    known->second.nodes.set(settings);
    return;
  }
  Entry& entry = clusters_[cluster];
  note_any();
  entry.nodes.set(settings);
  for (const Nodes::Found& each : found) entry.nodes.found(each);
}

std::optional<std::uint32_t> Capacities::lose(const Id& cluster, std::uint32_t count, std::optional<Duration> lasts,
                                              Instant now) {
  const std::lock_guard lock(mutex_);
  const auto found = clusters_.find(cluster);
  if (found == clusters_.end()) return std::nullopt;
  return found->second.nodes.lose(count, lasts, now);
}

void Capacities::clear() {
  const std::lock_guard lock(mutex_);
  for (const auto& [cluster, entry] : clusters_) {
    for (const Nodes::Waiting& waiting : entry.nodes.waiting()) freed_.push_back(waiting.step);
    for (const auto& [service, placement] : entry.nodes.placements()) {
      if (placement.lost && !placement.step.is_nil()) freed_.push_back(placement.step);
    }
  }
  clusters_.clear();
  note_any();
}

Capacities::Effects Capacities::settle(Instant now) {
  const std::lock_guard lock(mutex_);
  Effects effects;
  effects.of_steps.begun = freed_;
  effects.of_steps.found_contact = std::move(freed_);
  freed_.clear();
  note_any();
  for (auto& [cluster, entry] : clusters_) {
    const auto due = entry.nodes.due();
    if (due && *due <= now) entry.nodes.settle(now, effects.of_steps);
    const CapacityUsage usage = entry.nodes.usage();
    if (entry.noted != usage) effects.changed.push_back({cluster, usage});
  }
  return effects;
}

void Capacities::note(const Changed& changed) {
  const std::lock_guard lock(mutex_);
  const auto found = clusters_.find(changed.cluster);
  if (found != clusters_.end()) found->second.noted = changed.usage;
}

std::optional<Instant> Capacities::due() const {
  if (!has_any_) return std::nullopt;
  const std::lock_guard lock(mutex_);
  if (!freed_.empty()) return Instant{};
  std::optional<Instant> first;
  for (const auto& [cluster, entry] : clusters_) {
    const auto due = entry.nodes.due();
    if (due) first = std::min(first.value_or(*due), *due);
  }
  return first;
}

std::shared_ptr<const Capacities::Memory> Capacities::memory() const {
  const std::lock_guard lock(mutex_);
  auto memory = std::make_shared<Memory>();
  memory->clusters = clusters_;
  memory->freed = freed_;
  return memory;
}

void Capacities::go_back(const Memory& memory) {
  const std::lock_guard lock(mutex_);
  clusters_ = memory.clusters;
  freed_ = memory.freed;
  note_any();
}

std::optional<Instant> Capacities::begin_of(const Step& step, std::string& reason) {
  if (!has_any_) return step.started_at;
  const std::lock_guard lock(mutex_);
  const bool may_need =
      step.kind == StepKind::deploy || step.kind == StepKind::execute || step.kind == StepKind::restart;
  if (clusters_.empty() || !may_need) return step.started_at;
  const auto configuration = parse_stored(step.configuration);
  const Value* const cluster = configuration ? configuration->find_path({"environment", "cluster_id"}) : nullptr;
  const auto id = cluster != nullptr && cluster->is_text() ? parse_id(cluster->as_text()) : std::nullopt;
  const auto found = id ? clusters_.find(*id) : clusters_.end();
  if (found == clusters_.end()) return step.started_at;
  const auto need = need_of(step, *configuration);
  if (!need) return step.started_at;
  const auto begin = found->second.nodes.begin(step.id, step.subject, *need, step.started_at, step.resumed);
  if (!begin) reason = found->second.nodes.reason(step.subject, *need);
  return begin;
}

bool Capacities::reads_configuration(const Machine& subject) const {
  const auto kind = static_cast<StepKind>(subject.step_kind);
  const bool may_need =
      kind == StepKind::none || kind == StepKind::deploy || kind == StepKind::execute || kind == StepKind::restart;
  return may_need && any();
}

void Capacities::ended(const Id& step, const Id& subject, StepKind kind, ReportKind how) {
  if (!has_any_) return;
  const std::lock_guard lock(mutex_);
  const auto of_cluster = clusters_.find(subject);
  if (of_cluster == clusters_.end()) {
    for (auto& [cluster, entry] : clusters_) entry.nodes.ended(step, subject, kind, how);
    return;
  }
  if (how != ReportKind::succeeded) return;
  if (kind == StepKind::cluster_remove) clusters_.erase(of_cluster);
  else if (kind == StepKind::cluster_stop) of_cluster->second.nodes.stop();
  else if (kind != StepKind::cluster_dry_run) of_cluster->second.nodes.start();
  note_any();
}

}  // namespace orlop
