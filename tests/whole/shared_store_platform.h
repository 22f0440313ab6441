// A platform of several engines on one store, in one thread. The seed decides which engine gets a request, ticks, is
// stopped for longer than a lease or is killed, and when and where each report arrives; every third notification of the
// store is lost. The rules are checked after each step; at the end all acknowledged work has ended.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "contract/power_cut_vfs.h"
#include "engine.h"
#include "sim/seeded_random_source.h"
#include "sim/virtual_clock.h"
#include "store/open.h"

namespace orlop::shared {

inline constexpr Duration lease_time{3000};

// Access of the engines to the data.
struct Place {
  std::function<std::shared_ptr<Store>()> open;  // returns a store over the same data at each call
  bool knows_ends = true;                        // whether the store reports that an engine was killed
  // Disk of the data if its operations are to fail and its power is to be cut, else null.
  contract::PowerCutDisk* disk = nullptr;
};

// The store of one engine, which can be stopped right before it writes.
class StoppableStore final : public Store {
 public:
  StoppableStore(std::shared_ptr<Store> store, bool knows_ends) : store_(std::move(store)), knows_ends_(knows_ends) {}
  Result<std::unique_ptr<Transaction>> begin(Access access) override;
  Result<std::unique_ptr<Membership>> join(const Id& engine, std::function<void()> notify) override;
  // Calls `stopped` once, before the write of this number from now on (1: the next).
  void stop_at(std::size_t write, std::function<void()> stopped);
  bool is_waiting() const { return stopped_ != nullptr; }

 private:
  std::shared_ptr<Store> store_;
  bool knows_ends_;
  std::size_t left_ = 0;
  std::function<void()> stopped_;
};

class SharedStorePlatform;

// One process, from its start to its end. Its driver keeps steps until they are reported.
class Process final : public Driver {
 public:
  Process(SharedStorePlatform& platform, std::size_t number, std::shared_ptr<Store> store, bool knows_ends,
          Instant now);

  Result<void> start(const Step& step) override;
  void cancel(const Id& step, CancelMode mode) override;

  Engine& engine() { return *engine_; }
  StoppableStore& store() { return *store_; }
  VirtualClock& clock() { return clock_; }
  std::size_t number() const { return number_; }
  const std::vector<Step>& steps() const { return steps_; }
  void forget(const Id& step);
  void close() {
    is_closing_ = true;
    engine_->close();
  }
  bool is_closing() const { return is_closing_; }

 private:
  bool is_closing_ = false;
  SharedStorePlatform& platform_;
  std::size_t number_;
  VirtualClock clock_;
  SeededRandomSource random_source_;
  std::shared_ptr<StoppableStore> store_;
  std::vector<Step> steps_;
  std::unique_ptr<Engine> engine_;
};

class SharedStorePlatform {
 public:
  SharedStorePlatform(std::uint64_t seed, const Place& place, std::size_t engines);
  // Runs the schedule, then lets all work end. Returns the first fault; "" if there is none.
  std::string run(int steps);

  void note_start(Process& process, const Step& step);
  void note_lost(Process& process, const Id& step);
  // Returns whether the report was accepted.
  bool report_to(Process& process, const Id& step, ReportKind kind, const std::string& text);
  // In every fourth schedule an engine runs at most two steps.
  bool has_limits() const { return has_limits_; }
  // Calls that the disk has failed, and cuts of its power.
  std::size_t faults() const { return faults_; }
  std::size_t cuts() const { return cuts_; }

 private:
  struct Slot {
    std::unique_ptr<Process> process;
    bool is_stopped = false;
  };
  struct Start {
    std::size_t process = 0;
    std::uint64_t epoch = 0;
  };

  std::size_t below(std::size_t bound) { return random_() % bound; }
  bool happens(std::size_t percent) { return below(100) < percent; }
  void fail(const std::string& what);
  void populate();
  void open(Slot& slot);
  Slot* any_running();
  void step();
  void ask();
  void tick(Slot& slot);
  void tick_stopped(Slot& slot);
  void pass(Duration duration);
  void stop_or_continue();
  void end_one();
  // On a disk: one of its next operations fails, or the power is cut during it, after which every process starts again.
  void fault();
  void cut_power();
  bool is_fault(const Error& error) const;
  void report();
  void settle();
  std::uint64_t epoch_of(std::uint8_t partition);
  void check_feed();
  void check_states();
  bool is_at_rest();
  std::string unfinished();

  std::mt19937_64 random_;
  bool has_limits_;
  SeededRandomSource random_source_{0};
  Place place_;
  std::shared_ptr<Store> store_;  // for the checks
  std::vector<Slot> slots_;
  std::size_t processes_ = 0;
  std::int64_t passed_ = 0;
  bool is_inside_ = false;  // a process is stopped inside of its tick
  std::string wrong_;
  std::vector<std::string> environments_;
  std::map<Id, std::vector<Start>> starts_;      // by step
  std::map<std::tuple<Id, Id, int>, Id> steps_;  // by request, subject and kind
  std::set<std::string> lines_;                  // log lines that were reported
  std::uint64_t read_ = 0;                       // number of the last event read
  std::map<std::string, int> seen_lines_;
  std::size_t asked_ = 0;
  mutable std::size_t faults_ = 0;
  std::size_t cuts_ = 0;
};

}  // namespace orlop::shared
