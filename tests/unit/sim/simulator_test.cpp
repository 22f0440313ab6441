#include "sim/simulator.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "deploy/driver/scripted_driver.h"
#include "scripted_steps.h"
#include "unit/scratch.h"

namespace orlop {
namespace {

constexpr Instant new_year = {1'767'225'600'000};

// A simulation in which every step takes between thirty and forty seconds.
class TimedSimulation {
 public:
  explicit TimedSimulation(const std::string& storage, std::uint64_t seed = 7, Instant start = new_year)
      : driver_({rule()}) {
    SimulationOptions options;
    options.engine.settings.require_cluster = false;
    options.engine.storage = storage;
    options.engine.driver = &driver_;
    options.seed = seed;
    options.start = start;
    auto simulator = Simulator::open(std::move(options));
    EXPECT_TRUE(simulator.ok()) << simulator.error().message;
    simulator_ = std::move(simulator).value();
  }
  Simulator* operator->() { return simulator_.get(); }

 private:
  static StepRule rule() {
    StepRule rule;
    rule.duration = seconds(30);
    rule.jitter = seconds(10);
    return rule;
  }

  ScriptedSteps driver_;
  std::unique_ptr<Simulator> simulator_;
};

std::string post(TimedSimulation& simulator, const std::string& path, std::string_view body = "") {
  Request request;
  request.method = "POST";
  request.path = path;
  request.body = body;
  const auto reply = simulator->engine().dispatch(request);
  EXPECT_TRUE(reply.ok());
  EXPECT_LT(reply.value().status, 300) << path << ": " << reply.value().body;
  const std::size_t found = reply.value().body.find("\"id\":\"");
  return found == std::string::npos ? "" : reply.value().body.substr(found + 6, 36);
}

// Creates an environment with two databases and requests its deployment; returns the id of the request.
Id start_deployment(TimedSimulation& simulator) {
  const std::string organization = post(simulator, "/organization", R"({"name":"acme","plan":"FREE"})");
  post(simulator, "/organization/" + organization + "/cluster",
       R"({"name":"europe","region":"eu-west-3","cloud_provider":"AWS"})");
  const std::string project = post(simulator, "/organization/" + organization + "/project", R"({"name":"shop"})");
  const std::string environment = post(simulator, "/project/" + project + "/environment", R"({"name":"production"})");
  for (const char* name : {"orders", "stock"}) {
    post(simulator, "/environment/" + environment + "/database",
         R"({"type":"POSTGRESQL","version":"16","mode":"CONTAINER","name":")" + std::string(name) + "\"}");
  }
  post(simulator, "/environment/" + environment + "/deploy");
  const std::string feed = simulator->engine().events({.limit = 10'000}).value();
  return parse_id(feed.substr(feed.find("\"subject\":\"", feed.find("deployment.queued")) + 11, 36)).value();
}

std::string events(TimedSimulation& simulator) { return simulator->engine().events({.limit = 10'000}).value(); }

class ScopeKind : public testing::Test {
 protected:
  std::string fresh(const std::string& name) { return "sqlite:" + tests::scratch_file("simulator_" + name + ".db"); }
};

using SimulatorTest = ScopeKind;

TEST_F(SimulatorTest, TimeMovesByWhatIsAskedFor) {
  TimedSimulation simulator("memory:");
  EXPECT_EQ(simulator->engine().now(), new_year);
  ASSERT_TRUE(simulator->advance(seconds(90)).ok());
  EXPECT_EQ(simulator->engine().now(), new_year + seconds(90));
  EXPECT_EQ(simulator->run_until_idle().value().passed, Duration{0});
}

TEST_F(SimulatorTest, RunsUntilNothingIsLeftToDo) {
  TimedSimulation simulator("memory:");
  start_deployment(simulator);
  EXPECT_GE(simulator->run_until_idle().value().passed, seconds(30));
  EXPECT_NE(events(simulator).find("deployment.ended"), std::string::npos);
  EXPECT_EQ(simulator->run_until_idle().value().passed, Duration{0});
}

TEST_F(SimulatorTest, RunsUntilADeploymentHasEnded) {
  TimedSimulation whole("memory:");
  start_deployment(whole);
  const Duration needed = whole->run_until_idle().value().passed;

  TimedSimulation simulator("memory:");
  const Id request = start_deployment(simulator);
  const Duration less{needed.milliseconds - 1};
  EXPECT_EQ(simulator->run_until_ended(request, less).value(), Simulator::RunEnd::late);
  EXPECT_EQ(simulator->engine().now(), new_year + less);
  EXPECT_FALSE(simulator->engine().has_ended(request).value());
  EXPECT_EQ(simulator->run_until_ended(request, Duration{0}).value(), Simulator::RunEnd::late);
  EXPECT_EQ(simulator->run_until_ended(request, Duration{1}).value(), Simulator::RunEnd::ended);
  EXPECT_EQ(simulator->engine().now(), new_year + needed);
  EXPECT_TRUE(simulator->engine().has_ended(request).value());
  EXPECT_EQ(events(simulator), events(whole));
  EXPECT_EQ(simulator->run_until_ended(request, std::nullopt).value(), Simulator::RunEnd::ended);
  EXPECT_EQ(simulator->engine().now(), new_year + needed);
}

TEST_F(SimulatorTest, OnlyDeploymentsCanBeWaitedFor) {
  TimedSimulation simulator("memory:");
  const Id request = start_deployment(simulator);
  const Id organization = parse_id(post(simulator, "/organization", R"({"name":"other","plan":"FREE"})")).value();
  for (const Id& other : {organization, Id{{1}}, Id{}}) {
    EXPECT_EQ(simulator->run_until_ended(other, std::nullopt).error().code, ErrorCode::not_found);
  }
  EXPECT_EQ(simulator->engine().now(), new_year);
  EXPECT_FALSE(simulator->engine().has_ended(request).value());
}

TEST_F(SimulatorTest, AdvanceStopsShortOfWhatComesLater) {
  TimedSimulation whole("memory:");
  start_deployment(whole);
  const Duration needed = whole->run_until_idle().value().passed;

  TimedSimulation simulator("memory:");
  start_deployment(simulator);
  ASSERT_TRUE(simulator->advance({needed.milliseconds - 1}).ok());
  EXPECT_EQ(events(simulator).find("deployment.ended"), std::string::npos);
  ASSERT_TRUE(simulator->advance({1}).ok());
  EXPECT_EQ(events(simulator), events(whole));
}

TEST_F(SimulatorTest, TheSameSeedGivesTheSameBytes) {
  const auto run = [](std::uint64_t seed) {
    TimedSimulation simulator("memory:", seed);
    start_deployment(simulator);
    EXPECT_TRUE(simulator->run_until_idle().ok());
    return events(simulator);
  };
  EXPECT_EQ(run(1), run(1));
  EXPECT_NE(run(1), run(2));
}

TEST_F(SimulatorTest, GoesBackToItsSeedToo) {
  TimedSimulation simulator("memory:");
  const auto here = simulator->checkpoint().value();
  const auto go_on = [&] {
    start_deployment(simulator);
    EXPECT_TRUE(simulator->run_until_idle().ok());
    return events(simulator);
  };
  const std::string first = go_on();
  ASSERT_TRUE(simulator->go_back(*here).ok());
  simulator->reseed(99);
  EXPECT_TRUE(go_on() != first);
  ASSERT_TRUE(simulator->go_back(*here).ok());
  EXPECT_TRUE(go_on() == first);

  TimedSimulation other("memory:", 99);
  start_deployment(other);
  TimedSimulation reseeded("memory:");
  reseeded->reseed(99);
  start_deployment(reseeded);
  EXPECT_TRUE(events(reseeded) == events(other));
}

TEST_F(SimulatorTest, ARunThatWasCutOffGoesOnAsIfItHadNot) {
  TimedSimulation whole(fresh("whole"));
  start_deployment(whole);
  const Duration needed = whole->run_until_idle().value().passed;

  const std::string storage = fresh("cut");
  {
    TimedSimulation first(storage);
    start_deployment(first);
    ASSERT_TRUE(first->advance({needed.milliseconds / 2}).ok());
  }
  TimedSimulation second(storage);
  ASSERT_TRUE(second->run_until_idle().ok());
  EXPECT_EQ(events(second), events(whole));
}

TEST_F(SimulatorTest, TheClockStartsWhereTheStoreEndedNeverBefore) {
  const std::string storage = fresh("clock");
  const Instant last = new_year + seconds(3600);
  {
    TimedSimulation simulator(storage);
    post(simulator, "/organization", R"({"name":"acme","plan":"FREE"})");
    ASSERT_TRUE(simulator->advance(seconds(3600)).ok());
    post(simulator, "/organization", R"({"name":"umbrella","plan":"FREE"})");
    ASSERT_TRUE(simulator->advance(seconds(3600)).ok());
  }
  EXPECT_EQ(TimedSimulation(storage)->engine().now(), last);
  EXPECT_EQ(TimedSimulation(storage, 7, last + seconds(5))->engine().now(), last + seconds(5));
}

}  // namespace
}  // namespace orlop
