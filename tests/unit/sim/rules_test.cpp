#include "sim/rules/rule_set.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "model/registry.h"
#include "wire/json.h"

namespace orlop {
namespace {

constexpr Instant noon = {1'767'268'800'000};

Step step_of(std::uint32_t number, const std::string& name = "web", StepKind kind = StepKind::deploy, std::string_view family = "container") {
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

std::string text_of(const RuleSet& rules, bool with_running = false) {
  Writer out;
  rules.write(out, with_running);
  return std::move(out).take();
}

// The title of the rule that decides; "" if none does.
std::string decides(RuleSet& rules, const Step& step) {
  const auto rule = rules.rule_for(step);
  return rule == nullptr ? "" : rule->title;
}

TEST(RuleSet, WithoutRulesDecidesNothing) {
  RuleSet rules;
  EXPECT_EQ(rules.rule_for(step_of(1)), nullptr);
  EXPECT_TRUE(rules.is_empty());
  EXPECT_FALSE(rules.reads_configuration({}));
}

TEST(RuleSet, TheMostSpecificRuleDecidesWhateverTheOrder) {
  const std::vector<std::string> rules_given = {R"({"rule":"any"})", R"({"rule":"kind","kind":"container"})", R"({"rule":"wild","kind":"container","name":"w*"})",
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

TEST(RuleSet, AStepKeepsItsRule) {
  RuleSet rules;
  add(rules, R"({"rule":"first"})");
  EXPECT_EQ(decides(rules, step_of(1)), "first");
  add(rules, R"({"rule":"second"})");
  EXPECT_EQ(decides(rules, step_of(1)), "first");
  EXPECT_EQ(decides(rules, step_of(2)), "second");
  rules.clear();
  EXPECT_EQ(decides(rules, step_of(1)), "first");
  rules.ended(step_of(1).id);
  EXPECT_EQ(decides(rules, step_of(1)), "");
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
  for (const std::int64_t second : {0, 10, 20, 3599, 3600, 3601, 3602, 20'000, 20'001, 20'002}) decided += decides(rules, at(++number, second)) + ",";
  EXPECT_EQ(decided, ",,rate,rate,,,rate,,,rate,");
  EXPECT_NE(text_of(rules).find(R"("matched":10,"applied":4,"counted":3,"counted_since":"2026-01-01T17:33:20.000Z")"), std::string::npos) << text_of(rules);
  EXPECT_EQ(decides(rules, at(3, 20)), "rate") << "a step that runs is not counted again";

  RuleSet quota;
  add(quota, R"({"rule":"quota","over":2})");
  EXPECT_EQ(decides(quota, at(1, 0)) + decides(quota, at(2, 1'000'000)) + decides(quota, at(3, 2'000'000)), "quota");
  RuleSet again;
  ASSERT_TRUE(again.replace(parse_json(text_of(quota, true)).value(), noon).ok());
  EXPECT_EQ(text_of(again, true), text_of(quota, true));
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
  add(rules, R"({"rules":[{"rule":"any"},{"rule":"a","step":"deploy","weight":1},{"rule":"b","step":"deploy","weight":3},{"rule":"other","step":"stop","weight":9}]})");
  std::map<std::string, int> decided;
  for (std::uint32_t step = 0; step < 20'000; ++step) ++decided[decides(rules, step_of(step))];
  EXPECT_NEAR(decided["a"], 5000, 250);
  EXPECT_EQ(decided["a"] + decided["b"], 20'000);
}

TEST(RuleSet, MatchesTheConfiguration) {
  RuleSet rules;
  add(rules, R"({"rule":"all","environment":"prod*","mode":"PRODUCTION","project":"shop","organization":"acme","cluster":"europe","cloud":"AWS","region":"eu-*",
                 "labels":{"team":"sho?"},"metadata":{"owner":"ann"},"where":{"type":"POSTGRESQL","cpu":500}})");
  EXPECT_TRUE(rules.reads_configuration({}));
  const std::string whole = R"({"type":"POSTGRESQL","cpu":500,"environment":{"name":"production","mode":"PRODUCTION"},"project":{"name":"shop"},
    "organization":{"name":"acme"},"cluster":{"name":"europe","cloud_provider":"AWS","region":"eu-west-3"},"labels":[{"key":"team","value":"shop"}],"metadata":{"owner":"ann"}})";
  std::uint32_t number = 0;
  const auto decided = [&](std::string configuration) {
    Step step = step_of(++number);
    step.configuration = std::move(configuration);
    return decides(rules, step);
  };
  EXPECT_EQ(decided(whole), "all");
  for (const auto& [old, other] : std::vector<std::pair<std::string, std::string>>{
           {"\"production\"", "\"staging\""}, {"\"PRODUCTION\"", "\"STAGING\""}, {"\"shop\"}", "\"x\"}"}, {"acme", "x"}, {"europe", "x"}, {"AWS", "GCP"},
           {"eu-west-3", "us-east-1"}, {"\"value\":\"shop\"", "\"value\":\"x\""}, {"ann", "bob"}, {"POSTGRESQL", "MYSQL"}, {"500", "501"}}) {
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
    return rules.reads_configuration(machine);
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

// In a store's text and back, in the middle of counts and of running steps.
TEST(RuleSet, GoesOnFromItsText) {
  const auto fill = [](RuleSet& rules) {
    add(rules, R"({"rules":[{"rule":"third","every":3,"after":{"distribution":"lognormal","median":"30s","sigma":0.5}},{"rule":"some","name":"web","probability":0.3}],
                   "transitions":{"cluster":"manual"},"pack":"chaos"})");
  };
  RuleSet whole;
  fill(whole);
  RuleSet first;
  fill(first);
  for (std::uint32_t step = 0; step < 10; ++step) EXPECT_EQ(decides(whole, step_of(step)), decides(first, step_of(step)));
  RuleSet second;
  const auto restored = second.replace(parse_json(text_of(first, true)).value(), noon);
  ASSERT_TRUE(restored.ok()) << restored.error().message;
  EXPECT_EQ(text_of(second, true), text_of(first, true));
  for (std::uint32_t step = 0; step < 30; ++step) EXPECT_EQ(decides(whole, step_of(step)), decides(second, step_of(step))) << step;
}

TEST(RuleSet, NamesWhatIsWrong) {
  EXPECT_EQ(refusal_of("[]"), "rule must be an object, not []");
  EXPECT_EQ(refusal_of(R"({"stpe":"build"})"), "rule.stpe is no member of a rule; the nearest known one is \"step\"");
  EXPECT_EQ(refusal_of(R"({"rules":[{},{"step":"bild"}]})"),
            "rules[1].step must be the name of a kind of step, such as build or cluster_create; not \"bild\"; the nearest known one is \"build\"");
  EXPECT_EQ(refusal_of(R"({"kind":"environment"})"), "rule.kind must be the family of a service or task, or cluster; not \"environment\"");
  EXPECT_EQ(refusal_of(R"({"mode":"PRODUKTION"})"), "rule.mode must be a value of mode of the family environment, or a pattern that matches one, not \"PRODUKTION\"; the nearest known one is \"PRODUCTION\"");
  EXPECT_EQ(refusal_of(R"({"cloud":"aws*"})").substr(0, 95), "rule.cloud must be a value of cloud_provider of the family cluster, or a pattern that matches o");
  EXPECT_EQ(refusal_of(R"({"mode":"P*","cloud":"A?S","region":"nowhere"})"), "");
  EXPECT_EQ(refusal_of(R"({"probability":1.5})"), "rule.probability must be a number of 0 to 1, not 1.5");
  EXPECT_EQ(refusal_of(R"({"times":-1})"), "rule.times must be a whole number of 0 to 4294967295, not -1");
  EXPECT_EQ(refusal_of(R"({"outcome":"explode"})"), "rule.outcome must be succeed, fail, credentials_refused or hang, not \"explode\"");
  EXPECT_EQ(refusal_of(R"({"outcome":"succeed","fails":"x"})"), "rule.fails must be left out where outcome is succeed, not \"x\"");
  EXPECT_EQ(refusal_of(R"({"running":"HAPPY"})"),
            "rule.running must be one of STARTING, RUNNING, WARNING, ERROR, STOPPING, STOPPED, COMPLETED, UNKNOWN, not \"HAPPY\"");
  EXPECT_EQ(refusal_of(R"({"from":"tomorrow"})"), "rule.from must be a time like 2026-01-01T12:00:00Z, or a duration from now like \"2h\", not \"tomorrow\"");
  EXPECT_EQ(refusal_of(R"({"from":"2h","until":"1h"})"), "rule.until must be later than from, which is 2026-01-01T14:00:00.000Z, not 2026-01-01T13:00:00.000Z");
  EXPECT_EQ(refusal_of(R"({"contact_back_after":"3s"})"), "rule.contact_lost_after is required where contact_back_after is given");
  EXPECT_EQ(refusal_of(R"({"fails":"x","crash_after":"3s"})"), "rule.crash_after must be left out where the step does not succeed, not \"3s\"");
  EXPECT_EQ(refusal_of(R"({"probability":0.5,"weight":2})"), "rule.weight must be left out where probability is given, not 2");
  EXPECT_EQ(refusal_of(R"({"log":[{"text":"a"},{"txt":"b"}]})"), "rule.log[1] must be an object like {\"after\": \"5s\", \"text\": \"pulling\"}, not {\"txt\":\"b\"}");
  EXPECT_EQ(refusal_of(R"({"outputs":"x"})"), "rule.outputs must be an object, not \"x\"");
  EXPECT_EQ(refusal_of(R"({"labels":{"team":[1]}})"), "rule.labels.team must be text, a number, true, false or null, not [1]");
  EXPECT_EQ(refusal_of(R"({"transitions":{"cluster":"after 0 reads"}})"),
            "transitions.cluster must be immediate, manual, a duration like 30s, or \"after 3 reads\" with 1 to 1000000 reads, not \"after 0 reads\"");
  EXPECT_EQ(refusal_of(R"({"transitions":{"castle":"manual"}})"), "transitions.castle must be the family of a service or task, or cluster; not \"castle\"");
  EXPECT_EQ(refusal_of(R"({"rules":[],"pakc":"chaos"})"), "pakc is no member beside rules, transitions and pack");
  EXPECT_LT(refusal_of(R"({"name":")" + std::string(70'000, 'x') + "\"}").size(), 500U);
}

TEST(RuleSet, KeepsAllOrNothing) {
  RuleSet rules;
  EXPECT_FALSE(rules.add(parse_json(R"({"rules":[{"rule":"good"},{"step":"bad"}],"pack":"chaos","transitions":{"cluster":"manual"}})").value(), noon).ok());
  EXPECT_TRUE(rules.is_empty());
}

}  // namespace
}  // namespace orlop
