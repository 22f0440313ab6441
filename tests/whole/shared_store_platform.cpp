#include "whole/shared_store_platform.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <utility>

#include "deploy/run/repair/repair.h"
#include "model/registry.h"
#include "platform.h"
#include "unit/unit.h"
#include "whole/times.h"
#include "wire/json.h"

#if defined(__SANITIZE_THREAD__)
// A thread that ticks an engine inside of the tick of another one, as after SIGSTOP, holds the mutexes of both in
// either order. No two threads do.
extern "C" const char* __tsan_default_suppressions() { return "deadlock:SharedStorePlatform::tick\n"; }
#endif

namespace orlop::shared {
namespace {

// Never reports that an engine has ended.
class SilentMembership final : public Membership {
 public:
  explicit SilentMembership(std::unique_ptr<Membership> behind) : behind_(std::move(behind)) {}
  Result<std::uint64_t> changes() override { return behind_->changes(); }
  bool has_ended(const Id&) override { return false; }

 private:
  std::unique_ptr<Membership> behind_;
};

}  // namespace

Result<std::unique_ptr<Transaction>> StoppableStore::begin(Access access) {
  if (access == Access::write && stopped_ && --left_ == 0) std::exchange(stopped_, nullptr)();
  return store_->begin(access);
}

Result<std::unique_ptr<Membership>> StoppableStore::join(const Id& engine, std::function<void()> notify) {
  // Every third notification is lost.
  auto lossy = [notify = std::move(notify), count = std::make_shared<std::atomic<std::size_t>>(0)] {
    if (++*count % 3 != 0) notify();
  };
  ORLOP_TRY(joined, store_->join(engine, std::move(lossy)));
  if (knows_ends_) return std::move(joined);
  return std::unique_ptr<Membership>(std::make_unique<SilentMembership>(std::move(joined)));
}

void StoppableStore::stop_at(std::size_t write, std::function<void()> stopped) {
  left_ = write;
  stopped_ = std::move(stopped);
}

Process::Process(SharedStorePlatform& platform, std::size_t number, std::shared_ptr<Store> store, bool knows_ends,
                 Instant now)
    : platform_(platform),
      number_(number),
      clock_(now),
      random_source_(number),
      store_(std::make_shared<StoppableStore>(std::move(store), knows_ends)) {
  EngineOptions options;
  options.store = store_;
  options.clock = &clock_;
  options.random_source = &random_source_;
  options.driver = this;
  options.lease_time = lease_time;
  options.settings.require_cluster = false;
  if (platform.has_limits()) options.settings.max_parallel_steps = 2;
  auto opened = Engine::open(std::move(options));
  EXPECT_TRUE(opened) << opened.error().message;
  engine_ = std::move(*opened);
}

Result<void> Process::start(const Step& step) {
  platform_.note_start(*this, step);
  std::erase_if(steps_, [&](const Step& known) { return known.id == step.id; });
  steps_.push_back(step);
  return {};
}

void Process::cancel(const Id& step, CancelMode mode) {
  if (mode == CancelMode::lost) platform_.note_lost(*this, step);
  else platform_.report_to(*this, step, ReportKind::canceled, "");
  forget(step);
}

void Process::forget(const Id& step) {
  std::erase_if(steps_, [&](const Step& known) { return known.id == step; });
}

SharedStorePlatform::SharedStorePlatform(std::uint64_t seed, const Place& place, std::size_t engines)
    : random_(seed), has_limits_(seed % 4 == 0), place_(place), store_(place.open()), slots_(engines) {
  for (Slot& slot : slots_) open(slot);
  populate();
}

void SharedStorePlatform::fail(const std::string& what) {
  if (wrong_.empty()) wrong_ = what;
}

void SharedStorePlatform::open(Slot& slot) {
  if (place_.disk != nullptr) place_.disk->fail_at(0);
  const Instant now = new_year + Duration{passed_};
  slot.process = std::make_unique<Process>(*this, ++processes_, place_.open(), place_.knows_ends, now);
  slot.is_stopped = false;
}

// Creates three organizations with an environment of three services each.
void SharedStorePlatform::populate() {
  for (int organization = 0; organization < 3; ++organization) {
    Platform platform(slots_[0].process->engine(), [&](const Family&, Value& body) {
      if (body.has("name"))
        body.set("name", Value(std::string(body.text_or("name", "")) + std::to_string(organization)));
    });
    environments_.push_back(platform.id_of("environment"));
    for (int service = 0; service < 3; ++service) platform.make_another(*find_family("container"));
  }
}

std::uint64_t SharedStorePlatform::epoch_of(std::uint8_t partition) {
  auto transaction = store_->begin(Access::read);
  const auto leases = (*transaction)->coordination()->leases(PartitionSet::one(partition));
  return leases && leases->size() == 1 ? leases->front().epoch : 0;
}

// A step keeps its id; and an engine that starts it again does so in a later epoch, in which the previous one cannot
// write.
void SharedStorePlatform::note_start(Process& process, const Step& step) {
  const auto key = std::tuple(step.request, step.subject, static_cast<int>(step.kind));
  const Id known = steps_.emplace(key, step.id).first->second;
  if (place_.disk != nullptr && place_.disk->is_cut()) return;
  if (known != step.id)
    fail("step " + to_text(step.id) + " of " + to_text(step.subject) + " runs under " + to_text(known) + " too");
  const std::uint64_t epoch = epoch_of(partition_of_step(step.id));
  for (const Start& before : starts_[step.id]) {
    if (before.process != process.number() && before.epoch >= epoch) {
      fail("processes " + std::to_string(before.process) + " and " + std::to_string(process.number()) +
           " both hold step " + to_text(step.id));
    }
  }
  starts_[step.id].push_back({process.number(), epoch});
}

// Checks that another process has acquired the lease since this one was asked for the step; it may have released it
// since.
void SharedStorePlatform::note_lost(Process& process, const Id& step) {
  if (place_.disk != nullptr && place_.disk->is_cut()) return;
  std::uint64_t began = 0;
  for (const Start& start : starts_[step]) began = start.process == process.number() ? start.epoch : began;
  auto transaction = store_->begin(Access::read);
  const auto leases = (*transaction)->coordination()->leases(PartitionSet::one(partition_of_step(step)));
  if (!leases || leases->size() != 1 || (leases->front().holder.is_nil() && !process.is_closing()) ||
      leases->front().epoch <= began) {
    fail("step " + to_text(step) + " is lost for process " + std::to_string(process.number()) +
         ", and was not taken over");
  }
}

SharedStorePlatform::Slot* SharedStorePlatform::any_running() {
  std::vector<Slot*> running;
  for (Slot& slot : slots_) {
    if (slot.process && !slot.is_stopped) running.push_back(&slot);
  }
  return running.empty() ? nullptr : running[below(running.size())];
}

std::string SharedStorePlatform::run(int steps) {
  for (int at = 0; at < steps && wrong_.empty(); ++at) {
    step();
    check_feed();
    if (at % 8 == 0) check_states();
  }
  if (wrong_.empty()) settle();
  check_feed();
  check_states();
  return wrong_;
}

void SharedStorePlatform::step() {
  if (place_.disk != nullptr && happens(8)) return fault();
  const std::size_t kind = below(100);
  if (kind < 12) return ask();
  if (kind < 20)
    return pass(Duration{static_cast<std::int64_t>(below(static_cast<std::size_t>(lease_time.milliseconds)))});
  if (kind < 24) return stop_or_continue();
  if (kind < 27) return end_one();
  if (kind < 50) return report();
  Slot* slot = any_running();
  if (slot == nullptr) return;
  kind < 56 ? tick_stopped(*slot) : tick(*slot);
}

void SharedStorePlatform::ask() {
  Slot* slot = any_running();
  if (slot == nullptr) return;
  static constexpr std::array actions = {"/deploy", "/deploy", "/deploy", "/stop", "/cancelDeployment"};
  const std::string path =
      "/environment/" + environments_[below(environments_.size())] + actions[below(actions.size())];
  Request request;
  request.method = "POST";
  request.path = path;
  const auto reply = slot->process->engine().dispatch(request);
  if (!reply && is_fault(reply.error())) return;
  if (!reply) return fail("a request failed: " + reply.error().message);
  if (reply->status >= 500) return fail(path + " was answered " + reply->body);
  if (reply->status < 300) ++asked_;
}

void SharedStorePlatform::tick(Slot& slot) {
  const auto wanted = slot.process->engine().tick();
  if (!wanted && !is_fault(wanted.error())) fail("a tick failed: " + wanted.error().message);
}

// Stops the process in the middle of its tick, while the others continue.
void SharedStorePlatform::tick_stopped(Slot& slot) {
  if (is_inside_) return tick(slot);
  StoppableStore& store = slot.process->store();
  store.stop_at(1 + below(3), [this, &slot] {
    is_inside_ = true;
    slot.is_stopped = true;
    for (int rounds = 0; rounds < 3; ++rounds) {
      pass(Duration{lease_time.milliseconds / 2 + static_cast<std::int64_t>(below(1000))});
      for (int at = 0; at < 6; ++at) {
        if (Slot* other = any_running()) tick(*other);
        if (happens(30)) report();
      }
    }
    slot.is_stopped = false;
    is_inside_ = false;
  });
  tick(slot);
  store.stop_at(0, nullptr);
}

bool SharedStorePlatform::is_fault(const Error& error) const {
  const bool is_fault =
      place_.disk != nullptr && (error.code == ErrorCode::storage_failed || error.code == ErrorCode::storage_busy);
  faults_ += is_fault ? 1 : 0;
  return is_fault;
}

void SharedStorePlatform::fault() {
  if (is_inside_) return;
  if (happens(30)) return cut_power();
  place_.disk->fail_at(place_.disk->operations().size() + 1 + below(12));
}

// Acknowledged data survives: the feed holds at least what was read from it, and the deployments end.
void SharedStorePlatform::cut_power() {
  contract::PowerCutDisk& disk = *place_.disk;
  disk.fail_at(0);
  disk.cut_at(disk.operations().size() + 1 + below(40));
  for (int turns = 0; turns < 60 && !disk.is_cut(); ++turns) {
    if (happens(20)) ask();
    else if (happens(30)) report();
    else if (Slot* slot = any_running()) tick(*slot);
  }
  for (Slot& slot : slots_) slot.process.reset();
  store_.reset();
  disk.restore_power(happens(50) ? contract::Leftover::nothing : contract::Leftover::random_part, random_);
  ++cuts_;
  store_ = place_.open();
  for (Slot& slot : slots_) open(slot);
}

void SharedStorePlatform::pass(Duration duration) {
  passed_ += duration.milliseconds;
  // All clocks differ.
  for (Slot& slot : slots_) {
    if (slot.process)
      slot.process->clock().move_to(new_year +
                                    Duration{passed_ + static_cast<std::int64_t>(slot.process->number() % 7) * 100});
  }
}

void SharedStorePlatform::stop_or_continue() {
  Slot& slot = slots_[below(slots_.size())];
  if (slot.process) slot.is_stopped = !slot.is_stopped;
}

// Kills or closes a process; opens one in an empty slot.
void SharedStorePlatform::end_one() {
  Slot& slot = slots_[below(slots_.size())];
  if (!slot.process) return open(slot);
  if (slot.is_stopped && happens(50)) return;
  if (!slot.is_stopped && happens(40)) slot.process->close();
  slot.process.reset();
}

// Reports on any step that any driver runs; sometimes to another process than the driver's.
void SharedStorePlatform::report() {
  std::vector<std::pair<Process*, Id>> running;
  for (Slot& slot : slots_) {
    if (!slot.process || slot.is_stopped) continue;
    for (const Step& step : slot.process->steps()) running.emplace_back(slot.process.get(), step.id);
  }
  if (running.empty()) return;
  const auto [owner, step] = running[below(running.size())];
  Slot* elsewhere = happens(30) ? any_running() : nullptr;
  Process& to = elsewhere == nullptr ? *owner : *elsewhere->process;
  if (happens(40)) return (void)report_to(to, step, ReportKind::log_line, "line " + std::to_string(lines_.size()));
  if (report_to(to, step, happens(10) ? ReportKind::failed : ReportKind::succeeded, happens(50) ? "" : "{}"))
    owner->forget(step);
}

bool SharedStorePlatform::report_to(Process& process, const Id& step, ReportKind kind, const std::string& text) {
  const auto taken = process.engine().report({step, kind, RunningState::none, text});
  if (kind == ReportKind::log_line) lines_.insert(text);
  if (!taken && is_fault(taken.error())) return false;
  // Also if the report did not come from the process's driver, which continues.
  if (!taken && taken.error().code == ErrorCode::step_lost) {
    note_lost(process, step);
    process.forget(step);
    return false;
  }
  // The process whose driver was asked to cancel knows the step.
  if (!taken && (taken.error().code != ErrorCode::not_found || kind == ReportKind::canceled))
    fail("a report failed: " + taken.error().message);
  return true;
}

void SharedStorePlatform::check_feed() {
  auto transaction = store_->begin(Access::read);
  const auto read = (*transaction)->events({.after = read_}, [&](const Event& event) {
    if (event.sequence != read_ + 1) fail("the feed has no event " + std::to_string(read_ + 1));
    read_ = event.sequence;
    if (event.kind == EventKind::log_line && ++seen_lines_[event.detail.text()] > 1)
      fail("a report was taken twice: " + event.detail.text());
    return true;
  });
  if (!read) fail("the feed cannot be read: " + read.error().message);
}

// Checks that no row is in a state in which nothing advances it.
void SharedStorePlatform::check_states() {
  auto transaction = store_->begin(Access::read);
  const Settings settings;
  Unit unit(**transaction, random_source_, {}, new_year, settings);
  const auto found = find_faults(unit);
  if (!found) return fail("the states cannot be read: " + found.error().message);
  if (!found->empty())
    fail("the resource " + to_text(found->front().subject) + " " + std::string(to_string(found->front().fault)));
}

bool SharedStorePlatform::is_at_rest() {
  auto transaction = store_->begin(Access::read);
  bool is_at_rest = true;
  (void)(*transaction)->machines({.by = MachineRange::By::active}, [&](const Machine&) { return is_at_rest = false; });
  return is_at_rest;
}

// Lists the unfinished machines, and the engines that hold them.
std::string SharedStorePlatform::unfinished() {
  std::string text;
  auto transaction = store_->begin(Access::read);
  std::vector<Machine> left;
  (void)(*transaction)->machines({.by = MachineRange::By::active}, [&](const Machine& machine) {
    return left.push_back(machine), true;
  });
  const auto leases = (*transaction)->coordination()->leases(PartitionSet::all());
  for (const Machine& machine : left) {
    text += "\n" + to_text(machine.id) + " of family " + std::to_string(machine.family) + " in state " +
            std::to_string(machine.state) + ", step " + to_text(machine.step) + ", partition " +
            std::to_string(machine.partition);
    for (const Lease& lease : *leases) {
      if (lease.partition == machine.partition)
        text += " held by " + to_text(lease.holder) + " in epoch " + std::to_string(lease.epoch);
    }
  }
  const auto peers = (*transaction)->coordination()->peers();
  for (const Peer& peer : *peers) text += "\npeer " + to_text(peer.engine) + " at " + std::to_string(peer.counter);
  const auto wake_ups = (*transaction)->coordination()->wake_ups(PartitionSet::all(), 100);
  for (const WakeUp& wake_up : *wake_ups) text += "\nwake-up of " + to_text(wake_up.owner);
  for (const Slot& slot : slots_) {
    if (!slot.process) continue;
    text += "\nprocess " + std::to_string(slot.process->number()) + " runs";
    for (const Step& step : slot.process->steps()) text += " " + to_text(step.id);
  }
  return text;
}

// Lets the running processes finish the work: none is killed or opened any more.
void SharedStorePlatform::settle() {
  if (place_.disk != nullptr) place_.disk->fail_at(0);
  if (std::ranges::none_of(slots_, [](const Slot& slot) { return slot.process != nullptr; })) open(slots_[0]);
  for (Slot& slot : slots_) slot.is_stopped = false;
  for (int rounds = 0; rounds < 400 && wrong_.empty(); ++rounds) {
    pass(Duration{lease_time.milliseconds / 4});
    for (Slot& slot : slots_) {
      if (!slot.process) continue;
      for (int ticks = 0; ticks < 3; ++ticks) tick(slot);
      for (const Step& step : std::vector<Step>(slot.process->steps())) {
        (void)report_to(*slot.process, step.id, ReportKind::succeeded, "");
        slot.process->forget(step.id);
      }
    }
    if (rounds > 8 && is_at_rest()) return;
  }
  if (wrong_.empty()) fail("what was asked for has not ended:" + unfinished());
}

}  // namespace orlop::shared
