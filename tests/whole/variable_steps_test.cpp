// Variables in deployments: the values for the driver, services that go out of date, the contents of clones, and
// answers in which a secret must not appear.
#include "whole/variables_fixture.h"

#include <algorithm>
#include <cctype>

#include "model/registry.h"
#include "records/variables/reach.h"

namespace orlop {
namespace {

TEST_P(Variables, of_scopes_that_meet_in_a_cycle_fail_the_deployment) {
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
  // Each reference is valid where it is written; only the worker sees the cycle.
  set("X", "{{Y}}", "PROJECT", project_);
  set("Y", "{{Z}}", "ENVIRONMENT", environment_);
  set("Z", "1", "CONTAINER", api_);
  ask("POST", "/variable", body_of("Z", "{{X}}", "PROJECT", project_), 201);
  deploy();
  const Value status = ask("GET", "/container/" + worker + "/status", "", 200);
  EXPECT_EQ(status.text_or("state", ""), "DEPLOYMENT_ERROR");
  const std::string events = *simulator_->engine().events({});
  EXPECT_NE(events.find("the variables of container \\\"worker\\\" cannot be resolved: variables refer to each other "
                        "in a cycle: X -> Y -> Z -> X"),
            std::string::npos);
  ask("POST", "/container/" + worker + "/stop", "", 202);
  ASSERT_TRUE(simulator_->run_until_idle());
}

TEST_P(Variables, reach_the_driver_resolved) {
  const std::string password = set("PASSWORD", canary, "PROJECT", project_, true);
  set("HOST", "db", "ENVIRONMENT", environment_);
  set("URL", "https://{{HOST}}/{{UNKNOWN}}", "CONTAINER", api_);
  set("LOGIN", "me:{{PASSWORD}}", "CONTAINER", api_);
  alias(password, "PGPASSWORD", "CONTAINER", api_);
  const std::string database = make("/environment/" + environment_ + "/database",
                                    R"({"name":"orders","type":"POSTGRESQL","version":"16","mode":"CONTAINER"})");
  std::string prefix = "PLATFORM_POSTGRESQL_Z" + database.substr(0, 8) + "_";
  std::ranges::transform(prefix, prefix.begin(),
                         [](unsigned char letter) { return static_cast<char>(std::toupper(letter)); });
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
  // The alias is deleted with the database.
  ask("DELETE", "/database/" + database, "", 204);
  ASSERT_TRUE(simulator_->run_until_idle());
  EXPECT_FALSE(listed("CONTAINER", api_).contains("DATABASE_URL"));
  // The secret is passed to the driver, and shown nowhere else.
  ask("PUT", "/variable/" + password, R"({"key":"PASSWORD","value":"canary-8c1f4e"})", 200);
  ask("PUT", "/variable/" + password, R"({"key":"PASSWORD","value":"canary-8c1f4e","is_secret":{"x":1}})", 400);
  ask("POST", "/variable",
      R"({"key":"Q","value":["canary-8c1f4e"],"is_secret":true,"variable_scope":"PROJECT","variable_parent_id":"x"})",
      400);
  const Value audit = ask("GET", "/organization/" + organization_ + "/events?subTargetType=SECRET", "", 200);
  EXPECT_EQ(audit.find("events")->items().front().text_or("target_type", ""), "PROJECT");
  EXPECT_EQ(said_.find(canary), std::string::npos);
  EXPECT_EQ(simulator_->engine().events({})->find(canary), std::string::npos);
  EXPECT_EQ(simulator_->engine().snapshot()->find(canary), std::string::npos);
}

TEST_P(Variables, that_a_job_puts_out_are_nearest_of_all) {
  make("/environment/" + environment_ + "/job",
       R"({"name":"seed","healthchecks":{},"source":{"image":{"registry_id":")" + registry_ +
           R"(","image_name":"i","tag":"1"}},"schedule":{"on_start":{}}})");
  StepRule rule;
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

TEST_P(Variables, put_what_they_reach_out_of_date) {
  const std::string other = make("/project/" + project_ + "/environment", R"({"name":"staging"})");
  const std::string worker = make_container(environment_, "worker");
  const std::string away = make_container(other, "away");
  const auto deploy_all = [&] {
    deploy();
    ask("POST", "/environment/" + other + "/deploy", "", 202);
    ASSERT_TRUE(simulator_->run_until_idle());
  };
  const auto freshness = [&] {
    return freshness_of(api_).substr(0, 1) + freshness_of(worker).substr(0, 1) + freshness_of(away).substr(0, 1);
  };
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
  // The services of the environment see its variable of the same key: nothing changes for them.
  set("A", "1", "PROJECT", project_);
  EXPECT_EQ(freshness(), "UUO");
  set("B", "1", "PROJECT", project_);
  EXPECT_EQ(freshness(), "OOO");
}

