// Slow external systems: no transaction is open during a question, and a failure fails the request.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "engine.h"
#include "external_systems/question.h"
#include "sim/seeded_random_source.h"
#include "sim/virtual_clock.h"
#include "store/open.h"
#include "unit/deploy/counting_store.h"
#include "wire/json.h"

namespace orlop {
namespace {

// Records the open transactions during each question, and returns the answer set by the test.
class Systems final : public ExternalSystems {
 public:
  explicit Systems(const StoreCounts& counts) : counts_(counts) {}

  bool answers(std::string_view question) const override { return script.contains(std::string(question)); }
  Result<std::string> ask(std::string_view question, std::string_view input) override {
    ++calls;
    open = std::max<std::size_t>(open, counts_.open);
    asked = std::string(question) + " " + std::string(input);
    const QuestionFacts* facts = find_question(question);
    const auto matches = facts == nullptr ? make_error(ErrorCode::invalid, "no such question")
                                          : check_input(*facts, parse_json(input).value());
    EXPECT_TRUE(matches) << asked << ": " << matches.error().message;
    const auto found = script.find(std::string(question));
    return found == script.end() ? make_error(ErrorCode::unanswered, "no") : found->second;
  }

  void say(const std::string& question, Result<std::string> answer) {
    script.insert_or_assign(question, std::move(answer));
  }
  void say(const std::string& question, const char* answer) { say(question, Result<std::string>(std::string(answer))); }

  std::map<std::string, Result<std::string>> script;
  int calls = 0;
  std::size_t open = 0;  // largest number of open transactions during a question
  std::string asked;

 private:
  const StoreCounts& counts_;
};

class PortCalls : public testing::Test {
 protected:
  PortCalls() : systems_(counts_), clock_({1'767'225'600'000}), random_source_(1) {
    EngineOptions options;
    options.store = count_store(open_memory_store(), counts_);
    options.clock = &clock_;
    options.random_source = &random_source_;
    options.settings.authentication = Authentication::required;
    options.settings.external_systems = &systems_;
    systems_.say("authenticate", R"({"subject": "ada"})");
    systems_.say("evaluate_policy", "true");
    systems_.say("find_webhook", R"(["*"])");
    engine_ = Engine::open(std::move(options)).value();
    organization_ = make("/organization", R"({"name": "acme", "plan": "FREE"})");
  }

  Result<Reply> ask(std::string_view method, std::string_view path, std::string_view body = "",
                    std::string_view authorization = "") {
    Request request = {method, path, body, {}, authorization.empty() ? Trust::host : Trust::outside};
    if (!authorization.empty()) request.headers.emplace_back("Authorization", authorization);
    return engine_->dispatch(request);
  }
  std::string make(const std::string& path, std::string_view body, std::string_view member = "id") {
    const auto reply = ask("POST", path, body);
    EXPECT_TRUE(reply && reply->status < 300) << path << (reply ? reply->body : reply.error().message);
    return std::string(parse_json(reply->body)->text_or(member, ""));
  }

