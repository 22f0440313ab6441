// Messages about refused rules.
#include <gtest/gtest.h>

#include <string>

#include "sim/rules/rule_set.h"
#include "wire/json.h"

namespace orlop {
namespace {

constexpr Instant midday = {1'767'268'800'000};

std::string refusal_to(const std::string& json) {
  RuleSet rules;
  const auto added = rules.add(parse_json(json).value(), midday);
  return added.ok() ? "" : added.error().message;
}

TEST(RuleSet, NamesWhatIsWrong) {
  EXPECT_EQ(refusal_to("[]"), "rule must be an object, not []");
  EXPECT_EQ(refusal_to(R"({"stpe":"build"})"),
            "rule.stpe is not a member of a rule; the nearest known one is \"step\"");
  EXPECT_EQ(refusal_to(R"({"rules":[{},{"step":"bild"}]})"),
            "rules[1].step must be the name of a kind of step, such as build or cluster_create; not \"bild\"; the "
            "nearest known one is \"build\"");
  EXPECT_EQ(refusal_to(R"({"kind":"environment"})"),
            "rule.kind must be the family of a service or task, or cluster; not \"environment\"");
  EXPECT_EQ(refusal_to(R"({"mode":"PRODUKTION"})"),
            "rule.mode must be a value of mode of the family environment, or a pattern that matches one, not "
            "\"PRODUKTION\"; the nearest known one is \"PRODUCTION\"");
  EXPECT_EQ(refusal_to(R"({"cloud":"aws*"})").substr(0, 95),
            "rule.cloud must be a value of cloud_provider of the family cluster, or a pattern that matches o");
  EXPECT_EQ(refusal_to(R"({"mode":"P*","cloud":"A?S","region":"nowhere"})"), "");
  EXPECT_EQ(refusal_to(R"({"probability":1.5})"), "rule.probability must be a number of 0 to 1, not 1.5");
  EXPECT_EQ(refusal_to(R"({"times":-1})"), "rule.times must be a whole number of 0 to 4294967295, not -1");
  EXPECT_EQ(refusal_to(R"({"outcome":"explode"})"),
            "rule.outcome must be succeed, fail, credentials_refused or hang, not \"explode\"");
  EXPECT_EQ(refusal_to(R"({"outcome":"succeed","fails":"x"})"),
            "rule.fails must be left out where outcome is succeed, not \"x\"");
  EXPECT_EQ(refusal_to(R"({"running":"HAPPY"})"),
            "rule.running must be one of STARTING, RUNNING, WARNING, ERROR, STOPPING, STOPPED, COMPLETED, UNKNOWN, not "
            "\"HAPPY\"");
  EXPECT_EQ(refusal_to(R"({"from":"tomorrow"})"),
            "rule.from must be a time like 2026-01-01T12:00:00Z, or a duration from now like \"2h\", not \"tomorrow\"");
  EXPECT_EQ(refusal_to(R"({"from":"2h","until":"1h"})"),
            "rule.until must be later than from, which is 2026-01-01T14:00:00.000Z, not 2026-01-01T13:00:00.000Z");
  EXPECT_EQ(refusal_to(R"({"contact_back_after":"3s"})"),
            "rule.contact_lost_after is required where contact_back_after is given");
  EXPECT_EQ(refusal_to(R"({"fails":"x","crash_after":"3s"})"),
            "rule.crash_after must be left out where the step does not succeed, not \"3s\"");
  EXPECT_EQ(refusal_to(R"({"probability":0.5,"weight":2})"),
            "rule.weight must be left out where probability is given, not 2");
  EXPECT_EQ(refusal_to(R"({"log":[{"text":"a"},{"txt":"b"}]})"),
            "rule.log[1] must be an object like {\"after\": \"5s\", \"text\": \"pulling\"}, not {\"txt\":\"b\"}");
  EXPECT_EQ(refusal_to(R"({"outputs":"x"})"), "rule.outputs must be an object, not \"x\"");
  EXPECT_EQ(refusal_to(R"({"labels":{"team":[1]}})"),
            "rule.labels.team must be text, a number, true, false or null, not [1]");
  EXPECT_EQ(refusal_to(R"({"transitions":{"cluster":"after 0 reads"}})"),
            "transitions.cluster must be immediate, manual, a duration like 30s, or \"after 3 reads\" with 1 to "
            "1000000 reads, not \"after 0 reads\"");
  EXPECT_EQ(refusal_to(R"({"transitions":{"castle":"manual"}})"),
            "transitions.castle must be the family of a service or task, or cluster; not \"castle\"");
  EXPECT_EQ(refusal_to(R"({"rules":[],"pakc":"chaos"})"), "pakc is not a member; allowed: rules, transitions and pack");
  EXPECT_LT(refusal_to(R"({"name":")" + std::string(70'000, 'x') + "\"}").size(), 500U);
}

TEST(RuleSet, KeepsAllOrNothing) {
  RuleSet rules;
  EXPECT_FALSE(
      rules
          .add(parse_json(
                   R"({"rules":[{"rule":"good"},{"step":"bad"}],"pack":"chaos","transitions":{"cluster":"manual"}})")
                   .value(),
               midday)
          .ok());
  EXPECT_TRUE(rules.is_empty());
}

}  // namespace
}  // namespace orlop
