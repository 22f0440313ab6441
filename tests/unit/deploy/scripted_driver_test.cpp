#include "deploy/driver/scripted_driver.h"

#include <gtest/gtest.h>

#include "model/plan_flag.h"

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

// Only commits and the outputs of clusters are told from it.
TEST(ScriptedDriver, ReadsAConfigurationOnlyForWhatItSays) {
  const ScriptedDriver driver;
  const auto reads = [&driver](StepKind kind, std::uint32_t plan_flags) {
    Machine subject;
    subject.step_kind = static_cast<std::uint8_t>(kind);
    subject.plan_flags = plan_flags;
    return driver.reads_configuration(subject);
  };
  const auto with_git = static_cast<std::uint32_t>(PlanFlag::has_git);
  EXPECT_TRUE(reads(StepKind::build, with_git));
  EXPECT_TRUE(reads(StepKind::deploy, with_git));
  EXPECT_FALSE(reads(StepKind::deploy, 0));
  EXPECT_FALSE(reads(StepKind::stop, with_git));
  for (const StepKind kind : {StepKind::cluster_create, StepKind::cluster_update, StepKind::cluster_upgrade}) EXPECT_TRUE(reads(kind, 0));
  EXPECT_FALSE(reads(StepKind::cluster_stop, 0));
}

TEST(ScriptedDriver, TheFirstRuleThatFitsHolds) {
  ScriptRule only_builds;
  only_builds.step = StepKind::build;
  only_builds.outcome = ScriptOutcome::fail;
  ScriptRule second_try;
  second_try.attempt = 2;
  second_try.duration = seconds(5);
  ScriptedDriver driver({only_builds, second_try});
  Step again = scripted_step(2);
  again.attempt = 2;
  ASSERT_TRUE(driver.start(scripted_step(1, StepKind::build)));
  ASSERT_TRUE(driver.start(again));
  ASSERT_TRUE(driver.start(scripted_step(3)));
  EXPECT_EQ(kinds_at(driver, Instant{1000}),
            (Kinds{ReportKind::build_started, ReportKind::failed, ReportKind::started, ReportKind::started, ReportKind::succeeded}));
  EXPECT_EQ(driver.due(), Instant{6000});
}

TEST(ScriptedDriver, TimeCountsFromTheCommitAndChanceFromTheStep) {
  ScriptRule rule;
  rule.duration = seconds(10);
  rule.jitter = seconds(10);
  ScriptedDriver first({rule});
  ScriptedDriver second({rule});
  Step step = scripted_step(1);
  for (std::size_t place = 8; place < 16; ++place) step.id.bytes[place] = static_cast<std::uint8_t>(place * 37);
  ASSERT_TRUE(first.start(step));
  kinds_at(first, Instant{1000});
  const auto due = first.due();
  ASSERT_TRUE(due);
  EXPECT_GE(*due, Instant{11000});
  EXPECT_LE(*due, Instant{21000});
  // Asked again much later, by another driver: the same instant.
  step.resumed = true;
  step.reported_at = Instant{1000};
  ASSERT_TRUE(second.start(step));
  EXPECT_EQ(second.due(), due);
}

TEST(ScriptedDriver, AResumedStepEndsAlsoWhereTheRulesSayThatItHadEndedBefore) {
  ScriptRule rule;
  rule.running = RunningState::running;
  ScriptedDriver driver({rule});
  Step step = scripted_step(1);
  step.resumed = true;
  step.reported_at = Instant{1000};
  ASSERT_TRUE(driver.start(step));
  EXPECT_EQ(kinds_at(driver, Instant{1000}), (Kinds{ReportKind::succeeded, ReportKind::running_state}));
  EXPECT_EQ(driver.due(), std::nullopt);
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
  ScriptRule rule;
  rule.duration = seconds(10);
  rule.cancel_delay = seconds(4);
  ScriptedDriver driver({rule});
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
  ScriptRule rule;
  rule.outcome = ScriptOutcome::hang;
  ScriptedDriver driver({rule});
  ASSERT_TRUE(driver.start(scripted_step(1)));
  EXPECT_EQ(kinds_at(driver, Instant{1000}), (Kinds{ReportKind::started}));
  EXPECT_EQ(driver.due(), std::nullopt);
  driver.cancel(scripted_step(1).id, CancelMode::force);
  EXPECT_EQ(kinds_at(driver, Instant{1000}), (Kinds{ReportKind::canceled}));
}

}  // namespace
}  // namespace orlop
