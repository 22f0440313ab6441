// The answers of the scripted external systems and receivers of a simulation, and their effects on the platform.
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

class Watcher final : public ExternalSystems {
 public:
  bool answers(std::string_view question) const override { return question == "find_webhook"; }
  Result<std::string> ask(std::string_view question, std::string_view input) override {
    seen = std::string(question) + " " + std::string(input);
    return make_error(ErrorCode::external_failed, "rate limit");
  }
  std::string seen;
};

// An environment with one application for a repository of each provider.
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
    const std::string body = R"({"name": ")" + provider +
                             R"(", "healthchecks": {}, "git_repository": {"url": "https://git.example.com/acme/)" +
                             provider + R"(.git", "provider": ")" + provider + "\"" + more + "}}";
    return id(ask(*simulator_, "POST", "/environment/" + environment_ + "/application", body));
  }
  std::string status(const std::string& application) {
    return to_json(ask(*simulator_, "GET", "/service/" + application + "/gitWebhookStatus"));
  }
  void say(const std::string& provider, std::string_view events) {
    simulator_->external_systems().add(
        make_external_rule("find_webhook", R"({"provider": ")" + provider + "\"}", events, "", {}, 0).value());
  }

  Watcher watcher_;
  std::unique_ptr<Simulator> simulator_;
  std::string organization_;
  std::string environment_;
};

TEST_F(ScriptedPorts, TellTheStateOfAGitWebhook) {
  const std::string application = add_application("GITHUB");
  EXPECT_EQ(status(application), R"({"status":"UNABLE_TO_VERIFY","provider":"GITHUB"})");
  say("GITHUB", "null");
  EXPECT_EQ(status(application), R"({"status":"NOT_CONFIGURED","provider":"GITHUB"})");
  say("GITHUB", R"(["issues", "push"])");
  EXPECT_EQ(status(application), R"({"status":"MISCONFIGURED","provider":"GITHUB","missing_events":["pull_request"]})");
  say("GITHUB", R"(["pull_request", "push", "issues"])");
  EXPECT_EQ(status(application), R"({"status":"ACTIVE","provider":"GITHUB"})");
  say("GITHUB", R"(["*"])");
  EXPECT_EQ(status(application), R"({"status":"ACTIVE","provider":"GITHUB"})");
  simulator_->external_systems().clear();
  EXPECT_EQ(status(application), R"({"status":"UNABLE_TO_VERIFY","provider":"GITHUB"})");
}

TEST_F(ScriptedPorts, KnowTheWordsOfEachProvider) {
  say("*", "[]");
  EXPECT_EQ(
      status(add_application("GITLAB")),
      R"({"status":"MISCONFIGURED","provider":"GITLAB","missing_events":["push_events","merge_requests_events"]})");
  EXPECT_EQ(status(add_application("BITBUCKET")),
            R"({"status":"MISCONFIGURED","provider":"BITBUCKET","missing_events":["repo:push","pullrequest:created",)"
            R"("pullrequest:updated",)"
            R"("pullrequest:fulfilled","pullrequest:rejected"]})");
}

TEST_F(ScriptedPorts, GiveWayToTheHostsWhichGetsTheToken) {
  SimulationOptions options;
  options.engine.settings.external_systems = &watcher_;
  settle_in(std::move(options));
  const std::string token = id(ask(*simulator_, "POST", "/organization/" + organization_ + "/gitToken",
                                   R"({"name": "t", "type": "GITHUB", "token": "hush"})"));
  EXPECT_EQ(status(add_application("GITHUB", R"(, "git_token_id": ")" + token + "\"")),
            R"({"status":"UNABLE_TO_VERIFY","provider":"GITHUB"})");
  EXPECT_EQ(watcher_.seen,
            R"(find_webhook {"provider":"GITHUB","url":"https://git.example.com/acme/GITHUB.git","token":"hush"})");
}

TEST_F(ScriptedPorts, TakeVirtualTimeForAnAnswer) {
  const std::string application = add_application("GITHUB");
  const auto now = [&] { return simulator_->engine().now().milliseconds; };
  const std::int64_t begin = now();
  simulator_->external_systems().add(make_external_rule("find_webhook", "", R"(["*"])", "", seconds(2), 1).value());
  EXPECT_EQ(status(application), R"({"status":"ACTIVE","provider":"GITHUB"})");
  EXPECT_EQ(now() - begin, 2000);
  EXPECT_EQ(status(application), R"({"status":"UNABLE_TO_VERIFY","provider":"GITHUB"})");
  EXPECT_EQ(now() - begin, 2000);
  simulator_->external_systems().add(make_external_rule("find_webhook", "", R"(["*"])", "", seconds(3600), 0).value());
  EXPECT_EQ(status(application), R"({"status":"UNABLE_TO_VERIFY","provider":"GITHUB"})");
  EXPECT_EQ(now() - begin, 7000);  // port_timeout
}

