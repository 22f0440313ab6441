// Large deployment requests are queued, begun, canceled and ended in several commits: the visible state meanwhile,
// requests in between, and the state after a crash.
#include <gtest/gtest.h>

#include <cstdint>
#include <map>

#include "deploy/driver/scripted_driver.h"
#include "deploy/request/queuing.h"
#include "scripted_steps.h"
#include "whole/large_environment.h"

namespace orlop {
namespace {

class LargeRequests : public LargeEnvironment {
 protected:
  std::string path() const { return "/environment/" + environment_; }
  std::string state(const std::string& path) {
    const auto status = parse_stored(ask("GET", path + "/status").body);
    return status ? std::string(status->text_or("state", "")) : "";
  }
  std::map<std::string, int> states() {
    std::map<std::string, int> counts;
    const auto list = parse_stored(ask("GET", path() + "/container/status").body);
    if (!list) return counts;
    for (const Value& service : list->find("results")->items()) ++counts[std::string(service.text_or("state", ""))];
    return counts;
  }
  static std::map<std::string, int> all_in(const std::string& state, int count = large) { return {{state, count}}; }
  std::size_t events_with(std::string_view text) {
    const std::string events = *engine_->events({.limit = 1'000'000});
    std::size_t found = 0;
    for (std::size_t at = events.find(text); at != std::string::npos; at = events.find(text, at + 1)) ++found;
    return found;
  }
  std::size_t services_in_history() {
    const auto history = parse_stored(ask("GET", path() + "/deploymentHistoryV2").body);
    if (!history) return 0;
    std::size_t found = 0;
    for (const Value& stage : history->find("results")->items().front().find("stages")->items())
      found += stage.find("services")->items().size();
    return found;
  }
  // Runs requests, edits and crashes drawn from the seed; returns the feed at the end.
  std::string play(std::uint64_t seed);
  void play_one(std::uint64_t drawn);

