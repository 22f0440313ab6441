// What a simulation's git provider and receivers say, and what the platform makes of it.
#include "sim/scripted_ports.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/simulator.h"
#include "wire/json.h"
#include "wire/writer.h"

namespace orlop {
namespace {

Value ask(Simulator& simulator, std::string_view method, const std::string& path, std::string_view body = "") {
  Request request;
  request.method = method;
  request.path = path;
  request.body = body;
  const auto reply = simulator.engine().dispatch(request);
  EXPECT_TRUE(reply && reply->status < 300) << path << ": " << (reply ? reply->body : reply.error().message);
  return reply && !reply->body.empty() ? *parse_json(reply->body) : Value();
}

class Watcher final : public GitProvider {
 public:
  Result<RepositoryHook> find_hook(const Repository& repository) override {
    seen = std::string(repository.provider) + " " + std::string(repository.url) + " " + std::string(repository.token);
    return make_error(ErrorCode::driver_failed, "rate limit");
  }
  std::string seen;
};

// An environment with one application of a repository of each provider.
class ScriptedPorts : public testing::Test {
 protected:
  ScriptedPorts() { settle_in({}); }

  void settle_in(SimulationOptions options) {
    options.engine.settings.require_cluster = false;
    auto opened = Simulator::open(std::move(options));
    ASSERT_TRUE(opened);
    simulator_ = std::move(*opened);
    organization_ = id(ask(*simulator_, "POST", "/organization", R"({"name": "acme", "plan": "FREE"})"));
    const std::string below = "/organization/" + organization_;
    ask(*simulator_, "POST", below + "/cluster", R"({"name": "a", "region": "eu-west-3", "cloud_provider": "AWS"})");
    const std::string project = id(ask(*simulator_, "POST", below + "/project", R"({"name": "shop"})"));
    environment_ = id(ask(*simulator_, "POST", "/project/" + project + "/environment", R"({"name": "production"})"));
  }

  static std::string id(const Value& answer) { return std::string(answer.text_or("id", "")); }

  std::string add_application(const std::string& provider, const std::string& more = "") {
    const std::string body = R"({"name": ")" + provider + R"(", "healthchecks": {}, "git_repository": {"url": "https://git.example.com/acme/)" +
                             provider + R"(.git", "provider": ")" + provider + "\"" + more + "}}";
    return id(ask(*simulator_, "POST", "/environment/" + environment_ + "/application", body));
  }
  std::string status(const std::string& application) {
    return to_json(ask(*simulator_, "GET", "/service/" + application + "/gitWebhookStatus"));
  }
  void say(const std::string& provider, HookPresence presence, std::vector<std::string> events = {}) {
    simulator_->git_provider().add({provider, "*", {presence, std::move(events)}});
  }

  Watcher watcher_;
  std::unique_ptr<Simulator> simulator_;
  std::string organization_;
  std::string environment_;
};

TEST_F(ScriptedPorts, TellTheStateOfAGitWebhook) {
  const std::string application = add_application("GITHUB");
  EXPECT_EQ(status(application), R"({"status":"UNABLE_TO_VERIFY","provider":"GITHUB"})");
  say("GITHUB", HookPresence::absent);
  EXPECT_EQ(status(application), R"({"status":"NOT_CONFIGURED","provider":"GITHUB"})");
  say("GITHUB", HookPresence::present, {"issues", "push"});
  EXPECT_EQ(status(application), R"({"status":"MISCONFIGURED","provider":"GITHUB","missing_events":["pull_request"]})");
  say("GITHUB", HookPresence::present, {"pull_request", "push", "issues"});
  EXPECT_EQ(status(application), R"({"status":"ACTIVE","provider":"GITHUB"})");
  say("GITHUB", HookPresence::present, {"*"});
  EXPECT_EQ(status(application), R"({"status":"ACTIVE","provider":"GITHUB"})");
  simulator_->git_provider().clear();
  EXPECT_EQ(status(application), R"({"status":"UNABLE_TO_VERIFY","provider":"GITHUB"})");
}

TEST_F(ScriptedPorts, KnowTheWordsOfEachProvider) {
  say("*", HookPresence::present);
  EXPECT_EQ(status(add_application("GITLAB")),
            R"({"status":"MISCONFIGURED","provider":"GITLAB","missing_events":["push_events","merge_requests_events"]})");
  EXPECT_EQ(status(add_application("BITBUCKET")),
            R"({"status":"MISCONFIGURED","provider":"BITBUCKET","missing_events":["repo:push","pullrequest:created","pullrequest:updated",)"
            R"("pullrequest:fulfilled","pullrequest:rejected"]})");
}

TEST_F(ScriptedPorts, GiveWayToTheHostsWhichIsToldTheToken) {
  SimulationOptions options;
  options.engine.settings.git_provider = &watcher_;
  settle_in(std::move(options));
  const std::string token =
      id(ask(*simulator_, "POST", "/organization/" + organization_ + "/gitToken", R"({"name": "t", "type": "GITHUB", "token": "hush"})"));
  EXPECT_EQ(status(add_application("GITHUB", R"(, "git_token_id": ")" + token + "\"")), R"({"status":"UNABLE_TO_VERIFY","provider":"GITHUB"})");
  EXPECT_EQ(watcher_.seen, "GITHUB https://git.example.com/acme/GITHUB.git hush");
}

TEST_F(ScriptedPorts, AnswerMessages) {
  const std::string webhooks = "/organization/" + organization_ + "/webhook";
  const std::string webhook = id(ask(*simulator_, "POST", webhooks,
                                     R"({"kind": "STANDARD", "target_url": "https://hooks.example.com/", "events": ["DEPLOYMENT_SUCCESSFUL"]})"));
  const auto last = [&] { return ask(*simulator_, "GET", webhooks + "/" + webhook + "/event").find("results")->items()[0]; };
  ask(*simulator_, "POST", "/environment/" + environment_ + "/database", R"({"name": "a", "type": "POSTGRESQL", "version": "16", "mode": "CONTAINER"})");
  ask(*simulator_, "POST", "/environment/" + environment_ + "/deploy");
  EXPECT_TRUE(simulator_->run_until_idle());
  EXPECT_EQ(last().text_or("status", ""), "DELIVERED");
  EXPECT_EQ(last().integer_or("target_response_status_code", 0), 200);

  simulator_->webhook_sender().add({"https://hooks.*", 500, "no", 2});
  ask(*simulator_, "POST", "/environment/" + environment_ + "/deploy");
  const auto passed = simulator_->run_until_idle();
  ASSERT_TRUE(passed);
  EXPECT_EQ(*passed, seconds(5 + 5 * 60));
  EXPECT_EQ(last().text_or("status", ""), "DELIVERED");
  EXPECT_EQ(last().integer_or("attempts", 0), 3);
}

}  // namespace
}  // namespace orlop