TEST_P(Variables, of_a_project_reach_more_services_than_one_commit_marks) {
  std::vector<std::string> services;
  for (std::size_t at = 0; at < reached_at_once_max + 50; ++at)
    services.push_back(make_container(environment_, "s" + std::to_string(at)));
  deploy();
  ASSERT_EQ(freshness_of(services.front()), "UP_TO_DATE");
  set("A", "1", "PROJECT", project_);
  EXPECT_EQ(freshness_of(api_), "OUT_OF_DATE");
  // No row is written yet, and every answer shows the change.
  EXPECT_EQ(freshness_of(services.back()), "OUT_OF_DATE");
  ASSERT_TRUE(simulator_->run_until_idle());
  for (const std::string& service : services) ASSERT_EQ(freshness_of(service), "OUT_OF_DATE");
}

TEST_P(Variables, keep_what_an_edit_leaves_out) {
  const std::string secret = set("S", canary, "CONTAINER", api_, true);
  ask("PUT", "/variable/" + secret, R"({"key":"T","description":"new"})", 200);
  deploy();
  EXPECT_EQ(given("api")["T"], canary + " (secret)");
}

TEST_P(Variables, are_copied_with_their_owner) {
  const std::string wide = set("WIDE", "1", "PROJECT", project_);
  const std::string host = set("HOST", "db", "ENVIRONMENT", environment_);
  set("SECRET", canary, "CONTAINER", api_, true);
  alias(wide, "OF_PROJECT", "CONTAINER", api_);
  alias(host, "OF_ENVIRONMENT", "CONTAINER", api_);
  const std::string worker = make_container(environment_, "worker");
  const std::string key = "PLATFORM_CONTAINER_Z" + [&] {
    std::string digits = worker.substr(0, 8);
    std::ranges::transform(digits, digits.begin(),
                           [](unsigned char letter) { return static_cast<char>(std::toupper(letter)); });
    return digits;
  }() + "_HOST_INTERNAL";
  alias(std::string(listed("CONTAINER", api_)[key].text_or("id", "")), "WORKER_HOST", "CONTAINER", api_);
  const std::string copy = make("/environment/" + environment_ + "/clone", R"({"name":"copy"})");
  const std::string copied_host(listed("ENVIRONMENT", copy)["HOST"].text_or("id", ""));
  EXPECT_NE(copied_host, host);
  const Value containers = ask("GET", "/environment/" + copy + "/container", "", 200);
  std::map<std::string, std::string> ids;
  for (const Value& item : containers.find("results")->items())
    ids[std::string(item.text_or("name", ""))] = item.text_or("id", "");
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
  const std::string second =
      make("/container/" + ids["api"] + "/clone", R"({"name":"second","environment_id":")" + copy + "\"}");
  EXPECT_EQ(listed("CONTAINER", second)["OF_ENVIRONMENT"].find_path({"aliased_variable", "id"})->as_text(),
            copied_host);
}

// Enough to be copied in parts, with aliases in the first part and in the last one.
TEST_P(Variables, are_copied_with_their_aliases_in_parts) {
  const std::string wide = set("WIDE", "1", "PROJECT", project_);
  const std::string host = set("HOST", "db", "ENVIRONMENT", environment_);
  const std::string worker = make_container(environment_, "worker");
  const std::string own = set("OWN", "2", "CONTAINER", api_);
  alias(wide, "FIRST_WIDE", "CONTAINER", api_);
  alias(own, "FIRST_OWN", "CONTAINER", api_);
  for (int at = 0; at < 700; ++at) set("KEY_" + std::to_string(at), "value", "CONTAINER", api_);
  alias(host, "LAST_HOST", "CONTAINER", api_);
  alias(own, "LAST_OWN", "CONTAINER", api_);
  const std::string copy = make("/environment/" + environment_ + "/clone", R"({"name":"copy"})");
  ASSERT_TRUE(simulator_->run_until_idle());
  const Value containers = ask("GET", "/environment/" + copy + "/container", "", 200);
  std::string copied_api;
  for (const Value& item : containers.find("results")->items()) {
    if (item.text_or("name", "") == "api") copied_api = item.text_or("id", "");
  }
  auto seen = listed("CONTAINER", copied_api);
  const auto aliased = [&](const char* key) {
    const Value* id = seen[key].find_path({"aliased_variable", "id"});
    return id != nullptr ? std::string(id->as_text()) : "no alias";
  };
  EXPECT_TRUE(seen.contains("KEY_0") && seen.contains("KEY_699"));
  EXPECT_NE(seen["OWN"].text_or("id", ""), own);
  EXPECT_EQ(aliased("FIRST_WIDE"), wide);
  EXPECT_EQ(aliased("FIRST_OWN"), seen["OWN"].text_or("id", ""));
  EXPECT_EQ(aliased("LAST_OWN"), seen["OWN"].text_or("id", ""));
  EXPECT_EQ(aliased("LAST_HOST"), listed("ENVIRONMENT", copy)["HOST"].text_or("id", ""));
}

}  // namespace
}  // namespace orlop
