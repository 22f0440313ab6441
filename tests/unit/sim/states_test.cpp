// Every state of services and clusters: set, read through the interface, and left by time, by a cancel, by a deployment
// and by a release.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "lifecycle/state.h"
#include "sim/rules/rule.h"
#include "unit/sim/simulation.h"
#include "wire/json.h"

namespace orlop {
namespace {

using tests::Simulation;

std::string set_body(const std::string& resource, std::string_view state) {
  return R"({"resource":")" + resource + R"(","state":")" + std::string(state) + "\"}";
}

// Resource in whose family the state occurs.
struct Subject {
  std::string id;
  std::string family;
};

class ServiceStates : public testing::TestWithParam<int> {
 protected:
  ServiceStates() {
    simulation.furnish();
    const bool executes = state() == ServiceState::executing;
    subject = {executes ? simulation.make_job() : simulation.make_application(), executes ? "job" : "application"};
  }
  static ServiceState state() { return static_cast<ServiceState>(GetParam()); }
  void set() {
    const Reply reply = simulation.ask("POST", "/-/sim/state", set_body(subject.id, to_string(state())));
    ASSERT_EQ(reply.status, 204) << reply.body;
  }
  std::string now() { return simulation.state(subject.id, subject.family); }
  bool is_transient_now() { return is_transient(state()); }

  Simulation simulation;
  Subject subject;
};

TEST_P(ServiceStates, IsReadThroughTheInterface) {
  set();
  EXPECT_EQ(now(), state() == ServiceState::deleted ? "" : to_string(state()));
  if (state() != ServiceState::ready) {
    EXPECT_NE(simulation.events().find("\"to\":\"" + std::string(to_string(state())) + "\""), std::string::npos);
  }
}

TEST_P(ServiceStates, IsReachedFromEveryOther) {
  if (state() == ServiceState::deleted) return;
  for (int number = 1; number <= state_count<ServiceState>; ++number) {
    const auto before = static_cast<ServiceState>(number);
    const bool is_other_kind = (before == ServiceState::executing) != (state() == ServiceState::executing);
    const bool is_of_build =
        before == ServiceState::building || before == ServiceState::build_error || before == ServiceState::restarting;
    if (before == ServiceState::deleted || is_other_kind || (subject.family == "job" && is_of_build)) continue;
    ASSERT_EQ(simulation.ask("POST", "/-/sim/state", set_body(subject.id, to_string(before))).status, 204)
        << to_string(before);
    set();
    EXPECT_EQ(now(), to_string(state())) << "from " << to_string(before);
  }
}

TEST_P(ServiceStates, TimeLeadsOutOfWhatIsAtTheDriver) {
  set();
  ASSERT_TRUE(simulation->advance(seconds(10 * 24 * 3600)).ok());
  const std::string after = now();
  const bool waits = state() == ServiceState::queued || std::string(to_string(state())).ends_with("_QUEUED");
  if (is_transient_now() && !waits) {
    EXPECT_TRUE(after.ends_with("_ERROR")) << after;
  } else {
    EXPECT_EQ(after, state() == ServiceState::deleted ? "" : to_string(state()));
  }
}

TEST_P(ServiceStates, ACancelLeadsOutOfWhatMoves) {
  set();
  if (!is_transient_now()) return;
  const Reply canceled = simulation.ask("POST", "/environment/" + simulation.environment + "/cancelDeployment",
                                        R"({"force_cancel":true})");
  EXPECT_LT(canceled.status, 300) << canceled.body;
  ASSERT_TRUE(simulation->advance({0}).ok());
  EXPECT_EQ(now(), "CANCELED");
}

TEST_P(ServiceStates, AReleaseLeadsOutOfWhatMoves) {
  set();
  const Reply released = simulation.ask("POST", "/-/sim/state", R"({"resource":")" + subject.id + "\"}");
  if (!is_transient_now()) {
    EXPECT_EQ(released.status, 409) << released.body;
    return;
  }
  ASSERT_EQ(released.status, 204) << released.body;
  ASSERT_TRUE(simulation->run_until_idle().ok());
  const std::vector<std::string> ends = {"DEPLOYED", "RESTARTED", "STOPPED", "CANCELED", ""};
  EXPECT_NE(std::ranges::find(ends, now()), ends.end()) << now();
}

