// Variables through the front door: what is listed, what is refused, what the driver is given, and where a secret must not turn up.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "deploy/driver/scripted_driver.h"
#include "model/registry.h"
#include "ops/variables/reach.h"
#include "sim/simulator.h"
#include "wire/json.h"
#include "wire/writer.h"

namespace orlop {
namespace {

const std::string canary = "canary-8c1f4e";

// Keeps the last configuration that it was given of each service.
class Listening final : public Driver {
 public:
  Result<void> start(const Step& step) override {
    configurations[step.name] = step.configuration;
    return scripted.start(step);
  }
  void cancel(const Id& step, CancelMode mode) override { scripted.cancel(step, mode); }
  void poll(Instant now, std::vector<Report>& reports) override { scripted.poll(now, reports); }
  std::optional<Instant> due() override { return scripted.due(); }

  ScriptedDriver scripted;
  std::map<std::string, std::string> configurations;
};

class Variables : public testing::Test {
 protected:
  void SetUp() override {
    SimulationOptions options;
    options.engine.settings.require_cluster = false;
    options.engine.driver = &driver_;
    options.start = {1'767'225'600'000};
    auto opened = Simulator::open(std::move(options));
    ASSERT_TRUE(opened) << opened.error().message;
    simulator_ = std::move(*opened);
    organization_ = make("/organization", R"({"name":"acme","plan":"FREE"})");
    make("/organization/" + organization_ + "/cluster", R"({"name":"main","region":"eu-west-3","cloud_provider":"AWS"})");
    registry_ = make("/organization/" + organization_ + "/containerRegistry", R"({"name":"hub","kind":"DOCKER_HUB","config":{}})");
    project_ = make("/organization/" + organization_ + "/project", R"({"name":"shop"})");
    environment_ = make("/project/" + project_ + "/environment", R"({"name":"production"})");
    api_ = make_container(environment_, "api");
  }

  Value ask(std::string_view method, const std::string& path, std::string_view body, std::uint16_t status) {
    auto reply = simulator_->engine().dispatch({method, path, body, {}});
    if (!reply) {
      ADD_FAILURE() << reply.error().message;
      return {};
    }
    EXPECT_EQ(reply->status, status) << method << " " << path << " " << body.substr(0, 200) << "\n" << reply->body.substr(0, 500);
    said_ += reply->body;
    auto value = parse_stored(reply->body.empty() ? "{}" : reply->body);
    return value ? std::move(*value) : Value();
  }

  std::string make(const std::string& path, std::string_view body) {
    const auto reply = simulator_->engine().dispatch({"POST", path, body, {}});
    EXPECT_TRUE(reply && reply->status < 300) << path << " " << body << "\n" << (reply ? reply->body : reply.error().message);
    const auto value = parse_stored(reply->body);
    return std::string(value->text_or("id", ""));
  }

  std::string make_container(const std::string& environment, const std::string& name) {
    return make("/environment/" + environment + "/container",
                R"({"name":")" + name + R"(","registry_id":")" + registry_ + R"(","image_name":"i","tag":"1","healthchecks":{}})");
  }

  static std::string body_of(std::string_view key, std::string_view value, std::string_view scope, std::string_view parent, bool is_secret = false) {
    Writer out;
    out.begin_object().field("key", key).field("value", value).field("is_secret", is_secret);
    return out.field("variable_scope", scope).field("variable_parent_id", parent).end_object().text();
  }

  std::string set(std::string_view key, std::string_view value, std::string_view scope, const std::string& parent, bool is_secret = false) {
    return make("/variable", body_of(key, value, scope, parent, is_secret));
  }

  std::string alias(const std::string& target, std::string_view key, std::string_view scope, const std::string& parent) {
    Writer out;
    out.begin_object().field("key", key).field("alias_scope", scope).field("alias_parent_id", std::string_view(parent)).end_object();
    return make("/variable/" + target + "/alias", out.text());
  }

