// Large trees are removed and copied in several commits: the visible state meanwhile, requests in between, and the
// state after a crash.
#include <gtest/gtest.h>

#include "deploy/request/queuing.h"
#include "whole/large_environment.h"

namespace orlop {
namespace {

using Removal = LargeEnvironment;

class Copy : public LargeEnvironment {
 protected:
  std::vector<std::string> environments() {
    std::vector<std::string> ids;
    const auto list = parse_stored(ask("GET", "/project/" + project_ + "/environment").body);
    for (const Value& environment : list->find("results")->items()) ids.emplace_back(environment.text_or("id", ""));
    std::ranges::sort(ids);  // in the order of creation
    return ids;
  }
  std::string clone(const std::string& body = R"({"name":"copy"})") {
    const Reply reply = ask("POST", "/environment/" + environment_ + "/clone", body);
    EXPECT_EQ(reply.status, 202) << reply.body;
    return reply.body.substr(7, 36);
  }
  // Ends the process after `commits` commits of the clone.
  std::string clone_cut_off(std::size_t commits, const std::string& body = R"({"name":"copy"})") {
    watch_ = {};
    watch_.fails_at = commits;
    const std::string copy = clone(body);
    watch_ = {};
    reopen();
    return copy;
  }
};

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
  // Resources that only the project used can be deleted, and its name is free.
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
  EXPECT_GE(written, 2U);
  EXPECT_LE(watch_.largest, large / 2);
  EXPECT_EQ(count("/organization"), written);
  // Services, stages, environment, project, cluster, registry, organization: each has one event.
  EXPECT_EQ(deletions_emitted(), large + 4U + 5U);
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
  EXPECT_EQ(deletions_emitted(), large + 4U + 5U);
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

TEST_F(Removal, WaitsForWhatRuns) {
  ASSERT_EQ(status("POST", "/environment/" + environment_ + "/deploy"), 202);
  // The scripted driver has begun the first steps; their ends have not been reported yet.
  ASSERT_TRUE(engine_->tick());
  watch_ = {};
  EXPECT_EQ(status("DELETE", "/organization/" + organization_), 204);
  EXPECT_EQ(status("GET", "/container/" + last_), 404);
  finish();
  EXPECT_EQ(records_in_store(), 0U);
  EXPECT_LE(watch_.largest, queued_by_commit + 1);
}

TEST_F(Copy, IsCompleteWhenItIsAnsweredAndOthersGetBetween) {
  ASSERT_EQ(status("PUT", "/container/" + last_,
                   R"({"name":"last","registry_id":")" + registry_ +
                       R"(","image_name":"a","tag":"9","healthchecks":{},"arguments":["x"]})"),
            200);
  std::size_t written = 0;
  watch_ = {};
  watch_.between = [&](std::size_t commits) {
    if (commits == 0) return;
    const std::string copy = environments().back();
    add_service(environment_, "between" + std::to_string(written++));
    EXPECT_EQ(status("GET", "/environment/" + copy + "/statuses"), 200);
    EXPECT_EQ(status("POST", "/environment/" + copy + "/deploy"), 409);
    EXPECT_EQ(status("DELETE", "/environment/" + environment_), 409);
  };
  const std::string copy = clone();
  EXPECT_GE(written, 5U);
  EXPECT_LE(watch_.largest, large / 2);
  watch_ = {};
  EXPECT_EQ(count("/environment/" + copy + "/container"), static_cast<std::size_t>(large));
  EXPECT_NE(ask("GET", "/environment/" + copy + "/container").body.find(R"("arguments":["x"])"), std::string::npos);
  EXPECT_EQ(status("POST", "/environment/" + copy + "/deploy"), 202);
  EXPECT_EQ(status("DELETE", "/environment/" + environment_), 204);
}

