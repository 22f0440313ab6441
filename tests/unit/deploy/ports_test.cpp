// A port takes as long as what it asks: no transaction is open while one is called, and one that cannot tell fails the request.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "engine.h"
#include "sim/seeded_random_source.h"
#include "sim/virtual_clock.h"
#include "store/open.h"
#include "unit/deploy/counting_store.h"
#include "wire/json.h"

namespace orlop {
namespace {

// Each port notes how many transactions are open when it is called.
class Ports final : public TokenAuthenticator, public PolicyEvaluator, public GitProvider {
 public:
  explicit Ports(const StoreCounts& counts) : counts_(counts) {}

  Result<Identity> verify(std::string_view token, Instant) override {
    note();
    if (token == "slow") return make_error(ErrorCode::driver_failed, "the provider does not answer");
    return Identity{std::string(token), "", ""};
  }
  Result<bool> allows(std::string_view, std::string_view) override {
    note();
    return can_tell ? Result<bool>(true) : make_error(ErrorCode::driver_failed, "the policy evaluator does not answer");
  }
  Result<RepositoryHook> find_hook(const Repository& repository) override {
    note();
    asked = std::string(repository.provider) + " " + std::string(repository.url) + " " + std::string(repository.token);
    return RepositoryHook{HookPresence::present, {"*"}};
  }

  int calls = 0;
  std::size_t open = 0;  // the most transactions at a call
  bool can_tell = true;
  std::string asked;

 private:
  void note() {
    ++calls;
    open = std::max<std::size_t>(open, counts_.open);
  }
  const StoreCounts& counts_;
};

class PortCalls : public testing::Test {
 protected:
  PortCalls() : ports_(counts_), clock_({1'767'225'600'000}), random_source_(1) {
    EngineOptions options;
    options.store = count_store(open_memory_store(), counts_);
    options.clock = &clock_;
    options.random_source = &random_source_;
    options.settings.authentication = Authentication::required;
    options.settings.token_authenticator = &ports_;
    options.settings.policy_evaluator = &ports_;
    options.settings.git_provider = &ports_;
    engine_ = Engine::open(std::move(options)).value();
    organization_ = make("/organization", R"({"name": "acme", "plan": "FREE"})");
  }

  Result<Reply> ask(std::string_view method, std::string_view path, std::string_view body = "", std::string_view authorization = "") {
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
  Ports ports_;
  VirtualClock clock_;
  SeededRandomSource random_source_;
  std::unique_ptr<Engine> engine_;
  std::string organization_;
};

TEST_F(PortCalls, TheGitProviderIsAskedWithoutATransaction) {
  const std::string below = "/organization/" + organization_;
  make(below + "/cluster", R"({"name": "a", "region": "eu-west-3", "cloud_provider": "AWS"})");
  const std::string environment = make("/project/" + make(below + "/project", R"({"name": "shop"})") + "/environment", R"({"name": "live"})");
  const std::string application =
      make("/environment/" + environment + "/application",
           R"({"name": "web", "healthchecks": {}, "git_repository": {"url": "https://github.com/acme/web.git", "provider": "GITHUB"}})");
  const auto reply = ask("GET", "/service/" + application + "/gitWebhookStatus");
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->body, R"({"status":"ACTIVE","provider":"GITHUB"})");
  EXPECT_EQ(ports_.asked, "GITHUB https://github.com/acme/web.git ");
  EXPECT_EQ(ports_.calls, 1);
  EXPECT_EQ(ports_.open, 0U);
  EXPECT_EQ(counts_.open, 0U);
}

TEST_F(PortCalls, AuthenticatorAndPolicyEvaluatorAreAskedWithoutATransaction) {
  EXPECT_EQ(ask("POST", "/organization", R"({"name": "b", "plan": "FREE"})", "Bearer ada")->status, 201);
  const std::string token =
      make("/organization/" + organization_ + "/policyApiToken", R"({"name": "ci", "opa_policy": "package a"})", "token");
  EXPECT_EQ(ask("GET", "/organization", "", "Token " + token)->status, 200);
  EXPECT_EQ(ports_.calls, 2);
  EXPECT_EQ(ports_.open, 0U);
}

TEST_F(PortCalls, AnAuthenticatorOrPolicyEvaluatorThatCannotTellFailsTheRequest) {
  EXPECT_EQ(ask("GET", "/organization", "", "Bearer slow").error().code, ErrorCode::driver_failed);
  const std::string token =
      make("/organization/" + organization_ + "/policyApiToken", R"({"name": "ci", "opa_policy": "package a"})", "token");
  ports_.can_tell = false;
  EXPECT_EQ(ask("GET", "/organization", "", "Token " + token).error().code, ErrorCode::driver_failed);
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
  EXPECT_EQ(refusal("Bearer slow").error().code, ErrorCode::driver_failed);
  EXPECT_FALSE(*engine_->authenticate({"POST", "/organization", "", {}, Trust::host}));
  EXPECT_EQ(*engine_->last_event(), events);
  EXPECT_EQ(ports_.open, 0U);
}

}  // namespace
}  // namespace orlop
