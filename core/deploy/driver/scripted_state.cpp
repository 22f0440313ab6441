// What a snapshot keeps of a scripted driver.
#include <algorithm>

#include "deploy/driver/scripted_driver.h"

namespace orlop {

class ScriptedDriver::Memory {
 public:
  FlatMap<Id, Running> running;
  std::unordered_map<Id, Id> held;
  std::unordered_map<Id, Id> crashing;
  std::unordered_set<Id> awaited;
  Deadlines queue;
  Instant now;
};

std::shared_ptr<const ScriptedDriver::Memory> ScriptedDriver::memory() const {
  const std::lock_guard lock(mutex_);
  auto memory = std::make_shared<Memory>();
  *memory = {running_, held_, crashing_, awaited_, queue_, now_};
  return memory;
}

void ScriptedDriver::go_back(const Memory& memory) {
  const std::lock_guard lock(mutex_);
  running_ = memory.running;
  held_ = memory.held;
  held_count_ = held_.size();
  crashing_ = memory.crashing;
  awaited_ = memory.awaited;
  queue_ = memory.queue;
  now_ = memory.now;
  restored_reads_.clear();
  restored_holds_.clear();
  restored_releases_.clear();
}

ScriptedState ScriptedDriver::state() const {
  const std::lock_guard lock(mutex_);
  ScriptedState state;
  for (const auto& [subject, step] : held_) state.held.push_back({step, running_.find(step)->reads});
  for (const auto& [subject, step] : crashing_) state.crashes.push_back({subject, step, running_.find(step)->reports.back().due});
  for (const auto& [step, running] : running_) {
    if (running.has_ended) continue;
    if (running.held_since && !running.released_at) state.holding.push_back({step, *running.held_since});
    if (running.released_at) state.released.push_back({step, *running.released_at});
  }
  state.awaited.assign(awaited_.begin(), awaited_.end());
  std::ranges::sort(state.holding, {}, &ScriptedState::Since::step);
  std::ranges::sort(state.released, {}, &ScriptedState::Since::step);
  std::ranges::sort(state.awaited);
  std::ranges::sort(state.held, {}, &ScriptedState::Held::step);
  std::ranges::sort(state.crashes, {}, &ScriptedState::Crash::service);
  return state;
}

void ScriptedDriver::restore(const ScriptedState& state) {
  const std::lock_guard lock(mutex_);
  for (const ScriptedState::Held& held : state.held) restored_reads_[held.step] = held.reads;
  for (const ScriptedState::Since& held : state.holding) restored_holds_[held.step] = held.at;
  for (const ScriptedState::Since& released : state.released) restored_releases_[released.step] = released.at;
  awaited_.insert(state.awaited.begin(), state.awaited.end());
  for (const ScriptedState::Crash& crash : state.crashes) {
    Running& running = running_[crash.step];
    running.subject = crash.service;
    running.has_ended = true;
    running.reports.push_back({crash.at, ReportKind::running_state, RunningState::error, {}});
    crashing_[crash.service] = crash.step;
    queue(crash.step, running);
  }
}

}  // namespace orlop