// A store that a later version has written to, or manual edits.
TEST_F(Copy, LeavesOutMembersThatTheFamilyDoesNotHave) {
  ASSERT_EQ(status("PUT", "/container/" + last_,
                   R"({"name":"last","registry_id":")" + registry_ +
                       R"(","image_name":"a","tag":"9","healthchecks":{},"ports":[{"internal_port":80,"name":"web",)"
                       R"("publicly_accessible":false}]})"),
            200);
  std::string edited = *engine_->snapshot();
  const std::string_view mark = R"("name":"last",)";
  const std::size_t at = edited.find(mark, edited.find(R"("id":")" + last_));
  ASSERT_NE(at, std::string::npos);
  edited.insert(at + mark.size(), R"("from_later":1,)");
  store_ = std::make_shared<WatchedStore>(watch_);
  reopen(edited);
  ASSERT_NE(ask("GET", "/container/" + last_).body.find("from_later"), std::string::npos);
  const std::string copy = clone();
  const auto list = parse_stored(ask("GET", "/environment/" + copy + "/container").body);
  ASSERT_EQ(list->find("results")->items().size(), static_cast<std::size_t>(large));
  const auto original = parse_stored(ask("GET", "/container/" + last_).body);
  for (const Value& service : list->find("results")->items()) {
    if (service.text_or("name", "") != "last") continue;
    EXPECT_EQ(service.find("from_later"), nullptr);
    for (const Member& member : original->members()) {
      const Value* const copied = service.find(member.name);
      if (member.name == "from_later") continue;
      ASSERT_NE(copied, nullptr) << member.name.view();
      const bool is_own = member.name == "id" || member.name == "created_at" || member.name == "updated_at" ||
                          member.name == "environment" || member.name == "ports";
      EXPECT_EQ(*copied == member.value, !is_own) << member.name.view();
    }
    const Value& port = service.find("ports")->items().front();
    EXPECT_EQ(port.integer_or("internal_port", 0), 80);
    EXPECT_NE(port.text_or("id", ""), original->find("ports")->items().front().text_or("id", ""));
    return;
  }
  ADD_FAILURE() << "the service was not copied";
}

TEST_F(Copy, ReadsAJobThatAHandHasEdited) {
  const std::string copy = clone_cut_off(2);
  std::string edited = *engine_->snapshot();
  const std::size_t items = edited.find(R"(,"items":")");
  ASSERT_NE(items, std::string::npos);
  const std::size_t end = edited.find('"', items + 10);
  edited.insert(end + 1, R"(,"note":"by hand")");
  store_ = std::make_shared<WatchedStore>(watch_);
  reopen(edited);
  finish();
  EXPECT_EQ(count("/environment/" + copy + "/container"), static_cast<std::size_t>(large));
}

TEST_F(Copy, GoesOnAfterACrashAndLeavesOutWhatIsGone) {
  const std::string copy = clone_cut_off(2);
  EXPECT_EQ(status("DELETE", "/container/" + last_), 204);
  add_service(copy, "s1200");  // a name that the copy would use
  for (int crashes = 0; tick(); ++crashes) {
    EXPECT_EQ(status("POST", "/environment/" + copy + "/deploy"), 409);
    reopen();
    ASSERT_LT(crashes, 100);
  }
  EXPECT_EQ(count("/environment/" + copy + "/container"), static_cast<std::size_t>(large - 1));
}

TEST_F(Copy, ThatIsDeletedIsNotFilledAnyMore) {
  const std::string copy = clone_cut_off(2);
  EXPECT_EQ(status("DELETE", "/environment/" + copy + "?skipReconcile=true"), 204);
  finish();
  EXPECT_EQ(status("GET", "/environment/" + copy), 404);
  EXPECT_EQ(count("/environment/" + environment_ + "/container"), static_cast<std::size_t>(large));
}

TEST_F(Copy, KeepsItsProjectsOriginalFromGoing) {
  const std::string elsewhere = create("/organization/" + organization_ + "/project", R"({"name":"elsewhere"})");
  clone_cut_off(1, R"({"name":"copy","project_id":")" + elsewhere + R"("})");
  const Reply refused = ask("DELETE", "/project/" + project_);
  EXPECT_EQ(refused.status, 409);
  EXPECT_NE(refused.body.find("clone"), std::string::npos) << refused.body;
  finish();
  EXPECT_EQ(status("DELETE", "/project/" + project_), 204);
  finish();
}

// One service and the environment itself have more variables than one commit copies.
class CopyOfVariables : public Copy {
 protected:
  static constexpr int variables = 700;

  void SetUp() override {
    Copy::SetUp();
    environment_ = create("/project/" + project_ + "/environment", R"({"name":"source"})");
    service_ = add_service(environment_, "api");
    for (const std::string scope : {"ENVIRONMENT", "CONTAINER"}) {
      std::string body = R"({"overwrite":false,"vars":[)";
      for (int key = 0; key < variables; ++key) {
        body += (key == 0 ? "" : ",") + (R"({"name":"KEY_)" + std::to_string(key)) + R"(","value":"of )" + scope +
                R"(","scope":")" + scope + R"(","is_secret":true})";
      }
      ASSERT_EQ(status("POST", "/container/" + service_ + "/environmentVariable/import", body + "]}"), 201);
    }
    const auto seen = parse_stored(ask("GET", "/variable?scope=CONTAINER&parent_id=" + service_).body);
    for (const Value& variable : seen->find("results")->items()) {
      if (variable.text_or("scope", "") != "CONTAINER" || variable.text_or("key", "") != "KEY_699") continue;
      create("/variable/" + std::string(variable.text_or("id", "")) + "/alias",
             R"({"key":"LAST","alias_scope":"CONTAINER","alias_parent_id":")" + service_ + "\"}");
    }
  }
  void expect_whole(const std::string& copy) {
    const auto services = parse_stored(ask("GET", "/environment/" + copy + "/container").body);
    ASSERT_EQ(services->find("results")->items().size(), 1U);
    const std::string service(services->find("results")->items().front().text_or("id", ""));
    EXPECT_EQ(count("/variable?scope=CONTAINER&parent_id=" + service),
              count("/variable?scope=CONTAINER&parent_id=" + service_));
    const std::string list = ask("GET", "/container/" + service + "/secret").body;
    EXPECT_NE(list.find(R"("key":"LAST")"), std::string::npos);
  }

  std::string service_;
};

