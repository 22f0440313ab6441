// Everything is renamed, and no answer keeps an old name, except answers about the past (events, deliveries).
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "base/port.h"
#include "model/registry.h"
#include "platform.h"
#include "sim/simulator.h"
#include "wire/json.h"
#include "wire/writer.h"

namespace orlop {
namespace {

class RecordingPolicies : public ExternalSystems {
 public:
  bool answers(std::string_view question) const override { return question == "evaluate_policy"; }
  Result<std::string> ask(std::string_view question, std::string_view input) override {
    if (!answers(question)) return make_error(ErrorCode::unanswered, "no policy");
    last_input = input;
    return std::string("true");
  }
  std::string last_input;
};

class Renamed : public testing::Test {
 protected:
  Renamed() {
    SimulationOptions options;
    options.engine.settings.external_systems = &policies_;
    options.engine.settings.authentication = Authentication::required;
    options.start = {1'767'225'600'000};
    auto opened = Simulator::open(std::move(options));
    simulator_ = std::move(opened).value();
    platform_ = std::make_unique<Platform>(simulator_->engine(),
                                           [this](const Family& family, Value& body) { change(family, body); });
    platform_->make_all();
  }

  void change(const Family& family, Value& body) {
    // A family without an edit keeps its name.
    const bool can_be_renamed = (family.verbs & static_cast<std::uint8_t>(Verb::edit)) != 0;
    if (body.has("name")) body.set("name", Value((can_be_renamed ? prefix_ : "") + std::string(family.name)));
    if (family.name == "invitation" || family.name == "api_token" || family.name == "policy_api_token") {
      body.set("role_id", Value(platform_->id_of("custom_role")));
    }
    if (family.name == "custom_role") {
      body.set("cluster_permissions",
               *parse_stored(R"([{"cluster_id": ")" + platform_->id_of("cluster") + R"(", "permission": "ADMIN"}])"));
      body.set("project_permissions",
               *parse_stored(R"([{"project_id": ")" + platform_->id_of("project") + R"(", "is_admin": true}])"));
    }
  }

  int rename_all() {
    prefix_ = "renamed ";
    int renamed = 0;
    for (const Route& route : all_routes()) {
      if (route.verb != Verb::edit) continue;
      const Value body = platform_->sample_of(*route.family);
      if (!body.has("name")) continue;
      const Reply reply = platform_->ask("PUT", platform_->path_of(route), to_json(body));
      EXPECT_EQ(reply.status, 200) << route.family->name << ": " << reply.body;
      ++renamed;
    }
    return renamed;
  }

  std::string old_names() {
    std::string found;
    for (const Route& route : all_routes()) {
      const bool shows_the_past =
          route.path.find("/events") != std::string::npos || route.path.find("History") != std::string::npos;
      if (route.operation.method != Method::get || shows_the_past) continue;
      const std::string path = platform_->path_of(route);
      const std::string body = platform_->ask("GET", path).body;
      const std::size_t at = body.find("original ");
      if (at != std::string::npos) found += path + ": …" + body.substr(at < 40 ? 0 : at - 40, 80) + "\n";
    }
    return found;
  }

  RecordingPolicies policies_;
  std::string prefix_ = "original ";
  std::unique_ptr<Simulator> simulator_;
  std::unique_ptr<Platform> platform_;
};

TEST_F(Renamed, NoAnswerKeepsAnOldName) {
  EXPECT_NE(old_names(), "") << "nothing had the old names: this test shows nothing";
  EXPECT_GT(rename_all(), 20);
  EXPECT_EQ(old_names(), "");
}

TEST_F(Renamed, ThePolicyGetsTheCurrentNameOfTheRole) {
  Value body = platform_->sample_of(*find_family("policy_api_token"));
  body.set("name", Value("second"));
  const std::string below = "/organization/" + platform_->id_of("organization");
  const Reply made = platform_->ask("POST", below + "/policyApiToken", to_json(body));
  ASSERT_EQ(made.status, 201) << made.body;
  const std::string token = "Token " + std::string((*parse_stored(made.body)).text_or("token", ""));
  EXPECT_GT(rename_all(), 20);
  Request request;
  request.method = "GET";
  const std::string path = below + "/project";
  request.path = path;
  request.trust = Trust::outside;
  request.headers.emplace_back("Authorization", token);
  ASSERT_TRUE(simulator_->engine().dispatch(request));
  EXPECT_NE(policies_.last_input.find(R"("role":"renamed custom_role")"), std::string::npos) << policies_.last_input;
}

}  // namespace
}  // namespace orlop
