// Steps have their names where a rule or a message needs them, whether rows are in memory or are read.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>

#include "unit/sim/refusing_store.h"
#include "unit/sim/simulation.h"

namespace orlop {
namespace {

using tests::Simulation;

class StepNames : public testing::TestWithParam<bool> {
 protected:
  StepNames()
      : simulation_({}, Authentication::off, "memory:", nullptr,
                    GetParam() ? nullptr : std::make_shared<tests::RefusingStore>()) {}

  void rule(std::string_view json) { ASSERT_EQ(simulation_.ask("POST", "/-/sim/rules", json).status, 204) << json; }
  void deploy() {
    ASSERT_EQ(simulation_.ask("POST", "/environment/" + simulation_.environment + "/deploy").status, 202);
    ASSERT_TRUE(simulation_->run_until_idle().ok());
  }
  void rename(const std::string& database, const std::string& name) {
    const Reply edited = simulation_.ask("PUT", "/database/" + database,
                                         R"({"version":"16","mode":"CONTAINER","name":")" + name + "\"}");
    ASSERT_EQ(edited.status, 200) << edited.body;
  }
  std::string orders() { return simulation_.state(simulation_.databases[0]); }
  std::string stock() { return simulation_.state(simulation_.databases[1]); }

  Simulation simulation_;
};

TEST_P(StepNames, AreThoseThatARuleLooksAt) {
  simulation_.furnish();
  deploy();
  EXPECT_EQ(stock(), "DEPLOYED");
  rule(R"({"step":"deploy","name":"sto*","fails":"by its name"})");
  deploy();
  EXPECT_EQ(orders(), "DEPLOYED");
  EXPECT_EQ(stock(), "DEPLOYMENT_ERROR");
  rename(simulation_.databases[1], "reserve");
  rename(simulation_.databases[0], "stop");
  deploy();
  EXPECT_EQ(orders(), "DEPLOYMENT_ERROR");
  EXPECT_EQ(stock(), "DEPLOYED");
}

// The rule is added while the deployment runs, and applies to later steps.
TEST_P(StepNames, AreKnownToARuleThatComesLater) {
  simulation_.furnish();
  const std::string web = simulation_.make_application("web");
  rule(R"({"step":"build","after":"30s"})");
  ASSERT_EQ(simulation_.ask("POST", "/environment/" + simulation_.environment + "/deploy").status, 202);
  ASSERT_TRUE(simulation_->advance(seconds(10)).ok());
  rule(R"({"kind":"application","step":"deploy","name":"we?","fails":"by its name"})");
  ASSERT_TRUE(simulation_->run_until_idle().ok());
  EXPECT_EQ(simulation_.state(web, "application"), "DEPLOYMENT_ERROR");
  EXPECT_EQ(stock(), "DEPLOYED");
}

TEST_P(StepNames, AreSaidWhereARuleWithoutAReasonLetsThemFail) {
  simulation_.furnish();
  rule(R"({"kind":"database","step":"deploy","outcome":"fail"})");
  deploy();
  const std::string events = simulation_.events();
  for (const char* name : {"orders", "stock"}) {
    EXPECT_NE(events.find(std::string("the script lets deploy of \\\"") + name + "\\\" fail"), std::string::npos)
        << events;
  }
}

TEST_P(StepNames, AreKnownWhereAStepWaitsForCapacity) {
  simulation_.organization = simulation_.make("/organization", R"({"name":"acme","plan":"FREE"})");
  const std::string cluster = simulation_.make("/organization/" + simulation_.organization + "/cluster",
                                               R"({"name":"europe","region":"eu-west-3","cloud_provider":"AWS"})");
  const std::string project =
      simulation_.make("/organization/" + simulation_.organization + "/project", R"({"name":"shop"})");
  simulation_.environment = simulation_.make("/project/" + project + "/environment",
                                             R"({"name":"production","cluster_id":")" + cluster + "\"}");
  for (const char* name : {"orders", "stock"}) {
    simulation_.databases.push_back(
        simulation_.make("/environment/" + simulation_.environment + "/database",
                         R"({"type":"POSTGRESQL","version":"16","mode":"CONTAINER","cpu":800,"memory":256,"name":")" +
                             std::string(name) + "\"}"));
  }
  ASSERT_EQ(
      simulation_.ask("POST", "/organization/" + simulation_.organization + "/cluster/" + cluster + "/deploy").status,
      200);
  ASSERT_TRUE(simulation_->run_until_idle().ok());
  ASSERT_EQ(simulation_
                .ask("POST", "/-/sim/capacity",
                     R"({"cluster":")" + cluster + R"(","nodes":1,"nodes_max":2,"cpu":1,"memory":"1GiB","price":0.5})")
                .status,
            204);
  rule(R"({"kind":"database","step":"deploy","name":"stock","outcome":"fail","after":"1m"})");
  ASSERT_EQ(simulation_.ask("POST", "/environment/" + simulation_.environment + "/deploy").status, 202);
  ASSERT_TRUE(simulation_->advance(seconds(1)).ok());
  EXPECT_EQ(stock(), "WAITING_RUNNING");
  ASSERT_TRUE(simulation_->run_until_idle().ok());
  EXPECT_EQ(orders(), "DEPLOYED");
  EXPECT_EQ(stock(), "DEPLOYMENT_ERROR");
  EXPECT_NE(simulation_.events().find("the script lets deploy of \\\"stock\\\" fail"), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Rows, StepNames, testing::Bool(),
                         [](const auto& param) { return std::string(param.param ? "LieInMemory" : "AreRead"); });

}  // namespace
}  // namespace orlop