  // Checks the maximum that one tick and one part write: a machine for each service, and the rows of request and
  // environment.
  void expect_small_commits() { EXPECT_LE(watch_.largest, 2 * queued_by_commit + 10); }
};

TEST_F(LargeRequests, AllServicesAreQueuedWhenTheRequestIsAnswered) {
  const Reply placed = ask("POST", path() + "/deploy");
  ASSERT_EQ(placed.status, 202) << placed.body;
  EXPECT_NE(placed.body.find(R"("state":"DEPLOYMENT_QUEUED")"), std::string::npos) << placed.body;
  EXPECT_EQ(states(), all_in("DEPLOYMENT_QUEUED"));
  EXPECT_GE(watch_.commits, large / queued_by_commit + 1);
  expect_small_commits();
  finish();
  EXPECT_EQ(states(), all_in("DEPLOYED"));
  EXPECT_EQ(state(path()), "DEPLOYED");
  EXPECT_EQ(services_in_history(), static_cast<std::size_t>(large));
  expect_small_commits();
}

TEST_F(LargeRequests, ASmallOneIsOneCommit) {
  const std::string small = create("/project/" + project_ + "/environment", R"({"name":"small"})");
  add_service(small, "only");
  watch_ = {};
  ASSERT_EQ(status("POST", "/environment/" + small + "/deploy"), 202);
  EXPECT_EQ(watch_.commits, 1U);
}

TEST_F(LargeRequests, OthersSeeTheRequestWhileItIsQueued) {
  int seen = 0;
  watch_.between = [&](std::size_t commits) {
    if (commits != 2) return;
    ++seen;
    EXPECT_EQ(state(path()), "DEPLOYMENT_QUEUED");
    const auto service = parse_stored(ask("GET", "/container/" + last_ + "/status").body);
    EXPECT_EQ(service->text_or("state", ""), "READY");
    EXPECT_EQ(service->integer_or("deployment_requests_count", 0), 1);
    EXPECT_EQ(count(path() + "/deploymentQueue"), 1U);
  };
  ASSERT_EQ(status("POST", path() + "/deploy"), 202);
  EXPECT_EQ(seen, 1);
}

// The commit of each part fails once; the engine is opened again each time, and then the request ends normally.
TEST_F(LargeRequests, GoOnAfterACrashBetweenEveryTwoParts) {
  for (std::size_t parts = 1; parts <= large / queued_by_commit + 1; ++parts) {
    watch_ = {};
    watch_.fails_at = parts;
    ASSERT_EQ(status("POST", path() + "/deploy"), 202);
    const std::map<std::string, int> cut = states();
    EXPECT_EQ(cut.contains("DEPLOYMENT_QUEUED"), parts > 1);
    watch_.fails_at = SIZE_MAX;
    const std::size_t queued = events_with(R"("to":"DEPLOYMENT_QUEUED")");
    reopen();
    finish();
    EXPECT_EQ(states(), all_in("DEPLOYED")) << parts;
    EXPECT_EQ(services_in_history(), static_cast<std::size_t>(large));
    // Each service was queued once for this request, before the crash or after it.
    const auto before = cut.contains("DEPLOYMENT_QUEUED") ? static_cast<std::size_t>(cut.at("DEPLOYMENT_QUEUED")) : 0;
    EXPECT_EQ(events_with(R"("to":"DEPLOYMENT_QUEUED")"), queued + large - before) << parts;
  }
}

TEST_F(LargeRequests, GoOnAfterACrashInEveryThirdTick) {
  ASSERT_EQ(status("POST", path() + "/deploy"), 202);
  for (int ticks = 0; tick(); ++ticks) {
    if (ticks % 3 == 0) reopen();
    ASSERT_LT(ticks, 2000);
  }
  EXPECT_EQ(states(), all_in("DEPLOYED"));
  EXPECT_EQ(services_in_history(), static_cast<std::size_t>(large));
}

TEST_F(LargeRequests, GoOnFromASnapshotBetweenTwoParts) {
  watch_.fails_at = 2;
  ASSERT_EQ(status("POST", path() + "/deploy"), 202);
  watch_.fails_at = SIZE_MAX;
  const std::string snapshot = *engine_->snapshot();
  store_ = std::make_shared<WatchedStore>(watch_);
  reopen(snapshot);
  EXPECT_EQ(states()["DEPLOYMENT_QUEUED"], static_cast<int>(queued_by_commit));
  finish();
  EXPECT_EQ(states(), all_in("DEPLOYED"));
}

TEST_F(LargeRequests, ASecondRequestBetweenThePartsComesAfterAllAreQueued) {
  int second = 0;
  watch_.between = [&](std::size_t commits) {
    if (commits != 2 || second != 0) return;
    second = status("POST", path() + "/stop");
    EXPECT_EQ(states(), all_in("DEPLOYMENT_QUEUED"));
  };
  ASSERT_EQ(status("POST", path() + "/deploy"), 202);
  EXPECT_EQ(second, 202);
  EXPECT_EQ(count(path() + "/deploymentQueue"), 2U);
  finish();
  EXPECT_EQ(states(), all_in("STOPPED"));
  expect_small_commits();
}

TEST_F(LargeRequests, TheSameRequestBetweenThePartsIsMerged) {
  int second = 0;
  watch_.between = [&](std::size_t commits) {
    if (commits == 2 && second == 0) second = status("POST", path() + "/deploy");
  };
  ASSERT_EQ(status("POST", path() + "/deploy"), 202);
  EXPECT_EQ(second, 202);
  EXPECT_EQ(count(path() + "/deploymentQueue"), 1U);
  EXPECT_EQ(events_with(R"("to":"DEPLOYMENT_QUEUED")"), static_cast<std::size_t>(large));
}

TEST_F(LargeRequests, ACancelBetweenThePartsCancelsAllServices) {
  int canceled = 0;
  watch_.between = [&](std::size_t commits) {
    if (commits == 2 && canceled == 0) canceled = status("POST", path() + "/cancelDeployment");
  };
  ASSERT_EQ(status("POST", path() + "/deploy"), 202);
  EXPECT_EQ(canceled, 202);
  EXPECT_EQ(state(path()), "CANCELING");
  finish();
  EXPECT_EQ(states(), all_in("CANCELED"));
  EXPECT_EQ(state(path()), "CANCELED");
  EXPECT_EQ(services_in_history(), static_cast<std::size_t>(large));
  expect_small_commits();
}

TEST_F(LargeRequests, EditsBetweenThePartsKeepTheirEffect) {
  std::string late;
  watch_.between = [&](std::size_t commits) {
    if (commits != 2 || !late.empty()) return;
    late = add_service(environment_, "late");
    EXPECT_EQ(status("PUT", "/container/" + last_, service("renamed")), 200);
    EXPECT_EQ(status("DELETE", "/container/" + ids_.front() + "?skipReconcile=true"), 204);
    EXPECT_EQ(status("DELETE", "/container/" + ids_[large - 2] + "?skipReconcile=true"), 204);
  };
  ASSERT_EQ(status("POST", path() + "/deploy"), 202);
  EXPECT_EQ(state("/container/" + late), "READY");
  EXPECT_EQ(state("/container/" + last_), "DEPLOYMENT_QUEUED");
  finish();
  EXPECT_EQ(states(), (std::map<std::string, int>{{"DEPLOYED", large - 2}, {"READY", 1}}));
  EXPECT_EQ(state("/container/" + last_), "DEPLOYED");
  const auto renamed = parse_stored(ask("GET", "/container/" + last_ + "/status").body);
  EXPECT_EQ(renamed->text_or("service_deployment_status", ""), "UP_TO_DATE");
}

// Between the parts the service already belongs to the request, whether it is queued or not.
TEST_F(LargeRequests, ADeletionOfAServiceBetweenThePartsWaitsForTheRequest) {
  int deleted = 0;
  watch_.between = [&](std::size_t commits) {
    if (commits == 2 && deleted == 0) deleted = status("DELETE", "/container/" + last_);
  };
  ASSERT_EQ(status("POST", path() + "/deploy"), 202);
  EXPECT_EQ(deleted, 204);
  EXPECT_EQ(state("/container/" + last_), "DEPLOYMENT_QUEUED");
  finish();
  EXPECT_EQ(status("GET", "/container/" + last_), 404);
  EXPECT_EQ(states(), all_in("DEPLOYED", large - 1));
}

TEST_F(LargeRequests, TheEnvironmentCanGoBetweenTheParts) {
  int deleted = 0;
  watch_.between = [&](std::size_t commits) {
    if (commits == 2 && deleted == 0) deleted = status("DELETE", "/organization/" + organization_);
  };
  EXPECT_EQ(status("POST", path() + "/deploy"), 404);
  EXPECT_EQ(deleted, 204);
  finish();
  EXPECT_EQ(records_in_store(), 0U);
}

TEST_F(LargeRequests, WhatFollowsARunningRequestIsQueuedInParts) {
  ASSERT_EQ(status("POST", path() + "/deploy"), 202);
  tick();
  ASSERT_EQ(status("POST", path() + "/stop"), 202);
  watch_ = {};
  for (int crashes = 0; tick(); ++crashes) {
    if (crashes % 3 == 0) reopen();
    ASSERT_LT(crashes, 2000);
  }
  EXPECT_EQ(states(), all_in("STOPPED"));
  EXPECT_EQ(services_in_history(), static_cast<std::size_t>(large));
  expect_small_commits();
}

TEST_F(LargeRequests, ARunningOneIsCanceledInParts) {
  ASSERT_EQ(status("POST", path() + "/deploy"), 202);
  tick();
  watch_ = {};
  ASSERT_EQ(status("POST", path() + "/cancelDeployment"), 202);
  EXPECT_EQ(state(path()), "CANCELING");
  finish();
  EXPECT_EQ(states()["CANCELED"] + states()["DEPLOYED"], large);
  EXPECT_GT(states()["CANCELED"], large / 2);
  EXPECT_EQ(state(path()), "CANCELED");
  expect_small_commits();
}

TEST_F(LargeRequests, ACancelGoesOnAfterACrashInEverySecondTick) {
  ASSERT_EQ(status("POST", path() + "/deploy"), 202);
  ASSERT_EQ(status("POST", path() + "/cancelDeployment"), 202);
  watch_ = {};
  for (int ticks = 0; tick(); ++ticks) {
    if (ticks % 2 == 0) reopen();
    ASSERT_LT(ticks, 100);
  }
  EXPECT_EQ(states(), all_in("CANCELED"));
  EXPECT_EQ(state(path()), "CANCELED");
  expect_small_commits();
  ASSERT_EQ(status("POST", path() + "/deploy"), 202);
  finish();
  EXPECT_EQ(states(), all_in("DEPLOYED"));
}

TEST_F(LargeRequests, AnEnvironmentIsDeletedWithItsServicesInParts) {
  ASSERT_EQ(status("POST", path() + "/deploy"), 202);
  finish();
  watch_ = {};
  ASSERT_EQ(status("DELETE", path()), 204);
  EXPECT_EQ(states(), all_in("DELETE_QUEUED"));
  for (int crashes = 0; tick(); ++crashes) {
    if (crashes % 3 == 0) reopen();
    ASSERT_LT(crashes, 2000);
  }
  EXPECT_EQ(status("GET", path()), 404);
  expect_small_commits();
}

TEST_F(LargeRequests, ASelectionThatWasNeverDeployedGoesInParts) {
  std::string ids;
  const auto list = parse_stored(ask("GET", path() + "/container").body);
  for (const Value& container : list->find("results")->items())
    ids += (ids.empty() ? "\"" : ",\"") + std::string(container.text_or("id", "")) + "\"";
  ASSERT_EQ(status("POST", path() + "/service/delete", R"({"container_ids":[)" + ids + "]}"), 200);
  EXPECT_EQ(count(path() + "/container"), 0U);
  expect_small_commits();
  finish();
  EXPECT_EQ(count(path() + "/deploymentQueue"), 0U);
}

TEST_F(LargeRequests, ARestIsAbandonedInPartsWhenAServiceFails) {
  StepRule rule;
  rule.name = "s3";
  rule.outcome = ScriptOutcome::fail;
  ScriptedSteps driver({rule});
  driver_ = &driver;
  reopen();
  ASSERT_EQ(status("POST", path() + "/deploy"), 202);
  watch_ = {};
  finish();
  const auto counts = states();
  EXPECT_EQ(counts.at("DEPLOYMENT_ERROR"), 1);
  EXPECT_GT(counts.at("CANCELED"), large / 2);
  EXPECT_EQ(state(path()), "DEPLOYMENT_ERROR");
  EXPECT_EQ(services_in_history(), static_cast<std::size_t>(large));
  expect_small_commits();
  driver_ = nullptr;
  engine_.reset();
}

void LargeRequests::play_one(std::uint64_t drawn) {
  const std::string& service = ids_[drawn / 16 % ids_.size()];
  // A request during a failure may get an error.
  const auto ask = [this](std::string_view method, const std::string& at, std::string_view body = "") {
    (void)engine_->dispatch({method, at, body, {}});
  };
  switch (drawn % 16) {
    case 0:
    case 1: ask("POST", path() + "/deploy"); return;
    case 2: ask("POST", path() + "/stop"); return;
    case 3: ask("POST", path() + "/cancelDeployment"); return;
    case 4: ask("DELETE", "/container/" + service); return;
    case 5: ask("POST", "/container/" + service + "/restart"); return;
    case 6: ask("DELETE", "/container/" + service + "?skipReconcile=true"); return;
    case 7: ask("POST", path() + "/container", LargeEnvironment::service("n" + std::to_string(drawn))); return;
    case 8: reopen(); return;
    default:
      for (std::uint64_t ticks = drawn / 16 % 40; ticks > 0; --ticks) (void)engine_->tick();
  }
}

std::string LargeRequests::play(std::uint64_t seed) {
  start_over();
  std::uint64_t between = 0;
  for (std::uint64_t round = 0; round < 40; ++round) {
    const std::uint64_t drawn = random_source_.draw(seed, round);
    watch_ = {};
    // One round in four is cut off after some commits; in another one a request comes between two commits.
    if (drawn >> 60 < 4) watch_.fails_at = drawn >> 40 & 3;
    if (drawn >> 60 > 11)
      watch_.between = [&](std::size_t commits) {
        if (commits == 1) play_one(random_source_.draw(seed + 100, ++between) % 8);
      };
    play_one(drawn & 0xFFFFFFF);
    if (watch_.fails_at != SIZE_MAX) {
      watch_ = {};
      reopen();
    }
  }
  watch_ = {};
  finish();
  for (const auto& [state, services] : states()) {
    EXPECT_TRUE(state == "READY" || state == "DEPLOYED" || state == "STOPPED" || state == "RESTARTED" ||
                state == "CANCELED")
        << state << ": " << services;
  }
  EXPECT_EQ(count(path() + "/deploymentQueue"), 0U);
  return *engine_->events({.limit = 10'000'000});
}

// Random requests, edits and crashes between any two commits: all work ends, and the same seed gives the same feed.
TEST_F(LargeRequests, SeedsEndAtRestAndReplay) {
  for (const std::uint64_t seed : {1U, 2U}) {
    const auto first = play(seed);
    EXPECT_TRUE(first == play(seed)) << seed;
  }
}

}  // namespace
}  // namespace orlop
