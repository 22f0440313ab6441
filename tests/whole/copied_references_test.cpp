// References of copies: texts refer to the copies; a reference without a target fails a step or is reported.
#include "whole/variables_fixture.h"

#include <algorithm>
#include <cctype>

#include "records/variables/copied_texts.h"

namespace orlop {
namespace {

std::string digits_of(const std::string& id) { return id.substr(0, 8); }

std::string upper(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](unsigned char letter) { return static_cast<char>(std::toupper(letter)); });
  return text;
}

std::string key_of(std::string_view kind, const std::string& id) {
  return "PLATFORM_" + std::string(kind) + "_Z" + upper(digits_of(id)) + "_HOST_INTERNAL";
}

// A second service to which the first one refers in every form.
class CopiedReferences : public Variables {
 protected:
  void SetUp() override {
    Variables::SetUp();
    worker_ = make_container(environment_, "worker");
    key_ = key_of("CONTAINER", worker_);
  }

  std::string id_of(const std::string& environment, const std::string& name, const std::string& family = "container") {
    const Value list = ask("GET", "/environment/" + environment + "/" + family, "", 200);
    for (const Value& item : list.find("results")->items()) {
      if (item.text_or("name", "") == name) return std::string(item.text_or("id", ""));
    }
    return "";
  }

  std::string clone(const std::string& name) {
    const std::string copy = make("/environment/" + environment_ + "/clone", R"({"name":")" + name + "\"}");
    EXPECT_TRUE(simulator_->run_until_idle());
    return copy;
  }

  std::map<std::string, std::string> given_in(const std::string& environment) {
    environment_ = environment;
    driver_.configurations.clear();
    deploy();
    return given("api");
  }

  std::string state_of(const std::string& container) {
    return std::string(ask("GET", "/container/" + container + "/status", "", 200).text_or("state", ""));
  }

  std::string lost_in(const Value& answer) {
    const Value* metadata = answer.find("metadata");
    return metadata == nullptr ? "" : std::string(metadata->text_or("aliases_not_copied", ""));
  }

  std::string worker_;
  std::string key_;
};

TEST(CopiedTexts, name_resources_by_eight_digits_behind_a_z) {
  for (const std::string_view text :
       {"app-z0000000c", "PLATFORM_CONTAINER_Z0000000C_HOST", "z0a1b2c3d-postgresql:5432", "\\nz0000000c\""}) {
    EXPECT_TRUE(may_name_resource(text)) << text;
  }
  for (const std::string_view text :
       {"", "z", "z0000000", "app-z0000000cd", "z0000000C", "Z0000000c", "0000000c", "zz0000000g", "pizza"}) {
    EXPECT_FALSE(may_name_resource(text)) << text;
  }
}

TEST_P(CopiedReferences, in_values_name_the_copies) {
  set("PLAIN", "http://{{" + key_ + "}}:80/{{ " + key_ + " }}", "CONTAINER", api_);
  set("HIDDEN", "https://user:{{" + key_ + "}}", "CONTAINER", api_, true);
  set("HOST", "line\napp-z" + digits_of(worker_) + ".svc", "CONTAINER", api_);
  set("OF_ENVIRONMENT", "{{" + key_ + "}}", "ENVIRONMENT", environment_);
  set("OWN", "app-z" + digits_of(api_), "CONTAINER", api_);
  set("OF_PROJECT", "1", "PROJECT", project_);
  const std::string wide(listed("CONTAINER", api_)["OF_PROJECT"].text_or("id", ""));
  make("/variable/" + wide + "/override",
       R"({"value":"{{)" + key_ + R"(}}","override_scope":"CONTAINER","override_parent_id":")" + api_ + "\"}");
  make("/variable", R"({"key":"FILE","value":"host={{)" + key_ +
                        R"(}}","is_secret":false,"mount_path":"/etc/app","enable_interpolation_in_file":true,)"
                        R"("variable_scope":"CONTAINER","variable_parent_id":")" +
                        api_ + "\"}");
  set("OTHER", "app-zdeadbeef and zone z" + digits_of(registry_), "CONTAINER", api_);
  const std::string database = make("/environment/" + environment_ + "/database",
                                    R"({"name":"orders","type":"POSTGRESQL","version":"16","mode":"CONTAINER"})");
  const auto host_of = [&](const std::string& id) {
    return std::string(ask("GET", "/database/" + id, "", 200).text_or("host", ""));
  };
  set("DATABASE", "postgres://" + host_of(database) + ":5432 z" + digits_of(database) + "-postgresql", "CONTAINER",
      api_);
  const std::string copy = clone("copy");
  const std::string host = "app-z" + digits_of(id_of(copy, "worker"));
  auto values = given_in(copy);
  const std::string copied_database = id_of(copy, "orders", "database");
  EXPECT_EQ(values["DATABASE"],
            "postgres://" + host_of(copied_database) + ":5432 z" + digits_of(copied_database) + "-postgresql");
  EXPECT_EQ(values["PLAIN"], "http://" + host + ":80/" + host);
  EXPECT_EQ(values["HIDDEN"], "https://user:" + host + " (secret)");
  EXPECT_EQ(values["HOST"], "line\n" + host + ".svc");
  EXPECT_EQ(values["OF_ENVIRONMENT"], host);
  EXPECT_EQ(values["OWN"], "app-z" + digits_of(id_of(copy, "api")));
  EXPECT_EQ(values["OF_PROJECT"], host);
  EXPECT_EQ(values["FILE"], "host=" + host);
  EXPECT_EQ(values["OTHER"], "app-zdeadbeef and zone z" + digits_of(registry_));
  EXPECT_EQ(state_of(id_of(copy, "api")), "DEPLOYED");
}

