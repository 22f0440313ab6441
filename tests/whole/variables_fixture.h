// A platform with one container, and the configurations that its driver received.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "deploy/driver/scripted_driver.h"
#include "scripted_steps.h"
#include "sim/simulator.h"
#include "store/sealing/cipher.h"
#include "unit/scratch.h"
#include "wire/json.h"
#include "wire/writer.h"

namespace orlop {

inline const std::string canary = "canary-8c1f4e";

// Keeps the last configuration of each service.
class Listening final : public Driver {
 public:
  Result<void> start(const Step& step) override {
    configurations[step.name] = step.configuration;
    return scripted.start(step);
  }
  void cancel(const Id& step, CancelMode mode) override { scripted.cancel(step, mode); }
  void poll(Instant now, std::vector<Report>& reports) override { scripted.poll(now, reports); }
  OptionalInstant due() override { return scripted.due(); }

  ScriptedSteps scripted;
  std::map<std::string, std::string> configurations;
};

// In memory, and in a file with sealed secrets.
class Variables : public testing::TestWithParam<bool> {
 protected:
  void SetUp() override {
    SimulationOptions options;
    options.engine.settings.require_cluster = false;
    options.engine.driver = &driver_;
    if (GetParam()) {
      options.engine.storage = tests::scratch_file("variables.db");
      options.engine.keys.current = std::string(Cipher::key_size, 'k');
    }
    options.start = {1'767'225'600'000};
    auto opened = Simulator::open(std::move(options));
    ASSERT_TRUE(opened) << opened.error().message;
    simulator_ = std::move(*opened);
    organization_ = make("/organization", R"({"name":"acme","plan":"FREE"})");
    make("/organization/" + organization_ + "/cluster",
         R"({"name":"main","region":"eu-west-3","cloud_provider":"AWS"})");
    registry_ = make("/organization/" + organization_ + "/containerRegistry",
                     R"({"name":"hub","kind":"DOCKER_HUB","config":{}})");
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
    EXPECT_EQ(reply->status, status) << method << " " << path << " " << body.substr(0, 200) << "\n"
                                     << reply->body.substr(0, 500);
    said_ += reply->body;
    auto value = parse_stored(reply->body.empty() ? "{}" : reply->body);
    return value ? std::move(*value) : Value();
  }

  std::string make(const std::string& path, std::string_view body) {
    const auto reply = simulator_->engine().dispatch({"POST", path, body, {}});
    EXPECT_TRUE(reply && reply->status < 300) << path << " " << body << "\n"
                                              << (reply ? reply->body : reply.error().message);
    const auto value = parse_stored(reply->body);
    return std::string(value->text_or("id", ""));
  }

  std::string make_container(const std::string& environment, const std::string& name) {
    return make("/environment/" + environment + "/container", R"({"name":")" + name + R"(","registry_id":")" +
                                                                  registry_ +
                                                                  R"(","image_name":"i","tag":"1","healthchecks":{}})");
  }

  static std::string body_of(std::string_view key, std::string_view value, std::string_view scope,
                             std::string_view parent, bool is_secret = false) {
    Writer out;
    out.begin_object().field("key", key).field("value", value).field("is_secret", is_secret);
    return out.field("variable_scope", scope).field("variable_parent_id", parent).end_object().text();
  }

  std::string set(std::string_view key, std::string_view value, std::string_view scope, const std::string& parent,
                  bool is_secret = false) {
    return make("/variable", body_of(key, value, scope, parent, is_secret));
  }

  std::string alias(const std::string& target, std::string_view key, std::string_view scope,
                    const std::string& parent) {
    Writer out;
    out.begin_object()
        .field("key", key)
        .field("alias_scope", scope)
        .field("alias_parent_id", std::string_view(parent))
        .end_object();
    return make("/variable/" + target + "/alias", out.text());
  }

  // Returns the variables by key; of several with one key the nearest.
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
    return std::string(
        ask("GET", "/container/" + container + "/status", "", 200).text_or("service_deployment_status", ""));
  }

  // Returns "KEY=value", with a mark for secrets, of the driver's configuration.
  std::map<std::string, std::string> given(const std::string& service) {
    std::map<std::string, std::string> values;
    const auto configuration = parse_stored(driver_.configurations[service]);
    const Value* variables = configuration ? configuration->find("variables") : nullptr;
    EXPECT_NE(variables, nullptr) << driver_.configurations[service];
    if (variables == nullptr) return values;
    for (const Value& item : variables->items()) {
      EXPECT_NE(item.find("mount_path"), nullptr);
      values[std::string(item.text_or("key", ""))] =
          std::string(item.text_or("value", "")) + (item.boolean_or("is_secret", false) ? " (secret)" : "");
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
  std::string said_;  // text of all answers
};

}  // namespace orlop