TEST_P(ServiceStates, ADeploymentLeadsToDeployed) {
  set();
  if (state() == ServiceState::deleted) return;
  const Reply asked = simulation.ask("POST", "/environment/" + simulation.environment + "/deploy");
  ASSERT_LT(asked.status, 300) << asked.body;
  (void)simulation.ask("POST", "/-/sim/state", R"({"resource":")" + subject.id + "\"}");
  ASSERT_TRUE(simulation->run_until_idle().ok());
  const bool is_removed = std::string(to_string(state())).find("DELET") != std::string::npos && is_transient_now();
  EXPECT_EQ(now(), is_removed ? "" : "DEPLOYED");
}

TEST_P(ServiceStates, ASnapshotKeepsIt) {
  set();
  const std::string snapshot = simulation->snapshot().value();
  Simulation second(snapshot);
  EXPECT_EQ(second.state(subject.id, subject.family), now());
  if (!is_transient_now()) return;
  ASSERT_TRUE(second->advance(seconds(1)).ok());
  EXPECT_EQ(second.state(subject.id, subject.family), now());
  ASSERT_TRUE(second->release(parse_id(subject.id).value()).ok());
  ASSERT_TRUE(second->run_until_idle().ok());
  EXPECT_NE(second.state(subject.id, subject.family), now());
}

TEST_P(ServiceStates, ALastingStateEndsByItself) {
  if (!is_transient_now()) return;
  const Reply reply = simulation.ask(
      "POST", "/-/sim/state",
      R"({"resource":")" + subject.id + R"(","state":")" + std::string(to_string(state())) + R"(","for":"30s"})");
  ASSERT_EQ(reply.status, 204) << reply.body;
  ASSERT_TRUE(simulation->advance(seconds(29)).ok());
  EXPECT_EQ(now(), to_string(state()));
  ASSERT_TRUE(simulation->advance(seconds(1)).ok());
  EXPECT_NE(now(), to_string(state()));
}

INSTANTIATE_TEST_SUITE_P(All, ServiceStates, testing::Range(1, state_count<ServiceState> + 1), [](const auto& tested) {
  return std::string(to_string(static_cast<ServiceState>(tested.param)));
});

class ClusterStates : public testing::TestWithParam<int> {
 protected:
  ClusterStates() {
    organization = simulation.make("/organization", R"({"name":"acme","plan":"FREE"})");
    simulation.organization = organization;
    simulation.cluster = simulation.make("/organization/" + organization + "/cluster",
                                         R"({"name":"europe","region":"eu-west-3","cloud_provider":"AWS"})");
  }
  static ClusterState state() { return static_cast<ClusterState>(GetParam()); }
  void set() {
    const Reply reply = simulation.ask("POST", "/-/sim/state", set_body(simulation.cluster, to_string(state())));
    ASSERT_EQ(reply.status, 204) << reply.body;
  }

  Simulation simulation;
  std::string organization;
};

TEST_P(ClusterStates, IsReadThroughTheInterface) {
  set();
  EXPECT_EQ(simulation.cluster_state(), state() == ClusterState::deleted ? "" : to_string(state()));
}

TEST_P(ClusterStates, IsReachedFromEveryOther) {
  if (state() == ClusterState::deleted || state() == ClusterState::ready) return;
  for (int number = 2; number <= state_count<ClusterState>; ++number) {
    const auto before = static_cast<ClusterState>(number);
    if (before == ClusterState::deleted) continue;
    ASSERT_EQ(simulation.ask("POST", "/-/sim/state", set_body(simulation.cluster, to_string(before))).status, 204)
        << to_string(before);
    set();
    EXPECT_EQ(simulation.cluster_state(), to_string(state())) << "from " << to_string(before);
  }
}

TEST_P(ClusterStates, TimeLeadsOutOfWhatIsAtTheDriver) {
  set();
  ASSERT_TRUE(simulation->advance(seconds(10 * 24 * 3600)).ok());
  const std::string after = simulation.cluster_state();
  if (!is_transient(state()) || state() == ClusterState::queued) {
    EXPECT_EQ(after, state() == ClusterState::deleted ? "" : to_string(state()));
  } else {
    EXPECT_NE(after, to_string(state()));
  }
}

TEST_P(ClusterStates, AReleaseLeadsOutOfWhatMoves) {
  set();
  const Reply released = simulation.ask("POST", "/-/sim/state", R"({"resource":")" + simulation.cluster + "\"}");
  ASSERT_EQ(released.status, is_transient(state()) ? 204 : 409) << released.body;
  if (!is_transient(state())) return;
  ASSERT_TRUE(simulation->run_until_idle().ok());
  EXPECT_NE(simulation.cluster_state(), to_string(state()));
}

