#include "sim/requests/request_queue.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "deploy/driver/surrounding_records.h"
#include "deploy/request/holds.h"
#include "deploy/request/request_parts.h"
#include "lifecycle/state.h"
#include "model/registry.h"
#include "ops/verbs.h"
#include "wire/json.h"

namespace orlop {
namespace {

StepKind step_for(Action action, bool is_cluster, bool is_new) {
  switch (action) {
    case Action::deploy: return !is_cluster ? StepKind::deploy : is_new ? StepKind::cluster_create : StepKind::cluster_update;
    case Action::restart: return is_cluster ? StepKind::cluster_restart : StepKind::restart;
    case Action::stop: return is_cluster ? StepKind::cluster_stop : StepKind::stop;
    case Action::remove:
    case Action::uninstall: return is_cluster ? StepKind::cluster_remove : StepKind::remove;
    case Action::dry_run: return StepKind::cluster_dry_run;
    case Action::upgrade: return StepKind::cluster_upgrade;
    case Action::none: break;
  }
  return StepKind::none;
}

// The request in the form of a step: the members of its configuration that rules have conditions on.
Result<Step> step_of(Unit& unit, const Record& subject, Action action, const Id& request) {
  const Family* const family = find_family(subject.family);
  const bool is_cluster = family != nullptr && family->machine == MachineKind::cluster;
  ORLOP_TRY(machine, unit.machine(subject.id));
  const bool is_new = machine && static_cast<Freshness>(machine->freshness) == Freshness::never_deployed;
  Step step;
  step.id = request;
  step.kind = step_for(action, is_cluster, is_new);
  step.family = subject.family;
  step.subject = subject.id;
  step.name = name_of(subject);
  step.action = action;
  step.started_at = unit.now();
  ORLOP_TRY(body, unit.value_of(subject));
  Writer out;
  out.begin_object();
  for (const Member& member : body->members()) {
    if (!is_surrounding_member(member.name.view())) out.field(member.name, member.value);
  }
  if (!is_cluster) {
    out.field_raw("environment", subject.body);
    const auto id = parse_id(body->text_or("cluster_id", ""));
    ORLOP_TRY(cluster, id ? unit.record(*id) : Result<std::optional<Record>>(std::nullopt));
    if (cluster) out.field_raw("cluster", cluster->body);
  }
  ORLOP_CHECK(write_above(unit, subject, out));
  out.end_object();
  step.configuration = std::move(out).take();
  return step;
}

// Whether the engine still has it, and it has not ended.
bool is_open(const std::optional<Machine>& machine, const RequestQueue::Entry& entry) {
  if (!machine) return false;
  if (machine->family == deployment_request_number) return is_unfinished(*machine);
  return machine->request == entry.request && is_transient(static_cast<ClusterState>(machine->state));
}

}  // namespace

void RequestQueue::suspend(bool is_suspended) {
  const std::lock_guard lock(mutex_);
  is_suspended_ = is_suspended;
}

Result<bool> RequestQueue::holds(Unit& unit, const Record& subject, Action action, const Id& request) {
  if (rules_ == nullptr || !rules_->has_rules_of_requests()) return false;
  ORLOP_TRY(step, step_of(unit, subject, action, request));
  const std::lock_guard lock(mutex_);
  if (is_suspended_) return false;
  const auto wait = rules_->wait_of(step);
  if (!wait) return false;
  Entry entry;
  entry.request = request;
  entry.held = subject.family == environment_number ? request : subject.id;
  entry.rule = to_json(wait->rule->given);
  entry.parallel = wait->rule->parallel;
  entry.until = unit.now() + wait->queued;
  entry.waits = entry.until > unit.now() || (entry.parallel != 0 && static_cast<std::size_t>(std::ranges::count(entries_, entry.rule, &Entry::rule)) >= entry.parallel);
  const bool waits = entry.waits;
  if (waits || entry.parallel != 0) entries_.push_back(std::move(entry));
  return waits;
}

// What waits is looked at when its turn comes, so that a tick costs what is under way.
Result<bool> RequestQueue::settle(Unit& unit) {
  const std::lock_guard lock(mutex_);
  std::unordered_map<std::string_view, std::size_t> under_way;  // of each rule
  std::vector<bool> has_ended(entries_.size());
  for (std::size_t at = 0; at < entries_.size(); ++at) {
    const Entry& entry = entries_[at];
    if (entry.waits) continue;
    ORLOP_TRY(machine, unit.machine(entry.held));
    has_ended[at] = !is_open(machine, entry);
    if (!has_ended[at]) ++under_way[entry.rule];
  }
  bool has_released = false;
  for (std::size_t at = 0; at < entries_.size(); ++at) {
    Entry& entry = entries_[at];
    if (!entry.waits || entry.until > unit.now() || (entry.parallel != 0 && under_way[entry.rule] >= entry.parallel)) continue;
    ORLOP_TRY(machine, unit.machine(entry.held));
    has_ended[at] = !is_open(machine, entry);
    if (has_ended[at]) continue;
    ORLOP_TRY(is_released, release_held(unit, entry.held));  // false: it was by hand
    has_released = has_released || is_released;
    entry.waits = false;
    ++under_way[entry.rule];
  }
  Memory open;
  for (std::size_t at = 0; at < entries_.size(); ++at) {
    const bool counts = entries_[at].waits || entries_[at].parallel != 0;
    if (!has_ended[at] && counts) open.push_back(std::move(entries_[at]));
  }
  entries_ = std::move(open);
  return has_released;
}

bool RequestQueue::is_empty() const {
  const std::lock_guard lock(mutex_);
  return entries_.empty();
}

std::optional<Instant> RequestQueue::due(Instant now) const {
  const std::lock_guard lock(mutex_);
  std::optional<Instant> due;
  for (const Entry& entry : entries_) {
    if (entry.waits && entry.until > now) due = std::min(due.value_or(entry.until), entry.until);
  }
  return due;
}

RequestQueue::Memory RequestQueue::memory() const {
  const std::lock_guard lock(mutex_);
  return entries_;
}

void RequestQueue::go_back(Memory memory) {
  const std::lock_guard lock(mutex_);
  entries_ = std::move(memory);
}

void RequestQueue::write(Writer& out) const {
  const std::lock_guard lock(mutex_);
  out.begin_list();
  for (const Entry& entry : entries_) {
    out.begin_object().field("request", entry.request).field("held", entry.held).field_raw("rule", entry.rule);
    out.field("parallel", static_cast<std::int64_t>(entry.parallel)).field("until", entry.until).field("waits", entry.waits).end_object();
  }
  out.end_list();
}

Result<void> RequestQueue::restore(const Value& given) {
  Memory entries;
  for (const Value& item : given.items()) {
    const auto request = parse_id(item.text_or("request", ""));
    const auto held = parse_id(item.text_or("held", ""));
    const auto until = parse_instant(item.text_or("until", ""));
    const Value* const rule = item.find("rule");
    if (!request || !held || !until || rule == nullptr) return make_error(ErrorCode::invalid, "queued must be a list of {\"request\", \"held\", \"rule\", \"until\"}, not " + shown(given));
    const std::int64_t parallel = std::clamp<std::int64_t>(item.integer_or("parallel", 0), 0, UINT32_MAX);
    entries.push_back({*request, *held, to_json(*rule), static_cast<std::uint32_t>(parallel), *until, item.boolean_or("waits", false)});
  }
  go_back(std::move(entries));
  return {};
}

}  // namespace orlop