  StoreCounts counts_;
  Systems systems_;
  VirtualClock clock_;
  SeededRandomSource random_source_;
  std::unique_ptr<Engine> engine_;
  std::string organization_;
};

TEST_F(PortCalls, AGitProviderIsAskedWithoutATransaction) {
  const std::string below = "/organization/" + organization_;
  make(below + "/cluster", R"({"name": "a", "region": "eu-west-3", "cloud_provider": "AWS"})");
  const std::string environment =
      make("/project/" + make(below + "/project", R"({"name": "shop"})") + "/environment", R"({"name": "live"})");
  const std::string application =
      make("/environment/" + environment + "/application",
           R"({"name": "web", "healthchecks": {}, "git_repository": {"url": "https://github.com/acme/web.git", )"
           R"("provider": "GITHUB"}})");
  const auto reply = ask("GET", "/service/" + application + "/gitWebhookStatus");
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->body, R"({"status":"ACTIVE","provider":"GITHUB"})");
  EXPECT_EQ(systems_.asked, R"(find_webhook {"provider":"GITHUB","url":"https://github.com/acme/web.git","token":""})");
  EXPECT_EQ(systems_.calls, 1);
  EXPECT_EQ(systems_.open, 0U);
  EXPECT_EQ(counts_.open, 0U);
}

TEST_F(PortCalls, AuthenticationAndPolicyAreAskedWithoutATransaction) {
  EXPECT_EQ(ask("POST", "/organization", R"({"name": "b", "plan": "FREE"})", "Bearer ada")->status, 201);
  const std::string token = make("/organization/" + organization_ + "/policyApiToken",
                                 R"({"name": "ci", "opa_policy": "package a"})", "token");
  EXPECT_EQ(ask("GET", "/organization", "", "Token " + token)->status, 200);
  EXPECT_EQ(systems_.calls, 2);
  EXPECT_EQ(systems_.open, 0U);
}

TEST_F(PortCalls, AnAuthenticationOrEvaluationThatFailsRefusesTheRequest) {
  const std::string token = make("/organization/" + organization_ + "/policyApiToken",
                                 R"({"name": "ci", "opa_policy": "package a"})", "token");
  struct PortsCase {
    Result<std::string> said;
    int person;
    int policy;
  };
  const PortsCase cases[] = {{make_error(ErrorCode::unanswered, "no"), 401, 403},
                             {make_error(ErrorCode::external_failed, "ill"), 502, 502},
                             {make_error(ErrorCode::external_timeout, "late"), 504, 504},
                             {std::string("7"), 502, 502},
                             {std::string("{}"), 502, 502},
                             {std::string("null"), 401, 502},
                             {std::string("false"), 502, 403},
                             {std::string(R"({"subject": ""})"), 502, 502},
                             {std::string(""), 502, 502},
                             {std::string("tru"), 502, 502}};
  for (const PortsCase& one : cases) {
    systems_.say("authenticate", one.said);
    systems_.say("evaluate_policy", one.said);
    const std::string said = one.said ? *one.said : one.said.error().message;
    EXPECT_EQ(ask("GET", "/organization", "", "Bearer ada")->status, one.person) << said;
    EXPECT_EQ(ask("GET", "/organization", "", "Token " + token)->status, one.policy) << said;
  }
}

TEST_F(PortCalls, AChangeIsAdmittedOrDeniedWithoutATransaction) {
  const auto admit = [&](const char* answer) { systems_.say("admit", answer); };
  const std::string below = "/organization/" + organization_;
  const std::string body = R"({"name": "shop"})";
  admit(R"({"allowed": false, "reason": "not on Fridays"})");
  const std::uint64_t before = *engine_->last_event();
  const auto denied = ask("POST", below + "/project", body);
  EXPECT_EQ(denied->status, 403);
  EXPECT_EQ(parse_json(denied->body)->text_or("message", ""), "not on Fridays");
  EXPECT_EQ(*engine_->last_event(), before);
  EXPECT_EQ(systems_.open, 0U);
  EXPECT_EQ(systems_.asked,
            R"(admit {"operation":"create_project","method":"POST","path":")" + below +
                R"(/project","organization_id":")" + organization_ +
                R"(","caller":{"kind":"HOST","name":"host","email":""},"resource":{"family":"organization","id":")" +
                organization_ + R"(","name":"acme"},"body":{"name":"shop"},"deployment":null})");
  // Requests that are refused anyway, and reads, cause no question.
  const int calls = systems_.calls;
  EXPECT_EQ(ask("POST", below + "/project", "{}")->status, 400);
  EXPECT_EQ(ask("PUT", "/project/" + organization_, body)->status, 404);
  EXPECT_EQ(ask("GET", below + "/project")->status, 200);
  EXPECT_EQ(systems_.calls, calls);
  admit(R"({"allowed": true})");
  EXPECT_EQ(ask("POST", below + "/project", body)->status, 200);
  EXPECT_EQ(ask("POST", below + "/project", body)->status, 409);
  EXPECT_EQ(systems_.calls, calls + 1);
  // Without a decision nothing changes.
  const std::uint64_t stored = *engine_->last_event();
  for (const char* const answer : {"null", "true", "{}", R"({"allowed": "yes"})", R"({"allowed": null})",
                                   R"({"allowed": true, "body": {}})", ""}) {
    admit(answer);
    EXPECT_EQ(ask("DELETE", below)->status, 502) << answer;
  }
  systems_.say("admit", make_error(ErrorCode::external_timeout, "late"));
  EXPECT_EQ(ask("DELETE", below)->status, 504);
  EXPECT_EQ(*engine_->last_event(), stored);
  systems_.say("admit", make_error(ErrorCode::unanswered, "no opinion"));
  EXPECT_EQ(ask("DELETE", below)->status, 204);
}