INSTANTIATE_TEST_SUITE_P(All, ClusterStates, testing::Range(1, state_count<ClusterState> + 1), [](const auto& tested) {
  return std::string(to_string(static_cast<ClusterState>(tested.param)));
});

TEST(SetState, RefusesWhatCannotBe) {
  Simulation simulation;
  simulation.furnish();
  const auto refusal = [&](const std::string& body) { return simulation.ask("POST", "/-/sim/state", body); };
  const Reply unbuilt = refusal(set_body(simulation.databases[0], "BUILDING"));
  EXPECT_EQ(unbuilt.status, 409);
  EXPECT_NE(unbuilt.body.find("it is not built: only services from a git repository are"), std::string::npos)
      << unbuilt.body;
  EXPECT_EQ(refusal(set_body(simulation.databases[0], "EXECUTING")).status, 409);
  const Reply misspelled = refusal(set_body(simulation.databases[0], "DEPLOYYED"));
  EXPECT_EQ(misspelled.status, 400);
  EXPECT_NE(misspelled.body.find("the nearest known one is \\\"DEPLOYED\\\""), std::string::npos) << misspelled.body;
  EXPECT_EQ(refusal(set_body(simulation.environment, "DEPLOYED")).status, 400);
  EXPECT_EQ(refusal(set_body("00000000-0000-4000-8000-000000000000", "DEPLOYED")).status, 404);
  EXPECT_EQ(refusal(R"({"resource":")" + simulation.databases[0] + R"(","state":null})").status, 400);
  EXPECT_EQ(refusal(R"({"resource":")" + simulation.databases[0] + R"(","state":"RECAP","hold":true})").status, 400);
  EXPECT_EQ(refusal(R"({"resource":")" + simulation.databases[0] + R"(","for":"1s"})").status, 400);
  EXPECT_EQ(refusal(set_body(simulation.databases[0], std::string(70'000, 'A'))).status, 400);
}

// A running dry run that is not held ends when another state is set.
TEST(SetState, LeavesADryRunThatRuns) {
  Simulation simulation;
  simulation.furnish();
  simulation.ask("POST", "/-/sim/rules", R"({"step":"cluster_dry_run","delay":"1h"})");
  ASSERT_EQ(simulation
                .ask("POST", "/organization/" + simulation.organization + "/cluster/" + simulation.cluster +
                                 "/deploy?dry_run=true")
                .status,
            200);
  EXPECT_EQ(simulation.cluster_state(), "DRY_RUN");
  const Reply set = simulation.ask("POST", "/-/sim/state", set_body(simulation.cluster, "STOPPED"));
  ASSERT_EQ(set.status, 204) << set.body;
  EXPECT_EQ(simulation.cluster_state(), "STOPPED");
}

// One environment has one deployment at a time.
TEST(SetState, ASecondServiceOfABusyEnvironmentWaits) {
  Simulation simulation;
  simulation.furnish();
  ASSERT_EQ(simulation.ask("POST", "/-/sim/state", set_body(simulation.databases[0], "DEPLOYING")).status, 204);
  const Reply refused = simulation.ask("POST", "/-/sim/state", set_body(simulation.databases[1], "DEPLOYING"));
  EXPECT_EQ(refused.status, 409) << refused.body;
  EXPECT_NE(refused.body.find("is busy with deployment request"), std::string::npos) << refused.body;
  ASSERT_EQ(simulation.ask("POST", "/-/sim/state", set_body(simulation.databases[1], "QUEUED")).status, 204);
  EXPECT_EQ(simulation.state(simulation.databases[0]), "DEPLOYING");
  EXPECT_EQ(simulation.state(simulation.databases[1]), "QUEUED");
}

TEST(Hold, ARunningStepGoesOnWithTheTimeThatWasLeft) {
  Simulation simulation;
  simulation.furnish();
  simulation.ask("POST", "/-/sim/rules",
                 R"({"step":"deploy","after":"100s","progress":[{"after":"60s","text":"half"}]})");
  simulation.ask("POST", "/database/" + simulation.databases[0] + "/deploy");
  ASSERT_TRUE(simulation->advance(seconds(40)).ok());
  ASSERT_TRUE(simulation->hold(parse_id(simulation.databases[0]).value(), std::nullopt).ok());
  ASSERT_TRUE(simulation->advance(seconds(300)).ok());
  EXPECT_EQ(simulation.state(simulation.databases[0]), "DEPLOYING");
  EXPECT_EQ(simulation.events().find("half"), std::string::npos);
  ASSERT_TRUE(simulation->release(parse_id(simulation.databases[0]).value()).ok());
  ASSERT_TRUE(simulation->advance(seconds(59)).ok());
  EXPECT_NE(simulation.events().find("half"), std::string::npos);
  EXPECT_EQ(simulation.state(simulation.databases[0]), "DEPLOYING");
  ASSERT_TRUE(simulation->advance(seconds(1)).ok());
  EXPECT_EQ(simulation.state(simulation.databases[0]), "DEPLOYED");
}

TEST(Hold, TheNextStepDoesNotBegin) {
  Simulation simulation;
  simulation.furnish();
  const Id database = parse_id(simulation.databases[0]).value();
  ASSERT_TRUE(simulation->hold(database, seconds(60)).ok());
  simulation.ask("POST", "/database/" + simulation.databases[0] + "/deploy");
  ASSERT_TRUE(simulation->advance(seconds(59)).ok());
  EXPECT_EQ(simulation.state(simulation.databases[0]), "WAITING_RUNNING");
  ASSERT_TRUE(simulation->advance(seconds(1)).ok());
  EXPECT_EQ(simulation.state(simulation.databases[0]), "DEPLOYED");
}

TEST(Hold, RequestsOfAnEnvironmentAreQueued) {
  Simulation simulation;
  simulation.furnish();
  const Id environment = parse_id(simulation.environment).value();
  ASSERT_TRUE(simulation->hold(environment, std::nullopt).ok());
  simulation.ask("POST", "/environment/" + simulation.environment + "/deploy");
  ASSERT_TRUE(simulation->advance(seconds(3600)).ok());
  for (const std::string& database : simulation.databases) EXPECT_EQ(simulation.state(database), "QUEUED");
  ASSERT_TRUE(simulation->release(environment).ok());
  for (const std::string& database : simulation.databases) EXPECT_EQ(simulation.state(database), "DEPLOYED");
  EXPECT_FALSE(simulation->release(environment).ok());
}

TEST(Rules, CollectResultsAndMatchByStage) {
  Simulation simulation;
  simulation.furnish();
  simulation.ask("POST", "/-/sim/rules", R"({"stage":"DATABASE DEFAULT","after":"100s","recap_after":"70s"})");
  simulation.ask("POST", "/-/sim/rules", R"({"stage":"CONTAINER*","fails":"never"})");
  simulation.ask("POST", "/database/" + simulation.databases[0] + "/deploy");
  ASSERT_TRUE(simulation->advance(seconds(69)).ok());
  EXPECT_EQ(simulation.state(simulation.databases[0]), "DEPLOYING");
  ASSERT_TRUE(simulation->advance(seconds(1)).ok());
  EXPECT_EQ(simulation.state(simulation.databases[0]), "RECAP");
  ASSERT_TRUE(simulation->advance(seconds(30)).ok());
  EXPECT_EQ(simulation.state(simulation.databases[0]), "DEPLOYED");
}

// Every member of a rule and every path is described, the read-only members of a rule last.
TEST(Control, IsDescribed) {
  Simulation simulation;
  const Reply reply = simulation.ask("GET", "/-/sim/openapi.json");
  ASSERT_EQ(reply.status, 200);
  const Value document = parse_json(reply.body).value();
  const Value* const members = document.find_path({"components", "schemas", "Rule", "properties"});
  ASSERT_NE(members, nullptr);
  std::vector<std::string_view> described;
  for (const Member& member : members->members()) described.push_back(member.name.view());
  std::vector<std::string_view> members_of_answers(rule_members().begin(), rule_members().end());
  members_of_answers.insert(members_of_answers.end(), {"matched", "applied"});
  EXPECT_EQ(described, members_of_answers);
  for (const Member& path : document.find("paths")->members()) {
    for (const Member& method : path.value.members()) {
      std::string upper;
      for (const char letter : method.name.view()) upper += static_cast<char>(letter - ('a' - 'A'));
      const Reply answered = simulation.ask(upper, std::string(path.name.view()), "x");
      EXPECT_TRUE(answered.status != 404 && answered.status != 405) << upper << " " << path.name.view();
    }
  }
}

}  // namespace
}  // namespace orlop