TEST_P(CopiedReferences, in_configurations_of_every_kind_name_the_copies) {
  const std::string host = "app-z" + digits_of(worker_);
  make("/environment/" + environment_ + "/container",
       R"({"name":"proxy","registry_id":")" + registry_ +
           R"(","image_name":"i","tag":"1","healthchecks":{},"arguments":["--to=)" + host + R"("]})");
  make(
      "/environment/" + environment_ + "/application",
      R"({"name":"web","git_repository":{"url":"https://github.com/acme/web.git","branch":"main","provider":"GITHUB"},)"
      R"("healthchecks":{},"arguments":["{{)" +
          key_ + R"(}}"]})");
  make("/environment/" + environment_ + "/job",
       R"({"name":"seed","healthchecks":{},"source":{"image":{"registry_id":")" + registry_ +
           R"(","image_name":"i","tag":"1"}},"schedule":{"on_start":{"arguments":["http://)" + host + R"("]}}})");
  const std::string charts =
      make("/organization/" + organization_ + "/helmRepository",
           R"({"name":"charts","kind":"HTTPS","url":"https://charts.example.com","config":{},"skip_tls_verification":)"
           R"(false})");
  make("/environment/" + environment_ + "/helm",
       R"({"name":"queue","auto_deploy":false,"arguments":[],"allow_cluster_wide_resources":false,"ports":[],)"
       R"("source":{"repository":{"repository":{"id":")" +
           charts +
           R"("},"chart_name":"queue","chart_version":"1.0.0"}},)"
           R"("values_override":{"set":[["host",")" +
           host + R"("]],"set_string":[],"set_json":[],"file":{"raw":{"values":[{"name":"a.yaml","content":"host: )" +
           host + R"(\nport: 1"}]}}}})");
  const std::string copy = clone("copy");
  const std::string copied = "app-z" + digits_of(id_of(copy, "worker"));
  const auto body_of_copy = [&](const std::string& family, const std::string& name) {
    const std::string id = id_of(copy, name, family);
    return simulator_->engine().dispatch({"GET", "/" + family + "/" + id, "", {}})->body;
  };
  for (const auto& [family, name] : {std::pair{"container", "proxy"}, {"job", "seed"}, {"helm", "queue"}}) {
    const std::string body = body_of_copy(family, name);
    EXPECT_NE(body.find(copied), std::string::npos) << body;
    EXPECT_EQ(body.find(host), std::string::npos) << body;
  }
  EXPECT_NE(body_of_copy("application", "web").find(key_of("CONTAINER", id_of(copy, "worker"))), std::string::npos);
}

