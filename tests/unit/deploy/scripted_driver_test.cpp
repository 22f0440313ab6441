#include "deploy/driver/scripted_driver.h"

#include <gtest/gtest.h>

#include "model/plan_flag.h"
#include "scripted_steps.h"

namespace orlop {
namespace {

Step scripted_step(std::uint8_t number, StepKind kind = StepKind::deploy) {
  Step step;
  step.id.bytes[15] = number;
  step.subject.bytes[0] = number;
  step.kind = kind;
  step.name = "web";
  step.started_at = Instant{1000};
  return step;
}

std::vector<ReportKind> kinds_at(ScriptedDriver& driver, Instant now) {
  std::vector<Report> reports;
  driver.poll(now, reports);
  std::vector<ReportKind> kinds;
  for (const Report& report : reports) kinds.push_back(report.kind);
  return kinds;
}

using Kinds = std::vector<ReportKind>;

TEST(Matches, StarsAndQuestionMarks) {
  EXPECT_TRUE(matches("*", ""));
  EXPECT_TRUE(matches("web", "web"));
  EXPECT_FALSE(matches("web", "webs"));
  EXPECT_TRUE(matches("w?b", "web"));
  EXPECT_FALSE(matches("w?b", "wb"));
  EXPECT_TRUE(matches("*-*-db", "a-b-db-db"));
  EXPECT_FALSE(matches("*-*-db", "a-db"));
  EXPECT_TRUE(matches("a*b*c", "axxbyyc"));
  EXPECT_FALSE(matches("", "a"));
  EXPECT_TRUE(matches("", ""));
}

TEST(ScriptedDriver, SucceedsAtOnceWithoutARule) {
  ScriptedDriver driver;
  ASSERT_TRUE(driver.start(scripted_step(1)));
  EXPECT_EQ(driver.due(), Instant{1000});
  EXPECT_EQ(kinds_at(driver, Instant{1000}), (Kinds{ReportKind::started, ReportKind::succeeded}));
  EXPECT_EQ(driver.due(), std::nullopt);
}

// The driver reads only commits and the outputs of clusters from the configuration.
TEST(ScriptedDriver, ReadsAConfigurationOnlyForWhatItSays) {
  const ScriptedDriver driver;
  const auto reads = [&driver](StepKind kind, std::uint32_t plan_flags) {
    Machine subject;
    subject.step_kind = static_cast<std::uint8_t>(kind);
    subject.plan_flags = plan_flags;
    return driver.reads(subject).configuration;
  };
  const auto with_git = static_cast<std::uint32_t>(PlanFlag::has_git);
  EXPECT_TRUE(reads(StepKind::build, with_git));
  EXPECT_TRUE(reads(StepKind::deploy, with_git));
  EXPECT_FALSE(reads(StepKind::deploy, 0));
  EXPECT_FALSE(reads(StepKind::stop, with_git));
  for (const StepKind kind : {StepKind::cluster_create, StepKind::cluster_update, StepKind::cluster_upgrade})
    EXPECT_TRUE(reads(kind, 0));
  EXPECT_FALSE(reads(StepKind::cluster_stop, 0));
}

TEST(ScriptedDriver, TheFirstRuleThatFitsHolds) {
  StepRule only_builds;
  only_builds.step = StepKind::build;
  only_builds.outcome = ScriptOutcome::fail;
  StepRule second_try;
  second_try.attempt = 2;
  second_try.duration = seconds(5);
  ScriptedSteps driver({only_builds, second_try});
  Step again = scripted_step(2);
  again.attempt = 2;
  ASSERT_TRUE(driver.start(scripted_step(1, StepKind::build)));
  ASSERT_TRUE(driver.start(again));
  ASSERT_TRUE(driver.start(scripted_step(3)));
  EXPECT_EQ(kinds_at(driver, Instant{1000}), (Kinds{ReportKind::build_started, ReportKind::failed, ReportKind::started,
                                                    ReportKind::started, ReportKind::succeeded}));
  EXPECT_EQ(driver.due(), Instant{6000});
}

TEST(ScriptedDriver, TimeCountsFromTheCommitAndRandomnessFromTheStep) {
  StepRule rule;
  rule.duration = seconds(10);
  rule.jitter = seconds(10);
  ScriptedSteps first({rule});
  ScriptedSteps second({rule});
  Step step = scripted_step(1);
  for (std::size_t place = 8; place < 16; ++place) step.id.bytes[place] = static_cast<std::uint8_t>(place * 37);
  ASSERT_TRUE(first.start(step));
  kinds_at(first, Instant{1000});
  const auto due = first.due();
  ASSERT_TRUE(due);
  EXPECT_GE(*due, Instant{11000});
  EXPECT_LE(*due, Instant{21000});
  // Started again much later, by another driver: it ends at the same instant.
  step.resumed = true;
  step.reported_at = Instant{1000};
  ASSERT_TRUE(second.start(step));
  EXPECT_EQ(second.due(), due);
}

TEST(ScriptedDriver, AResumedStepEndsAlsoWhereTheRulesSayThatItHadEndedBefore) {
  StepRule rule;
  rule.running = RunningState::running;
  ScriptedSteps driver({rule});
  Step step = scripted_step(1);
  step.resumed = true;
  step.reported_at = Instant{1000};
  ASSERT_TRUE(driver.start(step));
  EXPECT_EQ(kinds_at(driver, Instant{1000}), (Kinds{ReportKind::succeeded, ReportKind::running_state}));
  EXPECT_EQ(driver.due(), std::nullopt);
}

// Reports that were withheld and are stored already are not repeated, and the others follow.
TEST(ScriptedDriver, AStepThatWasReleasedEndsWhenItIsStartedAgain) {
  StepRule rule;
  rule.hold = StepHold::manual;
  rule.hold_point = HoldPoint::begin;
  rule.reports = {{seconds(1), ReportKind::progress, "pulling"}};
  rule.duration = seconds(2);
  ScriptedSteps driver({rule});
  Step step = scripted_step(1);
  ASSERT_TRUE(driver.start(step));
  EXPECT_EQ(kinds_at(driver, Instant{1000}), (Kinds{ReportKind::started}));
  ASSERT_TRUE(driver.release(step.subject, Instant{5000}));
  EXPECT_EQ(kinds_at(driver, Instant{6000}), (Kinds{ReportKind::progress}));
  step.resumed = true;
  step.reported_at = Instant{6000};
  ASSERT_TRUE(driver.start(step));
  EXPECT_EQ(driver.due(), Instant{7000});
  EXPECT_EQ(kinds_at(driver, Instant{7000}), (Kinds{ReportKind::succeeded}));
}

TEST(ScriptedDriver, StartingTwiceStartsNothingNew) {
  ScriptedDriver driver;
  ASSERT_TRUE(driver.start(scripted_step(1)));
  ASSERT_TRUE(driver.start(scripted_step(1)));
  Step resumed = scripted_step(1);
  resumed.resumed = true;
  ASSERT_TRUE(driver.start(resumed));
  EXPECT_EQ(kinds_at(driver, Instant{1000}).size(), 2U);
}

TEST(ScriptedDriver, ACancelIsAnsweredUnlessTheOutcomeComesFirst) {
  StepRule rule;
  rule.duration = seconds(10);
  rule.cancel_delay = seconds(4);
  ScriptedSteps driver({rule});
  ASSERT_TRUE(driver.start(scripted_step(1)));
  ASSERT_TRUE(driver.start(scripted_step(2)));
  kinds_at(driver, Instant{3000});
  driver.cancel(scripted_step(1).id, CancelMode::interruptible);
  EXPECT_EQ(kinds_at(driver, Instant{7000}), (Kinds{ReportKind::canceled}));
  kinds_at(driver, Instant{8000});
  driver.cancel(scripted_step(2).id, CancelMode::interruptible);
  EXPECT_EQ(kinds_at(driver, Instant{11000}), (Kinds{ReportKind::succeeded}));
}

TEST(ScriptedDriver, WhatHangsIsHeardOfOnlyWhenItIsCanceled) {
  StepRule rule;
  rule.outcome = ScriptOutcome::hang;
  ScriptedSteps driver({rule});
  ASSERT_TRUE(driver.start(scripted_step(1)));
  EXPECT_EQ(kinds_at(driver, Instant{1000}), (Kinds{ReportKind::started}));
  EXPECT_EQ(driver.due(), std::nullopt);
  driver.cancel(scripted_step(1).id, CancelMode::force);
  EXPECT_EQ(kinds_at(driver, Instant{1000}), (Kinds{ReportKind::canceled}));
}

std::vector<Report> reports_at(ScriptedDriver& driver, std::int64_t now) {
  std::vector<Report> reports;
  driver.poll(Instant{now}, reports);
  return reports;
}

TEST(ScriptedDriver, NamesTheStepAndOfARunningStateTheService) {
  StepRule rule;
  rule.duration = seconds(10);
  rule.outputs = R"({"answer":{"value":"a text that is longer than a few bytes"}})";
  rule.running = RunningState::running;
  rule.crash_after = seconds(5);
  ScriptedSteps driver({rule});
  const Step step = scripted_step(1);
  ASSERT_TRUE(driver.start(step));
  const auto expect_the_end = [&](const char* when) {
    const std::vector<Report> end = reports_at(driver, 11000);
    ASSERT_EQ(end.size(), 2U) << when;
    EXPECT_EQ(end[0].step, step.id);
    EXPECT_EQ(end[0].kind, ReportKind::succeeded);
    EXPECT_EQ(end[0].text, rule.outputs) << when;
    EXPECT_EQ(end[1].step, step.subject);
    EXPECT_EQ(end[1].kind, ReportKind::running_state);
    EXPECT_EQ(end[1].running, RunningState::running);
    const std::vector<Report> crash = reports_at(driver, 16000);
    ASSERT_EQ(crash.size(), 1U) << when;
    EXPECT_EQ(crash[0].step, step.subject);
    EXPECT_EQ(crash[0].running, RunningState::error);
    EXPECT_EQ(driver.due(), std::nullopt) << when;
  };
  EXPECT_EQ(reports_at(driver, 1000).size(), 1U);
  const auto memory = driver.memory();
  expect_the_end("before it goes back");
  driver.go_back(*memory);
  expect_the_end("after it has gone back");
}

TEST(ScriptedDriver, SaysWhatIsDueAtOneInstantInTheOrderOfTheSteps) {
  StepRule later;
  later.name = "later";
  later.duration = seconds(2);
  ScriptedSteps driver({later});
  const auto ids_at = [&](std::int64_t now) {
    std::vector<int> ids;
    for (const Report& report : reports_at(driver, now)) ids.push_back(report.step.bytes[15]);
    return ids;
  };
  const auto start = [&](std::uint8_t number, std::int64_t at, const char* name) {
    Step step = scripted_step(number);
    step.started_at = Instant{at};
    step.name = name;
    ASSERT_TRUE(driver.start(step));
  };
  start(5, 1000, "later");
  start(2, 1000, "later");
  EXPECT_EQ(ids_at(1000), (std::vector{2, 5}));
  EXPECT_EQ(ids_at(3000), (std::vector{2, 5}));
  // Steps that end and begin at one instant.
  start(9, 3000, "later");
  start(4, 3000, "later");
  start(1, 3000, "web");
  start(3, 2000, "web");
  EXPECT_EQ(driver.due(), Instant{2000});
  driver.cancel(scripted_step(9).id, CancelMode::force);
  EXPECT_EQ(ids_at(3000), (std::vector{3, 3, 1, 1, 4, 9, 9}));
  EXPECT_EQ(ids_at(5000), (std::vector{4}));
  EXPECT_EQ(driver.due(), std::nullopt);
}

}  // namespace
}  // namespace orlop