TEST_F(ScriptedPorts, RulesAreCheckedWhenTheyAreAdded) {
  const auto fault = [](std::string_view question, std::string_view where, std::string_view answer,
                        std::string_view error) {
    const auto made = make_external_rule(question, where, answer, error, {}, 0);
    return made ? std::string("none") : made.error().message;
  };
  EXPECT_EQ(fault("find_webhok", "", "null", ""),
            "question must be the name of a question, not \"find_webhok\"; the nearest known one is \"find_webhook\"");
  EXPECT_EQ(fault("find_webhook", "", R"([1])", ""),
            "the answer to the question find_webhook does not match: answer[0] must be a text, not an integer");
  EXPECT_EQ(fault("find_webhook", R"({"provder": "x"})", "null", ""),
            "where.provder is not a member of the input of find_webhook; the nearest known one is \"provider\"");
  EXPECT_EQ(fault("find_webhook", "[]", "null", ""), "where must be a JSON object of members of the question's input");
  EXPECT_EQ(fault("find_webhook", "", "", ""), "a rule for find_webhook has either an answer or an error");
  EXPECT_EQ(fault("find_webhook", "", "null", "ill"), "a rule for find_webhook has either an answer or an error");
  EXPECT_EQ(fault("find_webhook", "", "", "ill"), "none");
}

// A provider that accepts two questions per hour, with a separate quota for one repository.
TEST_F(ScriptedPorts, RefuseWhatGoesOverARateOrAQuota) {
  const std::string github = add_application("GITHUB");
  const std::string gitlab = add_application("GITLAB");
  const auto state = [&](const std::string& application) {
    return std::string(parse_json(status(application))->text_or("status", ""));
  };
  const auto pass = [&](std::int64_t count) { ASSERT_TRUE(simulator_->advance(seconds(count)).ok()); };
  say("*", R"(["*"])");
  ASSERT_TRUE(simulator_->external_systems()
                  .add(parse_json(R"({"question":"find_*","error":"rate limit exceeded","over":2,"per":"1h"})").value())
                  .ok());
  std::string states;
  for (int count = 0; count < 4; ++count) states += state(github) + " ";
  EXPECT_EQ(states, "ACTIVE ACTIVE UNABLE_TO_VERIFY UNABLE_TO_VERIFY ");
  pass(3599);
  EXPECT_EQ(state(gitlab), "UNABLE_TO_VERIFY");
  pass(1);
  EXPECT_EQ(state(gitlab), "ACTIVE") << "the window is over";
  ASSERT_TRUE(
      simulator_->external_systems()
          .add(parse_json(
                   R"({"question":"find_webhook","where":{"provider":"GITLAB"},"error":"no quota left","over":1})")
                   .value())
          .ok());
  pass(7200);
  EXPECT_EQ(state(gitlab), "ACTIVE");
  pass(7200);
  EXPECT_EQ(state(gitlab), "UNABLE_TO_VERIFY") << "a quota is used up";
  EXPECT_EQ(state(github), "ACTIVE");
}

// In a snapshot, and after the simulation has gone back.
TEST_F(ScriptedPorts, KeepWhatIsUsedOfAQuota) {
  const std::string application = add_application("GITHUB");
  const auto state_in = [&](Simulator& simulator) {
    return std::string(ask(simulator, "GET", "/service/" + application + "/gitWebhookStatus").text_or("status", ""));
  };
  say("*", R"(["*"])");
  ASSERT_TRUE(simulator_->external_systems()
                  .add(parse_json(R"({"question":"find_webhook","error":"no quota left","over":2})").value())
                  .ok());
  EXPECT_EQ(state_in(*simulator_), "ACTIVE");
  const std::string snapshot = simulator_->snapshot().value();
  const std::uint64_t here = simulator_->save().value();
  const auto play = [&](Simulator& simulator) {
    const std::string first = state_in(simulator);
    return first + " " + state_in(simulator);
  };
  EXPECT_EQ(play(*simulator_), "ACTIVE UNABLE_TO_VERIFY");
  ASSERT_TRUE(simulator_->go_back(here).ok());
  EXPECT_EQ(play(*simulator_), "ACTIVE UNABLE_TO_VERIFY");
  ASSERT_TRUE(simulator_->load(snapshot).ok());
  EXPECT_EQ(play(*simulator_), "ACTIVE UNABLE_TO_VERIFY");
  SimulationOptions options;
  options.engine.snapshot = snapshot;
  const auto second = Simulator::open(std::move(options)).value();
  const std::string again = second->snapshot().value();
  EXPECT_EQ(again.substr(again.find("{\"simulation\"")), snapshot.substr(snapshot.find("{\"simulation\"")));
  EXPECT_EQ(again.find("\"answer\""), std::string::npos) << "answers may hold secrets";
  second->external_systems().add(make_external_rule("find_webhook", "", R"(["*"])", "", {}, 0).value());
  EXPECT_EQ(play(*second), "ACTIVE UNABLE_TO_VERIFY") << "limits are asked before answers";
}

