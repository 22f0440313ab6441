// An edit that changes a built-in variable puts the services that see it out of date.
#include "whole/variables_fixture.h"

#include "records/variables/reach.h"

namespace orlop {
namespace {

class BuiltInEdits : public Variables {
 protected:
  void SetUp() override {
    Variables::SetUp();
    worker_ = make_container(environment_, "worker");
    other_ = make("/project/" + project_ + "/environment", R"({"name":"staging"})");
    beside_ = make_container(other_, "beside");
    const std::string elsewhere = make("/organization/" + organization_ + "/project", R"({"name":"elsewhere"})");
    const std::string second = make("/organization/" + organization_ + "/cluster",
                                    R"({"name":"second","region":"eu-west-3","cloud_provider":"AWS"})");
    away_environment_ =
        make("/project/" + elsewhere + "/environment", R"({"name":"away","cluster_id":")" + second + "\"}");
    away_ = make_container(away_environment_, "away");
    deploy_all();
  }

  void deploy_all() {
    for (const std::string& environment : {environment_, other_, away_environment_})
      ask("POST", "/environment/" + environment + "/deploy", "", 202);
    ASSERT_TRUE(simulator_->run_until_idle());
    ASSERT_EQ(freshness(), "UUUU");
  }

  // Returns one letter each for api, worker, the service in the other environment of the project, and the one in
  // another project on another cluster.
  std::string freshness() {
    std::string letters;
    for (const std::string& service : {api_, worker_, beside_, away_}) letters += freshness_of(service).front();
    return letters;
  }

  void edit(const std::string& path, const std::string& member, const std::string& value) {
    Value body = ask("GET", path, "", 200);
    body.set(member, Value(value));
    ask("PUT", path, to_json(body), 200);
  }

  std::string worker_, other_, beside_, away_environment_, away_;
};

TEST_P(BuiltInEdits, of_names_reach_what_is_below) {
  edit("/environment/" + environment_, "name", "live");
  EXPECT_EQ(freshness(), "OOUU");
  deploy_all();
  EXPECT_EQ(given("api")["PLATFORM_ENVIRONMENT_NAME"], "live");
  edit("/project/" + project_, "name", "store");
  EXPECT_EQ(freshness(), "OOOU");
  deploy_all();
  edit("/organization/" + organization_, "name", "acme two");
  EXPECT_EQ(freshness(), "OOOO");
  deploy_all();
  const Value clusters = ask("GET", "/organization/" + organization_ + "/cluster", "", 200);
  for (const Value& cluster : clusters.find("results")->items()) {
    if (cluster.text_or("name", "") != "main") continue;
    edit("/organization/" + organization_ + "/cluster/" + std::string(cluster.text_or("id", "")), "name", "first");
  }
  EXPECT_EQ(freshness(), "OOOU");
  deploy_all();
  EXPECT_EQ(given("api")["PLATFORM_KUBERNETES_CLUSTER_NAME"], "first");
  // Members without a built-in variable affect no service.
  edit("/project/" + project_, "description", "new");
  edit("/environment/" + environment_, "mode", "STAGING");
  EXPECT_EQ(freshness(), "UUUU");
}

TEST_P(BuiltInEdits, of_a_name_reach_more_services_than_one_commit_marks) {
  for (std::size_t at = 0; at < reached_at_once_max + 10; ++at) make_container(environment_, "s" + std::to_string(at));
  deploy_all();
  edit("/organization/" + organization_, "name", "acme two");
  EXPECT_EQ(freshness(), "OOOO");
  ASSERT_TRUE(simulator_->run_until_idle());
  EXPECT_EQ(freshness(), "OOOO");
}

TEST_P(BuiltInEdits, of_an_address_reach_the_services_that_name_it) {
  const auto set_public = [&](bool is_public) {
    Value body = ask("GET", "/container/" + worker_, "", 200);
    const std::string port =
        std::string(R"([{"internal_port":80,"external_port":443,"protocol":"HTTP","publicly_accessible":)") +
        (is_public ? "true" : "false") + "}]";
    body.set("ports", *parse_stored(port));
    ask("PUT", "/container/" + worker_, to_json(body), 200);
  };
  set_public(true);
  EXPECT_EQ(freshness(), "UOUU");
  std::string key;
  for (const auto& [name, variable] : listed("CONTAINER", api_)) {
    if (name.ends_with("HOST_EXTERNAL")) key = name;
  }
  ASSERT_FALSE(key.empty());
  const std::string text = set("PUBLIC_URL", "https://{{" + key + "}}", "CONTAINER", api_);
  deploy_all();
  set_public(false);
  EXPECT_EQ(freshness(), "OOUU");
  set_public(true);
  ask("DELETE", "/variable/" + text, "", 204);
  alias(std::string(listed("CONTAINER", api_)[key].text_or("id", "")), "PUBLIC_HOST", "ENVIRONMENT", environment_);
  deploy_all();
  set_public(false);
  EXPECT_EQ(freshness(), "OOUU");
}

INSTANTIATE_TEST_SUITE_P(Stores, BuiltInEdits, testing::Bool());

}  // namespace
}  // namespace orlop
