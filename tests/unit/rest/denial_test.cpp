// Every route, asked by callers without the permission: all are denied, nothing is changed, and no answer reveals which
// resources exist.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "model/role.h"
#include "unit/rest/guarded.h"

namespace orlop::tests {
namespace {

constexpr std::string_view nowhere = "0198c0de-ffff-7000-8000-00000000ffff";

std::string replaced(std::string text, std::string_view mark, std::string_view by) {
  for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at + by.size()))
    text.replace(at, mark.size(), by);
  return text;
}

// Reports whether the path names no record: it has no parameters, or only texts.
bool is_open(const Route& route) {
  return std::ranges::all_of(route.texts, [](const Field* text) { return text != nullptr; });
}

std::string shown(const Route& route) { return std::string(to_string(route.operation.method)) + " " + route.path; }

class Denial : public testing::Test {
 protected:
  void SetUp() override {
    for (const Route& route : all_routes()) paths_.push_back(guarded_.filled(route));
    last_event_ = guarded_.last_event();
  }
  void TearDown() override { EXPECT_EQ(guarded_.last_event(), last_event_) << "something was changed"; }

  // Creates a token; only later events count as a change.
  std::string token_of(const std::string& organization, std::string_view role) {
    std::string token = guarded_.token_of(organization, role);
    last_event_ = guarded_.last_event();
    return token;
  }

  template <typename Check>
  void for_each_route(const Check& check) {
    for (std::size_t at = 0; at < paths_.size(); ++at) check(all_routes()[at], paths_[at]);
  }

  Guarded guarded_;
  std::vector<std::string> paths_;
  std::uint64_t last_event_ = 0;
};

TEST_F(Denial, what_another_organization_has_is_not_there) {
  const std::string stranger = token_of(guarded_.other_organization(), owner_role.id);
  std::size_t compared = 0;
  for_each_route([&](const Route& route, const std::string& path) {
    if (is_open(route)) return;
    for (std::size_t at = 0; at < route.parameters.size(); ++at) {
      if (route.texts[at] != nullptr) continue;  // the parameter names no record
      const std::string& parameter = route.parameters[at];
      const std::string id = guarded_.id_for(route, parameter);
      const std::string_view method = to_string(route.operation.method);
      const std::string missing_path = replaced(path, id, nowhere);
      if (missing_path == path) continue;
      const Reply theirs = guarded_.ask_as(stranger, method, path, "{}");
      const Reply missing = guarded_.ask_as(stranger, method, missing_path, "{}");
      EXPECT_TRUE(theirs.status == 404 || theirs.status == 400)
          << shown(route) << " " << theirs.status << " " << theirs.body;
      EXPECT_EQ(theirs.status, missing.status) << shown(route) << " {" << parameter << "}";
      EXPECT_EQ(theirs.body, replaced(missing.body, nowhere, id)) << shown(route) << " {" << parameter << "}";
      ++compared;
    }
  });
  EXPECT_GT(compared, 200U);
}

TEST_F(Denial, a_person_without_membership_sees_nothing) {
  const std::string stranger = "Bearer person:stranger:stranger@example.org";
  for_each_route([&](const Route& route, const std::string& path) {
    if (is_open(route)) return;
    const Reply theirs = guarded_.ask_as(stranger, to_string(route.operation.method), path, "{}");
    EXPECT_TRUE(theirs.status == 404 || theirs.status == 400)
        << shown(route) << " " << theirs.status << " " << theirs.body;
  });
  EXPECT_EQ(guarded_.ask_as(stranger, "GET", "/organization").body, R"({"results":[]})");
}