TEST_F(PortCalls, AdmissionSeesTheDeploymentAndNoSecret) {
  systems_.say("admit", R"({"allowed": true})");
  const std::string below = "/organization/" + organization_;
  make(below + "/cluster", R"({"name": "a", "region": "eu-west-3", "cloud_provider": "AWS"})");
  make(below + "/gitToken", R"({"name": "t", "type": "GITHUB", "token": "hush"})");
  EXPECT_NE(systems_.asked.find("create_git_token"), std::string::npos) << systems_.asked;
  EXPECT_EQ(systems_.asked.find("hush"), std::string::npos) << systems_.asked;
  const std::string environment =
      make("/project/" + make(below + "/project", R"({"name": "shop"})") + "/environment", R"({"name": "live"})");
  make("/environment/" + environment + "/database",
       R"({"name": "a", "type": "POSTGRESQL", "version": "16", "mode": "CONTAINER"})");
  systems_.say("admit", R"({"allowed": false})");
  // The cluster is not deployed: the request is refused before a question.
  EXPECT_EQ(ask("POST", "/environment/" + environment + "/deploy")->status, 409);
  systems_.say("admit", R"({"allowed": true})");
  const Value clusters = parse_json(ask("GET", below + "/cluster")->body).value();
  EXPECT_EQ(
      ask("POST", below + "/cluster/" + std::string(clusters.find("results")->items()[0].text_or("id", "")) + "/deploy")
          ->status,
      200);
  systems_.say("admit", R"({"allowed": false})");
  const auto denied = ask("POST", "/environment/" + environment + "/deploy");
  EXPECT_EQ(denied->status, 403) << denied->body;
  EXPECT_EQ(parse_json(denied->body)->text_or("message", ""), "the external systems deny this change");
  EXPECT_NE(systems_.asked.find(R"("deployment":{"environment_id":")" + environment +
                                R"(","action":"DEPLOY","whole_environment":true,"service_ids":[]})"),
            std::string::npos)
      << systems_.asked;
  EXPECT_EQ(systems_.open, 0U);
}

TEST_F(PortCalls, AdmissionSeesAllServicesOfALongSelection) {
  systems_.say("admit", R"({"allowed": true})");
  const std::string below = "/organization/" + organization_;
  const std::string cluster =
      make(below + "/cluster", R"({"name": "a", "region": "eu-west-3", "cloud_provider": "AWS"})");
  ASSERT_EQ(ask("POST", below + "/cluster/" + cluster + "/deploy")->status, 200);
  const std::string environment =
      make("/project/" + make(below + "/project", R"({"name": "shop"})") + "/environment", R"({"name": "live"})");
  std::vector<std::string> databases;
  for (int at = 0; at < 250; ++at) {
    databases.push_back(make(
        "/environment/" + environment + "/database",
        R"({"name": "d)" + std::to_string(at) + R"(", "type": "POSTGRESQL", "version": "16", "mode": "CONTAINER"})"));
  }
  for (const std::string& id : databases) ASSERT_EQ(ask("POST", "/database/" + id + "/deploy")->status, 202);
  const std::string_view asked = systems_.asked;
  const std::size_t list = asked.find(R"("service_ids":[)");
  ASSERT_NE(list, std::string_view::npos) << asked;
  for (const std::string& id : databases) EXPECT_NE(asked.find(id, list), std::string_view::npos) << id;
}

TEST_F(PortCalls, AdmissionRevealsNothingToACallerWithoutRights) {
  const std::string token = make("/organization/" + organization_ + "/policyApiToken",
                                 R"({"name": "ci", "opa_policy": "package a"})", "token");
  const std::string other = make("/organization", R"({"name": "other", "plan": "FREE"})");
  systems_.say("admit", R"({"allowed": false, "reason": "secret"})");
  const int calls = systems_.calls;
  EXPECT_EQ(ask("DELETE", "/organization/" + other, "", "Token " + token)->status, 404);
  EXPECT_EQ(systems_.calls, calls + 1);  // evaluate_policy
  EXPECT_EQ(ask("DELETE", "/organization/" + other, "", "Bearer ada")->status, 404);
  EXPECT_EQ(systems_.calls, calls + 2);  // authenticate
}

TEST_F(PortCalls, CredentialsAreLookedAtAlone) {
  const auto refusal = [&](std::string_view authorization) {
    Request request = {"POST", "/organization", "no JSON", {}, Trust::outside};
    if (!authorization.empty()) request.headers.emplace_back("Authorization", authorization);
    return engine_->authenticate(request);
  };
  const std::uint64_t events = *engine_->last_event();
  EXPECT_FALSE(*refusal("Bearer ada"));
  EXPECT_EQ((*refusal(""))->status, 401);
  EXPECT_EQ((*refusal("Token junk"))->status, 401);
  systems_.say("authenticate", make_error(ErrorCode::external_timeout, "late"));
  EXPECT_EQ((*refusal("Bearer ada"))->status, 504);
  EXPECT_FALSE(*engine_->authenticate({"POST", "/organization", "", {}, Trust::host}));
  EXPECT_EQ(*engine_->last_event(), events);
  EXPECT_EQ(systems_.open, 0U);
}

}  // namespace
}  // namespace orlop
