// A fixed simulation has the same trace with every compiler: every build that runs the tests compares it with the same
// digest.
#include <gtest/gtest.h>

#include <cstdio>
#include <string>

#include "base/text/digest.h"
#include "unit/scratch.h"
#include "unit/sim/simulation.h"

namespace orlop {
namespace {

using tests::Simulation;

// Every distribution, random failures, lost contact, a fault of the interface, a cron job, and cancels.
std::string trace(const std::string& storage) {
  Simulation simulation({}, Authentication::off, storage);
  simulation.furnish();
  simulation.make_application("web");
  simulation.make_job("seed");
  simulation.make(
      "/environment/" + simulation.environment + "/job",
      R"({"name":"report","healthchecks":{},"source":{"image":{"registry_id":")" +
          simulation.make("/organization/" + simulation.organization + "/containerRegistry",
                          R"({"name":"hub","kind":"DOCKER_HUB","config":{}})") +
          R"(","image_name":"i","tag":"1"}},"schedule":{"cronjob":{"scheduled_at":"*/20 * * * *","timezone":)"
          R"("Europe/Paris"}}})");
  for (const char* rule :
       {R"({"step":"deploy","kind":"database","after":{"distribution":"lognormal","median":"90s","sigma":0.7}})",
        R"({"step":"deploy","kind":"application","after":{"distribution":"normal","mean":"40s","deviation":"9s"},)"
        R"("contact_lost_after":"5s","contact_back_after":"9s"})",
        R"({"step":"build","after":{"distribution":"exponential","mean":"70s"}})",
        R"({"step":"execute","after":{"distribution":"uniform","least":"3s","most":"50s"}})",
        R"({"step":"stop","after":{"distribution":"empirical","values":["3s","8s","21s"]}})",
        R"({"rule":"flaky","step":"deploy","name":"stock","probability":0.5,"fails":"no room"})"}) {
    EXPECT_EQ(simulation.ask("POST", "/-/sim/rules", rule).status, 204) << rule;
  }
  EXPECT_EQ(
      simulation.ask("POST", "/-/sim/faults", R"({"operation":"list_database","status":503,"probability":0.5})").status,
      204);
  const std::string environment = "/environment/" + simulation.environment;
  for (int round = 0; round < 12; ++round) {
    simulation.ask("POST", environment + "/deploy");
    EXPECT_TRUE(simulation->advance(seconds(round % 3 == 0 ? 35 : 3600)));
    if (round % 3 == 0) simulation.ask("POST", environment + "/cancelDeployment");
    simulation.ask("GET", environment + "/database");
    if (round % 4 == 3) simulation.ask("POST", environment + "/stop");
    EXPECT_TRUE(simulation->run_until_idle());
  }
  return simulation.events();
}

TEST(TraceHash, IsThatOfEveryOtherBuild) {
  const std::string events = trace("memory:");
  for (const char* needed : {"service.unavailable", "service.deployment_error", "service.deployed", "service.executing",
                             "service.stopped", "service.canceled", "task.succeeded"}) {
    EXPECT_NE(events.find(needed), std::string::npos) << needed << ": the trace shows less than it should";
  }
  EXPECT_EQ(to_hex(sha256(events)), "eede8d9c0f966acae44fc7cd2439b08e76353a33bf1b02dd1c3e1607e9624579")
      << "the same simulation has another trace in this build. If the change is meant, set the digest anew: it must be "
         "the same with gcc and clang, in debug and in release";
}

TEST(TraceHash, IsThatOfAFile) {
  const std::string file = tests::scratch_file("trace_hash_test.db");
  EXPECT_EQ(trace(file), trace("memory:"));
}

}  // namespace
}  // namespace orlop