TEST_F(Denial, a_request_without_valid_credentials_gets_the_same_answer) {
  const std::string revoked = token_of(guarded_.organization(), owner_role.id);
  const Reply tokens = guarded_.ask("GET", "/organization/" + guarded_.organization() + "/apiToken");
  const Value list = parsed(tokens);
  for (const Value& token : list.find("results")->items()) {
    const std::string path =
        "/organization/" + guarded_.organization() + "/apiToken/" + std::string(token.text_or("id", ""));
    EXPECT_EQ(guarded_.ask("DELETE", path).status, 204);
  }
  const std::string expired =
      "Token " + guarded_.make("/organization/" + guarded_.organization() + "/apiToken",
                               R"({"name": "short", "role_id": null, "expires_at": "2026-01-01T00:00:10Z"})", "token");
  guarded_.clock().move_to({1'767'225'610'000});
  last_event_ = guarded_.last_event();
  const std::string good_form = revoked.substr(0, revoked.size() - 1) + (revoked.back() == 'a' ? "b" : "a");
  const std::string bodies[] = {"",
                                revoked,
                                expired,
                                good_form,
                                "Token x",
                                "Bearer",
                                "Bearer person",
                                "Basic YTpi",
                                "Token " + revoked.substr(6) + " x"};
  const std::string expected = guarded_.ask_as("", "GET", "/organization").body;
  for (const std::string& authorization : bodies) {
    for_each_route([&](const Route& route, const std::string& path) {
      const Reply reply = guarded_.ask_as(authorization, to_string(route.operation.method), path, "{}");
      if (route.operation.is_public) {
        EXPECT_EQ(reply.status, 200) << shown(route);
        return;
      }
      EXPECT_EQ(reply.status, 401) << shown(route) << " with \"" << authorization << "\"";
      EXPECT_EQ(reply.body, expected) << shown(route) << " with \"" << authorization << "\"";
    });
  }
}

TEST_F(Denial, a_role_that_is_too_weak_gets_403) {
  for (const Role& role : built_in_roles) {
    const std::string token = token_of(guarded_.organization(), role.id);
    for_each_route([&](const Route& route, const std::string& path) {
      const auto place = place_of(route);
      const bool is_too_weak = place && !is_open(route) && role.at(*place) < route.need;
      if (!is_too_weak) return;
      const Reply reply = guarded_.ask_as(token, to_string(route.operation.method), path, "{}");
      EXPECT_EQ(reply.status, 403) << role.name << ": " << shown(route) << " " << reply.body;
    });
  }
}

// Reads and requests with an invalid body change nothing.
TEST_F(Denial, a_role_that_is_strong_enough_is_not_held_up) {
  for (const Role& role : built_in_roles) {
    const std::string token = token_of(guarded_.organization(), role.id);
    for_each_route([&](const Route& route, const std::string& path) {
      const auto place = place_of(route);
      const bool is_strong = place && !is_open(route) && role.at(*place) >= route.need;
      const bool takes_json = route.operation.takes == ContentType::json &&
                              (route.operation.body != nullptr || route.operation.is_body_required);
      const bool is_harmless = route.operation.access == Access::read || takes_json;
      if (!is_strong || !is_harmless) return;
      const Reply reply = guarded_.ask_as(token, to_string(route.operation.method), path, "{");
      EXPECT_NE(reply.status, 403) << role.name << ": " << shown(route) << " " << reply.body;
    });
  }
}

TEST_F(Denial, a_custom_role_without_permissions_may_look_at_the_organization_only) {
  const std::string base = "/organization/" + guarded_.organization();
  const std::string role = guarded_.make(base + "/customRole", R"({"name": "guests"})");
  const std::string token = token_of(guarded_.organization(), role);
  const std::string project = guarded_.id_for(all_routes().front(), "projectId");
  const std::string environment = guarded_.id_for(all_routes().front(), "environmentId");
  EXPECT_EQ(guarded_.ask_as(token, "GET", base).status, 200);
  EXPECT_EQ(guarded_.ask_as(token, "GET", base + "/project").body, R"({"results":[]})");
  EXPECT_EQ(guarded_.ask_as(token, "GET", "/project/" + project).status, 403);
  EXPECT_EQ(guarded_.ask_as(token, "GET", "/environment/" + environment).status, 403);
  EXPECT_EQ(guarded_.ask_as(token, "POST", base + "/project", R"({"name": "mine"})").status, 403);
}

}  // namespace
}  // namespace orlop::tests
