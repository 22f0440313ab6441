// Several engines on one store, case by case: which engine drives, which takes over, and which gets a report.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/report_sealing.h"
#include "model/registry.h"
#include "platform.h"
#include "whole/shared_engines.h"
#include "wire/json.h"

namespace orlop::shared_engines {
namespace {

std::string deploy_path(Platform& platform) { return "/environment/" + platform.id_of("environment") + "/deploy"; }

TEST_P(SharedEngines, OneAloneHoldsAllAtOnceAndThenWritesNothing) {
  const auto view = store();
  Process only(store(), 1);
  EXPECT_EQ(only.work(), std::nullopt);
  EXPECT_EQ(only.held(), partition_count);
  const auto peers = *(*view->begin(Access::read))->coordination()->peers();
  for (int hour = 0; hour < 10; ++hour) {
    only.pass(Duration{3'600'000});
    EXPECT_EQ(only.work(), std::nullopt);
  }
  EXPECT_EQ(*(*view->begin(Access::read))->coordination()->peers(), peers);
}

TEST_P(SharedEngines, TwoDivideThePartitionsOneAtATime) {
  Process first(store(), 1);
  first.work();
  Process second(store(), 2);
  second.work();
  EXPECT_EQ(second.held(), 0U);
  first.work();
  EXPECT_EQ(first.held(), partition_count - 1);
  first.work();
  EXPECT_EQ(first.held(), partition_count - 1) << "the next one is released when that was taken";
  share(first, second);
  EXPECT_EQ(first.held(), partition_count / 2);
  EXPECT_EQ(second.held(), partition_count / 2);
  second.engine().close();
  first.work();
  EXPECT_EQ(first.held(), partition_count);
}

TEST_P(SharedEngines, ARequestToOneIsDoneByTheOther) {
  Process first(store(), 1);
  first.work();
  Process second(store(), 2);  // never ticks, like a script
  Platform platform(second.engine());
  const std::string container = platform.id_of("container");
  ASSERT_LT(platform.ask("POST", deploy_path(platform)).status, 300);
  EXPECT_TRUE(first.engine().look(false));
  first.work();
  ASSERT_FALSE(first.steps().empty());
  EXPECT_FALSE(first.steps()[0].resumed);
  EXPECT_TRUE(second.steps().empty());
}

// The step's engine masks a secret in a report; until then the report is sealed like the secret itself. Returns the
// text of the waiting reports.
std::string report_secret_to_another(const std::function<std::shared_ptr<Store>()>& store, const std::string& key) {
  Process first(store(), 1, As{.secret_key = key});
  first.work();
  Process second(store(), 2, As{.secret_key = key});
  Platform platform(second.engine());
  const std::string container = platform.id_of("container");
  EXPECT_LT(platform.ask("POST", "/container/" + container + "/secret", R"({"key": "API_KEY", "value": "canary-4711"})")
                .status,
            300);
  EXPECT_LT(platform.ask("POST", "/container/" + container + "/deploy").status, 300);
  first.work();
  EXPECT_EQ(first.steps().size(), 1U);
  if (first.steps().empty()) return {};
  const Step step = first.steps()[0];
  EXPECT_TRUE(second.report(step, ReportKind::log_line, "curl -u canary-4711"));
  EXPECT_TRUE(second.report(step, ReportKind::failed, "cannot log in with canary-4711"));
  std::string waiting;
  const std::shared_ptr<Store> read = store();
  const auto transaction = read->begin(Access::read);
  const auto reports = (*transaction)->coordination()->reports(PartitionSet::all(), SIZE_MAX);
  for (const InboxReport& report : *reports) waiting += report.text;
  first.work();
  EXPECT_EQ(count_in(second.engine(), "canary-4711"), 0U);
  EXPECT_EQ(count_in(second.engine(), "curl -u ***"), 1U);
  EXPECT_GE(count_in(second.engine(), "cannot log in with ***"), 1U);
  return waiting;
}

TEST_P(SharedEngines, AReportThatHoldsASecretIsSealedWhileItWaitsAndMaskedWhenItIsTaken) {
  const std::string waiting = report_secret_to_another([this] { return store(); }, std::string(32, 'k'));
  EXPECT_NE(waiting, "");
  EXPECT_EQ(waiting.find("canary-4711"), std::string::npos) << waiting;
}

TEST_P(SharedEngines, WithoutAKeyAReportWaitsAsTheSecretItselfLies) {
  const std::string waiting = report_secret_to_another([this] { return store(); }, "");
  EXPECT_NE(waiting.find("canary-4711"), std::string::npos) << waiting;
}

// A report sealed with a key that has been replaced since is not lost silently.
TEST_P(SharedEngines, AReportThatCannotBeOpenedFailsItsStepWithTheReason) {
  auto first = std::make_unique<Process>(store(), 1, As{.secret_key = std::string(32, 'a')});
  first->work();
  Platform platform(first->engine());
  const std::string container = platform.id_of("container");
  ASSERT_LT(platform.ask("POST", "/container/" + container + "/deploy").status, 300);
  first->work();
  ASSERT_EQ(first->steps().size(), 1U);
  const Step step = first->steps()[0];
  InboxReport left{0, partition_of_step(step.id), step.id, new_year, static_cast<std::uint8_t>(ReportKind::succeeded),
                   0, R"({"git_commit_id":"1"})"};
  ASSERT_TRUE(ReportSealing({std::string(32, 'b'), {}}).seal(left));
  Changes changes;
  changes.coordination.reports.push_back(left);
  ASSERT_TRUE((*store()->begin(Access::write))->apply_and_commit(std::move(changes)));
  EXPECT_TRUE(first->engine().look(false));
  first->work();
  EXPECT_GE(count_in(first->engine(), "the text of this report was sealed with a key that this engine does not have"),
            1U);
}

TEST_P(SharedEngines, AReportToOneReachesTheOtherOnceAndSurvivesItsEnd) {
  auto first = std::make_unique<Process>(store(), 1);
  first->work();
  Process second(store(), 2);
  Platform platform(second.engine());
  const std::string container = platform.id_of("container");
  ASSERT_LT(platform.ask("POST", "/container/" + container + "/deploy").status, 300);
  first->work();
  ASSERT_EQ(first->steps().size(), 1U);
  const Step step = first->steps()[0];
  ASSERT_TRUE(second.report(step, ReportKind::log_line, "from elsewhere"));
  first->work();
  EXPECT_EQ(count_in(second.engine(), "from elsewhere"), 1U);
  first->work();
  EXPECT_EQ(count_in(second.engine(), "from elsewhere"), 1U);
  ASSERT_TRUE(second.report(step, ReportKind::succeeded));
  first->kill();
  Process third(store(), 3);
  third.work();
  EXPECT_EQ(state_of(platform, container), "DEPLOYED");
}

TEST_P(SharedEngines, ARunningStateReportedAnywhereIsTaken) {
  Process first(store(), 1);
  first.work();
  Process second(store(), 2);
  Platform platform(second.engine());
  const std::string container = platform.id_of("container");
  const Id id = *parse_id(container);
  ASSERT_LT(platform.ask("POST", "/container/" + container + "/deploy").status, 300);
  first.work();
  ASSERT_EQ(first.steps().size(), 1U);
  ASSERT_TRUE(first.report(first.steps()[0], ReportKind::succeeded));
  first.work();
  ASSERT_TRUE(second.engine().report({id, ReportKind::running_state, RunningState::running, ""}));
  first.work();
  EXPECT_EQ(count_in(second.engine(), "running_changed"), 1U);
}

TEST_P(SharedEngines, AnUnknownStepOfItsOwnIsRefused) {
  Process first(store(), 1);
  first.work();
  Step step;
  step.id = *parse_id("0198c0de-0000-7000-8000-000000000001");
  const auto refused = first.report(step, ReportKind::succeeded);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::not_found);
}

// At every point where the first engine may be stopped, its late reports, deadlines and decisions have no effect.
TEST_P(SharedEngines, OneThatStoodStillHasLostItsWorkAndComesBack) {
  Process first(store(), 1);
  Platform platform(first.engine());
  std::vector<std::string> containers;
  for (int made = 0; made < 20; ++made) containers.push_back(platform.make_another(*find_family("container")));
  ASSERT_LT(platform.ask("POST", deploy_path(platform)).status, 300);
  first.work();
  const std::vector<Step> late = first.steps();
  ASSERT_GE(late.size(), 16U);

  Process second(store(), 2);
  second.work();
  EXPECT_TRUE(second.steps().empty());
  for (int third = 0; third < 3; ++third) {
    second.pass(Duration{lease_time.milliseconds / 3});
    second.work();
  }
  EXPECT_TRUE(second.steps().empty()) << "the lease time has not passed";
  second.pass(Duration{1});
  second.work();
  ASSERT_EQ(second.steps().size(), late.size());
  for (const Step& step : second.steps()) {
    EXPECT_TRUE(step.resumed);
    EXPECT_TRUE(std::ranges::any_of(late, [&](const Step& before) { return before.id == step.id; }));
  }

  for (const Step& step : late) EXPECT_TRUE(first.report(step, ReportKind::failed, "too late"));
  first.pass(Duration{7'200'000});  // past the deadline of every step
  first.work();
  EXPECT_EQ(first.steps().size(), late.size());
  EXPECT_EQ(count_in(second.engine(), "deployment.ended"), 0U);
  EXPECT_EQ(count_in(second.engine(), "did not end within its time"), 0U);
}

void expect_lost(const Result<void>& reported) {
  ASSERT_FALSE(reported);
  EXPECT_EQ(reported.error().code, ErrorCode::step_lost);
}

// Only the driver that was given the step last may report on it.
TEST_P(SharedEngines, OneThatStoodStillHasLostItsStepsAndIsRefusedTheirReports) {
  Process first(store(), 1);
  Platform platform(first.engine());
  const std::string container = platform.id_of("container");
  ASSERT_LT(platform.ask("POST", "/container/" + container + "/deploy").status, 300);
  first.work();
  ASSERT_EQ(first.steps().size(), 1U);
  const Step step = first.steps()[0];
  Process second(store(), 2);
  second.work();
  stand_still(first, second);
  ASSERT_EQ(second.steps().size(), 1U);
  EXPECT_EQ(second.steps()[0].id, step.id);

  for (const ReportKind kind : {ReportKind::progress, ReportKind::succeeded, ReportKind::failed})
    expect_lost(first.report(step, kind, "before it has looked"));
  EXPECT_TRUE(first.lost_steps().empty());
  first.work();
  EXPECT_EQ(first.lost_steps(), std::vector<Id>{step.id});
  for (const ReportKind kind : {ReportKind::progress, ReportKind::succeeded, ReportKind::failed})
    expect_lost(first.report(step, kind, "after it has looked"));
  first.work();
  EXPECT_EQ(first.lost_steps().size(), 1U) << "it is said once";
  second.work();
  EXPECT_NE(state_of(platform, container), "DEPLOYED");
  EXPECT_EQ(count_in(second.engine(), "it has looked"), 0U);

  Process third(store(), 3, {EngineRole::serve});
  EXPECT_TRUE(third.report(step, ReportKind::log_line, "from a third party")) << "it never had the step";
  second.work();
  EXPECT_EQ(count_in(second.engine(), "from a third party"), 1U);
  second.succeed(step);
  second.work();
  EXPECT_EQ(state_of(platform, container), "DEPLOYED");
  EXPECT_TRUE(second.lost_steps().empty());
}

TEST_P(SharedEngines, AStepThatComesBackIsReportedAgain) {
  Process first(store(), 1);
  Platform platform(first.engine());
  const std::string container = platform.id_of("container");
  ASSERT_LT(platform.ask("POST", "/container/" + container + "/deploy").status, 300);
  first.work();
  ASSERT_EQ(first.steps().size(), 1U);
  {
    Process second(store(), 2);
    second.work();
    stand_still(first, second);
    first.work();
    expect_lost(first.report(first.steps()[0], ReportKind::progress));
  }
  first.pass(lease_time);  // it looks at the leases again
  first.work();
  ASSERT_EQ(first.steps().size(), 2U);
  EXPECT_TRUE(first.steps()[1].resumed);
  EXPECT_EQ(first.steps()[1].id, first.steps()[0].id);
  first.succeed(first.steps()[1]);
  first.work();
  EXPECT_EQ(state_of(platform, container), "DEPLOYED");
}

// Each call takes nearly half of the lease time; together they take much more. The last heartbeat is older than the
// last look.
TEST_P(SharedEngines, OneWhoseDriverTakesStepsSlowlyKeepsThem) {
  Process first(store(), 1);
  Process second(store(), 2, {EngineRole::both, false});
  Platform platform(second.engine());
  for (int made = 0; made < 20; ++made) platform.make_another(*find_family("container"));
  for (Process* process : {&first, &second, &first}) process->work();
  const auto pass = [&] {
    for (Process* process : {&first, &second}) process->pass(Duration{lease_time.milliseconds * 12 / 100});
  };
  pass();
  pass();
  first.driver().while_taking = [&] {
    for (int part = 0; part < 4; ++part) {
      pass();
      second.work();
    }
  };
  ASSERT_LT(platform.ask("POST", deploy_path(platform)).status, 300);
  first.work();
  first.driver().while_taking = nullptr;
  share(first, second);
  EXPECT_GE(first.steps().size() + second.steps().size(), 16U);
  for (Process* process : {&first, &second}) {
    for (const Step& step : process->steps()) EXPECT_FALSE(step.resumed);
  }
}

TEST_P(SharedEngines, OneWithoutADriverLeavesTheWorkToOneThatHasOne) {
  Process script(store(), 1, {EngineRole::both, false});
  script.work();
  EXPECT_EQ(script.held(), partition_count);
  Process server(store(), 2);
  share(script, server);
  EXPECT_EQ(script.held(), 0U);
  EXPECT_EQ(server.held(), partition_count);
  server.engine().close();
  script.work();
  EXPECT_EQ(script.held(), partition_count);
}

TEST_P(SharedEngines, RolesSayWhoDrives) {
  Process web(store(), 1, {EngineRole::serve, true});
  EXPECT_EQ(web.work(), std::nullopt);
  EXPECT_EQ(web.held(), 0U);
  Process both(store(), 2);
  both.work();
  EXPECT_EQ(both.held(), partition_count);
  Process deployer(store(), 3, {EngineRole::drive, true});
  share(both, deployer);
  EXPECT_EQ(both.held(), 0U);
  EXPECT_EQ(deployer.held(), partition_count);
  Platform platform(web.engine());
  ASSERT_LT(platform.ask("POST", "/container/" + platform.id_of("container") + "/deploy").status, 300);
  for (Process* process : {&web, &both, &deployer}) process->work();
  EXPECT_EQ(web.steps().size() + both.steps().size(), 0U);
  EXPECT_EQ(deployer.steps().size(), 1U);
}

TEST_P(SharedEngines, APartitionWithARunningStepStaysUntilItHasEnded) {
  Process script(store(), 1, {EngineRole::both, false});
  Platform platform(script.engine());
  const std::string container = platform.id_of("container");
  ASSERT_LT(platform.ask("POST", "/container/" + container + "/deploy").status, 300);
  script.work();
  ASSERT_EQ(script.steps().size(), 1U);
  Process server(store(), 2);
  share(script, server);
  EXPECT_EQ(script.held(), 1U);
  EXPECT_TRUE(server.steps().empty());
  script.succeed(script.steps()[0]);
  share(script, server);
  EXPECT_EQ(script.held(), 0U);
  EXPECT_EQ(state_of(platform, container), "DEPLOYED");
}

TEST_P(SharedEngines, OneThatLeavesBeginsNothingAndGivesItsWorkBack) {
  Process first(store(), 1);
  Platform platform(first.engine());
  const std::string running = platform.id_of("container");
  const std::string waiting = platform.make_another(*find_family("container"));
  ASSERT_LT(platform.ask("POST", "/container/" + running + "/deploy").status, 300);
  first.work();
  ASSERT_EQ(first.steps().size(), 1U);
  ASSERT_LT(platform.ask("POST", "/container/" + waiting + "/deploy").status, 300);
  Process second(store(), 2);
  second.work();
  first.engine().leave(false);
  first.work();
  EXPECT_EQ(first.held(), 1U);
  EXPECT_FALSE(first.engine().has_left());
  first.succeed(first.steps()[0]);
  first.work();
  EXPECT_EQ(first.steps().size(), 1U) << "it begins nothing";
  EXPECT_TRUE(first.engine().has_left());
  second.work();
  ASSERT_EQ(second.steps().size(), 1U);
  EXPECT_FALSE(second.steps()[0].resumed);
  EXPECT_EQ(state_of(platform, running), "DEPLOYED");
  EXPECT_EQ(first.work(), std::nullopt);
}

TEST_P(SharedEngines, OneThatHasToLeaveGivesRunningStepsBackToo) {
  Process first(store(), 1);
  Platform platform(first.engine());
  const std::string container = platform.id_of("container");
  ASSERT_LT(platform.ask("POST", "/container/" + container + "/deploy").status, 300);
  first.work();
  Process second(store(), 2);
  second.work();
  first.engine().leave(true);
  first.work();
  EXPECT_TRUE(first.engine().has_left());
  second.work();
  ASSERT_EQ(second.steps().size(), 1U);
  EXPECT_TRUE(second.steps()[0].resumed);
  EXPECT_EQ(first.lost_steps().size(), 1U);
  expect_lost(first.report(first.steps()[0], ReportKind::succeeded));
  second.succeed(second.steps()[0]);
  second.work();
  EXPECT_EQ(state_of(platform, container), "DEPLOYED");
}

// A report before another engine has the step is delivered to that engine.
TEST_P(SharedEngines, AStepThatNoOtherHasTakenIsNotLost) {
  Process first(store(), 1);
  Platform platform(first.engine());
  const std::string container = platform.id_of("container");
  ASSERT_LT(platform.ask("POST", "/container/" + container + "/deploy").status, 300);
  first.work();
  ASSERT_EQ(first.steps().size(), 1U);
  Process second(store(), 2);
  second.work();
  first.engine().leave(true);
  first.work();
  EXPECT_TRUE(first.report(first.steps()[0], ReportKind::log_line, "said in between"));
  second.work();
  EXPECT_EQ(count_in(second.engine(), "said in between"), 1U);
  expect_lost(first.report(first.steps()[0], ReportKind::log_line, "said too late"));
  second.succeed(second.steps()[0]);
  second.work();
  EXPECT_EQ(state_of(platform, container), "DEPLOYED");
  EXPECT_EQ(count_in(second.engine(), "said too late"), 0U);
}

TEST_P(SharedEngines, AKilledOneIsReplacedAtOnce) {
  auto first = std::make_unique<Process>(store(), 1);
  Platform platform(first->engine());
  const std::string container = platform.id_of("container");
  ASSERT_LT(platform.ask("POST", "/container/" + container + "/deploy").status, 300);
  first->work();
  ASSERT_EQ(first->steps().size(), 1U);
  first->kill();
  Process second(store(), 2);
  second.work();
  ASSERT_EQ(second.steps().size(), 1U);
  EXPECT_TRUE(second.steps()[0].resumed);
  EXPECT_EQ(second.held(), partition_count);
}

TEST_P(SharedEngines, TheSameSeedIsAnotherEngine) {
  Process first(store(), 1);
  first.work();
  Process second(store(), 1);
  second.work();
  share(first, second);
  EXPECT_EQ(first.held(), partition_count / 2);
}

// Another program locked the store, so that no engine could renew its lease.
TEST_P(SharedEngines, ThatWereAllKeptWaitingTakeNothingFromEachOther) {
  Process first(store(), 1);
  const auto slow = std::make_shared<SlowStore>(store());
  Process second(slow, 2);
  share(first, second);
  ASSERT_EQ(first.held(), partition_count / 2);
  ASSERT_EQ(second.held(), partition_count / 2);

  const Duration third{lease_time.milliseconds / 3 + 1};
  second.pass(third);
  second.work();
  slow->before_write = [&] { second.pass(Duration{3 * lease_time.milliseconds}); };
  second.pass(third);
  second.work();  // sends its heartbeat, and waits for its turn
  slow->before_write = nullptr;
  EXPECT_EQ(second.held(), partition_count / 2);
  second.pass(Duration{lease_time.milliseconds / 2});
  first.pass(Duration{4 * lease_time.milliseconds});
  first.work();
  second.work();
  EXPECT_EQ(first.held(), partition_count / 2);
  EXPECT_EQ(second.held(), partition_count / 2);
}

TEST_P(SharedEngines, OneThatWasAwayDoesNotTakeTheOthersForGone) {
  Process first(store(), 1);
  Process second(store(), 2);
  share(first, second);
  second.pass(Duration{5 * lease_time.milliseconds});
  second.work();
  first.work();
  EXPECT_EQ(first.held(), partition_count / 2);
  EXPECT_EQ(second.held(), partition_count / 2);
}

INSTANTIATE_TEST_SUITE_P(Stores, SharedEngines, testing::Values("memory", "sqlite"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace orlop::shared_engines
