// Large trees are removed and copied in several commits: what is seen meanwhile, what comes between, and what a crash leaves.
#include <gtest/gtest.h>

#include "whole/large_environment.h"

namespace orlop {
namespace {

using Removal = LargeEnvironment;
using Copy = LargeEnvironment;

TEST_F(Removal, WhatIsRemovedIsGoneForEveryRequestAtOnce) {
  EXPECT_EQ(status("DELETE", "/project/" + project_), 204);
  EXPECT_EQ(status("GET", "/project/" + project_), 404);
  EXPECT_EQ(status("GET", "/environment/" + environment_), 404);
  EXPECT_EQ(status("GET", "/environment/" + environment_ + "/status"), 404);
  EXPECT_EQ(status("GET", "/environment/" + environment_ + "/container"), 404);
  EXPECT_EQ(status("GET", "/container/" + last_), 404);
  EXPECT_EQ(status("PUT", "/container/" + last_, service("renamed")), 404);
  EXPECT_EQ(status("POST", "/environment/" + environment_ + "/container", service("late")), 404);
  EXPECT_EQ(status("POST", "/environment/" + environment_ + "/deploy"), 404);
  EXPECT_EQ(status("DELETE", "/project/" + project_), 404);
  EXPECT_EQ(count("/organization/" + organization_ + "/project"), 0U);
  // What only it used can go, and its name is free.
  EXPECT_EQ(status("DELETE", "/organization/" + organization_ + "/containerRegistry/" + registry_), 204);
  create("/organization/" + organization_ + "/project", R"({"name":"SHOP"})");
  finish();
  EXPECT_EQ(count("/organization/" + organization_ + "/project"), 1U);
}

TEST_F(Removal, GoesInCommitsThatOthersGetBetween) {
  EXPECT_EQ(status("DELETE", "/organization/" + organization_), 204);
  EXPECT_LE(watch_.largest, 10U);
  std::size_t written = 0;
  while (tick()) {
    create("/organization", R"({"name":"other)" + std::to_string(written++) + R"(","plan":"FREE"})");
    ASSERT_LT(written, 100U);
  }
  EXPECT_GE(written, large / removal_chunk);
  EXPECT_LE(watch_.largest, 2 * removal_chunk);
  EXPECT_EQ(count("/organization"), written);
  // Services, stages, environment, project, cluster, registry, organization: each was told of once.
  EXPECT_EQ(deletions_told(), large + 4U + 5U);
  EXPECT_EQ(status("GET", "/container/" + last_), 404);
}

TEST_F(Removal, GoesOnAfterACrash) {
  const std::size_t all = records_in_store();
  EXPECT_EQ(status("DELETE", "/organization/" + organization_), 204);
  reopen();
  EXPECT_EQ(status("GET", "/container/" + last_), 404);
  for (int crashes = 0; tick(); ++crashes) {
    EXPECT_EQ(status("GET", "/organization/" + organization_), 404);
    EXPECT_EQ(status("GET", "/container/" + last_), 404);
    EXPECT_EQ(status("POST", "/environment/" + environment_ + "/container", service("late")), 404);
    reopen();
    ASSERT_LT(crashes, 100);
  }
  EXPECT_GT(all, static_cast<std::size_t>(large));
  EXPECT_EQ(records_in_store(), 0U);
  EXPECT_EQ(deletions_told(), large + 4U + 5U);
}

TEST_F(Removal, GoesOnFromASnapshot) {
  EXPECT_EQ(status("DELETE", "/organization/" + organization_), 204);
  tick();
  const std::string snapshot = *engine_->snapshot();
  EngineOptions options;
  options.settings.require_cluster = false;
  options.snapshot = snapshot;
  options.clock = &clock_;
  options.random_source = &random_source_;
  auto opened = Engine::open(std::move(options));
  ASSERT_TRUE(opened) << opened.error().message;
  engine_ = std::move(*opened);
  EXPECT_EQ(status("GET", "/container/" + last_), 404);
  EXPECT_GT(records_in_store(), static_cast<std::size_t>(large) / 2);
  finish();
  EXPECT_EQ(records_in_store(), 0U);
}

TEST_F(Removal, ACommitThatFailsIsTriedAgain) {
  EXPECT_EQ(status("DELETE", "/organization/" + organization_), 204);
  tick();
  watch_.is_failing = true;
  EXPECT_FALSE(engine_->tick());
  EXPECT_EQ(status("GET", "/container/" + last_), 404);
  watch_.is_failing = false;
  finish();
  EXPECT_EQ(records_in_store(), 0U);
}

TEST_F(Removal, IsRefusedAsASmallOneIs) {
  ASSERT_EQ(status("POST", "/environment/" + environment_ + "/deploy"), 202);
  // The scripted driver has begun the first steps, and their ends are not reported yet.
  ASSERT_TRUE(engine_->tick());
  const Reply refused = ask("DELETE", "/organization/" + organization_);
  EXPECT_EQ(refused.status, 409);
  EXPECT_NE(refused.body.find("is being deployed"), std::string::npos) << refused.body;
  EXPECT_EQ(status("GET", "/container/" + last_), 200);
}

TEST_F(Copy, IsFilledInCommitsThatOthersGetBetween) {
  ASSERT_EQ(status("PUT", "/container/" + last_, R"({"name":"last","registry_id":")" + registry_ +
                                                     R"(","image_name":"a","tag":"9","healthchecks":{},"arguments":["x"]})"), 200);
  watch_ = {};
  const Reply cloned = ask("POST", "/environment/" + environment_ + "/clone", R"({"name":"copy"})");
  ASSERT_EQ(cloned.status, 202) << cloned.body;
  const std::string copy = cloned.body.substr(7, 36);
  EXPECT_EQ(count("/environment/" + copy + "/container"), 0U);
  EXPECT_EQ(status("POST", "/environment/" + copy + "/deploy"), 409);
  EXPECT_EQ(status("DELETE", "/environment/" + environment_), 409);
  EXPECT_LE(watch_.largest, 40U);
  std::size_t written = 0;
  while (tick()) {
    add_service(environment_, "between" + std::to_string(written++));
    EXPECT_EQ(status("GET", "/environment/" + copy + "/statuses"), 200);
    ASSERT_LT(written, 100U);
  }
  EXPECT_GE(written, large / copied_by_commit);
  EXPECT_LE(watch_.largest, 3 * copied_by_commit);
  EXPECT_EQ(count("/environment/" + copy + "/container"), static_cast<std::size_t>(large));
  EXPECT_NE(ask("GET", "/environment/" + copy + "/container").body.find(R"("arguments":["x"])"), std::string::npos);
  EXPECT_EQ(status("POST", "/environment/" + copy + "/deploy"), 202);
  EXPECT_EQ(status("DELETE", "/environment/" + environment_), 204);
}

TEST_F(Copy, GoesOnAfterACrashAndLeavesOutWhatIsGone) {
  const std::string copy = ask("POST", "/environment/" + environment_ + "/clone", R"({"name":"copy"})").body.substr(7, 36);
  tick();
  EXPECT_EQ(status("DELETE", "/container/" + last_), 204);
  add_service(copy, "s1200");  // a name that the copy would give
  for (int crashes = 0; tick(); ++crashes) {
    EXPECT_EQ(status("POST", "/environment/" + copy + "/deploy"), 409);
    reopen();
    ASSERT_LT(crashes, 100);
  }
  EXPECT_EQ(count("/environment/" + copy + "/container"), static_cast<std::size_t>(large - 1));
}

TEST_F(Copy, ThatIsDeletedIsNotFilledAnyMore) {
  const std::string copy = ask("POST", "/environment/" + environment_ + "/clone", R"({"name":"copy"})").body.substr(7, 36);
  tick();
  EXPECT_EQ(status("DELETE", "/environment/" + copy + "?skipReconcile=true"), 204);
  finish();
  EXPECT_EQ(status("GET", "/environment/" + copy), 404);
  EXPECT_EQ(count("/environment/" + environment_ + "/container"), static_cast<std::size_t>(large));
}

TEST_F(Copy, KeepsItsProjectsOriginalFromGoing) {
  const std::string elsewhere = create("/organization/" + organization_ + "/project", R"({"name":"elsewhere"})");
  ask("POST", "/environment/" + environment_ + "/clone", R"({"name":"copy","project_id":")" + elsewhere + R"("})");
  const Reply refused = ask("DELETE", "/project/" + project_);
  EXPECT_EQ(refused.status, 409);
  EXPECT_NE(refused.body.find("clone"), std::string::npos) << refused.body;
  finish();
  EXPECT_EQ(status("DELETE", "/project/" + project_), 204);
  finish();
}

}  // namespace
}  // namespace orlop
