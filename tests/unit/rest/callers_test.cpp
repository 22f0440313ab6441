// Permissions of callers: tokens, members, invitations, custom roles, and the limit of requests per hour.
#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "access/token_authentication.h"
#include "model/role.h"
#include "rest/rate_limit.h"
#include "unit/rest/guarded.h"

namespace orlop::tests {
namespace {

const std::string ada = "Bearer person:ada:ada@example.org";
const std::string bob = "Bearer person:bob:Bob@Example.org";

TEST(Tokens, have_a_form_and_a_checksum) {
  const std::string token = make_api_token("platform", {1, 2, 3, 4});
  EXPECT_EQ(token.size(), 8U + 1 + 43 + 6);
  EXPECT_TRUE(is_api_token(token));
  EXPECT_TRUE(is_api_token(make_api_token("another", {1, 2, 3, 4})));
  EXPECT_FALSE(is_api_token("another" + token.substr(8)));
  EXPECT_FALSE(is_api_token(token.substr(8)));
  EXPECT_FALSE(is_api_token(token.substr(9)));
  EXPECT_FALSE(is_api_token(""));
  for (std::size_t at = 9; at < token.size(); ++at) {
    std::string wrong = token;
    wrong[at] = wrong[at] == 'x' ? 'y' : 'x';
    EXPECT_FALSE(is_api_token(wrong)) << at;
  }
  EXPECT_NE(make_api_token("platform", {1, 2, 3, 4}), make_api_token("platform", {1, 2, 3, 5}));
  EXPECT_NE(make_api_token("platform", {1, 2, 3, 4}), make_api_token("platform", {5, 2, 3, 4}));
}

TEST(Tokens, act_in_their_organization_in_their_role) {
  Guarded guarded;
  const std::string token = guarded.token_of(guarded.organization(), admin_role.id);
  const std::string base = "/organization/" + guarded.organization();
  EXPECT_EQ(guarded.ask_as(token, "GET", base).status, 200);
  EXPECT_EQ(parsed(guarded.ask_as(token, "GET", "/organization")).find("results")->items().size(), 1U);
  EXPECT_EQ(guarded.ask_as("Bearer " + token.substr(6), "POST", base + "/project", R"({"name": "shop"})").status, 200);
  EXPECT_EQ(guarded.ask_as(token, "POST", "/organization", R"({"name": "new", "plan": "FREE"})").status, 403);
  EXPECT_EQ(guarded.ask_as(token, "DELETE", base).status, 403);
}

TEST(Tokens, are_shown_once_and_kept_as_what_they_hash_to) {
  Guarded guarded;
  const std::string text = guarded.token_of(guarded.organization(), admin_role.id).substr(6);
  const Reply list = guarded.ask("GET", "/organization/" + guarded.organization() + "/apiToken");
  EXPECT_EQ(list.body.find(text), std::string::npos);
  EXPECT_EQ(guarded.engine().events({.limit = 10'000})->find(text), std::string::npos);
}

TEST(Tokens, know_when_they_were_used_last) {
  Guarded guarded;
  const std::string base = "/organization/" + guarded.organization();
  const std::string token = guarded.token_of(guarded.organization(), admin_role.id);
  const auto last_use = [&] {
    const Value list = parsed(guarded.ask("GET", base + "/apiToken"));
    return std::string(list.find("results")->items().front().text_or("last_used_at", ""));
  };
  EXPECT_EQ(last_use(), "");
  (void)guarded.ask_as(token, "GET", base);
  EXPECT_EQ(last_use(), "2026-01-01T00:00:00.000Z");
  guarded.clock().move_to({1'767'225'600'000 + 3'599'000});
  (void)guarded.ask_as(token, "GET", base);
  EXPECT_EQ(last_use(), "2026-01-01T00:00:00.000Z");
  guarded.clock().move_to({1'767'225'600'000 + 3'600'000});
  (void)guarded.ask_as(token, "GET", base);
  EXPECT_EQ(last_use(), "2026-01-01T01:00:00.000Z");
}

TEST(Tokens, give_no_more_than_their_maker_has) {
  Guarded guarded;
  const std::string base = "/organization/" + guarded.organization();
  const std::string admin = guarded.token_of(guarded.organization(), admin_role.id);
  const std::string body = R"({"name": "more", "role_id": ")" + std::string(admin_role.id) + "\"}";
  EXPECT_EQ(guarded.ask_as(admin, "POST", base + "/apiToken", body).status, 201);
  const std::string developer = guarded.token_of(guarded.organization(), find_role("DEVELOPER")->id);
  EXPECT_EQ(guarded.ask_as(developer, "POST", base + "/apiToken", body).status, 403);
}

TEST(Tokens, with_a_policy_are_refused_without_an_evaluator) {
  Guarded guarded;
  const std::string base = "/organization/" + guarded.organization();
  const std::string token =
      guarded.make(base + "/policyApiToken", R"({"name": "guarded", "opa_policy": "package p"})", "token");
  EXPECT_EQ(guarded.ask_as("Token " + token, "GET", base).status, 403);
}

TEST(Members, who_makes_an_organization_owns_it) {
  Guarded guarded;
  const Reply made = guarded.ask_as(ada, "POST", "/organization", R"({"name": "acme", "plan": "FREE"})");
  ASSERT_EQ(made.status, 201) << made.body;
  const std::string base = "/organization/" + std::string(parsed(made).text_or("id", ""));
  const Value members = parsed(guarded.ask_as(ada, "GET", base + "/member"));
  ASSERT_EQ(members.find("results")->items().size(), 1U);
  EXPECT_EQ(members.find("results")->items().front().text_or("role_name", ""), "owner");
  EXPECT_EQ(members.find("results")->items().front().text_or("email", ""), "ada@example.org");
  EXPECT_EQ(guarded.ask_as(bob, "GET", base).status, 404);
  EXPECT_EQ(guarded.ask_as(ada, "DELETE", base).status, 204);
}

TEST(Members, come_by_invitation_change_roles_and_go) {
  Guarded guarded;
  const Reply made = guarded.ask_as(ada, "POST", "/organization", R"({"name": "acme", "plan": "FREE"})");
  const std::string base = "/organization/" + std::string(parsed(made).text_or("id", ""));
  const Reply invited =
      guarded.ask_as(ada, "POST", base + "/inviteMember", R"({"email": "bob@example.org", "role": "DEVELOPER"})");
  ASSERT_EQ(invited.status, 201) << invited.body;
  EXPECT_EQ(parsed(invited).text_or("invitation_status", ""), "PENDING");
  const std::string invitation = base + "/inviteMember/" + std::string(parsed(invited).text_or("id", ""));
  EXPECT_EQ(guarded.ask_as("Bearer person:eve:eve@example.org", "POST", invitation).status, 404);
  EXPECT_EQ(guarded.ask_as(bob, "POST", invitation).status, 201);
  EXPECT_EQ(guarded.ask_as(bob, "POST", invitation).status, 404);
  EXPECT_EQ(guarded.ask_as(bob, "GET", base).status, 200);
  EXPECT_EQ(guarded.ask_as(bob, "POST", base + "/inviteMember", R"({"email": "eve@example.org"})").status, 403);

  const Value members = parsed(guarded.ask_as(bob, "GET", base + "/member"));
  const std::string owner(members.find("results")->items()[0].text_or("id", ""));
  const std::string developer(members.find("results")->items()[1].text_or("id", ""));
  const std::string promote =
      R"({"user_id": ")" + developer + R"(", "role_id": ")" + std::string(admin_role.id) + "\"}";
  EXPECT_EQ(guarded.ask_as(bob, "PUT", base + "/member", promote).status, 403);
  EXPECT_EQ(guarded.ask_as(ada, "PUT", base + "/member", promote).status, 200);
  EXPECT_EQ(guarded.ask_as(bob, "DELETE", base + "/member", R"({"user_id": ")" + owner + "\"}").status, 409);
  EXPECT_EQ(guarded.ask_as(bob, "POST", base + "/transferOwnership", R"({"user_id": ")" + developer + "\"}").status,
            403);
  EXPECT_EQ(guarded.ask_as(ada, "POST", base + "/transferOwnership", R"({"user_id": ")" + developer + "\"}").status,
            204);
  EXPECT_EQ(guarded.ask_as(bob, "DELETE", base + "/member", R"({"user_id": ")" + owner + "\"}").status, 204);
  EXPECT_EQ(guarded.ask_as(ada, "GET", base).status, 404);
}