  // By key; of several the nearest.
  std::map<std::string, Value> listed(std::string_view scope, const std::string& parent) {
    const Value list = ask("GET", "/variable?scope=" + std::string(scope) + "&parent_id=" + parent, "", 200);
    std::map<std::string, Value> by_key;
    for (const Value& item : list.find("results")->items()) by_key[std::string(item.text_or("key", ""))] = item;
    return by_key;
  }

  void deploy() {
    ask("POST", "/environment/" + environment_ + "/deploy", "", 202);
    ASSERT_TRUE(simulator_->run_until_idle());
  }

  std::string freshness_of(const std::string& container) {
    return std::string(ask("GET", "/container/" + container + "/status", "", 200).text_or("service_deployment_status", ""));
  }

  // "KEY=value", with a mark for secrets, of what the driver was given.
  std::map<std::string, std::string> given(const std::string& service) {
    std::map<std::string, std::string> values;
    const auto configuration = parse_stored(driver_.configurations[service]);
    const Value* variables = configuration ? configuration->find("variables") : nullptr;
    EXPECT_NE(variables, nullptr) << driver_.configurations[service];
    if (variables == nullptr) return values;
    for (const Value& item : variables->items()) {
      EXPECT_NE(item.find("mount_path"), nullptr);
      values[std::string(item.text_or("key", ""))] = std::string(item.text_or("value", "")) + (item.boolean_or("is_secret", false) ? " (secret)" : "");
    }
    return values;
  }

