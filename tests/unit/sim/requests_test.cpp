// Rules of requests: requests wait in QUEUED for a time or for other requests, and leave it.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "unit/sim/refusing_store.h"
#include "unit/sim/simulation.h"

namespace orlop {
namespace {

using tests::Simulation;

class Requests : public testing::Test {
 protected:
  Requests() {
    simulation.furnish();
    const std::string project =
        simulation.make("/organization/" + simulation.organization + "/project", R"({"name":"more"})");
    for (const char* name : {"first", "second", "third"}) {
      environments.push_back(
          simulation.make("/project/" + project + "/environment",
                          R"({"name":")" + std::string(name) + R"(","cluster_id":")" + simulation.cluster + "\"}"));
      services.push_back(simulation.make("/environment/" + environments.back() + "/database",
                                         R"({"type":"POSTGRESQL","version":"16","mode":"CONTAINER","name":"db"})"));
    }
  }
  void add(const std::string& rule) {
    const Reply reply = simulation.ask("POST", "/-/sim/rules", rule);
    ASSERT_EQ(reply.status, 204) << reply.body;
  }
  void deploy(std::size_t at) {
    const Reply reply = simulation.ask("POST", "/environment/" + environments[at] + "/deploy");
    ASSERT_LT(reply.status, 300) << reply.body;
  }
  std::string states() {
    std::string text;
    for (const std::string& service : services) text += (text.empty() ? "" : " ") + simulation.state(service);
    return text;
  }
  void pass(std::int64_t count) { ASSERT_TRUE(simulation->advance(seconds(count)).ok()); }
  Simulation simulation;
  std::vector<std::string> environments;
  std::vector<std::string> services;
};

TEST_F(Requests, WaitForATime) {
  add(R"({"environment":"fir*","queued":"5m"})");
  deploy(0);
  deploy(1);
  EXPECT_EQ(states(), "QUEUED DEPLOYMENT_QUEUED READY");
  pass(299);
  EXPECT_EQ(states(), "QUEUED DEPLOYED READY");
  pass(1);
  EXPECT_EQ(states(), "DEPLOYED DEPLOYED READY");
  const std::string rules = simulation.ask("GET", "/-/sim/rules").body;
  EXPECT_NE(rules.find(R"("matched":1,"applied":1)"), std::string::npos) << rules;
}

TEST_F(Requests, WaitWhileOthersAreUnderWay) {
  add(R"({"step":"deploy","project":"more","parallel":1})");
  add(R"({"step":"deploy","kind":"database","after":"10m"})");
  for (std::size_t at = 0; at < 3; ++at) deploy(at);
  EXPECT_EQ(states(), "DEPLOYMENT_QUEUED QUEUED QUEUED");
  pass(599);
  EXPECT_EQ(states(), "DEPLOYING QUEUED QUEUED");
  pass(1);
  EXPECT_EQ(states(), "DEPLOYED DEPLOYING QUEUED");
  simulation.ask("POST", "/environment/" + environments[1] + "/cancelDeployment", R"({"force_cancel":true})");
  pass(0);
  EXPECT_EQ(states(), "DEPLOYED CANCELED DEPLOYING");
  ASSERT_TRUE(simulation->run_until_idle().ok());
  EXPECT_EQ(states(), "DEPLOYED CANCELED DEPLOYED");
}

TEST_F(Requests, OfOneEnvironmentWaitForEachOther) {
  add(R"({"environment":"first","parallel":1})");
  add(R"({"step":"deploy","kind":"database","after":"10m"})");
  const std::string second =
      simulation.make("/environment/" + environments[0] + "/database",
                      R"({"type":"POSTGRESQL","version":"16","mode":"CONTAINER","name":"other"})");
  simulation.ask("POST", "/database/" + services[0] + "/deploy");
  pass(60);
  simulation.ask("POST", "/database/" + second + "/deploy");
  EXPECT_EQ(simulation.state(services[0]) + " " + simulation.state(second), "DEPLOYING QUEUED");
  pass(600);
  EXPECT_EQ(simulation.state(services[0]) + " " + simulation.state(second), "DEPLOYED DEPLOYING");
}

TEST_F(Requests, OfAClusterWait) {
  add(R"({"kind":"cluster","step":"cluster_create","queued":"2m"})");
  simulation.ask("POST", "/organization/" + simulation.organization + "/cluster/" + simulation.cluster + "/deploy");
  EXPECT_EQ(simulation.cluster_state(), "QUEUED");
  pass(119);
  EXPECT_EQ(simulation.cluster_state(), "QUEUED");
  ASSERT_TRUE(simulation->run_until_idle().ok());
  EXPECT_EQ(simulation.cluster_state(), "DEPLOYED");
  simulation.ask("POST", "/organization/" + simulation.organization + "/cluster/" + simulation.cluster + "/deploy");
  EXPECT_EQ(simulation.cluster_state(), "DEPLOYMENT_QUEUED") << "an update is no creation";
}

TEST_F(Requests, AreReleasedByHandAndCanceled) {
  add(R"({"queued":"5m"})");
  deploy(0);
  deploy(1);
  EXPECT_EQ(states(), "QUEUED QUEUED READY");
  ASSERT_EQ(simulation.ask("POST", "/-/sim/state", R"({"resource":")" + services[0] + "\"}").status, 204);
  simulation.ask("POST", "/environment/" + environments[1] + "/cancelDeployment");
  pass(0);
  EXPECT_EQ(states(), "DEPLOYED CANCELED READY");
  pass(600);
  EXPECT_EQ(states(), "DEPLOYED CANCELED READY");
}

