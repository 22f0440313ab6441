// Reads and erasures of one commit of work on many services, during which other writers wait.
#include <gtest/gtest.h>

#include "deploy/run/environments/environment_runs.h"
#include "records/bulk_jobs/part_bound.h"
#include "records/variables/reach.h"
#include "whole/large_environment.h"

namespace orlop {
namespace {

class LargeCommits : public LargeEnvironment {
 protected:
  std::string path() const { return "/environment/" + environment_; }
};

// The history of one deployment of this environment takes about half a megabyte.
TEST_F(LargeCommits, HistoriesGoInPartsWithTheirEnvironment) {
  for (int deployments = 0; deployments < 5; ++deployments) {
    ASSERT_EQ(status("POST", path() + "/deploy"), 202);
    finish();
  }
  watch_ = {};
  ASSERT_EQ(status("DELETE", path() + "?skipReconcile=true"), 204);
  finish();
  EXPECT_EQ(status("GET", path()), 404);
  EXPECT_LE(watch_.most_text_erased, 2 * erased_text_max);
  for (const std::string& service : ids_) ASSERT_EQ(status("GET", "/container/" + service), 404);
  const std::string other = create("/project/" + project_ + "/environment", R"({"name":"other"})");
  environment_ = other;
  add_service(other, "one");
  for (int deployments = 0; deployments < 3; ++deployments) {
    ASSERT_EQ(status("POST", path() + "/deploy"), 202);
    finish();
  }
  watch_ = {};
  ASSERT_EQ(status("DELETE", path() + "?skipReconcile=true"), 204);
  EXPECT_EQ(watch_.commits, 1U);  // a small one takes one commit
}

// Reads during which other writers wait: each service once, and once more those that the tick moves.
TEST_F(LargeCommits, NoCommitReadsTheServicesTwice) {
  const auto expect_read_once = [&](std::string_view what) {
    EXPECT_LE(watch_.most_machines_read, large + 2 * services_by_tick) << what;
    watch_ = {};
  };
  ASSERT_EQ(status("POST", path() + "/deploy"), 202);
  tick();
  expect_read_once("deploy");
  ASSERT_EQ(status("POST", path() + "/stop"), 202);
  expect_read_once("stop while the deploy runs");
  ASSERT_EQ(status("POST", path() + "/cancelDeployment"), 202);
  expect_read_once("cancel");
  finish();
  expect_read_once("ticks of the cancel");
  ASSERT_EQ(status("POST", path() + "/deploy"), 202);
  finish();
  watch_ = {};
  ASSERT_EQ(status("DELETE", path()), 204);
  expect_read_once("delete");
  finish();
  expect_read_once("ticks of the delete");
}

// A request of an environment without another one, and its ticks.
TEST_F(LargeCommits, NoCommitOfADeploymentReadsAllServices) {
  const auto expect_read_in_parts = [&](std::string_view what) {
    EXPECT_LT(watch_.most_machines_read, large) << what;
    watch_ = {};
  };
  ASSERT_EQ(status("POST", path() + "/deploy"), 202);
  expect_read_in_parts("deploy");
  finish();
  expect_read_in_parts("ticks of the deploy");
  ASSERT_EQ(status("POST", path() + "/stop"), 202);
  ASSERT_EQ(status("POST", path() + "/cancelDeployment"), 202);
  expect_read_in_parts("cancel of what waits");
  finish();
  expect_read_in_parts("ticks of the cancel");
  ASSERT_EQ(status("POST", path() + "/deploy"), 202);
  tick();
  watch_ = {};
  ASSERT_EQ(status("POST", path() + "/cancelDeployment"), 202);
  expect_read_in_parts("cancel of what runs");
  finish();
  expect_read_in_parts("ticks of that cancel");
  ASSERT_EQ(status("DELETE", path()), 204);
  expect_read_in_parts("delete");
  finish();
  expect_read_in_parts("ticks of the delete");
  EXPECT_EQ(status("GET", path()), 404);
}

// A variable that affects many services: the request writes one row, whatever is below, and every answer shows the
// change at once.
class LargeMarks : public LargeCommits {
 protected:
  void deploy(const std::string& environment) {
    ASSERT_EQ(status("POST", "/environment/" + environment + "/deploy"), 202);
    finish();
  }
  std::string freshness(const std::string& service) {
    return std::string(
        parse_stored(ask("GET", "/container/" + service + "/status").body)->text_or("service_deployment_status", ""));
  }
  std::size_t count_shown(std::string_view text) {
    const std::string statuses = ask("GET", path() + "/statuses").body;
    const std::string mark = R"("service_deployment_status":")" + std::string(text) + '"';
    std::size_t found = 0;
    for (std::size_t at = statuses.find(mark); at != std::string::npos; at = statuses.find(mark, at + 1)) ++found;
    return found;
  }
  std::size_t marks_reported() {
    const std::string events = *engine_->events({.limit = 1'000'000});
    std::size_t found = 0;
    for (std::size_t at = events.find(R"("OUT_OF_DATE")"); at != std::string::npos;
         at = events.find(R"("OUT_OF_DATE")", at + 1))
      ++found;
    return found;
  }
  std::string set(const std::string& scope, const std::string& parent, const std::string& key) {
    return create("/variable", R"({"key":")" + key + R"(","value":"1","is_secret":false,"variable_scope":")" + scope +
                                   R"(","variable_parent_id":")" + parent + "\"}");
  }
};