TEST_F(ScriptedPorts, RulesAsDataAreCheckedWholeOrNotAtAll) {
  ScriptedExternalSystems& systems = simulator_->external_systems();
  const auto fault = [&](const std::string& given) {
    const auto added = systems.add(parse_json(given, 1 << 20).value());
    return added.ok() ? std::string("none") : added.error().message;
  };
  EXPECT_EQ(fault(R"([])"), "the rule must be an object, not []");
  EXPECT_EQ(fault(R"({"error":"x"})"), "question is required");
  EXPECT_EQ(fault(R"({"question":null,"error":"x"})"), "question must be text of at most 256 bytes, not null");
  EXPECT_EQ(fault(R"({"question":"*_webhok","error":"x"})"),
            "question must be the name of a question, or a pattern that matches one, not \"*_webhok\"");
  EXPECT_EQ(fault(R"({"question":"*","answer":[]})"),
            "question must be the name of a question where there is an answer, not the pattern \"*\"");
  EXPECT_EQ(fault(R"({"question":"*","error":"x","over":0})"), "over must be a whole number of 1 to 4294967295, not 0");
  EXPECT_EQ(fault(R"({"question":"*","error":"x","over":1.5})"),
            "over must be a whole number of 1 to 4294967295, not 1.5");
  EXPECT_EQ(fault(R"({"question":"*","error":"x","per":"1h"})"), "over is required where per is given");
  EXPECT_EQ(fault(R"({"question":"*","error":"x","over":1,"per":0})"),
            "per must be a duration of at least 1 ms, not 0");
  EXPECT_EQ(fault(R"({"question":"*","error":"x","ovr":1})"),
            "ovr is not a member of a rule of external systems; the nearest known one is \"over\"");
  EXPECT_EQ(fault(R"({"externals":[{"question":"*","error":"x"},{"question":"find_webhook"}]})"),
            "externals[1]: a rule for find_webhook has either an answer or an error");
  EXPECT_EQ(fault(R"({"externals":{}})"), "externals must be a list, not {}");
  EXPECT_EQ(fault(R"({"question":"*","error":")" + std::string(70'000, 'x') + "\"}").substr(0, 40),
            "error must be text of at most 65536 byte");
  EXPECT_TRUE(systems.all().empty());
  EXPECT_EQ(fault(R"({"externals":[{"question":"*","error":"x"},{"question":"find_webhook","answer":null}]})"), "none");
  EXPECT_EQ(systems.all().front().question, "find_webhook") << "the last added one applies";
}

TEST_F(ScriptedPorts, AnswerMessages) {
  const std::string webhooks = "/organization/" + organization_ + "/webhook";
  const std::string webhook = id(
      ask(*simulator_, "POST", webhooks,
          R"({"kind": "STANDARD", "target_url": "https://hooks.example.com/", "events": ["DEPLOYMENT_SUCCESSFUL"]})"));
  const auto last = [&] {
    return ask(*simulator_, "GET", webhooks + "/" + webhook + "/event").find("results")->items()[0];
  };
  ask(*simulator_, "POST", "/environment/" + environment_ + "/database",
      R"({"name": "a", "type": "POSTGRESQL", "version": "16", "mode": "CONTAINER"})");
  ask(*simulator_, "POST", "/environment/" + environment_ + "/deploy");
  EXPECT_TRUE(simulator_->run_until_idle());
  EXPECT_EQ(last().text_or("status", ""), "DELIVERED");
  EXPECT_EQ(last().integer_or("target_response_status_code", 0), 200);

  simulator_->webhook_sender().add({"https://hooks.*", 500, "no", 2});
  ask(*simulator_, "POST", "/environment/" + environment_ + "/deploy");
  const auto passed = simulator_->run_until_idle();
  ASSERT_TRUE(passed);
  EXPECT_EQ(passed->passed, seconds(5 + 5 * 60));
  EXPECT_EQ(last().text_or("status", ""), "DELIVERED");
  EXPECT_EQ(last().integer_or("attempts", 0), 3);
}

}  // namespace
}  // namespace orlop
