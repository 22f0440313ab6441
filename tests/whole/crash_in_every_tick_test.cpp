// An engine that ends after each of its ticks: all large work ends nevertheless, in as many ticks as without a crash,
// or a few more.
#include <gtest/gtest.h>

#include <string>

#include "whole/large_environment.h"

namespace orlop {
namespace {

class CrashInEveryTick : public LargeEnvironment {
 protected:
  std::string path() const { return "/environment/" + environment_; }
  std::string state_of(const std::string& id) {
    const auto status = parse_stored(ask("GET", "/container/" + id + "/status").body);
    return status ? std::string(status->text_or("state", "")) : "";
  }
  std::string state() { return std::string(parse_stored(ask("GET", path() + "/status").body)->text_or("state", "")); }

  int ticks_to_the_end() {
    int ticks = 0;
    while (tick()) {
      EXPECT_LT(++ticks, 2000);
      if (ticks == 2000) break;
    }
    return ticks;
  }
  int ticks_to_the_end_with_crashes(int limit) {
    int ticks = 0;
    for (; tick() && ticks < limit; ++ticks) reopen();
    EXPECT_LT(ticks, limit);
    return ticks;
  }
  // Sends a request, and runs the work that follows with a crash after every tick.
  void play(const std::string& method, const std::string& at, int answer) {
    ASSERT_EQ(status(method, at), answer) << method << " " << at;
    ticks_to_the_end_with_crashes(2000);
  }
};

TEST_F(CrashInEveryTick, ADeploymentEnds) {
  play("POST", path() + "/deploy", 202);
  EXPECT_EQ(state(), "DEPLOYED");
  EXPECT_EQ(state_of(last_), "DEPLOYED");
}

TEST_F(CrashInEveryTick, ItTakesNoMoreTicksThanWithoutCrashes) {
  ASSERT_EQ(status("POST", path() + "/deploy"), 202);
  const int whole = ticks_to_the_end();
  ASSERT_EQ(status("POST", path() + "/deploy"), 202);
  EXPECT_LE(ticks_to_the_end_with_crashes(4 * whole), whole + 2);
  EXPECT_EQ(state(), "DEPLOYED");
}

TEST_F(CrashInEveryTick, AStopEnds) {
  play("POST", path() + "/deploy", 202);
  play("POST", path() + "/stop", 202);
  EXPECT_EQ(state(), "STOPPED");
}

TEST_F(CrashInEveryTick, ACancelEnds) {
  ASSERT_EQ(status("POST", path() + "/deploy"), 202);
  tick();
  play("POST", path() + "/cancelDeployment", 202);
  EXPECT_EQ(state(), "CANCELED");
  EXPECT_EQ(state_of(last_), "CANCELED");
}

TEST_F(CrashInEveryTick, ADeletionOfAnEnvironmentEnds) {
  play("POST", path() + "/deploy", 202);
  play("DELETE", path(), 204);
  EXPECT_EQ(status("GET", path()), 404);
}

TEST_F(CrashInEveryTick, ARemovalOfATreeEnds) {
  play("DELETE", "/organization/" + organization_, 204);
  EXPECT_EQ(records_in_store(), 0U);
}

TEST_F(CrashInEveryTick, MarksReachEveryService) {
  play("POST", path() + "/deploy", 202);
  ASSERT_EQ(status("POST", "/project/" + project_ + "/environmentVariable", R"({"key":"LEVEL","value":"info"})"), 201);
  ticks_to_the_end_with_crashes(100);
  for (const std::string& id : {ids_.front(), ids_[large / 2], last_}) {
    const auto status = parse_stored(ask("GET", "/container/" + id + "/status").body);
    EXPECT_EQ(status->text_or("service_deployment_status", ""), "OUT_OF_DATE") << id;
  }
}

}  // namespace
}  // namespace orlop