TEST_F(LargeMarks, AreOneRowOfTheRequestAndSeenAtOnce) {
  const std::string other = create("/project/" + project_ + "/environment", R"({"name":"other"})");
  const std::string away = add_service(other, "away");
  const std::string never = add_service(environment_, "never");
  ASSERT_EQ(status("DELETE", "/container/" + never), 204);
  deploy(environment_);
  deploy(other);
  ASSERT_EQ(count_shown("UP_TO_DATE"), static_cast<std::size_t>(large));
  add_service(environment_, "new");
  const std::size_t reported = marks_reported();
  watch_ = {};
  const std::string variable = set("PROJECT", project_, "A");
  EXPECT_EQ(watch_.commits, 1U);
  EXPECT_LE(watch_.largest, 5U);
  EXPECT_LE(watch_.most_machines_read, 5U);
  EXPECT_EQ(count_shown("OUT_OF_DATE"), static_cast<std::size_t>(large));
  EXPECT_EQ(count_shown("NEVER_DEPLOYED"), 1U);
  EXPECT_EQ(freshness(away), "OUT_OF_DATE");
  EXPECT_NE(ask("GET", path() + "/status").body.find(R"("deployment_status":"OUT_OF_DATE")"), std::string::npos);
  EXPECT_EQ(marks_reported(), reported);
  watch_ = {};
  finish();
  EXPECT_LE(watch_.largest, large);
  EXPECT_GE(watch_.commits, 2U);
  EXPECT_EQ(count_shown("OUT_OF_DATE"), static_cast<std::size_t>(large));
  EXPECT_EQ(freshness(away), "OUT_OF_DATE");
  EXPECT_EQ(marks_reported(), reported + large + 1);  // each service once
  // An edit after which all of them are marked already writes nothing.
  ASSERT_EQ(status("PUT", "/variable/" + variable, R"({"key":"A","value":"2"})"), 200);
  finish();
  EXPECT_EQ(marks_reported(), reported + large + 1);
}

TEST_F(LargeMarks, LeaveOutWhatHasReadTheChange) {
  deploy(environment_);
  set("ENVIRONMENT", environment_, "A");
  EXPECT_EQ(freshness(last_), "OUT_OF_DATE");
  ASSERT_EQ(status("POST", "/container/" + last_ + "/deploy"), 202);
  finish();
  EXPECT_EQ(freshness(last_), "UP_TO_DATE");
  EXPECT_EQ(count_shown("OUT_OF_DATE"), static_cast<std::size_t>(large - 1));
  EXPECT_EQ(count_shown("UP_TO_DATE"), 1U);
}

