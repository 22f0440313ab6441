// The engine's answers match its description: every family is created, every GET is sent, before and after a
// deployment, and each answer is checked against its schema.
#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>

#include "base/brand.h"
#include "describe/openapi/openapi.h"
#include "engine.h"
#include "external_systems/question.h"
#include "model/form.h"
#include "model/registry.h"
#include "platform.h"
#include "records/ask_later.h"
#include "rest/route.h"
#include "sim/seeded_random_source.h"
#include "sim/virtual_clock.h"
#include "unit/describe/schema_check.h"
#include "wire/json.h"

namespace orlop {
namespace {

const Value& described() {
  static const Value parsed = *parse_stored(openapi(brand_default));
  return parsed;
}

// Checks each answer to a request of a route against the schema of its status.
class DescribedPlatform {
 public:
  DescribedPlatform() : clock_(Instant{1'767'225'600'000}), random_source_(11) {
    EngineOptions options;
    options.clock = &clock_;
    options.random_source = &random_source_;
    options.settings.require_cluster = false;
    engine_ = std::move(Engine::open(std::move(options))).value();
    platform_.emplace(*engine_, nullptr, [this](const Route& route, const Reply& reply) { check(route, reply); });
    platform_->make_all();
    is_made_ = true;
  }
  Platform* operator->() { return &*platform_; }

  void ask(const Route& route, const std::string& body = "") { platform_->ask(route, platform_->path_of(route), body); }

  // Schedules that are due later do not count as work.
  void run_until_idle() {
    for (auto next = *engine_->tick(); next && engine_->work_due(); next = *engine_->tick()) clock_.move_to(*next);
  }

 private:
  void check(const Route& route, const Reply& reply) const {
    EXPECT_TRUE(is_made_ || reply.status < 300) << route.path << " " << reply.body;
    for (const std::string& misfit : misfits(described(), route, reply)) {
      ADD_FAILURE() << to_string(route.operation.method) << " " << route.path << " " << reply.status << misfit;
    }
  }

  VirtualClock clock_;
  SeededRandomSource random_source_;
  std::unique_ptr<Engine> engine_;
  std::optional<Platform> platform_;
  bool is_made_ = false;
};

std::string header_of(const Reply& reply, std::string_view name) {
  for (const auto& [header, value] : reply.headers) {
    if (header == name) return value;
  }
  return "";
}

void read_everything(DescribedPlatform& platform) {
  for (const Route& route : all_routes()) {
    if (route.operation.method != Method::get) continue;
    platform.ask(route);
    if (route.operation.form == AnswerForm::record_list) platform->ask(route, platform->path_of(route) + "?page=1");
  }
}

TEST(Answers, fit_their_description) {
  DescribedPlatform platform;
  read_everything(platform);
  for (const Route& route : all_routes()) {
    if (route.name.starts_with("uninstall_") && route.operation.body != nullptr && !route.operation.is_body_required)
      platform.ask(route);  // uninstalls of services that do not run
  }
  for (const Route& route : all_routes()) {
    if (route.name == "deploy_environment" || route.name == "deploy_cluster") platform.ask(route);
  }
  read_everything(platform);
  platform.run_until_idle();
  read_everything(platform);
}

// No request of a client causes an undescribed answer.
TEST(Answers, to_empty_bodies_fit_their_description) {
  DescribedPlatform platform;
  for (const Route& route : all_routes()) {
    if (route.operation.method == Method::remove || route.operation.method == Method::get) continue;
    platform.ask(route, "{}");
    platform.ask(route, R"({"no_such_field": 1})");
    platform.run_until_idle();
  }
}

TEST(Answers, of_deletes_fit_their_description) {
  DescribedPlatform platform;
  const auto routes = all_routes();
  for (auto route = routes.rbegin(); route != routes.rend(); ++route) {
    if (route->operation.method == Method::remove) platform.ask(*route);
  }
}

// The operation declares the question, and the description has a 501 for operations that fail without its answer.
TEST(Answers, that_need_external_systems_are_known) {
  DescribedPlatform platform;
  int unanswered = 0;
  for (const Route& route : all_routes()) {
    const Value* operation =
        described().find_path({"paths", route.path, lower_case(to_string(route.operation.method))});
    ASSERT_NE(operation, nullptr) << route.path;
    EXPECT_EQ(operation->find("responses")->has("501"), needs_external(route.operation)) << route.path;
    if (route.operation.asks) {
      const std::string question(facts_of(*route.operation.asks).name);
      EXPECT_NE(operation->text_or("description", "").find("`" + question + "`"), std::string_view::npos) << route.path;
    }
    if (route.operation.method != Method::get) continue;
    const Reply reply = platform->ask("GET", platform->path_of(route));
    if (reply.status != 501) continue;
    ++unanswered;
    ASSERT_TRUE(needs_external(route.operation)) << route.path;
    EXPECT_NE(reply.body.find(facts_of(*route.operation.asks).name), std::string::npos)
        << route.path << " asks another question: " << reply.body;
  }
  EXPECT_GT(unanswered, 20);
}

TEST(Description, is_served) {
  DescribedPlatform platform;
  for (const char* path : {"/openapi.json", "/api/v1/openapi.json"}) {
    const Reply reply = platform->ask("GET", path, "");
    EXPECT_EQ(reply.status, 200) << path;
    EXPECT_EQ(reply.body, openapi(brand_default)) << path;
    EXPECT_EQ(header_of(reply, "content-type"), "application/json") << path;
  }
  const Reply refused = platform->ask("PUT", "/openapi.json", "{}");
  EXPECT_EQ(refused.status, 405);
  EXPECT_EQ(header_of(refused, "allow"), "GET");
  EXPECT_EQ(platform->ask("GET", "/openapi.jsonx", "").status, 404);
}

TEST(Answers, to_other_methods_name_those_that_are_allowed) {
  DescribedPlatform platform;
  const Reply refused = platform->ask("PATCH", "/organization", "{}");
  EXPECT_EQ(refused.status, 405);
  EXPECT_EQ(header_of(refused, "allow"), "GET, POST");
}

TEST(Answers, that_do_not_fit_are_found) {
  const auto fits = [](std::string_view json, std::string_view component = "ServicePortInput") {
    const Value* schema = described().find_path({"components", "schemas", component});
    return misfits(described(), *schema, *parse_json(json)).empty();
  };
  EXPECT_TRUE(fits(R"({"internal_port": 80, "publicly_accessible": false})"));
  EXPECT_FALSE(fits(R"({"internal_port": 80})"));
  EXPECT_FALSE(fits(R"({"internal_port": "80", "publicly_accessible": false})"));
  EXPECT_FALSE(fits(R"({"internal_port": 0, "publicly_accessible": false})"));
  EXPECT_FALSE(fits(R"({"internal_port": 80, "publicly_accessible": false, "protocol": "SMTP"})"));
  EXPECT_FALSE(fits(R"({"internal_port": 80, "publicly_accessible": false, "colour": "red"})"));
  EXPECT_FALSE(fits(R"({"internal_port": 80, "publicly_accessible": null})"));
  // An answer has more required members than a request.
  EXPECT_FALSE(fits(R"({"internal_port": 80, "publicly_accessible": false})", "ServicePort"));
  EXPECT_TRUE(fits(
      R"({"id": "01980000-0000-7000-8000-000000000000", "name": "p80", "internal_port": 80, "publicly_accessible":)"
      R"( false, "is_default": true, "protocol": "HTTP"})",
      "ServicePort"));
}

}  // namespace
}  // namespace orlop