TEST(Members, are_invited_for_seven_days) {
  Guarded guarded;
  const std::string base = "/organization/" + guarded.organization();
  const std::string id = guarded.make(base + "/inviteMember", R"({"email": "bob@example.org"})");
  guarded.clock().move_to({1'767'225'600'000 + 7LL * 86'400'000});
  EXPECT_EQ(parsed(guarded.ask("GET", base + "/inviteMember/" + id)).text_or("invitation_status", ""), "EXPIRED");
  EXPECT_EQ(guarded.ask_as(bob, "POST", base + "/inviteMember/" + id).status, 409);
}

class CustomRole : public testing::Test {
 protected:
  void SetUp() override {
    base_ = "/organization/" + guarded_.organization();
    cluster_ = guarded_.make(base_ + "/cluster", R"({"name": "eu", "region": "eu-west-3", "cloud_provider": "AWS"})");
    closed_ = guarded_.make(base_ + "/cluster", R"({"name": "us", "region": "us-east-1", "cloud_provider": "AWS"})");
    project_ = guarded_.make(base_ + "/project", R"({"name": "shop"})");
    hidden_ = guarded_.make(base_ + "/project", R"({"name": "lab"})");
    const std::string role = guarded_.make(base_ + "/customRole", R"({"name": "developers"})");
    const Reply edited = guarded_.ask("PUT", base_ + "/customRole/" + role,
                                      R"({"name": "developers", "cluster_permissions": [
      {"cluster_id": ")" + cluster_ + R"(", "permission": "ENV_CREATOR"}], "project_permissions": [{"project_id": ")" +
                                          project_ +
                                          R"(", "permissions": [
      {"environment_type": "DEVELOPMENT", "permission": "MANAGER"}, {"environment_type": "PRODUCTION", )"
                                          R"("permission": "DEPLOYER"}]}]})");
    EXPECT_EQ(edited.status, 200) << edited.body;
    token_ = guarded_.token_of(guarded_.organization(), role);
    role_ = role;
  }
  std::string environment_body(std::string_view name, std::string_view mode, const std::string& cluster) {
    return R"({"name": ")" + std::string(name) + R"(", "mode": ")" + std::string(mode) + R"(", "cluster_id": ")" +
           cluster + "\"}";
  }

  Guarded guarded_;
  std::string base_, cluster_, closed_, project_, hidden_, token_, role_;
};

TEST_F(CustomRole, makes_environments_of_its_modes_on_its_clusters) {
  const std::string path = "/project/" + project_ + "/environment";
  EXPECT_EQ(guarded_.ask_as(token_, "POST", path, environment_body("dev", "DEVELOPMENT", cluster_)).status, 201);
  EXPECT_EQ(guarded_.ask_as(token_, "POST", path, environment_body("live", "PRODUCTION", cluster_)).status, 403);
  EXPECT_EQ(guarded_.ask_as(token_, "POST", path, environment_body("far", "DEVELOPMENT", closed_)).status, 403);
  EXPECT_EQ(guarded_
                .ask_as(token_, "POST", "/project/" + hidden_ + "/environment",
                        environment_body("x", "DEVELOPMENT", cluster_))
                .status,
            403);
  EXPECT_EQ(parsed(guarded_.ask("GET", path)).find("results")->items().size(), 1U);
}

TEST_F(CustomRole, deploys_what_it_may_not_change) {
  const std::string live =
      guarded_.make("/project/" + project_ + "/environment", environment_body("live", "PRODUCTION", cluster_));
  const std::string job = guarded_.make("/environment/" + live + "/database",
                                        R"({"name": "db", "type": "REDIS", "version": "7", "mode": "CONTAINER"})");
  EXPECT_EQ(guarded_.ask_as(token_, "POST", "/environment/" + live + "/deploy").status, 202);
  EXPECT_EQ(guarded_.ask_as(token_, "GET", "/database/" + job).status, 200);
  EXPECT_EQ(guarded_.ask_as(token_, "GET", "/database/" + job + "/masterCredentials").status, 403);
  EXPECT_EQ(guarded_.ask_as(token_, "DELETE", "/database/" + job).status, 403);
  const std::string dev =
      guarded_.make("/project/" + project_ + "/environment", environment_body("dev", "DEVELOPMENT", cluster_));
  const std::string clone = R"({"name": "copy", "environment_id": ")";
  EXPECT_EQ(guarded_.ask_as(token_, "POST", "/database/" + job + "/clone", clone + dev + "\"}").status, 403);
  const std::string own = guarded_.make("/environment/" + dev + "/database",
                                        R"({"name": "db", "type": "REDIS", "version": "7", "mode": "CONTAINER"})");
  EXPECT_EQ(guarded_.ask_as(token_, "POST", "/database/" + own + "/clone", clone + dev + "\"}").status, 202);
  EXPECT_EQ(guarded_.ask_as(token_, "POST", "/database/" + own + "/clone", clone + live + "\"}").status, 403);
}