TEST_P(CopiedReferences, of_a_service_name_it_and_what_has_the_same_name) {
  set("OWN", "app-z" + digits_of(api_), "CONTAINER", api_);
  set("WORKER", "{{" + key_ + "}}", "CONTAINER", api_);
  alias(std::string(listed("CONTAINER", api_)[key_].text_or("id", "")), "WORKER_ALIAS", "CONTAINER", api_);
  const std::string second =
      make("/container/" + api_ + "/clone", R"({"name":"second","environment_id":")" + environment_ + "\"}");
  auto seen = listed("CONTAINER", second);
  EXPECT_EQ(seen["OWN"].text_or("value", ""), "app-z" + digits_of(second));
  EXPECT_EQ(seen["WORKER"].text_or("value", ""), "{{" + key_ + "}}");
  const std::string staging = make("/project/" + project_ + "/environment", R"({"name":"staging"})");
  const std::string alone =
      make("/container/" + api_ + "/clone", R"({"name":"alone","environment_id":")" + staging + "\"}");
  EXPECT_EQ(listed("CONTAINER", alone)["WORKER"].text_or("value", ""), "{{" + key_ + "}}");
  EXPECT_EQ(lost_in(ask("GET", "/container/" + alone, "", 200)), "WORKER_ALIAS");
  const std::string other = make_container(staging, "worker");
  const std::string met =
      make("/container/" + api_ + "/clone", R"({"name":"api","environment_id":")" + staging + "\"}");
  EXPECT_EQ(listed("CONTAINER", met)["WORKER"].text_or("value", ""), "{{" + key_of("CONTAINER", other) + "}}");
  EXPECT_TRUE(listed("CONTAINER", met).contains("WORKER_ALIAS"));
  EXPECT_EQ(lost_in(ask("GET", "/container/" + met, "", 200)), "");
}

TEST_P(CopiedReferences, of_aliases_without_a_copy_are_listed) {
  alias(set("WIDE", "1", "PROJECT", project_), "OF_PROJECT", "CONTAINER", api_);
  alias(std::string(listed("CONTAINER", api_)["WIDE"].text_or("id", "")), "OF_ENVIRONMENT", "ENVIRONMENT",
        environment_);
  const std::string away = make("/organization/" + organization_ + "/project", R"({"name":"away"})");
  const Value answer =
      ask("POST", "/environment/" + environment_ + "/clone", R"({"name":"copy","project_id":")" + away + "\"}", 202);
  EXPECT_EQ(lost_in(answer), "OF_ENVIRONMENT, api/OF_PROJECT");
  EXPECT_NE(simulator_->engine().events({})->find(R"("aliases_not_copied":["OF_ENVIRONMENT","api/OF_PROJECT"])"),
            std::string::npos);
  // A copy of the copy loses no further references.
  environment_ = std::string(answer.text_or("id", ""));
  EXPECT_EQ(lost_in(ask("GET", "/environment/" + clone("again"), "", 200)), "");
}

TEST_P(CopiedReferences, of_more_services_than_one_commit_copies_name_the_copies) {
  for (std::size_t at = 0; at < 160; ++at) make_container(environment_, "s" + std::to_string(at));
  set("HOST", "{{ " + key_ + " }}", "CONTAINER", api_);
  set("OF_ENVIRONMENT", "app-z" + digits_of(worker_), "ENVIRONMENT", environment_);
  alias(set("WIDE", "1", "PROJECT", project_), "OF_PROJECT", "CONTAINER", api_);
  const std::string away = make("/organization/" + organization_ + "/project", R"({"name":"away"})");
  const Value answer =
      ask("POST", "/environment/" + environment_ + "/clone", R"({"name":"copy","project_id":")" + away + "\"}", 202);
  const std::string copy(answer.text_or("id", ""));
  EXPECT_EQ(lost_in(answer), "api/OF_PROJECT");
  const std::string host = "app-z" + digits_of(id_of(copy, "worker"));
  auto values = given_in(copy);
  EXPECT_EQ(values["HOST"], host);
  EXPECT_EQ(values["OF_ENVIRONMENT"], host);
}

TEST_P(CopiedReferences, to_built_ins_that_name_nothing_fail_the_step) {
  const std::string gone = key_of("CONTAINER", "deadbeef");
  set("BROKEN", "http://{{ " + gone + " }}", "CONTAINER", api_);
  deploy();
  EXPECT_EQ(state_of(api_), "DEPLOYMENT_ERROR");
  const std::string reason =
      "the variables of container \\\"api\\\" cannot be resolved: BROKEN refers to the built-in variable " + gone +
      ", which the service does not have";
  EXPECT_NE(simulator_->engine().events({})->find(reason), std::string::npos);
  ask("POST", "/container/" + api_ + "/stop", "", 202);
  ASSERT_TRUE(simulator_->run_until_idle());
  EXPECT_EQ(state_of(api_), "STOPPED");
  // A variable that a nearer one hides is not resolved.
  const std::string hidden = set("HIDDEN", "{{" + gone + "}}", "PROJECT", project_);
  set("HIDDEN", "x", "CONTAINER", api_);
  ask("PUT", "/variable/" + std::string(listed("CONTAINER", api_)["BROKEN"].text_or("id", "")),
      R"({"key":"BROKEN","value":"{{PLATFORM_PROJECT_NAME}}"})", 200);
  ask("DELETE", "/container/" + worker_, "", 204);
  deploy();
  EXPECT_EQ(state_of(api_), "DEPLOYED");
  EXPECT_EQ(given("api")["BROKEN"], "shop");
}