TEST_F(CopyOfVariables, IsCutWithinOneService) {
  watch_ = {};
  const std::string copy = clone();
  EXPECT_GE(watch_.commits, 5U);
  EXPECT_LE(watch_.largest, 450U);
  expect_whole(copy);
}

TEST_F(CopyOfVariables, GoesOnAfterACrashAndLeavesOutKeysThatAreTaken) {
  for (std::size_t commits = 1; commits < 6; ++commits) {
    const std::string copy = clone_cut_off(commits, R"({"name":"copy )" + std::to_string(commits) + "\"}");
    create("/environment/" + copy + "/environmentVariable", R"({"key":"KEY_699x","value":"mine"})");
    const int taken =
        status("POST", "/environment/" + copy + "/environmentVariable", R"({"key":"KEY_699","value":"mine"})");
    EXPECT_TRUE(taken == 201 || taken == 409) << taken;
    finish();
    ASSERT_EQ(status(
                  "DELETE", "/variable/" +
                                [&] {
                                  const auto list =
                                      parse_stored(ask("GET", "/environment/" + copy + "/environmentVariable").body);
                                  for (const Value& variable : list->find("results")->items()) {
                                    if (variable.text_or("key", "") == "KEY_699x")
                                      return std::string(variable.text_or("id", ""));
                                  }
                                  return std::string();
                                }()),
              204);
    expect_whole(copy);
  }
}

class Preview : public Copy {
 protected:
  std::string previewable(const std::string& name) const {
    return R"({"name":")" + name + R"(","registry_id":")" + registry_ +
           R"(","image_name":"shop/web","tag":"1","auto_preview":true,"healthchecks":{}})";
  }
  Reply preview() {
    return ask("POST", "/organization/" + organization_ + "/container/preview",
               R"({"image_name":"shop/web","tag":"2"})");
  }
};