TEST_F(CustomRole, deletes_a_cluster_only_with_environments_that_it_may_manage) {
  const Reply edited = guarded_.ask("PUT", base_ + "/customRole/" + role_,
                                    R"({"name": "developers", "cluster_permissions": [
      {"cluster_id": ")" + cluster_ + R"(", "permission": "ADMIN"}], "project_permissions": [{"project_id": ")" +
                                        project_ +
                                        R"(", "permissions": [
      {"environment_type": "DEVELOPMENT", "permission": "MANAGER"}, {"environment_type": "PRODUCTION", )"
                                        R"("permission": "DEPLOYER"}]}]})");
  ASSERT_EQ(edited.status, 200) << edited.body;
  const std::string environments = "/project/" + project_ + "/environment";
  const std::string dev = guarded_.make(environments, environment_body("dev", "DEVELOPMENT", cluster_));
  const std::string live = guarded_.make(environments, environment_body("live", "PRODUCTION", cluster_));
  for (const char* const mode : {"DELETE_CLUSTER_AND_PLATFORM_CONFIG", "DELETE_PLATFORM_CONFIG"}) {
    EXPECT_EQ(guarded_.ask_as(token_, "DELETE", base_ + "/cluster/" + cluster_ + "?deleteMode=" + mode).status, 403);
  }
  EXPECT_EQ(guarded_.ask("GET", "/environment/" + dev).status, 200);
  EXPECT_EQ(guarded_.ask("DELETE", "/environment/" + live).status, 204);
  const std::string path = base_ + "/cluster/" + cluster_ + "?deleteMode=DELETE_CLUSTER_AND_PLATFORM_CONFIG";
  EXPECT_EQ(guarded_.ask_as(token_, "DELETE", path).status, 204);
  EXPECT_EQ(guarded_.ask("GET", "/environment/" + dev).status, 404);
}

TEST_F(CustomRole, hides_what_it_does_not_name) {
  const Value projects = parsed(guarded_.ask_as(token_, "GET", base_ + "/project"));
  ASSERT_EQ(projects.find("results")->items().size(), 1U);
  EXPECT_EQ(projects.find("results")->items().front().text_or("id", ""), project_);
}

TEST_F(CustomRole, hides_environments_that_it_may_not_see) {
  const std::string live =
      guarded_.make("/project/" + project_ + "/environment", environment_body("live", "PRODUCTION", cluster_));
  (void)guarded_.make("/project/" + project_ + "/environment", environment_body("test", "STAGING", cluster_));
  for (const char* list : {"/environment", "/environment/status"}) {
    const Value shown = parsed(guarded_.ask_as(token_, "GET", "/project/" + project_ + list));
    ASSERT_EQ(shown.find("results")->items().size(), 1U) << list;
    EXPECT_EQ(shown.find("results")->items().front().text_or("id", ""), live) << list;
  }
}

TEST_F(CustomRole, stays_while_a_member_has_it) {
  EXPECT_EQ(guarded_.ask("DELETE", base_ + "/customRole/" + role_).status, 409);
}

TEST(RateLimits, count_in_windows_of_an_hour) {
  Guarded guarded(3);
  const std::string token = guarded.token_of(guarded.organization(), viewer_role.id);
  const std::string other = guarded.token_of(guarded.organization(), viewer_role.id);
  guarded.clock().move_to({1'767'225'600'000 + 600'000});
  for (const char* remaining : {"2", "1", "0"}) {
    const Reply reply = guarded.ask_as(token, "GET", "/organization");
    EXPECT_EQ(reply.status, 200);
    EXPECT_EQ(header_of(reply, "x-ratelimit-limit"), "3");
    EXPECT_EQ(header_of(reply, "x-ratelimit-remaining"), remaining);
    EXPECT_EQ(header_of(reply, "x-ratelimit-reset"), "1767229200");
  }
  const Reply refused = guarded.ask_as(token, "GET", "/organization");
  EXPECT_EQ(refused.status, 429);
  EXPECT_EQ(header_of(refused, "retry-after"), "3000");
  EXPECT_EQ(header_of(refused, "x-ratelimit-remaining"), "0");
  EXPECT_EQ(guarded.ask_as(other, "GET", "/organization").status, 200);
  EXPECT_EQ(guarded.ask("GET", "/organization").status, 200);
  guarded.clock().move_to({1'767'229'200'000});
  EXPECT_EQ(guarded.ask_as(token, "GET", "/organization").status, 200);
}

TEST(RateLimits, are_exact_under_threads) {
  RateLimiter limiter(1000);
  std::atomic<int> allowed = 0;
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&] {
      for (int request = 0; request < 500; ++request)
        allowed += limiter.take(Id{}, Instant{0}).value().is_allowed ? 1 : 0;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(allowed, 1000);
  EXPECT_TRUE(limiter.take(Id{}, Instant{3'600'000}).value().is_allowed);
}

// Two threads whose clocks stand before and after the end of a window: the window turns while a reservation is made.
TEST(RateLimits, ignore_a_reservation_for_a_window_that_has_ended) {
  RateLimiter limiter(10);
  std::vector<std::int64_t> windows;
  limiter.share([&](const Id& caller, std::int64_t window) -> Result<RateLimiter::Reservation> {
    windows.push_back(window);
    if (windows.size() == 1) { EXPECT_TRUE(limiter.take(caller, Instant{3'600'000}).value().is_allowed); }
    return RateLimiter::Reservation{5, 5};
  });
  EXPECT_EQ(limiter.take(Id{}, Instant{3'599'999}).value().remaining, 8U);
  EXPECT_EQ(windows, (std::vector<std::int64_t>{0, 1}));
}

}  // namespace
}  // namespace orlop::tests
