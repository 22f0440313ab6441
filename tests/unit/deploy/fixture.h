// A platform of one environment and one cluster in memory, with virtual time: the fixture of the tests of deployments.
// After any commit it can drop its state in memory and recover from the store.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/options/settings.h"
#include "deploy/request/deployment_request.h"
#include "deploy/run/tick.h"
#include "scripted_steps.h"
#include "sim/seeded_random_source.h"
#include "store/open.h"

namespace orlop {

// The virtual time at which a scenario starts. Records are created before it, each at a different instant, so that ids
// follow their order.
inline constexpr Instant clock_start = {1'767'225'600'000};

// Most tests do not concern the cluster of the services.
inline Settings without_cluster() {
  Settings settings;
  settings.require_cluster = false;
  return settings;
}

struct FixtureOptions {
  std::uint64_t seed = 1;
  Settings settings = without_cluster();
  std::vector<StepRule> rules;
  // Wraps the store, for tests that count or fail its calls.
  std::function<std::unique_ptr<Store>(std::unique_ptr<Store>)> around_store;
  std::uint64_t crash_after = 0;  // the engine recovers from the store after this commit; 0: never
};

class Fixture {
 public:
  explicit Fixture(FixtureOptions options);
  ~Fixture();

  // A change in a transaction; its error is the refusal.
  using Change = std::function<Result<void>(Unit& unit)>;

  // "container", "job" …; plan_flags as bits of PlanFlag.
  void add_service(const std::string& name, std::string_view family, std::uint32_t plan_flags, int stage);
  Id id_of(const std::string& name) const { return ids_.at(name); }
  std::string name_of(const Id& id) const;
  const Id& environment() const { return environment_; }
  const Id& organization() const { return organization_; }
  const Id& cluster() const { return cluster_; }

  // Commits the change if it is not refused. Returns the refusal's text, or "".
  std::string change(const Change& change);
  // Moves the clock to `at`, ticking at every instant on the way that the engine asks for.
  void run_until(Instant at);
  void run_until_idle();
  // Delivers a report as a driver of the host would; processed at once.
  void report(Report report);
  // Recovers from the store with other settings.
  void reopen(const Settings& settings);
  // Moves the clock and nothing else.
  void move_to(Instant at) { now_ = std::max(now_, at); }
  Instant now() const { return now_; }
  std::uint64_t commits() const { return commits_; }

  std::unique_ptr<Transaction> reading() const;
  Machine machine(const std::string& name) const;
  ServiceState state(const std::string& name) const { return static_cast<ServiceState>(machine(name).state); }
  bool exists(const std::string& name) const;
  // Every event since the platform was set up, with all members.
  std::vector<Event> events() const;
  // Formats one event for people: "00:05.000 web READY -> DEPLOYMENT_QUEUED"; "" for an event that does not concern a
  // deployment.
  std::string line_of(const Event& event) const;

  // Steps that the driver was asked to start, in order.
  const std::vector<Step>& started() const { return started_; }

 private:
  class Recorder;
  Result<void> commit(const Change& change);
  Result<void> finish(const Id& request);
  void tick(const std::vector<Report>& reports = {});
  void open();

  FixtureOptions options_;
  SeededRandomSource random_source_;
  std::unique_ptr<Store> store_;
  std::unique_ptr<Recorder> driver_;
  std::unique_ptr<Orchestrator> orchestrator_;
  Instant now_ = clock_start - seconds(60);
  std::uint64_t commits_ = 0;
  bool has_crashed_ = false;
  std::map<std::string, Id> ids_;
  std::map<Id, std::string> names_;
  std::map<int, Id> stages_;
  Id environment_;
  Id cluster_;
  Id organization_;
  std::vector<Step> started_;
};

}  // namespace orlop