TEST_F(LargeMarks, OfAnEnvironmentLeaveOthersAlone) {
  const std::string other = create("/project/" + project_ + "/environment", R"({"name":"other"})");
  const std::string away = add_service(other, "away");
  deploy(environment_);
  deploy(other);
  set("ENVIRONMENT", environment_, "A");
  reopen();  // the mark is stored
  EXPECT_EQ(freshness(away), "UP_TO_DATE");
  EXPECT_EQ(freshness(ids_.front()), "OUT_OF_DATE");
  finish();
  EXPECT_EQ(freshness(away), "UP_TO_DATE");
  EXPECT_EQ(freshness(ids_.front()), "OUT_OF_DATE");
}

TEST_F(LargeMarks, OfManyChangesAreThoseOfTheLast) {
  deploy(environment_);
  const std::size_t before = records_in_store();
  const std::size_t reported = marks_reported();
  for (int change = 0; change < 5; ++change) set("PROJECT", project_, "A" + std::to_string(change));
  EXPECT_EQ(records_in_store(), before + 5 + 1);
  tick();
  set("PROJECT", project_, "B");
  EXPECT_EQ(records_in_store(), before + 6 + 1);
  EXPECT_EQ(freshness(last_), "OUT_OF_DATE");
  finish();
  EXPECT_EQ(records_in_store(), before + 6);
  EXPECT_EQ(marks_reported(), reported + large);
}

TEST_F(LargeMarks, AreShownOfWhatHasNotReadTheChange) {
  Machine service;
  service.freshness = static_cast<std::uint8_t>(Freshness::up_to_date);
  service.configuration = ConfigurationState::read;
  service.timing.started_at = Instant{10};
  EXPECT_EQ(freshness_under(std::nullopt, service), Freshness::up_to_date);
  EXPECT_EQ(freshness_under(Instant{9}, service), Freshness::up_to_date);
  EXPECT_EQ(freshness_under(Instant{10}, service), Freshness::out_of_date);
  service.configuration = ConfigurationState::pending;
  EXPECT_EQ(freshness_under(Instant{9}, service), Freshness::out_of_date);
  service.freshness = static_cast<std::uint8_t>(Freshness::never_deployed);
  EXPECT_EQ(freshness_under(Instant{10}, service), Freshness::never_deployed);
}

// The copy of a service is measured with the records below it.
TEST_F(LargeCommits, ACopyOfServicesWithVariablesIsCutByAllThatItWrites) {
  constexpr int services = 100;
  constexpr int variables = 20;
  const std::string source = create("/project/" + project_ + "/environment", R"({"name":"source"})");
  std::string body = R"({"overwrite":false,"vars":[)";
  for (int key = 0; key < variables; ++key) {
    body += (key == 0 ? R"({"name":"KEY_)" : R"(,{"name":"KEY_)") + std::to_string(key) +
            R"(","value":"1","scope":"CONTAINER","is_secret":false})";
  }
  for (int at = 0; at < services + 1; ++at) {
    const std::string service = add_service(source, "s" + std::to_string(at));
    ASSERT_EQ(status("POST", "/container/" + service + "/environmentVariable/import", body + "]}"), 201);
  }
  watch_ = {};
  const Reply cloned = ask("POST", "/environment/" + source + "/clone", R"({"name":"copy"})");
  ASSERT_EQ(cloned.status, 202) << cloned.body;
  EXPECT_LE(watch_.largest, part_cost_max / change_cost::record + 2 * variables);
  EXPECT_GE(watch_.commits, 5U);
}

}  // namespace
}  // namespace orlop
