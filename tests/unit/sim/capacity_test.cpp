// Capacity of clusters: placement, waiting, autoscaling, nodes that are lost and come back, and how snapshots and saved
// states keep it.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sim/capacity/nodes.h"
#include "unit/sim/simulation.h"
#include "wire/json.h"

namespace orlop {
namespace {

using tests::Simulation;

Id id_of(std::uint8_t number) {
  Id id;
  id.bytes[15] = number;
  return id;
}

CapacitySettings small(std::uint32_t least, std::uint32_t most) {
  CapacitySettings settings;
  settings.nodes_least = least;
  settings.nodes_most = most;
  settings.cpu = 1000;
  settings.memory = 1000;
  settings.pods = 4;
  settings.price = 1;
  return settings;
}

constexpr CapacityNeed half{.cpu = 500, .memory = 100, .instances = 1};

TEST(Nodes, AStepBeginsWhereThereIsRoomAndWaitsElse) {
  Nodes nodes(small(1, 1));
  EXPECT_EQ(nodes.begin(id_of(1), id_of(11), half, Instant{5}), Instant{5});
  EXPECT_EQ(nodes.begin(id_of(2), id_of(12), half, Instant{6}), Instant{6});
  EXPECT_EQ(nodes.begin(id_of(3), id_of(13), half, Instant{7}), std::nullopt);
  EXPECT_EQ(nodes.begin(id_of(1), id_of(11), half, Instant{9}), Instant{5}) << "a known step has begun when it did";
  EXPECT_EQ(nodes.usage().waiting, 1U);
  nodes.ended(id_of(1), id_of(11), StepKind::deploy, ReportKind::failed);
  CapacityEffects effects;
  nodes.settle(Instant{10}, effects);
  EXPECT_EQ(effects.begun, std::vector<Id>{id_of(3)});
  EXPECT_EQ(nodes.usage().cpu_used, 1000);
}

TEST(Nodes, WhatWasDeployedKeepsItsRoomUntilItIsStopped) {
  Nodes nodes(small(1, 1));
  ASSERT_TRUE(nodes.begin(id_of(1), id_of(11), half, Instant{1}));
  nodes.ended(id_of(1), id_of(11), StepKind::deploy, ReportKind::succeeded);
  ASSERT_TRUE(nodes.begin(id_of(2), id_of(11), half, Instant{2}));
  nodes.ended(id_of(2), id_of(11), StepKind::deploy, ReportKind::failed);
  EXPECT_EQ(nodes.usage().cpu_used, 500) << "a redeployment that fails leaves what ran";
  nodes.ended(id_of(3), id_of(11), StepKind::stop, ReportKind::failed);
  EXPECT_EQ(nodes.usage().cpu_used, 500);
  nodes.ended(id_of(4), id_of(11), StepKind::stop, ReportKind::succeeded);
  EXPECT_EQ(nodes.usage().cpu_used, 0);
}

CapacityNeed rolling(std::int64_t cpu, std::uint32_t instances, std::uint32_t surge, std::uint32_t unavailable,
                     std::uint64_t configuration) {
  return {.cpu = cpu,
          .memory = 10,
          .instances = instances,
          .is_of_run = false,
          .rolls = true,
          .surge = surge,
          .unavailable = unavailable,
          .configuration = configuration};
}

void deploy(Nodes& nodes, std::uint8_t step, const CapacityNeed& need) {
  ASSERT_TRUE(nodes.begin(id_of(step), id_of(11), need, Instant{step}));
  nodes.ended(id_of(step), id_of(11), StepKind::deploy, ReportKind::succeeded);
}

TEST(Nodes, ARollOutNeedsRoomForItsSurge) {
  Nodes nodes(small(1, 1));
  deploy(nodes, 1, rolling(600, 1, 1, 0, 1));
  EXPECT_EQ(nodes.begin(id_of(2), id_of(11), rolling(600, 1, 1, 0, 2), Instant{2}), std::nullopt);
  EXPECT_EQ(nodes.usage().cpu_used, 600);
  EXPECT_NE(nodes.reason(id_of(11), rolling(600, 1, 1, 0, 2)).find("the roll-out is stuck"), std::string::npos);
  nodes.set(small(2, 2));
  CapacityEffects effects;
  nodes.settle(Instant{3}, effects);
  EXPECT_EQ(effects.begun, std::vector<Id>{id_of(2)});
  EXPECT_EQ(nodes.usage().cpu_used, 1200) << "both are there until the step has ended";
  nodes.ended(id_of(2), id_of(11), StepKind::deploy, ReportKind::succeeded);
  EXPECT_EQ(nodes.usage().cpu_used, 600);
}

TEST(Nodes, ARollOutGoesOnInTheRoomOfWhatMayBeUnavailable) {
  Nodes nodes(small(1, 1));
  deploy(nodes, 1, rolling(250, 4, 1, 1, 1));
  deploy(nodes, 2, rolling(250, 4, 1, 1, 2));
  EXPECT_EQ(nodes.usage().cpu_used, 1000);
  EXPECT_EQ(nodes.begin(id_of(3), id_of(11), rolling(250, 4, 1, 0, 3), Instant{3}), std::nullopt);
}

TEST(Nodes, TheSameConfigurationIsNotRolledOut) {
  Nodes nodes(small(1, 1));
  deploy(nodes, 1, rolling(600, 1, 1, 0, 7));
  deploy(nodes, 2, rolling(600, 1, 1, 0, 7));
  ASSERT_TRUE(nodes.begin(id_of(3), id_of(11), rolling(600, 1, 1, 0, 7), Instant{3}));
  nodes.ended(id_of(3), id_of(11), StepKind::deploy, ReportKind::failed);
  EXPECT_EQ(nodes.begin(id_of(4), id_of(11), rolling(600, 1, 1, 0, 7), Instant{4}), std::nullopt)
      << "what runs is unknown";
}

TEST(Nodes, ARollOutThatIsStuckBringsANode) {
  Nodes nodes(small(1, 2));
  deploy(nodes, 1, rolling(600, 1, 1, 0, 1));
  ASSERT_EQ(nodes.begin(id_of(2), id_of(11), rolling(600, 1, 1, 0, 2), Instant{2}), std::nullopt);
  CapacityEffects effects;
  nodes.settle(Instant{2}, effects);
  EXPECT_EQ(nodes.usage().coming, 1U);
}

TEST(Nodes, ARollOutToMoreInstancesBringsTheNodesOfAll) {
  for (const auto& [most, coming] : {std::pair(4U, 3U), std::pair(3U, 2U)}) {
    Nodes nodes(small(1, most));
    deploy(nodes, 1, rolling(500, 1, 1, 0, 1));
    // Five besides the old one, and a sixth for which its node has room later.
    const CapacityNeed more = rolling(500, 6, 2, 1, 2);
    ASSERT_EQ(nodes.begin(id_of(2), id_of(11), more, Instant{2}), std::nullopt);
    CapacityEffects effects;
    nodes.settle(Instant{2}, effects);
    EXPECT_EQ(nodes.usage().coming, coming) << most;
    ASSERT_TRUE(nodes.due());
    nodes.settle(*nodes.due(), effects);
    EXPECT_EQ(effects.begun, std::vector<Id>{id_of(2)}) << most;
  }
}

TEST(Nodes, InstancesOfAServiceAreSpreadOverNodes) {
  Nodes nodes(small(3, 3));
  CapacityNeed four{.cpu = 100, .memory = 10, .instances = 4};
  ASSERT_TRUE(nodes.begin(id_of(1), id_of(11), four, Instant{1}));
  std::vector<std::int64_t> pods;
  for (const Nodes::Node& each : nodes.nodes()) pods.push_back(each.pods);
  EXPECT_EQ(pods, (std::vector<std::int64_t>{2, 1, 1}));
  nodes.ended(id_of(1), id_of(11), StepKind::deploy, ReportKind::succeeded);
  CapacityEffects effects;
  ASSERT_EQ(nodes.lose(1, std::nullopt, Instant{2}), 1U);
  nodes.settle(Instant{61'000}, effects);
  EXPECT_EQ(nodes.nodes()[0].pods, 2);
  EXPECT_EQ(nodes.nodes()[1].pods, 2);
}

TEST(Nodes, AllInstancesOfAServiceHaveRoomOrNone) {
  Nodes nodes(small(2, 2));
  CapacityNeed three = half;
  three.cpu = 600;
  three.instances = 3;
  EXPECT_EQ(nodes.begin(id_of(1), id_of(11), three, Instant{1}), std::nullopt);
  EXPECT_EQ(nodes.usage().cpu_used, 0);
  three.instances = 2;
  EXPECT_TRUE(nodes.begin(id_of(2), id_of(12), three, Instant{1}));
  EXPECT_EQ(nodes.usage().cpu_used, 1200);
}

TEST(Nodes, GrowForWhatWaitsUpToTheMostAndShrinkWhenEmpty) {
  Nodes nodes(small(1, 3));
  CapacityEffects effects;
  for (std::uint8_t number = 1; number <= 8; ++number)
    (void)nodes.begin(id_of(number), id_of(static_cast<std::uint8_t>(number + 10)), half, Instant{0});
  nodes.settle(Instant{0}, effects);
  EXPECT_EQ(nodes.usage().coming, 2U);
  EXPECT_EQ(nodes.due(), Instant{120'000});
  nodes.settle(Instant{120'000}, effects);
  EXPECT_EQ(effects.begun.size(), 4U);
  EXPECT_EQ(nodes.usage().nodes, 3U);
  EXPECT_EQ(nodes.usage().waiting, 2U);
  for (std::uint8_t number = 1; number <= 8; ++number)
    nodes.ended(id_of(number), id_of(static_cast<std::uint8_t>(number + 10)), StepKind::deploy, ReportKind::failed);
  nodes.settle(Instant{130'000}, effects);
  EXPECT_EQ(nodes.due(), Instant{730'000});
  nodes.settle(Instant{730'000}, effects);
  EXPECT_EQ(nodes.usage().nodes, 1U);
  EXPECT_EQ(nodes.due(), std::nullopt);
}

TEST(Nodes, WhatNoNodeCanHoldBringsNone) {
  Nodes nodes(small(1, 3));
  CapacityNeed large = half;
  large.cpu = 1001;
  EXPECT_EQ(nodes.begin(id_of(1), id_of(11), large, Instant{0}), std::nullopt);
  CapacityEffects effects;
  nodes.settle(Instant{0}, effects);
  EXPECT_EQ(nodes.usage().coming, 0U);
  EXPECT_NE(nodes.reason(id_of(11), large).find("a node has 1000m cpu"), std::string::npos)
      << nodes.reason(id_of(11), large);
}

// Otherwise a node would come and leave at one instant without end.
TEST(Nodes, ANodeStaysForWhatMayNotStartYetAndNoneComesForWhatCannot) {
  CapacitySettings quick = small(1, 3);
  quick.scale_up_after = quick.scale_down_after = Duration{0};
  Nodes nodes(quick);
  CapacityEffects effects;
  ASSERT_TRUE(nodes.begin(id_of(1), id_of(11), half, Instant{0}));
  ASSERT_EQ(nodes.lose(1, seconds(600), Instant{0}), 1U);
  for (int ticks = 0; nodes.due() && *nodes.due() <= Instant{0}; ++ticks) {
    ASSERT_LT(ticks, 9);
    nodes.settle(Instant{0}, effects);
  }
  EXPECT_EQ(nodes.usage().nodes, 1U);
  EXPECT_EQ(nodes.due(), Instant{60'000});
  CapacityNeed wide{.cpu = 900, .memory = 100, .instances = 4};
  EXPECT_EQ(nodes.begin(id_of(2), id_of(12), wide, Instant{1}), std::nullopt);
  nodes.settle(Instant{1}, effects);
  EXPECT_EQ(nodes.usage().coming, 0U) << "four nodes are more than there can be";
}

TEST(Nodes, InstancesOfALostNodeStartOnOthersOrWhenItIsBack) {
  Nodes nodes(small(2, 2));
  CapacityEffects effects;
  for (std::uint8_t number = 1; number <= 3; ++number) {
    ASSERT_TRUE(nodes.begin(id_of(number), id_of(static_cast<std::uint8_t>(number + 10)), half, Instant{0}));
    nodes.ended(id_of(number), id_of(static_cast<std::uint8_t>(number + 10)), StepKind::deploy, ReportKind::succeeded);
  }
  EXPECT_EQ(nodes.lose(1, Duration{3'600'000}, Instant{1000}), 1U);
  nodes.settle(Instant{1000}, effects);
  ASSERT_EQ(effects.running.size(), 2U);
  EXPECT_EQ(effects.running[0].running, RunningState::error);
  EXPECT_EQ(nodes.due(), Instant{61'000});
  effects = {};
  nodes.settle(Instant{61'000}, effects);
  ASSERT_EQ(effects.running.size(), 1U) << "the other node has room for one";
  EXPECT_EQ(effects.running[0].running, RunningState::starting);
  EXPECT_EQ(nodes.due(), Instant{71'000});
  effects = {};
  nodes.settle(Instant{71'000}, effects);
  ASSERT_EQ(effects.running.size(), 1U);
  EXPECT_EQ(effects.running[0].running, RunningState::running);
  EXPECT_EQ(nodes.due(), Instant{3'601'000});
  effects = {};
  nodes.settle(Instant{3'601'000}, effects);
  EXPECT_EQ(effects.running.size(), 1U);
  EXPECT_EQ(nodes.usage().waiting, 0U);
}

TEST(Nodes, ALostNodeThatDoesNotComeBackIsReplacedUpToTheLeast) {
  Nodes nodes(small(2, 2));
  CapacityEffects effects;
  EXPECT_EQ(nodes.lose(5, std::nullopt, Instant{0}), 2U);
  nodes.settle(Instant{0}, effects);
  EXPECT_EQ(nodes.usage().nodes, 0U);
  EXPECT_EQ(nodes.usage().coming, 2U);
  nodes.settle(Instant{120'000}, effects);
  EXPECT_EQ(nodes.usage().nodes, 2U);
}

// Two databases with the default of 500m cpu each share the cluster.
class ClusterCapacity : public testing::Test {
 protected:
  ClusterCapacity() { furnish(simulation); }
  static void furnish(Simulation& simulation) {
    simulation.organization = simulation.make("/organization", R"({"name":"acme","plan":"FREE"})");
    simulation.cluster = simulation.make("/organization/" + simulation.organization + "/cluster",
                                         R"({"name":"europe","region":"eu-west-3","cloud_provider":"AWS"})");
    const std::string project =
        simulation.make("/organization/" + simulation.organization + "/project", R"({"name":"shop"})");
    simulation.environment = simulation.make("/project/" + project + "/environment",
                                             R"({"name":"production","cluster_id":")" + simulation.cluster + "\"}");
    for (const char* name : {"orders", "stock"}) {
      simulation.databases.push_back(
          simulation.make("/environment/" + simulation.environment + "/database",
                          R"({"type":"POSTGRESQL","version":"16","mode":"CONTAINER","cpu":800,"memory":256,"name":")" +
                              std::string(name) + "\"}"));
    }
    EXPECT_EQ(
        simulation
            .ask("POST", "/organization/" + simulation.organization + "/cluster/" + simulation.cluster + "/deploy")
            .status,
        200);
    EXPECT_TRUE(simulation->run_until_idle().ok());
    EXPECT_EQ(simulation.ask("POST", "/-/sim/rules", R"({"step":"deploy","after":"1m","running":"RUNNING"})").status,
              204);
  }
  Reply set(const std::string& members) {
    return simulation.ask("POST", "/-/sim/capacity", R"({"cluster":")" + simulation.cluster + "\"," + members + "}");
  }
  void deploy() { EXPECT_LT(simulation.ask("POST", "/environment/" + simulation.environment + "/deploy").status, 300); }
  std::vector<std::string> states(Simulation& of) {
    return {of.state(simulation.databases[0]), of.state(simulation.databases[1])};
  }

  Simulation simulation;
};

TEST_F(ClusterCapacity, AServiceWaitsForRoomWithTheReasonAndBeginsWhenThereIsSome) {
  ASSERT_EQ(set(R"("nodes":1,"nodes_max":2,"cpu":1,"memory":"1GiB","price":0.5)").status, 204);
  deploy();
  ASSERT_TRUE(simulation->advance(seconds(60)).ok());
  EXPECT_EQ(states(simulation), (std::vector<std::string>{"DEPLOYED", "WAITING_RUNNING"}));
  EXPECT_NE(simulation.events().find("1 instance with 800m cpu and 256 MB have no room"), std::string::npos);
  ASSERT_TRUE(simulation->advance(seconds(60)).ok());
  EXPECT_EQ(states(simulation), (std::vector<std::string>{"DEPLOYED", "DEPLOYING"})) << "the second node is there";
  ASSERT_TRUE(simulation->advance(seconds(60)).ok());
  EXPECT_EQ(states(simulation), (std::vector<std::string>{"DEPLOYED", "DEPLOYED"}));
  EXPECT_NE(simulation.events().find("\"kind\":\"cluster.capacity_changed\""), std::string::npos);
  EXPECT_NE(simulation.ask("GET", "/-/sim/capacity").body.find(R"("usage":{"nodes":2,"coming":0)"), std::string::npos)
      << simulation.ask("GET", "/-/sim/capacity").body;
}

TEST_F(ClusterCapacity, ADeadlineFailsWhatWaitsWithTheReason) {
  ASSERT_EQ(set(R"("nodes":1,"cpu":1,"memory":"1Gi")").status, 204);
  deploy();
  ASSERT_TRUE(simulation->run_until_idle().ok());
  EXPECT_EQ(states(simulation), (std::vector<std::string>{"DEPLOYED", "DEPLOYMENT_ERROR"}));
  EXPECT_NE(simulation.events().find("\"reason\":\"1 instance with 800m cpu"), std::string::npos);
  EXPECT_NE(simulation.ask("GET", "/-/sim/capacity").body.find("\"waiting\":0"), std::string::npos);
}

TEST_F(ClusterCapacity, ACancelTakesWhatWaitsOutOfTheQueue) {
  ASSERT_EQ(set(R"("nodes":1,"cpu":1,"memory":"1024Mi")").status, 204);
  deploy();
  ASSERT_TRUE(simulation->advance(seconds(10)).ok());
  EXPECT_LT(
      simulation.ask("POST", "/environment/" + simulation.environment + "/cancelDeployment", R"({"force_cancel":true})")
          .status,
      300);
  ASSERT_TRUE(simulation->run_until_idle().ok());
  EXPECT_NE(simulation.ask("GET", "/-/sim/capacity").body.find("\"waiting\":0"), std::string::npos)
      << simulation.ask("GET", "/-/sim/capacity").body;
  EXPECT_EQ(simulation.state(simulation.databases[1]), "CANCELED");
}

TEST_F(ClusterCapacity, LostNodesMakeServicesUnavailableAndTheyComeBack) {
  ASSERT_EQ(set(R"("nodes":2,"cpu":1,"memory":"1GiB")").status, 204);
  deploy();
  ASSERT_TRUE(simulation->run_until_idle().ok());
  ASSERT_EQ(set(R"("lose":1,"for":"1h")").status, 204);
  ASSERT_TRUE(simulation->advance(seconds(1)).ok());
  const std::string lost = simulation.events();
  EXPECT_NE(lost.find(R"("from":"RUNNING","to":"ERROR")"), std::string::npos);
  ASSERT_TRUE(simulation->advance(seconds(3600)).ok());
  const std::size_t starting = simulation.events().find(R"("from":"ERROR","to":"STARTING")", lost.size());
  EXPECT_NE(starting, std::string::npos);
  EXPECT_EQ(simulation.events().find(R"("from":"STARTING","to":"RUNNING")"), std::string::npos);
  ASSERT_TRUE(simulation->advance(seconds(10)).ok());
  EXPECT_NE(simulation.events().find(R"("from":"STARTING","to":"RUNNING")", starting), std::string::npos);
}

TEST_F(ClusterCapacity, ARunningStepOnALostNodeIsUnavailableAndGoesOn) {
  ASSERT_EQ(set(R"("nodes":2,"cpu":1,"memory":"1GiB")").status, 204);
  deploy();
  ASSERT_TRUE(simulation->advance(seconds(20)).ok());
  ASSERT_EQ(set(R"("lose":1,"for":"10m")").status, 204);
  EXPECT_EQ(states(simulation), (std::vector<std::string>{"UNAVAILABLE", "DEPLOYING"}));
  ASSERT_TRUE(simulation->advance(seconds(600)).ok());
  EXPECT_EQ(states(simulation), (std::vector<std::string>{"DEPLOYING", "DEPLOYED"}));
  ASSERT_TRUE(simulation->advance(seconds(39)).ok());
  EXPECT_EQ(simulation.state(simulation.databases[0]), "DEPLOYING");
  ASSERT_TRUE(simulation->advance(seconds(1)).ok());
  EXPECT_EQ(simulation.state(simulation.databases[0]), "DEPLOYED");
}

// The snapshots are taken while a service waits for room, twice on lost nodes, and when the nodes are back and the step
// has some seconds left.
TEST_F(ClusterCapacity, ASnapshotGoesOnAsTheSimulationWould) {
  ASSERT_EQ(set(R"("nodes":1,"nodes_max":2,"cpu":1,"memory":"1GiB","price":0.25,"scale_up_after":"3m")").status, 204);
  deploy();
  for (const int passed : {30, 200, 10, 295}) {
    ASSERT_TRUE(simulation->advance(seconds(passed)).ok());
    if (passed == 200) { ASSERT_EQ(set(R"("lose":2,"for":"5m")").status, 204); }
    if (passed == 295) { ASSERT_EQ(simulation.state(simulation.databases[1]), "DEPLOYING"); }
    const auto text = simulation->snapshot();
    ASSERT_TRUE(text.ok());
    Simulation other(*text);
    const auto saved = simulation->save();
    ASSERT_TRUE(saved.ok());
    const std::string before = simulation->snapshot().value();
    ASSERT_TRUE(other->run_until_idle().ok());
    ASSERT_TRUE(simulation->run_until_idle().ok());
    EXPECT_EQ(simulation.events(), other.events()) << "after " << passed;
    const std::string once = simulation.events();
    ASSERT_TRUE(simulation->go_back(*saved).ok());
    EXPECT_EQ(simulation->snapshot().value(), before);
    ASSERT_TRUE(simulation->run_until_idle().ok());
    EXPECT_EQ(simulation.events(), once);
    ASSERT_TRUE(simulation->go_back(*saved).ok());
  }
}

TEST_F(ClusterCapacity, WhatRunsAlreadyIsCounted) {
  deploy();
  ASSERT_TRUE(simulation->run_until_idle().ok());
  ASSERT_EQ(set(R"("nodes":2,"cpu":1,"memory":"1GiB")").status, 204);
  EXPECT_NE(simulation.ask("GET", "/-/sim/capacity").body.find("\"cpu_used\":1600"), std::string::npos)
      << simulation.ask("GET", "/-/sim/capacity").body;
}

// Running steps of first deployments count too: they continue without room, and their services lose their nodes when
// they end.
TEST_F(ClusterCapacity, WhatIsBeingDeployedIsCounted) {
  const auto usage = [this] { return simulation.ask("GET", "/-/sim/capacity").body; };
  deploy();
  ASSERT_TRUE(simulation->advance(seconds(10)).ok());
  ASSERT_EQ(states(simulation), (std::vector<std::string>{"DEPLOYING", "DEPLOYING"}));
  ASSERT_EQ(set(R"("nodes":1,"cpu":1,"memory":"1GiB")").status, 204);
  EXPECT_NE(usage().find("\"cpu_used\":800"), std::string::npos) << usage();
  EXPECT_NE(usage().find("\"waiting\":0"), std::string::npos) << usage();
  const std::string snapshot = simulation->snapshot().value();
  ASSERT_TRUE(simulation->run_until_idle().ok());
  EXPECT_EQ(states(simulation), (std::vector<std::string>{"DEPLOYED", "DEPLOYED"}));
  EXPECT_NE(usage().find("\"waiting\":1"), std::string::npos) << usage();
  Simulation other(snapshot);
  ASSERT_TRUE(other->run_until_idle().ok());
  EXPECT_EQ(other.events(), simulation.events());
  ASSERT_EQ(set(R"("nodes":2)").status, 204);
  EXPECT_NE(usage().find("\"cpu_used\":1600"), std::string::npos) << usage();
}

TEST_F(ClusterCapacity, StopFreesRoomAndClearLetsAllBegin) {
  ASSERT_EQ(set(R"("nodes":1,"cpu":1,"memory":"1GiB")").status, 204);
  deploy();
  ASSERT_TRUE(simulation->advance(seconds(70)).ok());
  ASSERT_EQ(states(simulation), (std::vector<std::string>{"DEPLOYED", "WAITING_RUNNING"}));
  EXPECT_EQ(simulation.ask("DELETE", "/-/sim/capacity").status, 204);
  EXPECT_EQ(simulation.state(simulation.databases[1]), "DEPLOYING");
  EXPECT_EQ(simulation.ask("GET", "/-/sim/capacity").body, R"({"clusters":[]})");
}

TEST_F(ClusterCapacity, BadInputNamesTheMemberItsValueAndWhatIsAllowed) {
  const std::pair<std::string, std::string> refused[] = {
      {R"("nodes":1,"cpu":1)", "memory is required"},
      {R"("nodes":-1,"cpu":1,"memory":1)", "nodes must be a whole number from 0 to 10000, not -1"},
      {R"("nodes":1.5,"cpu":1,"memory":1)", "nodes must be a whole number from 0 to 10000, not 1.5"},
      {R"("nodes":3,"nodes_max":2,"cpu":1,"memory":1)", "nodes_max must be at least nodes, which is 3, not 2"},
      {R"("nodes":1,"cpu":0,"memory":1)", "cpu must be the cores of each node"},
      {R"("nodes":1,"cpu":"4x","memory":1)", "not \"4x\""},
      {R"("nodes":1,"cpu":1,"memory":"16TB")", "not \"16TB\""},
      {R"("nodes":1,"cpu":1,"memory":"99999999999999999999MB")", "memory must be"},
      {R"("nodes":1,"cpu":1,"memory":1,"price":-1)", "price must be"},
      {R"("nodes":1,"cpu":1,"memory":1,"prize":1)", "prize is not a member of a capacity"},
      {R"("nodes":1,"cpu":1,"memory":1,"scale_up_after":"soon")", "scale_up_after"},
      {R"("lose":1)", "has no nodes that could be lost"},
      {R"("lose":0)", "lose must be the number of nodes"},
      {R"("lose":1,"nodes":3)", "nodes is not a member; allowed: cluster, lose and for"},
  };
  for (const auto& [members, said] : refused) {
    const Reply reply = set(members);
    EXPECT_GE(reply.status, 400) << members;
    EXPECT_NE(parse_json(reply.body)->text_or("message", "").find(said), std::string_view::npos)
        << members << ": " << reply.body;
  }
  EXPECT_EQ(simulation.ask("POST", "/-/sim/capacity", "null").status, 400);
  EXPECT_EQ(simulation.ask("POST", "/-/sim/capacity", R"({"cluster":"x"})").status, 400);
  EXPECT_EQ(simulation
                .ask("POST", "/-/sim/capacity",
                     R"({"cluster":")" + simulation.environment + R"(","nodes":1,"cpu":1,"memory":1})")
                .status,
            404);
  EXPECT_EQ(simulation.ask("GET", "/-/sim/capacity").body, R"({"clusters":[]})");
}

}  // namespace
}  // namespace orlop