TEST_F(Requests, WaitOnInASnapshotAndAfterGoingBack) {
  add(R"({"parallel":1,"queued":"30s"})");
  add(R"({"step":"deploy","kind":"database","after":"10m"})");
  deploy(0);
  pass(30);
  deploy(1);
  pass(10);
  EXPECT_EQ(states(), "DEPLOYING QUEUED READY");
  const std::string snapshot = simulation->snapshot().value();
  const std::uint64_t here = simulation->save().value();
  const auto play = [&](Simulation& played) {
    EXPECT_TRUE(played->advance(seconds(589)).ok());
    std::string text = played.state(services[0]) + " " + played.state(services[1]);
    EXPECT_TRUE(played->advance(seconds(1)).ok());
    return text + ", " + played.state(services[0]) + " " + played.state(services[1]);
  };
  const std::string expected = "DEPLOYING QUEUED, DEPLOYED DEPLOYING";
  EXPECT_EQ(play(simulation), expected);
  ASSERT_TRUE(simulation->go_back(here).ok());
  EXPECT_EQ(play(simulation), expected);
  Simulation second(snapshot);
  EXPECT_EQ(play(second), expected);
}

TEST_F(Requests, WaitByProbabilityAndEachNth) {
  add(R"({"queued":"5m","every":2})");
  for (std::size_t at = 0; at < 3; ++at) deploy(at);
  EXPECT_EQ(states(), "DEPLOYMENT_QUEUED QUEUED DEPLOYMENT_QUEUED");
  ASSERT_EQ(simulation.ask("DELETE", "/-/sim/rules").status, 204);
  pass(299);
  EXPECT_EQ(states(), "DEPLOYED QUEUED DEPLOYED") << "what waits keeps its rule";
  pass(1);
  EXPECT_EQ(states(), "DEPLOYED DEPLOYED DEPLOYED");
}

// set_state reaches the state in spite of rules of requests.
TEST_F(Requests, OfStatesThatAreSetDoNotWait) {
  add(R"({"queued":"5m","parallel":1})");
  ASSERT_EQ(simulation.ask("POST", "/-/sim/state", R"({"resource":")" + services[0] + R"(","state":"RECAP"})").status,
            204);
  EXPECT_EQ(simulation.state(services[0]), "RECAP");
}

// Rules lead to all three states that no action reaches by itself.
TEST_F(Requests, AndStepsReachQueuedRecapAndUnavailable) {
  add(R"({"environment":"first","queued":"1m"})");
  add(R"({"step":"deploy","environment":"second","after":"2m","recap_after":"30s"})");
  add(R"({"step":"deploy","environment":"third","after":"2m","contact_lost_after":"30s","contact_back_after":"90s"})");
  for (std::size_t at = 0; at < 3; ++at) deploy(at);
  pass(45);
  EXPECT_EQ(states(), "QUEUED RECAP UNAVAILABLE");
  ASSERT_TRUE(simulation->run_until_idle().ok());
  EXPECT_EQ(states(), "DEPLOYED DEPLOYED DEPLOYED");
}

TEST_F(Requests, ManyWaitInTheirOrder) {
  add(R"({"project":"shop","parallel":1})");
  add(R"({"step":"deploy","after":"1m"})");
  for (int count = 0; count < 40; ++count) {
    simulation.ask("POST", "/environment/" + simulation.environment + (count % 2 == 0 ? "/deploy" : "/stop"));
  }
  ASSERT_TRUE(simulation->run_until_idle().ok());
  EXPECT_EQ(simulation.events().find("\"to\":\"DEPLOYMENT_ERROR\""), std::string::npos);
  EXPECT_NE(simulation.state(simulation.databases[0]), "QUEUED");
}

