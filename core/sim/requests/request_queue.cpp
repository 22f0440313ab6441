#include "sim/requests/request_queue.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <utility>

#include "deploy/driver/secret_values.h"
#include "deploy/driver/surrounding_records.h"
#include "deploy/request/holds.h"
#include "deploy/request/request_parts.h"
#include "lifecycle/state.h"
#include "model/registry.h"
#include "sim/invalid_member.h"
#include "sim/rules/rule.h"
#include "unit/unique_name.h"
#include "unit/unit.h"
#include "wire/json.h"
#include "wire/writer.h"

namespace orlop {
namespace {

StepKind step_for(Action action, bool is_cluster, bool is_new) {
  switch (action) {
    case Action::deploy:
      return !is_cluster ? StepKind::deploy : is_new ? StepKind::cluster_create : StepKind::cluster_update;
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

// Returns the request in the form of a step, with the members of the configuration that rules have conditions on.
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
    ORLOP_TRY(cluster, id ? unit.record(*id) : Result<Shared<Record>>(Shared<Record>()));
    if (cluster) out.field_raw("cluster", cluster->body);
  }
  SecretValues secrets(StepTexts{.secrets = false});
  ORLOP_CHECK(write_above(unit, subject, secrets, out));
  out.end_object();
  step.configuration = std::move(out).take();
  return step;
}

// Reports whether the engine has the request, unfinished.
bool is_open(const Shared<Machine>& machine, const RequestQueue::Entry& entry) {
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
  if (rules_ == nullptr) return false;
  const bool may_wait = rules_->has_rules_of(RuleSubject::request);
  const bool may_end = subject.family == environment_number && action != Action::remove && gives_lifetimes() &&
                       !lifetimes_->has(subject.id);
  if (!may_wait && !may_end) return false;
  ORLOP_TRY(step, step_of(unit, subject, action, request));
  if (may_end) note_lifetime(subject, step);
  if (!may_wait) return false;
  const std::lock_guard lock(mutex_);
  if (is_suspended_) return false;
  const auto wait = rules_->wait_of(step);
  if (!wait) return false;
  // A transaction that failed leaves its entry; the next one may have the same id.
  if (const auto before = numbers_.find(request); before != numbers_.end()) erase(before->second);
  Entry entry;
  entry.request = request;
  entry.held = subject.family == environment_number ? request : subject.id;
  entry.rule = to_json(wait->rule->given);
  entry.parallel = wait->rule->parallel;
  entry.until = unit.now() + wait->queued;
  const auto line = lines_.find(entry.rule);
  const bool is_full = entry.parallel != 0 && line != lines_.end() && line->second.size >= entry.parallel;
  entry.waits = entry.until > unit.now() || is_full;
  const bool waits = entry.waits;
  if (waits || entry.parallel != 0) add(std::move(entry));
  return waits;
}

// A transaction that failed leaves the lifetime of its environment; this one may have the same id.
Result<void> RequestQueue::created(Unit& unit, const Record& environment) {
  if (!gives_lifetimes()) return {};
  lifetimes_->remove(environment.id);
  ORLOP_TRY(step, step_of(unit, environment, Action::none, environment.id));
  note_lifetime(environment, step);
  return {};
}

namespace {

Result<std::vector<Record>> records_below(Unit& unit, const std::vector<Record>& parents, std::string_view family) {
  std::vector<Record> found;
  for (const Record& parent : parents) {
    RecordRange range;
    range.key = parent.id;
    range.family = find_family(family)->number;
    ORLOP_TRY(records, unit.records(range));
    std::ranges::move(records, std::back_inserter(found));
  }
  return found;
}

}  // namespace

Result<void> RequestQueue::decide_environments(Unit& unit) {
  if (!gives_lifetimes()) return {};
  ORLOP_TRY(organizations, records_below(unit, {Record()}, "organization"));
  ORLOP_TRY(projects, records_below(unit, organizations, "project"));
  ORLOP_TRY(environments, records_below(unit, projects, "environment"));
  for (const Record& environment : environments) {
    if (lifetimes_->has(environment.id)) continue;
    ORLOP_TRY(step, step_of(unit, environment, Action::none, environment.id));
    note_lifetime(environment, step);
  }
  return {};
}

// Also of an environment whose transaction fails: then nothing is deleted.
void RequestQueue::note_lifetime(const Record& environment, const Step& step) {
  const auto lasts = rules_->lifetime_of(step);
  if (lasts) lifetimes_->add(environment.id, created_at_of(environment.id) + *lasts);
}

void RequestQueue::add(Entry entry) {
  if (const auto before = numbers_.find(entry.request); before != numbers_.end()) erase(before->second);
  const Number number = ++last_;
  numbers_[entry.request] = number;
  Line& line = lines_[entry.rule];
  line.parallel = entry.parallel;
  ++line.size;
  if (entry.waits) timed_.emplace(entry.until, number);
  else line.under_way.insert(number);
  entries_.emplace(number, std::move(entry));
  note_any();
}

void RequestQueue::erase(Number number) {
  const auto found = entries_.find(number);
  if (found == entries_.end()) return;
  const Entry& entry = found->second;
  const auto line = lines_.find(entry.rule);
  timed_.erase({entry.until, number});
  line->second.ready.erase(number);
  line->second.under_way.erase(number);
  if (--line->second.size == 0) lines_.erase(line);
  numbers_.erase(entry.request);
  entries_.erase(found);
  note_any();
}

// Requests whose time is over wait only for the limit.
void RequestQueue::end_waits(Instant now) {
  while (!timed_.empty() && timed_.begin()->first <= now) {
    const Number number = timed_.begin()->second;
    lines_.find(entries_.at(number).rule)->second.ready.insert(number);
    timed_.erase(timed_.begin());
  }
}

Result<void> RequestQueue::note_open(Unit& unit) {
  std::vector<std::pair<Id, Id>> open;
  MachineRange range;
  range.by = MachineRange::By::active;
  ORLOP_CHECK(unit.stored().machines(range, [&](const Machine& machine) {
    const Family* const family = find_family(machine.family);
    const bool is_cluster = family != nullptr && family->machine == MachineKind::cluster && is_held(machine);
    if (machine.family == deployment_request_number && is_unfinished(machine))
      open.emplace_back(machine.id, machine.id);
    if (is_cluster) open.emplace_back(machine.request, machine.id);
    return true;
  }));
  std::ranges::sort(open);
  const std::lock_guard lock(mutex_);
  open_ = std::move(open);
  note_any();
  return {};
}

bool RequestQueue::has_work() const {
  if (!has_any_) return false;
  const std::lock_guard lock(mutex_);
  return !entries_.empty() || (!open_.empty() && rules_ != nullptr && rules_->additions() != decided_);
}

Result<void> RequestQueue::decide_open(Unit& unit) {
  if (open_.empty() || rules_ == nullptr || !rules_->has_rules_of(RuleSubject::request)) return {};
  const std::uint64_t additions = rules_->additions();
  if (additions == decided_) return {};
  decided_ = additions;
  std::vector<std::pair<Id, Id>> undecided;
  for (const auto& [request, held] : open_) {
    ORLOP_TRY(is_done, decide_open(unit, request, held));
    if (!is_done) undecided.emplace_back(request, held);
  }
  open_ = std::move(undecided);
  note_any();
  return {};
}

// Returns false if no rule decides. A request held by hold() waits for its release.
Result<bool> RequestQueue::decide_open(Unit& unit, const Id& request, const Id& held) {
  ORLOP_TRY(machine, unit.machine(held));
  Entry entry;
  entry.request = request;
  entry.held = held;
  if (!is_open(machine, entry)) return true;
  const bool is_cluster = machine->family != deployment_request_number;
  ORLOP_TRY(above, is_cluster ? Result<Shared<Machine>>(Shared<Machine>()) : unit.machine(machine->owner));
  if (above && is_held(*above)) return true;
  ORLOP_TRY(subject, unit.record(is_cluster ? held : machine->owner));
  if (!subject) return true;
  ORLOP_TRY(step, step_of(unit, *subject, static_cast<Action>(machine->action), request));
  step.started_at = created_at_of(request);
  const auto wait = rules_->wait_of(step);
  if (!wait) return false;
  entry.rule = to_json(wait->rule->given);
  entry.parallel = wait->rule->parallel;
  entry.until = step.started_at + wait->queued;
  entry.waits = is_held(*machine);
  if (entry.waits || entry.parallel != 0) add(std::move(entry));
  return true;
}

// The cost of a tick depends on the running requests: a waiting one is read only when its turn comes.
Result<RequestQueue::Settled> RequestQueue::settle(Unit& unit) {
  const std::lock_guard lock(mutex_);
  ORLOP_CHECK(decide_open(unit));
  end_waits(unit.now());
  Settled out;
  ORLOP_TRY(first, turns(unit, out));
  ORLOP_CHECK(release(unit, std::move(first), out));
  ORLOP_CHECK(drop_first_timed(unit, out));
  return out;
}

Result<std::vector<RequestQueue::Turn>> RequestQueue::turns(Unit& unit, Settled& out) const {
  std::vector<Turn> turns;
  for (const auto& [rule, line] : lines_) {
    std::size_t under_way = 0;
    for (const Number number : line.under_way) {
      const Entry& entry = entries_.at(number);
      ORLOP_TRY(machine, unit.machine(entry.held));
      if (is_open(machine, entry)) ++under_way;
      else out.ended.push_back(number);
    }
    const std::size_t most = line.parallel == 0 ? SIZE_MAX : line.parallel;
    if (!line.ready.empty() && under_way < most) turns.push_back({&line, line.ready.begin(), most - under_way});
  }
  return turns;
}

Result<void> RequestQueue::release(Unit& unit, std::vector<Turn> turns, Settled& out) const {
  std::ranges::make_heap(turns, std::greater());
  while (!turns.empty()) {
    std::ranges::pop_heap(turns, std::greater());
    Turn& turn = turns.back();
    const Number number = *turn.next++;
    const Entry& entry = entries_.at(number);
    ORLOP_TRY(machine, unit.machine(entry.held));
    if (is_open(machine, entry)) {
      ORLOP_TRY(is_released, release_held(unit, entry.held));  // false: released by hand
      out.has_released = out.has_released || is_released;
      out.released.push_back(number);
      --turn.room;
    } else {
      out.ended.push_back(number);
    }
    if (turn.next == turn.line->ready.end() || turn.room == 0) turns.pop_back();
    else std::ranges::push_heap(turns, std::greater());
  }
  return {};
}

// Drops canceled requests, so that none of them becomes due.
Result<void> RequestQueue::drop_first_timed(Unit& unit, Settled& out) const {
  for (const auto& [until, number] : timed_) {
    const Entry& entry = entries_.at(number);
    ORLOP_TRY(machine, unit.machine(entry.held));
    if (is_open(machine, entry)) return {};
    out.ended.push_back(number);
  }
  return {};
}

void RequestQueue::confirm(const Settled& settled) {
  const std::lock_guard lock(mutex_);
  for (const Number number : settled.ended) erase(number);
  for (const Number number : settled.released) {
    const auto found = entries_.find(number);
    if (found == entries_.end()) continue;
    found->second.waits = false;
    Line& line = lines_.find(found->second.rule)->second;
    line.ready.erase(number);
    line.under_way.insert(number);
    if (line.parallel == 0) erase(number);
  }
}

bool RequestQueue::is_empty() const {
  const std::lock_guard lock(mutex_);
  return entries_.empty();
}

std::optional<Instant> RequestQueue::due(Instant now) const {
  if (!has_any_) return std::nullopt;
  const std::lock_guard lock(mutex_);
  const auto next = timed_.upper_bound({now, UINT64_MAX});
  return next == timed_.end() ? std::nullopt : std::optional(next->first);
}

RequestQueue::Memory RequestQueue::memory() const {
  const std::lock_guard lock(mutex_);
  Memory memory;
  memory.reserve(entries_.size());
  for (const auto& [number, entry] : entries_) memory.push_back(entry);
  return memory;
}

void RequestQueue::go_back(Memory memory) {
  const std::lock_guard lock(mutex_);
  entries_.clear();
  open_.clear();
  numbers_.clear();
  lines_.clear();
  timed_.clear();
  last_ = 0;
  note_any();
  for (Entry& entry : memory) add(std::move(entry));
}

void RequestQueue::write(Writer& out) const {
  const std::lock_guard lock(mutex_);
  out.begin_list();
  for (const auto& [number, entry] : entries_) {
    out.begin_object().field("request", entry.request).field("held", entry.held).field_raw("rule", entry.rule);
    out.field("parallel", static_cast<std::int64_t>(entry.parallel))
        .field("until", entry.until)
        .field("waits", entry.waits)
        .end_object();
  }
  out.end_list();
}

Result<void> RequestQueue::restore(const Value& given, Instant now) {
  Memory entries;
  if (!given.is_list())
    return invalid_member("queued",
                          "must be a list of {\"request\", \"held\", \"rule\", \"until\"}, not " + shown(given));
  for (const Value& item : given.items()) {
    const auto request = parse_id(item.text_or("request", ""));
    const auto held = parse_id(item.text_or("held", ""));
    const auto until = parse_instant(item.text_or("until", ""));
    const Value* const rule = item.find("rule");
    if (!request || !held || !until || rule == nullptr)
      return invalid_member("queued",
                            "must be a list of {\"request\", \"held\", \"rule\", \"until\"}, not " + shown(given));
    ORLOP_CHECK(read_rule(*rule, "queued[" + std::to_string(entries.size()) + "].rule", now));
    const std::int64_t parallel = std::clamp<std::int64_t>(item.integer_or("parallel", 0), 0, UINT32_MAX);
    entries.push_back({*request, *held, to_json(*rule), static_cast<std::uint32_t>(parallel), *until,
                       item.boolean_or("waits", false)});
  }
  go_back(std::move(entries));
  return {};
}

}  // namespace orlop
