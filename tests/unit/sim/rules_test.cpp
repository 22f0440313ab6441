#include "sim/rules/rule_set.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/registry.h"
#include "wire/json.h"

namespace orlop {
namespace {

constexpr Instant noon = {1'767'268'800'000};

Step step_of(std::uint32_t number, const std::string& name = "web", StepKind kind = StepKind::deploy,
             std::string_view family = "container") {
  Step step;
  for (std::size_t at = 0; at < 4; ++at) step.id.bytes[at] = static_cast<std::uint8_t>(number >> (8 * at));
  step.subject.bytes[0] = 1;
  step.kind = kind;
  step.family = find_family(family)->number;
  step.name = name;
  step.started_at = noon;
  return step;
}

void add(RuleSet& rules, const std::string& json) {
  const auto added = rules.add(parse_json(json).value(), noon);
  EXPECT_TRUE(added.ok()) << added.error().message;
}

std::string refusal_of(const std::string& json) {
  RuleSet rules;
  const auto added = rules.add(parse_json(json).value(), noon);
  return added.ok() ? "" : added.error().message;
}

std::string text_of(const RuleSet& rules, const ScriptedDriver* running = nullptr) {
  Writer out;
  rules.write(out, running);
  return std::move(out).take();
}

std::string decides(RuleSet& rules, const Step& step) {
  const auto rule = rules.rule_for(step);
  return rule == nullptr ? "" : rule->title;
}

TEST(RuleSet, WithoutRulesDecidesNothing) {
  RuleSet rules;
  EXPECT_EQ(rules.rule_for(step_of(1)), nullptr);
  EXPECT_TRUE(rules.is_empty());
  EXPECT_FALSE(rules.reads({}).configuration);
  EXPECT_FALSE(rules.reads({}).name);
}

TEST(RuleSet, TheMostSpecificRuleDecidesWhateverTheOrder) {
  const std::vector<std::string> rules_given = {R"({"rule":"any"})", R"({"rule":"kind","kind":"container"})",
                                                R"({"rule":"wild","kind":"container","name":"w*"})",
                                                R"({"rule":"name","kind":"container","name":"web"})"};
  std::vector<std::size_t> order = {0, 1, 2, 3};
  do {
    RuleSet rules;
    for (const std::size_t at : order) add(rules, rules_given[at]);
    EXPECT_EQ(decides(rules, step_of(1)), "name");
    EXPECT_EQ(decides(rules, step_of(2, "worker")), "wild");
    EXPECT_EQ(decides(rules, step_of(3, "api")), "kind");
    EXPECT_EQ(decides(rules, step_of(4, "api", StepKind::deploy, "database")), "any");
  } while (std::ranges::next_permutation(order).found);
}

TEST(RuleSet, OfEquallySpecificRulesTheLastAddedDecides) {
  RuleSet rules;
  add(rules, R"({"rule":"first","step":"deploy"})");
  add(rules, R"({"rules":[{"rule":"second","step":"deploy"},{"rule":"third","step":"deploy"}]})");
  EXPECT_EQ(decides(rules, step_of(1)), "third");
}

// While the step runs, and after it is continued from text.
TEST(RuleSet, AStepKeepsItsRule) {
  RuleSet rules;
  ScriptedDriver driver;
  driver.set_decider(rules);
  const auto start = [&driver](std::uint32_t number, bool resumed) {
    Step step = step_of(number);
    step.resumed = resumed;
    EXPECT_TRUE(driver.start(step));
  };
  add(rules, R"({"rule":"first"})");
  start(1, false);
  const auto first = driver.origins();
  ASSERT_EQ(first.size(), 1U);
  add(rules, R"({"rule":"second"})");
  start(1, true);
  EXPECT_EQ(driver.origins(), first);
  start(2, false);
  ASSERT_EQ(driver.origins().size(), 2U);
  EXPECT_NE(driver.origins().back().second, first.front().second);
  rules.clear();
  start(1, true);
  EXPECT_EQ(driver.origins().front(), first.front());
  RuleSet opened;
  ASSERT_TRUE(opened.replace(parse_json(text_of(rules, &driver)).value(), noon).ok());
  EXPECT_EQ(decides(opened, step_of(1)), "first");
  EXPECT_EQ(decides(opened, step_of(2)), "second");
  opened.ended(step_of(1).id);
  EXPECT_EQ(decides(opened, step_of(1)), "");
}

TEST(RuleSet, CountsTimesAndEvery) {
  RuleSet rules;
  add(rules, R"({"rule":"twice","times":2,"every":3})");
  std::string decided;
  for (std::uint32_t step = 1; step <= 9; ++step) decided += decides(rules, step_of(step)).empty() ? '-' : 'x';
  EXPECT_EQ(decided, "--x--x---");
  EXPECT_NE(text_of(rules).find(R"("matched":6,"applied":2)"), std::string::npos) << text_of(rules);
}

TEST(RuleSet, AppliesOverARateOrAQuota) {
  RuleSet rules;
  add(rules, R"({"rule":"rate","over":2,"per":"1h"})");
  const auto at = [](std::uint32_t number, std::int64_t second) {
    Step step = step_of(number);
    step.started_at = noon + seconds(second);
    return step;
  };
  std::string decided;
  std::uint32_t number = 0;
  for (const std::int64_t second : {0, 10, 20, 3599, 3600, 3601, 3602, 20'000, 20'001, 20'002})
    decided += decides(rules, at(++number, second)) + ",";
  EXPECT_EQ(decided, ",,rate,rate,,,rate,,,rate,");
  EXPECT_NE(text_of(rules).find(R"("matched":10,"applied":4,"counted":3,"counted_since":"2026-01-01T17:33:20.000Z")"),
            std::string::npos)
      << text_of(rules);

  RuleSet quota;
  add(quota, R"({"rule":"quota","over":2})");
  ScriptedDriver driver;
  driver.set_decider(quota);
  for (const auto& [step, second] : {std::pair(1U, 0), std::pair(2U, 1'000'000), std::pair(3U, 2'000'000)})
    EXPECT_TRUE(driver.start(at(step, second)));
  EXPECT_EQ(driver.origins().size(), 1U);
  const std::string text = text_of(quota, &driver);
  Step resumed = at(3, 2'000'000);
  resumed.resumed = true;
  EXPECT_TRUE(driver.start(resumed));
  EXPECT_EQ(text_of(quota, &driver), text) << "a step that runs is not counted again";
  RuleSet again;
  const ScriptedDriver idle;
  ASSERT_TRUE(again.replace(parse_json(text).value(), noon).ok());
  EXPECT_EQ(text_of(again, &idle), text);
  EXPECT_EQ(decides(again, at(4, 0)), "quota");
  EXPECT_EQ(refusal_of(R"({"per":"1h"})"), "rule.over is required where per is given");
  EXPECT_EQ(refusal_of(R"({"over":0})"), "rule.over must be a whole number of 1 to 4294967295, not 0");
  EXPECT_EQ(refusal_of(R"({"over":1,"per":"0s"})"), "rule.per must be a duration of at least 1 ms, not \"0s\"");
}

TEST(RuleSet, HoldsBetweenItsInstants) {
  RuleSet rules;
  add(rules, R"({"rule":"night","from":"2h","until":"2026-01-01T15:00:00Z"})");
  const auto at = [&](std::int64_t minutes) {
    Step step = step_of(static_cast<std::uint32_t>(minutes));
    step.started_at = noon + seconds(60 * minutes);
    return decides(rules, step);
  };
  EXPECT_EQ(at(119), "");
  EXPECT_EQ(at(120), "night");
  EXPECT_EQ(at(179), "night");
  EXPECT_EQ(at(180), "");
  EXPECT_NE(text_of(rules).find(R"("from":"2026-01-01T14:00:00.000Z")"), std::string::npos);
}

TEST(RuleSet, AppliesWithItsProbability) {
  RuleSet rules;
  add(rules, R"({"rule":"often"})");
  add(rules, R"({"rule":"rare","step":"deploy","probability":0.1})");
  add(rules, R"({"rule":"never","name":"web","probability":0})");
  std::map<std::string, int> decided;
  for (std::uint32_t step = 0; step < 20'000; ++step) ++decided[decides(rules, step_of(step))];
  EXPECT_NEAR(decided["rare"], 2000, 170);
  EXPECT_EQ(decided["rare"] + decided["often"], 20'000);
}

TEST(RuleSet, DrawsOneOfTheWeightedRules) {
  RuleSet rules;
  add(rules,
      R"({"rules":[{"rule":"any"},{"rule":"a","step":"deploy","weight":1},{"rule":"b","step":"deploy","weight":3},)"
      R"({"rule":"other","step":"stop","weight":9}]})");
  std::map<std::string, int> decided;
  for (std::uint32_t step = 0; step < 20'000; ++step) ++decided[decides(rules, step_of(step))];
  EXPECT_NEAR(decided["a"], 5000, 250);
  EXPECT_EQ(decided["a"] + decided["b"], 20'000);
}

TEST(RuleSet, MatchesTheConfiguration) {
  RuleSet rules;
  add(rules,
      R"({"rule":"all","environment":"prod*","mode":"PRODUCTION","project":"shop","organization":"acme","cluster":)"
      R"("europe","cloud":"AWS","region":"eu-*",
                 "labels":{"team":"sho?"},"metadata":{"owner":"ann"},"where":{"type":"POSTGRESQL","cpu":500}})");
  EXPECT_TRUE(rules.reads({}).configuration);
  EXPECT_FALSE(rules.reads({}).name);
  const std::string whole =
      R"({"type":"POSTGRESQL","cpu":500,"environment":{"name":"production","mode":"PRODUCTION"},"project":{"name":)"
      R"("shop"},
    "organization":{"name":"acme"},"cluster":{"name":"europe","cloud_provider":"AWS","region":"eu-west-3"},)"
      R"("labels":[{"key":"team","value":"shop"}],"metadata":{"owner":"ann"}})";
  std::uint32_t number = 0;
  const auto decided = [&](std::string configuration) {
    Step step = step_of(++number);
    step.configuration = std::move(configuration);
    return decides(rules, step);
  };
  EXPECT_EQ(decided(whole), "all");
  for (const auto& [old, other] :
       std::vector<std::pair<std::string, std::string>>{{"\"production\"", "\"staging\""},
                                                        {"\"PRODUCTION\"", "\"STAGING\""},
                                                        {"\"shop\"}", "\"x\"}"},
                                                        {"acme", "x"},
                                                        {"europe", "x"},
                                                        {"AWS", "GCP"},
                                                        {"eu-west-3", "us-east-1"},
                                                        {"\"value\":\"shop\"", "\"value\":\"x\""},
                                                        {"ann", "bob"},
                                                        {"POSTGRESQL", "MYSQL"},
                                                        {"500", "501"}}) {
    std::string changed = whole;
    changed.replace(changed.find(old), old.size(), other);
    EXPECT_EQ(decided(changed), "") << old;
  }
  EXPECT_EQ(decided(""), "");
  EXPECT_EQ(decided("{"), "");
}

TEST(RuleSet, ReadsTheConfigurationOnlyOfStepsThatARuleWithAConditionMayMatch) {
  RuleSet rules;
  const auto reads = [&rules](std::string_view family, StepKind kind) {
    Machine machine;
    machine.family = find_family(family)->number;
    machine.step_kind = static_cast<std::uint8_t>(kind);
    return rules.reads(machine).configuration;
  };
  add(rules, R"({"kind":"container"})");
  EXPECT_FALSE(reads("container", StepKind::deploy));
  add(rules, R"({"kind":"job","step":"execute","environment":"production"})");
  EXPECT_TRUE(reads("job", StepKind::execute));
  EXPECT_FALSE(reads("job", StepKind::deploy));
  EXPECT_FALSE(reads("container", StepKind::execute));
  add(rules, R"({"rules":[{"step":"stop","region":"eu-*"},{"kind":"helm","labels":{"team":"shop"}}]})");
  EXPECT_TRUE(reads("container", StepKind::stop));
  EXPECT_TRUE(reads("helm", StepKind::deploy));
  EXPECT_FALSE(reads("container", StepKind::deploy));
  rules.clear();
  EXPECT_FALSE(reads("job", StepKind::execute));
}

bool reads_name(const RuleSet& rules, std::string_view family, StepKind kind) {
  Machine machine;
  machine.family = find_family(family)->number;
  machine.step_kind = static_cast<std::uint8_t>(kind);
  return rules.reads(machine).name;
}

TEST(RuleSet, ReadsTheNameOnlyOfStepsThatARuleWithANameMayMatch) {
  RuleSet rules;
  add(rules,
      R"({"rules":[{"kind":"container","after":"5s"},{"step":"stop","region":"eu-*"}],"transitions":{"container":)"
      R"("manual"},"pack":"instant"})");
  EXPECT_FALSE(reads_name(rules, "container", StepKind::deploy));
  EXPECT_FALSE(reads_name(rules, "container", StepKind::stop)) << "its configuration is read";
  add(rules, R"({"kind":"container","step":"deploy","name":"web*"})");
  EXPECT_TRUE(reads_name(rules, "container", StepKind::deploy));
  EXPECT_TRUE(reads_name(rules, "container", StepKind::none)) << "a step that is not known yet";
  EXPECT_FALSE(reads_name(rules, "container", StepKind::stop));
  EXPECT_FALSE(reads_name(rules, "database", StepKind::deploy));
  add(rules, R"({"rules":[{"step":"stop","name":"orders"}]})");
  EXPECT_TRUE(reads_name(rules, "database", StepKind::stop));
  EXPECT_FALSE(reads_name(rules, "database", StepKind::deploy));
  rules.clear();
  EXPECT_FALSE(reads_name(rules, "container", StepKind::deploy));
  EXPECT_FALSE(reads_name(rules, "database", StepKind::stop));
  const auto replaced = rules.replace(parse_json(R"({"rules":[{"kind":"helm","name":"charts"}]})").value(), noon);
  ASSERT_TRUE(replaced.ok()) << replaced.error().message;
  EXPECT_TRUE(reads_name(rules, "helm", StepKind::deploy));
}

// The message of such a failure names the service.
TEST(RuleSet, ReadsTheNameOfStepsThatARuleWithoutAReasonLetsFail) {
  for (const auto& [rule, is_read] :
       std::vector<std::pair<std::string, bool>>{{R"({"outcome":"fail"})", true},
                                                 {R"({"outcome":"credentials_refused","every":3})", true},
                                                 {R"({"outcome":"fail","fails":"no room"})", false},
                                                 {R"({"fails":"no room"})", false},
                                                 {R"({"outcome":"succeed"})", false}}) {
    RuleSet rules;
    add(rules, rule);
    EXPECT_EQ(reads_name(rules, "container", StepKind::deploy), is_read) << rule;
  }
  RuleSet rules;
  add(rules, R"({"pack":"realistic"})");
  EXPECT_FALSE(reads_name(rules, "job", StepKind::execute));
  add(rules, R"({"kind":"job","step":"execute","outcome":"fail"})");
  EXPECT_TRUE(reads_name(rules, "job", StepKind::execute));
  EXPECT_FALSE(reads_name(rules, "job", StepKind::stop));
  add(rules, R"({"pack":"chaos"})");
  EXPECT_TRUE(reads_name(rules, "container", StepKind::deploy)) << "its rules are those of any name";
}

TEST(RuleSet, ReadsTheNameOfStepsWhileAStateIsForced) {
  RuleSet rules;
  const Id subject{{9}};
  const auto forced = std::make_shared<const Rule>();
  EXPECT_FALSE(reads_name(rules, "container", StepKind::deploy));
  rules.force(subject, {{StepKind::none, forced}});
  EXPECT_TRUE(reads_name(rules, "container", StepKind::deploy));
  rules.force(Id{{8}}, {{StepKind::deploy, forced}});
  rules.force(subject, {});
  EXPECT_TRUE(reads_name(rules, "container", StepKind::deploy));
  rules.force(Id{{8}}, {});
  EXPECT_FALSE(reads_name(rules, "container", StepKind::deploy));
}

TEST(RuleSet, ReadsTheNamesOfTheMomentThatItGoesBackTo) {
  RuleSet rules;
  const auto without = rules.memory();
  add(rules, R"({"kind":"container","name":"web"})");
  const auto with = rules.memory();
  rules.go_back(*without);
  EXPECT_FALSE(reads_name(rules, "container", StepKind::deploy));
  rules.go_back(*with);
  EXPECT_TRUE(reads_name(rules, "container", StepKind::deploy));
  EXPECT_FALSE(reads_name(rules, "database", StepKind::deploy));
  rules.clear();
  rules.go_back(*with);
  EXPECT_TRUE(reads_name(rules, "container", StepKind::deploy));
}

TEST(RuleSet, AConditionOnAClusterMeansTheClusterItself) {
  RuleSet rules;
  add(rules, R"({"rule":"aws","cloud":"AWS"})");
  Step step = step_of(1, "europe", StepKind::cluster_create, "cluster");
  step.configuration = R"({"name":"europe","cloud_provider":"AWS"})";
  EXPECT_EQ(decides(rules, step), "aws");
}

TEST(RuleSet, TransitionsHoldWhereRulesSayNothing) {
  RuleSet rules;
  add(rules, R"({"transitions":{"container":"40s","cluster":"after 3 reads","database":"manual"}})");
  EXPECT_EQ(rules.rule_for(step_of(1))->duration, seconds(40));
  EXPECT_EQ(rules.rule_for(step_of(2, "eu", StepKind::cluster_create, "cluster"))->hold, StepHold::reads);
  EXPECT_EQ(rules.rule_for(step_of(3, "eu", StepKind::cluster_create, "cluster"))->reads, 3U);
  EXPECT_EQ(rules.rule_for(step_of(4, "db", StepKind::deploy, "database"))->hold, StepHold::manual);
  EXPECT_EQ(rules.rule_for(step_of(5, "h", StepKind::deploy, "helm")), nullptr);
  add(rules, R"({"kind":"container","after":"5s"})");
  EXPECT_EQ(rules.rule_for(step_of(6))->duration, seconds(5));
  add(rules, R"({"transitions":{"container":null}})");
  EXPECT_EQ(text_of(rules).find("\"container\":\"40s\""), std::string::npos);
}

TEST(RuleSet, APackGivesWhatRulesLeaveOut) {
  RuleSet rules;
  add(rules, R"({"pack":"realistic"})");
  const auto build = rules.rule_for(step_of(1, "web", StepKind::build));
  EXPECT_GT(build->duration, seconds(10));
  add(rules, R"({"rule":"fails","step":"build","fails":"no space"})");
  const auto failing = rules.rule_for(step_of(2, "web", StepKind::build));
  EXPECT_GT(failing->duration, seconds(10));
  EXPECT_EQ(failing->outcome, ScriptOutcome::fail);
  add(rules, R"({"pack":"instant"})");
  EXPECT_EQ(rules.rule_for(step_of(3, "web", StepKind::stop)), nullptr);
}

TEST(RuleSet, EveryPackCanBeRead) {
  for (const char* pack : {"instant", "realistic", "chaos"}) {
    RuleSet rules;
    add(rules, std::string(R"({"pack":")") + pack + "\"}");
  }
  EXPECT_EQ(refusal_of(R"({"pack":"slow"})"), "pack must be instant, realistic or chaos, not \"slow\"");
}

// From the text in a store, in the middle of counts and of running steps.
TEST(RuleSet, GoesOnFromItsText) {
  const auto fill = [](RuleSet& rules) {
    add(rules,
        R"({"rules":[{"rule":"third","every":3,"after":{"distribution":"lognormal","median":"30s","sigma":0.5}},)"
        R"({"rule":"some","name":"web","probability":0.3}],
                   "transitions":{"cluster":"manual"},"pack":"chaos"})");
  };
  RuleSet whole;
  fill(whole);
  RuleSet first;
  fill(first);
  ScriptedDriver driver;
  driver.set_decider(first);
  std::vector<std::string> decided;
  for (std::uint32_t step = 0; step < 10; ++step) {
    decided.push_back(decides(whole, step_of(step)));
    EXPECT_TRUE(driver.start(step_of(step)));
  }
  EXPECT_EQ(driver.origins().size(), 10U);
  RuleSet second;
  const ScriptedDriver idle;
  const auto restored = second.replace(parse_json(text_of(first, &driver)).value(), noon);
  ASSERT_TRUE(restored.ok()) << restored.error().message;
  EXPECT_EQ(text_of(second, &idle), text_of(first, &driver));
  for (std::uint32_t step = 0; step < 10; ++step) EXPECT_EQ(decides(second, step_of(step)), decided[step]) << step;
  for (std::uint32_t step = 10; step < 30; ++step)
    EXPECT_EQ(decides(whole, step_of(step)), decides(second, step_of(step))) << step;
}

}  // namespace
}  // namespace orlop
