// The limits of external systems in the trace of a simulation.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "unit/sim/simulation.h"
#include "wire/json.h"

namespace orlop {
namespace {

using tests::Simulation;

class Limits : public testing::Test {
 protected:
  Limits() {
    simulation.furnish();
    web = simulation.make_application();
  }
  void add(const std::string& rule) {
    const Reply reply = simulation.ask("POST", "/-/sim/externals", rule);
    ASSERT_EQ(reply.status, 204) << reply.body;
  }
  int status() { return simulation.ask("GET", "/application/" + web + "/commit").status; }
  static std::vector<Value> exceeded(Simulation& of) {
    std::vector<Value> found;
    const Value events = parse_json(of.events()).value();
    for (const Value& event : events.items()) {
      if (event.text_or("kind", "") == "simulation.limit_exceeded") found.push_back(event);
    }
    return found;
  }
  Simulation simulation;
  std::string web;
};

TEST_F(Limits, ARefusalIsAnEventThatNamesTheRule) {
  add(R"({"question":"list_commits","answer":[]})");
  add(R"({"rule":"API quota","question":"list_*","error":"rate limit exceeded","over":2,"per":"1h"})");
  EXPECT_EQ(status(), 200);
  EXPECT_EQ(status(), 200);
  EXPECT_TRUE(exceeded(simulation).empty());
  EXPECT_EQ(status(), 502);
  ASSERT_TRUE(simulation->advance(seconds(3600)).ok());
  EXPECT_EQ(status(), 200);
  const auto events = exceeded(simulation);
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(events[0].text_or("subject", ""), simulation.organization);
  EXPECT_EQ(events[0].text_or("family", ""), "organization");
  EXPECT_EQ(to_json(*events[0].find("detail")),
            R"({"rule":"API quota","question":"list_commits","error":"rate limit exceeded","over":2,"per":3600})");
}

TEST_F(Limits, ARuleWithoutANameIsCalledByItsQuestion) {
  add(R"({"question":"list_commit?","error":"used up","over":1})");
  EXPECT_EQ(status(), 501) << "within the quota nothing answers";
  EXPECT_EQ(status(), 502);
  ASSERT_EQ(exceeded(simulation).size(), 1U);
  EXPECT_EQ(exceeded(simulation)[0].find("detail")->text_or("rule", ""), "list_commit?");
}

TEST_F(Limits, AFailureWithoutALimitIsNone) {
  add(R"({"rule":"down","question":"list_commits","error":"down"})");
  add(R"({"question":"list_branches","answer":[],"over":1})");
  EXPECT_EQ(status(), 502);
  EXPECT_TRUE(exceeded(simulation).empty());
}

// The event has the instant of the refusal.
TEST_F(Limits, WhatATickAsksIsAnEventToo) {
  const Instant begin = simulation->engine().now();
  add(R"({"rule":"policy quota","question":"admit","error":"policies are rated","over":1})");
  add(R"({"question":"admit","answer":{"allowed":true}})");
  EXPECT_LT(simulation.ask("POST", "/environment/" + simulation.environment + "/deploy").status, 300);
  ASSERT_TRUE(simulation->run_until_idle().ok());
  EXPECT_EQ(simulation.ask("POST", "/-/sim/rules", R"({"environment":"production","lasts":"1h"})").status, 204);
  ASSERT_TRUE(simulation->advance(seconds(3600)).ok());
  ASSERT_EQ(exceeded(simulation).size(), 1U) << "before anything else is requested";
  EXPECT_EQ(*parse_instant(exceeded(simulation)[0].text_or("at", "")), begin + seconds(3600));
  EXPECT_EQ(simulation.ask("GET", "/environment/" + simulation.environment).status, 200)
      << "its deletion is not admitted";
}

TEST_F(Limits, TheTraceIsTheSameAfterASnapshot) {
  add(R"({"rule":"quota","question":"list_commits","error":"used up","over":1})");
  EXPECT_EQ(status(), 501);
  const std::string snapshot = simulation->snapshot().value();
  EXPECT_NE(snapshot.find(R"("rule":"quota")"), std::string::npos);
  Simulation second(snapshot);
  EXPECT_EQ(second.ask("GET", "/application/" + web + "/commit").status, 502);
  EXPECT_EQ(status(), 502);
  EXPECT_EQ(exceeded(second).size(), 1U);
  EXPECT_EQ(second.events(), simulation.events());
}

TEST_F(Limits, ThousandsAreEventsEach) {
  add(R"({"question":"list_commits","error":"used up","over":1})");
  for (int at = 0; at < 3001; ++at) (void)status();
  EXPECT_EQ(exceeded(simulation).size(), 3000U);
}

}  // namespace
}  // namespace orlop