TEST_F(Preview, OfALargeEnvironmentIsMadeInCommitsThatOthersGetBetween) {
  const std::string first = create("/environment/" + environment_ + "/container", previewable("web"));
  const std::string other = create("/environment/" + environment_ + "/container", previewable("web-2"));
  std::size_t written = 0;
  watch_ = {};
  watch_.between = [&](std::size_t commits) {
    if (commits != 0) create("/organization", R"({"name":"other)" + std::to_string(written++) + R"(","plan":"FREE"})");
  };
  const Reply answered = preview();
  ASSERT_EQ(answered.status, 202) << answered.body;
  EXPECT_GE(written, 8U);
  EXPECT_LE(watch_.largest, queued_by_commit + 1);  // including the machine of the request
  watch_ = {};
  // The answer is the status of the first copy, which is queued.
  const auto status = parse_stored(answered.body);
  const std::string copied(status->text_or("id", ""));
  EXPECT_NE(copied, first);
  EXPECT_EQ(status->text_or("state", ""), "DEPLOYMENT_QUEUED") << answered.body;
  EXPECT_NE(ask("GET", "/container/" + copied).body.find(R"("tag":"2")"), std::string::npos);
  EXPECT_NE(ask("GET", "/container/" + first).body.find(R"("tag":"1")"), std::string::npos);
  const std::string made = environments().back();
  EXPECT_EQ(count("/environment/" + made + "/container"), static_cast<std::size_t>(large) + 2);
  const std::string list = ask("GET", "/environment/" + made + "/container").body;
  std::size_t tagged = 0;
  for (std::size_t at = list.find(R"("tag":"2")"); at != std::string::npos; at = list.find(R"("tag":"2")", at + 1))
    ++tagged;
  EXPECT_EQ(tagged, 2U);
  finish();
  EXPECT_EQ(parse_stored(ask("GET", "/environment/" + made + "/status").body)->text_or("state", ""), "DEPLOYED");
  EXPECT_EQ(this->status("GET", "/container/" + other), 200);
}

TEST_F(Preview, ThatIsCutOffIsCompletedAndDeployedByTheTicks) {
  create("/environment/" + environment_ + "/container", previewable("web"));
  watch_ = {};
  watch_.fails_at = 3;
  (void)preview();
  watch_ = {};
  reopen();
  for (int ticks = 0; tick(); ++ticks) {
    reopen();
    ASSERT_LT(ticks, 1000);
  }
  const std::string made = environments().back();
  EXPECT_EQ(count("/environment/" + made + "/container"), static_cast<std::size_t>(large) + 1);
  EXPECT_EQ(parse_stored(ask("GET", "/environment/" + made + "/status").body)->text_or("state", ""), "DEPLOYED");
}

// Each of the environments is small, but all of them together are not.
TEST_F(Removal, OfAClusterWithItsEnvironmentsGoesInParts) {
  for (int made = 0; made < 6; ++made) {
    const std::string small =
        create("/project/" + project_ + "/environment", R"({"name":"small-)" + std::to_string(made) + R"("})");
    for (int at = 0; at < 300; ++at) add_service(small, "s" + std::to_string(at));
  }
  watch_ = {};
  const auto clusters = parse_stored(ask("GET", "/organization/" + organization_ + "/cluster").body);
  const std::string cluster(clusters->find("results")->items().front().text_or("id", ""));
  EXPECT_EQ(
      status("DELETE", "/organization/" + organization_ + "/cluster/" + cluster + "?deleteMode=DELETE_PLATFORM_CONFIG"),
      204);
  EXPECT_EQ(count("/project/" + project_ + "/environment"), 0U);
  EXPECT_EQ(status("GET", "/container/" + last_), 404);
  finish();
  EXPECT_LE(watch_.largest, removed_at_once_max + 100);
  EXPECT_EQ(status("GET", "/organization/" + organization_ + "/cluster/" + cluster), 404);
}

}  // namespace
}  // namespace orlop
