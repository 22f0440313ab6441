// The engine's answers match its description: every family is created, every GET is sent, before and after a
// deployment, and each answer is checked against its schema.
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>

#include "base/brand.h"
#include "describe/openapi/openapi.h"
#include "engine.h"
#include "external_systems/question.h"
#include "model/form.h"
#include "model/registry.h"
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

class Platform {
 public:
  Platform() : clock_(Instant{1'767'225'600'000}), random_source_(11) {
    EngineOptions options;
    options.clock = &clock_;
    options.random_source = &random_source_;
    options.settings.require_cluster = false;
    auto opened = Engine::open(std::move(options));
    engine_ = std::move(*opened);
    // Environments name no cluster: they get the organization's first one.
    id_of(*find_family("cluster"));
    for (const Family* family : all_families()) id_of(*family);
  }

  Reply dispatch(std::string_view method, std::string_view path, std::string_view body) {
    Request request;
    request.method = method;
    request.path = path;
    request.body = body;
    const auto answered = engine_->dispatch(request);
    if (answered) return *answered;
    ADD_FAILURE() << method << " " << path << ": " << answered.error().message;
    return {};
  }

  // Sends the request and checks the answer against the schema of its status. Returns the answer, or null if it is not
  // JSON.
  Value ask(const Route& route, const std::string& path, const std::string& body) {
    const std::string_view method = to_string(route.operation.method);
    const Reply reply = dispatch(method, path, body);
    for (const std::string& misfit : misfits(described(), route, reply)) {
      ADD_FAILURE() << method << " " << route.path << " " << reply.status << misfit;
    }
    auto answer = parse_stored(reply.body);
    return answer ? std::move(*answer) : Value();
  }

  // Returns the path with an id for each of its parameters.
  std::string filled(const Route& route) {
    std::string path = route.path;
    for (const std::string& name : route.parameters) {
      const std::string mark = "{" + name + "}";
      path.replace(path.find(mark), mark.size(), id_for(route, name));
    }
    return path;
  }

  // Schedules that are due later do not count as work.
  void run_until_idle() {
    for (auto next = *engine_->tick(); next && engine_->work_due(); next = *engine_->tick()) clock_.move_to(*next);
  }

 private:
  std::string id_for(const Route& route, const std::string& parameter) {
    if (parameter == "serviceId") return id_of(*find_family("container"));
    if (parameter == "stageId") return id_of(*find_family("deployment_stage"));
    if (route.family != nullptr && route.family->id_name == parameter) return id_of(*route.family);
    for (const Family* family : all_families()) {
      if (family->id_name == parameter) return id_of(*family);
    }
    return "0198c0de-0000-7000-8000-000000000001";
  }

  std::string id_of(const Family& family) {
    if (const auto known = ids_.find(family.number); known != ids_.end()) return known->second;
    for (const Route& route : all_routes()) {
      if (route.family != &family || route.verb != Verb::create) continue;
      const std::string body = with_ids(family.sample);
      const Value made = ask(route, filled(route), body);
      EXPECT_NE(made.text_or("id", ""), "") << family.name << " was not created";
      return ids_[family.number] = made.text_or("id", "");
    }
    return ids_[family.number] = "0198c0de-0000-7000-8000-000000000002";
  }

  std::string with_ids(std::string_view sample) {
    std::string text(sample);
    for (const Family* family : all_families()) {
      const std::string mark = "{" + std::string(family->name) + "}";
      for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark))
        text.replace(at, mark.size(), id_of(*family));
    }
    return text;
  }

  VirtualClock clock_;
  SeededRandomSource random_source_;
  std::unique_ptr<Engine> engine_;
  std::map<FamilyNumber, std::string> ids_;
};

std::string header_of(const Reply& reply, std::string_view name) {
  for (const auto& [header, value] : reply.headers) {
    if (header == name) return value;
  }
  return "";
}

void read_everything(Platform& platform) {
  for (const Route& route : all_routes()) {
    if (route.operation.method != Method::get) continue;
    (void)platform.ask(route, platform.filled(route), "");
    if (route.operation.form == AnswerForm::record_list)
      (void)platform.ask(route, platform.filled(route) + "?page=1", "");
  }
}

TEST(Answers, fit_their_description) {
  Platform platform;
  read_everything(platform);
  for (const Route& route : all_routes()) {
    if (route.name.starts_with("uninstall_") && route.operation.body != nullptr && !route.operation.is_body_required)
      (void)platform.ask(route, platform.filled(route), "");  // uninstalls of services that do not run
  }
  for (const Route& route : all_routes()) {
    if (route.name == "deploy_environment" || route.name == "deploy_cluster")
      (void)platform.ask(route, platform.filled(route), "");
  }
  read_everything(platform);
  platform.run_until_idle();
  read_everything(platform);
}

// No request of a client causes an undescribed answer.
TEST(Answers, to_empty_bodies_fit_their_description) {
  Platform platform;
  for (const Route& route : all_routes()) {
    if (route.operation.method == Method::remove || route.operation.method == Method::get) continue;
    (void)platform.ask(route, platform.filled(route), "{}");
    (void)platform.ask(route, platform.filled(route), R"({"no_such_field": 1})");
    platform.run_until_idle();
  }
}

TEST(Answers, of_deletes_fit_their_description) {
  Platform platform;
  const auto routes = all_routes();
  for (auto route = routes.rbegin(); route != routes.rend(); ++route) {
    if (route->operation.method == Method::remove) (void)platform.ask(*route, platform.filled(*route), "");
  }
}

// The operation declares the question, and the description has a 501 for operations that fail without its answer.
TEST(Answers, that_need_external_systems_are_known) {
  Platform platform;
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
    const Reply reply = platform.dispatch("GET", platform.filled(route), "");
    if (reply.status != 501) continue;
    ++unanswered;
    ASSERT_TRUE(needs_external(route.operation)) << route.path;
    EXPECT_NE(reply.body.find(facts_of(*route.operation.asks).name), std::string::npos)
        << route.path << " asks another question: " << reply.body;
  }
  EXPECT_GT(unanswered, 20);
}

TEST(Description, is_served) {
  Platform platform;
  for (const char* path : {"/openapi.json", "/api/v1/openapi.json"}) {
    const Reply reply = platform.dispatch("GET", path, "");
    EXPECT_EQ(reply.status, 200) << path;
    EXPECT_EQ(reply.body, openapi(brand_default)) << path;
    EXPECT_EQ(header_of(reply, "content-type"), "application/json") << path;
  }
  const Reply refused = platform.dispatch("PUT", "/openapi.json", "{}");
  EXPECT_EQ(refused.status, 405);
  EXPECT_EQ(header_of(refused, "allow"), "GET");
  EXPECT_EQ(platform.dispatch("GET", "/openapi.jsonx", "").status, 404);
}

TEST(Answers, to_other_methods_name_those_that_are_allowed) {
  Platform platform;
  const Reply refused = platform.dispatch("PATCH", "/organization", "{}");
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