  Listening driver_;
  std::unique_ptr<Simulator> simulator_;
  std::string organization_;
  std::string registry_;
  std::string project_;
  std::string environment_;
  std::string api_;
  std::string said_;  // every answer
};

TEST_F(Variables, are_listed_with_those_that_are_inherited) {
  set("WIDE", "1", "PROJECT", project_);
  const std::string host = set("HOST", "db", "ENVIRONMENT", environment_);
  set("OWN", canary, "CONTAINER", api_, true);
  alias(host, "DB_HOST", "CONTAINER", api_);
  auto listed = this->listed("CONTAINER", api_);
  EXPECT_EQ(listed["WIDE"].text_or("scope", ""), "PROJECT");
  EXPECT_EQ(listed["WIDE"].find("service_id"), nullptr);
  EXPECT_EQ(listed["WIDE"].find("description"), nullptr);
  EXPECT_EQ(listed["HOST"].text_or("scope", ""), "ENVIRONMENT");
  EXPECT_EQ(listed["OWN"].text_or("service_id", ""), api_);
  EXPECT_EQ(listed["OWN"].text_or("service_name", ""), "api");
  EXPECT_EQ(listed["OWN"].text_or("service_type", ""), "CONTAINER");
  ASSERT_NE(listed["OWN"].find("value"), nullptr);
  EXPECT_TRUE(listed["OWN"].find("value")->is_null());
  EXPECT_EQ(listed["DB_HOST"].text_or("value", ""), "HOST");
  EXPECT_EQ(listed["DB_HOST"].text_or("variable_type", ""), "ALIAS");
  const Value* named = listed["DB_HOST"].find("aliased_variable");
  ASSERT_NE(named, nullptr);
  EXPECT_EQ(named->text_or("id", ""), host);
  EXPECT_EQ(named->text_or("value", ""), "db");
  EXPECT_EQ(listed["PLATFORM_ENVIRONMENT_NAME"].text_or("value", ""), "production");
  EXPECT_EQ(listed["PLATFORM_PROJECT_ID"].text_or("value", ""), "||Q_PRJ_ID||");
  EXPECT_EQ(listed["PLATFORM_CLOUD_PROVIDER_REGION"].text_or("value", ""), "eu-west-3");
  EXPECT_EQ(this->listed("PROJECT", project_).size(), 2U);
  EXPECT_FALSE(this->listed("ENVIRONMENT", environment_).contains("OWN"));
}

TEST_F(Variables, have_older_forms_that_are_split_by_secrecy) {
  const std::string path = "/container/" + api_;
  const Value plain = ask("POST", path + "/environmentVariable", R"({"key":"A","value":"1","description":"text"})", 201);
  EXPECT_EQ(plain.find("is_secret"), nullptr);
  EXPECT_EQ(plain.text_or("description", ""), "text");
  const std::string id(plain.text_or("id", ""));
  const Value secret = ask("POST", path + "/secret", R"({"key":"S","value":"canary-8c1f4e"})", 201);
  EXPECT_EQ(secret.find("value"), nullptr);
  const std::string secret_id(secret.text_or("id", ""));
  const Value alias = ask("POST", path + "/secret/" + secret_id + "/alias", R"({"key":"T"})", 201);
  ASSERT_NE(alias.find("aliased_secret"), nullptr);
  ask("POST", path + "/environmentVariable/" + secret_id + "/alias", R"({"key":"U"})", 404);
  ask("DELETE", path + "/secret/" + id, "", 404);
  const auto keys = [&](const std::string& form) {
    const Value list = ask("GET", path + form, "", 200);
    std::string joined;
    for (const Value& item : list.find("results")->items()) {
      if (item.text_or("scope", "") != "BUILT_IN") joined.append(item.text_or("key", "")).append(" ");
    }
    return joined;
  };
  EXPECT_EQ(keys("/environmentVariable"), "A ");
  EXPECT_EQ(keys("/secret"), "S T ");
  const std::string wide = set("W", "1", "PROJECT", project_);
  const Value over = ask("POST", path + "/environmentVariable/" + wide + "/override", R"({"value":"2"})", 201);
  EXPECT_EQ(over.text_or("variable_type", ""), "OVERRIDE");
  EXPECT_EQ(over.find_path({"overridden_variable", "value"})->as_text(), "1");
  ask("PUT", path + "/environmentVariable/" + id, R"({"key":"B","value":"2"})", 200);
  ask("DELETE", path + "/environmentVariable/" + id, "", 204);
  ask("DELETE", path + "/environmentVariable/" + wide, "", 404);
  EXPECT_EQ(said_.find(canary), std::string::npos);
}

TEST_F(Variables, are_refused_in_one_sentence) {
  const auto refusal = [&](std::string_view method, const std::string& path, const std::string& body, std::uint16_t status) {
    return std::string(ask(method, path, body, status).text_or("message", ""));
  };
  const std::string wide = set("WIDE", "1", "PROJECT", project_);
  const std::string near = set("NEAR", "1", "CONTAINER", api_);
  EXPECT_EQ(refusal("POST", "/variable", body_of("WIDE", "2", "PROJECT", project_), 409), "key \"WIDE\" is taken by another variable of this project");
  set("wide", "2", "PROJECT", project_);
  set("WIDE", "2", "ENVIRONMENT", environment_);
  EXPECT_NE(refusal("POST", "/variable", body_of("A B", "2", "PROJECT", project_), 400).find("key must be"), std::string::npos);
  EXPECT_NE(refusal("POST", "/variable", body_of("", "2", "PROJECT", project_), 400).find("key must be"), std::string::npos);
  EXPECT_NE(refusal("POST", "/variable", body_of("A", std::string(70'000, 'x'), "PROJECT", project_), 400).find("65536"), std::string::npos);
  EXPECT_NE(refusal("POST", "/variable", body_of(std::string(70'000, 'K'), "x", "PROJECT", project_), 400).find("key"), std::string::npos);
  EXPECT_NE(refusal("POST", "/variable", body_of("A", "2", "JOB", api_), 400).find("variable_scope must be CONTAINER"), std::string::npos);
  EXPECT_NE(refusal("POST", "/variable", body_of("A", "2", "PROJECT", registry_), 400).find("variable_parent_id must be"), std::string::npos);
  refusal("POST", "/variable", body_of("A", "2", "PROJECT", "0198c0de-0000-7000-8000-000000000001"), 404);
  refusal("POST", "/variable", "null", 400);
  Writer above;
  above.begin_object().field("key", "UP").field("alias_scope", "PROJECT").field("alias_parent_id", std::string_view(project_)).end_object();
  EXPECT_NE(refusal("POST", "/variable/" + near + "/alias", above.text(), 400).find("alias_scope must be a scope that sees"), std::string::npos);
  const std::string first = alias(wide, "FIRST", "CONTAINER", api_);
  EXPECT_NE(refusal("POST", "/container/" + api_ + "/environmentVariable/" + first + "/alias", R"({"key":"SECOND"})", 400).find("not an alias"),
            std::string::npos);
  const std::string built_in(listed("CONTAINER", api_)["PLATFORM_ENVIRONMENT_NAME"].text_or("id", ""));
  EXPECT_NE(refusal("PUT", "/variable/" + built_in, R"({"key":"X","value":"1"})", 403).find("is built in"), std::string::npos);
  EXPECT_NE(refusal("DELETE", "/variable/" + built_in, "", 403).find("is built in"), std::string::npos);
  alias(built_in, "STAGE", "CONTAINER", api_);
  EXPECT_EQ(listed("CONTAINER", api_)["STAGE"].text_or("value", ""), "PLATFORM_ENVIRONMENT_NAME");
}

TEST_F(Variables, that_would_refer_to_each_other_in_a_cycle_are_refused) {
  const std::string first = set("A", "{{B}}", "CONTAINER", api_);
  const Value refused = ask("POST", "/variable", body_of("B", "{{A}}", "CONTAINER", api_), 400);
  EXPECT_NE(refused.text_or("message", "").find("B -> A -> B"), std::string::npos);
  set("B", "1", "CONTAINER", api_);
  ask("PUT", "/variable/" + first, R"({"key":"A","value":"{{A}}"})", 400);
  EXPECT_EQ(listed("CONTAINER", api_)["A"].text_or("value", ""), "{{B}}");
}

TEST_F(Variables, of_scopes_that_meet_in_a_cycle_fail_the_deployment) {
  set("A", "{{B}}", "PROJECT", project_);
  set("B", "1", "PROJECT", project_);
  set("C", "{{A}}", "PROJECT", project_);
  deploy();
  EXPECT_EQ(given("api")["C"], "1");
  set("B", "2", "CONTAINER", api_);
  set("D", "{{E}}", "ENVIRONMENT", environment_);
  set("E", "{{F}}", "ENVIRONMENT", environment_);
  set("F", "1", "ENVIRONMENT", environment_);
  const std::string worker = make_container(environment_, "worker");
  // Each is right where it is written; only the worker sees both.
  set("X", "{{Y}}", "PROJECT", project_);
  set("Y", "{{Z}}", "ENVIRONMENT", environment_);
  set("Z", "1", "CONTAINER", api_);
  ask("POST", "/variable", body_of("Z", "{{X}}", "PROJECT", project_), 201);
  deploy();
  const Value status = ask("GET", "/container/" + worker + "/status", "", 200);
  EXPECT_EQ(status.text_or("state", ""), "DEPLOYMENT_ERROR");
  const std::string told = *simulator_->engine().events({});
  EXPECT_NE(told.find("the variables of container \\\"worker\\\" cannot be resolved: variables refer to each other in a cycle: X -> Y -> Z -> X"),
            std::string::npos);
  ask("POST", "/container/" + worker + "/stop", "", 202);
  ASSERT_TRUE(simulator_->run_until_idle());
}

TEST_F(Variables, reach_the_driver_resolved) {
  const std::string password = set("PASSWORD", canary, "PROJECT", project_, true);
  set("HOST", "db", "ENVIRONMENT", environment_);
  set("URL", "https://{{HOST}}/{{UNKNOWN}}", "CONTAINER", api_);
  set("LOGIN", "me:{{PASSWORD}}", "CONTAINER", api_);
  alias(password, "PGPASSWORD", "CONTAINER", api_);
  const std::string database = make("/environment/" + environment_ + "/database",
                                    R"({"name":"orders","type":"POSTGRESQL","version":"16","mode":"CONTAINER"})");
  std::string prefix = "PLATFORM_DATABASE_Z" + database.substr(0, 8) + "_";
  std::ranges::transform(prefix, prefix.begin(), [](unsigned char letter) { return static_cast<char>(std::toupper(letter)); });
  auto seen = listed("CONTAINER", api_);
  ASSERT_TRUE(seen.contains(prefix + "DATABASE_URL"));
  EXPECT_TRUE(seen[prefix + "PASSWORD"].find("value")->is_null());
  EXPECT_TRUE(seen[prefix + "DATABASE_URL"].find("value")->is_null());
  alias(std::string(seen[prefix + "DATABASE_URL"].text_or("id", "")), "DATABASE_URL", "CONTAINER", api_);
  deploy();
  auto values = given("api");
  EXPECT_EQ(values["PASSWORD"], canary + " (secret)");
  EXPECT_EQ(values["PGPASSWORD"], canary + " (secret)");
  EXPECT_EQ(values["LOGIN"], "me:" + canary + " (secret)");
  EXPECT_EQ(values["URL"], "https://db/{{UNKNOWN}}");
  EXPECT_EQ(values["PLATFORM_PROJECT_ID"], project_);
  EXPECT_TRUE(values["DATABASE_URL"].starts_with("postgresql://postgres:")) << values["DATABASE_URL"];
  EXPECT_EQ(values["DATABASE_URL"], values[prefix + "DATABASE_URL"]);
  // The alias goes with the database.
  ask("DELETE", "/database/" + database, "", 204);
  ASSERT_TRUE(simulator_->run_until_idle());
  EXPECT_FALSE(listed("CONTAINER", api_).contains("DATABASE_URL"));
  // The secret is told to the driver, and nowhere else.
  ask("PUT", "/variable/" + password, R"({"key":"PASSWORD","value":"canary-8c1f4e"})", 200);
  ask("PUT", "/variable/" + password, R"({"key":"PASSWORD","value":"canary-8c1f4e","is_secret":{"x":1}})", 400);
  ask("POST", "/variable", R"({"key":"Q","value":["canary-8c1f4e"],"is_secret":true,"variable_scope":"PROJECT","variable_parent_id":"x"})", 400);
  const Value audit = ask("GET", "/organization/" + organization_ + "/events?subTargetType=SECRET", "", 200);
  EXPECT_EQ(audit.find("events")->items().front().text_or("target_type", ""), "PROJECT");
  EXPECT_EQ(said_.find(canary), std::string::npos);
  EXPECT_EQ(simulator_->engine().events({})->find(canary), std::string::npos);
  EXPECT_EQ(simulator_->engine().snapshot()->find(canary), std::string::npos);
}

TEST_F(Variables, that_a_job_puts_out_are_nearest_of_all) {
  make("/environment/" + environment_ + "/job",
       R"({"name":"seed","healthchecks":{},"source":{"image":{"registry_id":")" + registry_ +
           R"(","image_name":"i","tag":"1"}},"schedule":{"on_start":{}}})");
  ScriptRule rule;
  rule.family = find_family("job")->number;
  rule.outputs = R"({"HOST":"from the job","TOKEN":{"value":"t","sensitive":true},"COUNT":3})";
  driver_.scripted.add_rule(rule);
  set("HOST", "own", "CONTAINER", api_);
  set("URL", "http://{{HOST}}", "CONTAINER", api_);
  deploy();
  auto values = given("api");
  EXPECT_EQ(values["HOST"], "from the job");
  EXPECT_EQ(values["URL"], "http://from the job");
  EXPECT_EQ(values["TOKEN"], "t (secret)");
  EXPECT_EQ(values["COUNT"], "3");
}

TEST_F(Variables, put_what_they_reach_out_of_date) {
  const std::string other = make("/project/" + project_ + "/environment", R"({"name":"staging"})");
  const std::string worker = make_container(environment_, "worker");
  const std::string away = make_container(other, "away");
  const auto deploy_all = [&] {
    deploy();
    ask("POST", "/environment/" + other + "/deploy", "", 202);
    ASSERT_TRUE(simulator_->run_until_idle());
  };
  const auto freshness = [&] { return freshness_of(api_).substr(0, 1) + freshness_of(worker).substr(0, 1) + freshness_of(away).substr(0, 1); };
  deploy_all();
  ASSERT_EQ(freshness(), "UUU");
  const std::string id = set("A", "1", "CONTAINER", api_);
  EXPECT_EQ(freshness(), "OUU");
  deploy_all();
  ask("PUT", "/variable/" + id, R"({"key":"A","value":"2"})", 200);
  EXPECT_EQ(freshness(), "OUU");
  deploy_all();
  ask("DELETE", "/variable/" + id, "", 204);
  EXPECT_EQ(freshness(), "OUU");
  deploy_all();
  set("A", "1", "ENVIRONMENT", environment_);
  EXPECT_EQ(freshness(), "OOU");
  deploy_all();
  set("A", "1", "PROJECT", project_);
  EXPECT_EQ(freshness(), "OOO");
}

TEST_F(Variables, of_a_project_reach_more_services_than_one_commit_marks) {
  std::vector<std::string> services;
  for (std::size_t at = 0; at < reached_at_once_max + 50; ++at) services.push_back(make_container(environment_, "s" + std::to_string(at)));
  deploy();
  ASSERT_EQ(freshness_of(services.front()), "UP_TO_DATE");
  set("A", "1", "PROJECT", project_);
  EXPECT_EQ(freshness_of(api_), "OUT_OF_DATE");
  EXPECT_EQ(freshness_of(services.back()), "UP_TO_DATE");
  ASSERT_TRUE(simulator_->run_until_idle());
  for (const std::string& service : services) ASSERT_EQ(freshness_of(service), "OUT_OF_DATE");
}

TEST_F(Variables, follow_the_variable_that_they_name) {
  const std::string wide = set("A", "1", "PROJECT", project_);
  alias(wide, "B", "CONTAINER", api_);
  ask("POST", "/container/" + api_ + "/environmentVariable/" + wide + "/override", R"({"value":"2"})", 201);
  ask("PUT", "/variable/" + wide, R"({"key":"RENAMED","value":"1"})", 200);
  auto seen = listed("CONTAINER", api_);
  EXPECT_EQ(seen["B"].text_or("value", ""), "RENAMED");
  EXPECT_EQ(seen["RENAMED"].text_or("variable_type", ""), "OVERRIDE");
  EXPECT_FALSE(seen.contains("A"));
  ask("PUT", "/variable/" + std::string(seen["RENAMED"].text_or("id", "")), R"({"key":"OTHER","value":"2"})", 400);
  ask("DELETE", "/variable/" + wide, "", 204);
  seen = listed("CONTAINER", api_);
  EXPECT_FALSE(seen.contains("B"));
  EXPECT_FALSE(seen.contains("RENAMED"));
}

TEST_F(Variables, keep_what_an_edit_leaves_out) {
  const std::string secret = set("S", canary, "CONTAINER", api_, true);
  ask("PUT", "/variable/" + secret, R"({"key":"T","description":"new"})", 200);
  deploy();
  EXPECT_EQ(given("api")["T"], canary + " (secret)");
}

TEST_F(Variables, are_copied_with_their_owner) {
  const std::string wide = set("WIDE", "1", "PROJECT", project_);
  const std::string host = set("HOST", "db", "ENVIRONMENT", environment_);
  set("SECRET", canary, "CONTAINER", api_, true);
  alias(wide, "OF_PROJECT", "CONTAINER", api_);
  alias(host, "OF_ENVIRONMENT", "CONTAINER", api_);
  const std::string worker = make_container(environment_, "worker");
  const std::string key = "PLATFORM_CONTAINER_Z" + [&] {
    std::string digits = worker.substr(0, 8);
    std::ranges::transform(digits, digits.begin(), [](unsigned char letter) { return static_cast<char>(std::toupper(letter)); });
    return digits;
  }() + "_HOST_INTERNAL";
  alias(std::string(listed("CONTAINER", api_)[key].text_or("id", "")), "WORKER_HOST", "CONTAINER", api_);
  const std::string copy = make("/environment/" + environment_ + "/clone", R"({"name":"copy"})");
  const std::string copied_host(listed("ENVIRONMENT", copy)["HOST"].text_or("id", ""));
  EXPECT_NE(copied_host, host);
  const Value containers = ask("GET", "/environment/" + copy + "/container", "", 200);
  std::map<std::string, std::string> ids;
  for (const Value& item : containers.find("results")->items()) ids[std::string(item.text_or("name", ""))] = item.text_or("id", "");
  auto seen = listed("CONTAINER", ids["api"]);
  EXPECT_EQ(seen["OF_PROJECT"].find_path({"aliased_variable", "id"})->as_text(), wide);
  EXPECT_EQ(seen["OF_ENVIRONMENT"].find_path({"aliased_variable", "id"})->as_text(), copied_host);
  const std::string copied_worker = ids["worker"].substr(0, 8);
  ASSERT_TRUE(seen.contains("WORKER_HOST"));
  EXPECT_EQ(seen["WORKER_HOST"].find_path({"aliased_variable", "value"})->as_text(), "app-z" + copied_worker);
  environment_ = copy;
  deploy();
  EXPECT_EQ(given("api")["SECRET"], canary + " (secret)");
  EXPECT_EQ(given("api")["OF_ENVIRONMENT"], "db");
  const std::string second = make("/container/" + ids["api"] + "/clone", R"({"name":"second","environment_id":")" + copy + "\"}");
  EXPECT_EQ(listed("CONTAINER", second)["OF_ENVIRONMENT"].find_path({"aliased_variable", "id"})->as_text(), copied_host);
}

TEST_F(Variables, are_imported_all_or_none_for_their_syntax) {
  const std::string path = "/variable/import?service_type=CONTAINER&service_id=" + api_;
  set("HAVE", "old", "CONTAINER", api_);
  const Value some = ask("POST", path, R"({"overwrite":false,"vars":[
      {"name":"HAVE","value":"new","scope":"CONTAINER","is_secret":false},
      {"name":"WIDE","value":"{{HAVE}}","scope":"PROJECT","is_secret":false},
      {"name":"HIDDEN","value":"canary-8c1f4e","scope":"ENVIRONMENT","is_secret":true}]})", 201);
  EXPECT_EQ(some.integer_or("total_variables_to_import", 0), 3);
  EXPECT_EQ(some.find("successful_imported_variables")->items().size(), 2U);
  auto seen = listed("CONTAINER", api_);
  EXPECT_EQ(seen["HAVE"].text_or("value", ""), "old");
  EXPECT_EQ(seen["WIDE"].text_or("scope", ""), "PROJECT");
  ask("POST", path, R"({"overwrite":true,"vars":[{"name":"HAVE","value":"new","scope":"CONTAINER","is_secret":false},
      {"name":"A B","value":"","scope":"CONTAINER","is_secret":false}]})", 400);
  EXPECT_EQ(listed("CONTAINER", api_)["HAVE"].text_or("value", ""), "old");
  ask("POST", path, R"({"overwrite":true,"vars":[{"name":"HAVE","value":"{{HAVE}}","scope":"CONTAINER","is_secret":false}]})", 400);
  ask("POST", path, R"({"overwrite":true,"vars":[{"name":"HAVE","value":"new","scope":"CONTAINER","is_secret":false}]})", 201);
  EXPECT_EQ(listed("CONTAINER", api_)["HAVE"].text_or("value", ""), "new");
  std::string many = R"({"overwrite":true,"vars":[)";
  for (int at = 0; at < 10'000; ++at) {
    many += (at == 0 ? "" : ",") + (R"({"name":"V)" + std::to_string(at)) + R"(","value":"{{V)" + std::to_string(at / 2 + 10'000) +
            R"(}}","scope":"JOB","is_secret":false})";
  }
  for (std::size_t at = many.find("JOB"); at != std::string::npos; at = many.find("JOB", at)) many.replace(at, 3, "CONTAINER");
  many += "]}";
  if (many.size() < 1'000'000) ask("POST", path, many, 201);
  EXPECT_EQ(said_.find(canary), std::string::npos);
}

TEST_F(Variables, survive_a_snapshot) {
  const std::string wide = set("A", "1", "PROJECT", project_);
  alias(wide, "B", "CONTAINER", api_);
  const std::string taken = *simulator_->engine().snapshot();
  EXPECT_NE(taken.find("\"variable\""), std::string::npos);
}

}  // namespace
}  // namespace orlop