TEST_F(Requests, OfSeveralRulesAreReleasedInTheirOrder) {
  add(R"({"environment":"second","queued":"1m"})");
  add(R"({"environment":"first","queued":"1m","parallel":3})");
  add(R"({"environment":"third","queued":"30s","parallel":2})");
  for (const std::size_t at : {2U, 1U, 0U}) deploy(at);
  const std::string rules = simulation->snapshot().value();
  const std::size_t list = rules.find("\"queued\":[");
  ASSERT_NE(list, std::string::npos);
  const std::string queued = rules.substr(list);
  EXPECT_LT(queued.find(R"("environment":"third")"), queued.find(R"("environment":"second")"));
  EXPECT_LT(queued.find(R"("environment":"second")"), queued.find(R"("environment":"first")"));
  ASSERT_TRUE(simulation->run_until_idle().ok());
  EXPECT_EQ(states(), "DEPLOYED DEPLOYED DEPLOYED");
  const std::string events = simulation.events();
  const auto released_at = [&](std::size_t at) {
    return events.find(R"("kind":"service.deployment_queued","family":"database","subject":")" + services[at]);
  };
  EXPECT_LT(released_at(1), released_at(0)) << events;
}

// The clock does not advance for a canceled request.
TEST_F(Requests, ThatWereCanceledComeDueNoMore) {
  add(R"({"queued":"10h"})");
  deploy(0);
  simulation.ask("POST", "/environment/" + environments[0] + "/cancelDeployment");
  const auto passed = simulation->run_until_idle();
  ASSERT_TRUE(passed.ok());
  EXPECT_LT(passed->passed.milliseconds, 3'600'000);
  EXPECT_EQ(simulation->snapshot().value().find("\"queued\":["), std::string::npos) << "nothing is kept of it";
}

// The change that releases a request is one of the refused changes.
TEST(RequestsOfAStoreThatFails, WaitOnAndAreReleasedLater) {
  std::size_t refused_count = 0;
  for (std::size_t number = 1;; ++number) {
    const auto store = std::make_shared<tests::RefusingStore>();
    Simulation simulation({}, Authentication::off, "memory:", nullptr, store);
    const std::string environment = simulation.furnish();
    const std::string project =
        simulation.make("/organization/" + simulation.organization + "/project", R"({"name":"more"})");
    const std::string other = simulation.make("/project/" + project + "/environment", R"({"name":"other"})");
    const std::string database =
        simulation.make("/environment/" + other + "/database",
                        R"({"type":"POSTGRESQL","version":"16","mode":"CONTAINER","name":"db"})");
    simulation.ask("POST", "/-/sim/rules", R"({"parallel":1,"queued":"30s"})");
    simulation.ask("POST", "/-/sim/rules", R"({"step":"deploy","kind":"database","after":"10m"})");
    simulation.ask("POST", "/environment/" + environment + "/deploy");
    simulation.ask("POST", "/environment/" + other + "/deploy");
    store->refuse_at(number);
    const auto run = simulation->run_until_idle();
    EXPECT_EQ(run.ok(), !store->has_refused());
    ASSERT_TRUE(simulation->run_until_idle().ok());
    EXPECT_EQ(simulation.state(simulation.databases[0]) + " " + simulation.state(database), "DEPLOYED DEPLOYED")
        << "change " << number << " was refused";
    EXPECT_EQ(simulation->snapshot().value().find("\"queued\":["), std::string::npos);
    if (!store->has_refused()) break;
    ++refused_count;
  }
  EXPECT_GT(refused_count, 5U);
}

// Two environments with a database each in a store that outlives its simulations.
class RequestsOfAReopenedStore : public testing::Test {
 protected:
  RequestsOfAReopenedStore() {
    simulation = open();
    environments.push_back(simulation->furnish());
    services.push_back(simulation->databases[0]);
    const std::string project =
        simulation->make("/organization/" + simulation->organization + "/project", R"({"name":"more"})");
    environments.push_back(simulation->make("/project/" + project + "/environment", R"({"name":"other"})"));
    services.push_back(simulation->make("/environment/" + environments[1] + "/database",
                                        R"({"type":"POSTGRESQL","version":"16","mode":"CONTAINER","name":"db"})"));
  }
  std::unique_ptr<Simulation> open() {
    return std::make_unique<Simulation>("", Authentication::off, "memory:", nullptr, store);
  }
  void reopen() {
    simulation.reset();
    simulation = open();
  }
  void add(const std::string& rule) { ASSERT_EQ(simulation->ask("POST", "/-/sim/rules", rule).status, 204); }
  void pass(std::int64_t count) { ASSERT_TRUE((*simulation)->advance(seconds(count)).ok()); }
  std::string states() { return simulation->state(services[0]) + " " + simulation->state(services[1]); }
  std::shared_ptr<tests::RefusingStore> store = std::make_shared<tests::RefusingStore>();
  std::unique_ptr<Simulation> simulation;
  std::vector<std::string> environments;
  std::vector<std::string> services;
};