TEST_P(CopiedReferences, to_unknown_keys_stay_and_are_said) {
  set("URL", "http://{{HOST}}/{{HOST}}", "CONTAINER", api_);
  set("SECRET", "{{canary-8c1f4e}}", "CONTAINER", api_, true);
  const std::string broken = set("BROKEN", "{{PLATFORM_NOTHING}}", "CONTAINER", worker_);
  const Value checked = ask("GET", "/environment/" + environment_ + "/check", "", 200);
  std::vector<std::string> problems;
  for (const Value& item : checked.find("results")->items()) {
    EXPECT_EQ(item.text_or("service_type", ""), "CONTAINER");
    problems.push_back(std::string(item.text_or("service_name", "")) + " " + std::string(item.text_or("level", "")) +
                       ": " + std::string(item.text_or("message", "")));
  }
  EXPECT_EQ(problems, (std::vector<std::string>{
                          "api WARNING: the secret SECRET refers to a key that no variable of the service has; the "
                          "reference stays as it is",
                          "api WARNING: the variable URL refers to HOST, which is the key of no variable of the "
                          "service; the reference stays as it is",
                          "worker ERROR: the variables of container \"worker\" cannot be resolved: BROKEN refers to "
                          "the built-in variable PLATFORM_NOTHING, which the service does not have"}));
  ask("DELETE", "/variable/" + broken, "", 204);
  deploy();
  EXPECT_EQ(given("api")["URL"], "http://{{HOST}}/{{HOST}}");
  const std::string events = *simulator_->engine().events({});
  const std::string line = R"("kind":"step.log")";
  std::size_t lines = 0;
  for (std::size_t at = events.find(line); at != std::string::npos; at = events.find(line, at + 1)) ++lines;
  EXPECT_EQ(lines, 2U);
  EXPECT_NE(events.find("the variable URL refers to HOST, which is the key of no variable"), std::string::npos);
  EXPECT_EQ(said_.find(canary), std::string::npos);
  EXPECT_EQ(events.find(canary), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Stores, CopiedReferences, testing::Bool());

// The check runs even though the driver reads no configuration.
TEST(VariablesOfSimulations, that_cannot_be_resolved_fail_the_step) {
  SimulationOptions options;
  options.engine.settings.require_cluster = false;
  auto opened = Simulator::open(std::move(options));
  ASSERT_TRUE(opened);
  Simulator& simulator = **opened;
  const auto ask = [&](std::string_view method, const std::string& path, std::string_view body) {
    const auto reply = simulator.engine().dispatch({method, path, body, {}});
    EXPECT_TRUE(reply && reply->status < 300) << path << reply->body;
    return *parse_stored(reply->body.empty() ? "{}" : reply->body);
  };
  const auto make = [&](const std::string& path, std::string_view body) {
    return std::string(ask("POST", path, body).text_or("id", ""));
  };
  const std::string organization = make("/organization", R"({"name":"acme","plan":"FREE"})");
  make("/organization/" + organization + "/cluster", R"({"name":"main","region":"eu-west-3","cloud_provider":"AWS"})");
  const std::string registry =
      make("/organization/" + organization + "/containerRegistry", R"({"name":"hub","kind":"DOCKER_HUB","config":{}})");
  const std::string project = make("/organization/" + organization + "/project", R"({"name":"shop"})");
  const std::string environment = make("/project/" + project + "/environment", R"({"name":"production"})");
  const std::string api =
      make("/environment/" + environment + "/container",
           R"({"name":"api","registry_id":")" + registry + R"(","image_name":"i","tag":"1","healthchecks":{}})");
  make("/variable", R"({"key":"A","value":"{{PLATFORM_NOTHING}}","is_secret":false,"variable_scope":"PROJECT",)"
                    R"("variable_parent_id":")" +
                        project + "\"}");
  ask("POST", "/environment/" + environment + "/deploy", "");
  ASSERT_TRUE(simulator.run_until_idle());
  EXPECT_EQ(ask("GET", "/container/" + api + "/status", "").text_or("state", ""), "DEPLOYMENT_ERROR");
  EXPECT_NE(simulator.engine().events({})->find("A refers to the built-in variable PLATFORM_NOTHING"),
            std::string::npos);
}

}  // namespace
}  // namespace orlop