TEST_F(RequestsOfAReopenedStore, GoOnByTheSameRules) {
  const auto add_rules = [&] {
    add(R"({"parallel":1,"queued":"30s"})");
    add(R"({"step":"deploy","kind":"database","after":"10m"})");
  };
  add_rules();
  for (const std::string& environment : environments)
    simulation->ask("POST", "/environment/" + environment + "/deploy");
  EXPECT_EQ(states(), "QUEUED QUEUED");
  pass(20);
  reopen();
  pass(40);
  EXPECT_EQ(states(), "QUEUED QUEUED") << "no rule";
  add_rules();
  pass(0);
  EXPECT_EQ(states(), "DEPLOYING QUEUED") << "its time is over";
  reopen();
  add_rules();
  pass(599);
  EXPECT_EQ(states(), "DEPLOYING QUEUED") << "what is under way counts";
  pass(1);
  EXPECT_EQ(states(), "DEPLOYED DEPLOYING");
  ASSERT_TRUE((*simulation)->run_until_idle().ok());
  EXPECT_EQ(states(), "DEPLOYED DEPLOYED");
}

TEST_F(RequestsOfAReopenedStore, OfAClusterGoOnAndWhatIsHeldStays) {
  simulation->ask("POST", "/-/sim/state", R"({"resource":")" + environments[0] + R"(","hold":true})");
  add(R"({"queued":"5m"})");
  simulation->ask("POST", "/environment/" + environments[0] + "/deploy");
  simulation->ask("POST", "/organization/" + simulation->organization + "/cluster/" + simulation->cluster + "/deploy");
  const std::string organization = simulation->organization;
  const std::string cluster = simulation->cluster;
  reopen();
  simulation->organization = organization;
  simulation->cluster = cluster;
  add(R"({"queued":"5m"})");
  pass(299);
  EXPECT_EQ(simulation->cluster_state() + " " + states(), "QUEUED QUEUED READY");
  pass(1);
  EXPECT_EQ(simulation->cluster_state() + " " + states(), "DEPLOYED QUEUED READY");
  pass(3600);
  EXPECT_EQ(states(), "QUEUED READY") << "its environment is held";
  ASSERT_EQ(simulation->ask("POST", "/-/sim/state", R"({"resource":")" + environments[0] + "\"}").status, 204);
  EXPECT_EQ(states(), "DEPLOYED READY");
}

TEST_F(Requests, RulesThatDoNotFitAreRefused) {
  const auto refusal = [&](const std::string& rule) { return simulation.ask("POST", "/-/sim/rules", rule); };
  for (const auto& [rule, message] : std::vector<std::pair<std::string, std::string>>{
           {R"({"queued":"5m","after":"1m"})",
            "rule.after must be left out where queued or parallel is given, not \\\"1m\\\": the rule is of requests, "
            "not of steps"},
           {R"({"parallel":0})", "rule.parallel must be a whole number of 1 to 4294967295, not 0"},
           {R"({"parallel":-1})", "rule.parallel must be a whole number"},
           {R"({"parallel":null})", "rule.parallel must be a whole number"},
           {R"({"parallel":1.5})", "rule.parallel must be a whole number"},
           {R"({"queued":""})", "rule.queued"},
           {R"({"queued":"-5m"})", "rule.queued"},
           {R"({"queued":null})", "rule.queued"},
           {R"({"kind":"database","queued":"5m"})",
            "rule.kind must be environment or cluster where queued or parallel is given, not \\\"database\\\""},
           {R"({"kind":"environment","after":"5m"})",
            "rule.kind must be the family of a service or task, or cluster; not"},
           {R"({"step":"build","queued":"5m"})",
            "rule.step must be deploy, stop, restart, delete or a step of clusters"},
           {R"({"stage":"x","parallel":1})", "rule.stage must be left out"},
           {R"({"queued":")" + std::string(70'000, 'x') + "\"}", "rule.queued"}}) {
    const Reply reply = refusal(rule);
    EXPECT_EQ(reply.status, 400) << rule.substr(0, 100);
    EXPECT_NE(reply.body.find(message), std::string::npos) << reply.body.substr(0, 300);
  }
  EXPECT_EQ(simulation.ask("POST", "/-/sim/rules", R"({"transitions":{"environment":"manual"}})").status, 400);
}

}  // namespace
}  // namespace orlop
