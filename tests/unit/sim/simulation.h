// A simulation in memory for tests: rules, the scripted driver, and requests to it.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/simulator.h"

namespace orlop::tests {

class Simulation {
 public:
  explicit Simulation(std::string_view snapshot = {}, Authentication authentication = Authentication::off,
                      const std::string& storage = "memory:", void (*change)(Settings& settings) = nullptr,
                      std::shared_ptr<Store> store = nullptr) {
    script_.set_decider(rules_);
    SimulationOptions options;
    options.engine.settings.require_cluster = false;
    options.engine.settings.authentication = authentication;
    if (change != nullptr) change(options.engine.settings);
    options.engine.storage = storage;
    options.engine.store = std::move(store);
    options.engine.driver = &script_;
    options.engine.snapshot = snapshot;
    options.seed = 7;
    options.rules = &rules_;
    options.script = &script_;
    options.start = Instant{1'767'225'600'000};
    auto simulator = Simulator::open(std::move(options));
    EXPECT_TRUE(simulator.ok()) << simulator.error().message;
    simulator_ = std::move(simulator).value();
  }

  Reply ask(std::string_view method, const std::string& path, std::string_view body = "", Trust trust = Trust::host) {
    Request request;
    request.method = method;
    request.path = path;
    request.body = body;
    request.trust = trust;
    auto reply = simulator_->dispatch(request);
    EXPECT_TRUE(reply.ok()) << reply.error().message;
    return std::move(reply).value();
  }
  std::string make(const std::string& path, std::string_view body) {
    const Reply reply = ask("POST", path, body);
    EXPECT_LT(reply.status, 300) << path << ": " << reply.body;
    return text_in(reply.body, "id");
  }
  static std::string text_in(std::string_view json, const std::string& name) {
    const std::string key = "\"" + name + "\":\"";
    const std::size_t found = json.find(key);
    if (found == std::string_view::npos) return "";
    const std::size_t begin = found + key.size();
    return std::string(json.substr(begin, json.find('"', begin) - begin));
  }
  std::string furnish() {
    organization = make("/organization", R"({"name":"acme","plan":"FREE"})");
    cluster = make("/organization/" + organization + "/cluster",
                   R"({"name":"europe","region":"eu-west-3","cloud_provider":"AWS"})");
    const std::string project = make("/organization/" + organization + "/project", R"({"name":"shop"})");
    environment = make("/project/" + project + "/environment", R"({"name":"production"})");
    for (const char* name : {"orders", "stock"}) {
      databases.push_back(
          make("/environment/" + environment + "/database",
               R"({"type":"POSTGRESQL","version":"16","mode":"CONTAINER","name":")" + std::string(name) + "\"}"));
    }
    return environment;
  }
  std::string make_application(const std::string& name = "web") {
    return make(
        "/environment/" + environment + "/application",
        R"({"name":")" + name +
            R"(","healthchecks":{},"git_repository":{"url":"https://github.com/acme/web.git","provider":"GITHUB"}})");
  }
  std::string make_job(const std::string& name = "seed") {
    const std::string registry = make("/organization/" + organization + "/containerRegistry",
                                      R"({"name":"hub )" + name + R"(","kind":"DOCKER_HUB","config":{}})");
    return make("/environment/" + environment + "/job",
                R"({"name":")" + name + R"(","healthchecks":{},"source":{"image":{"registry_id":")" + registry +
                    R"(","image_name":"i","tag":"1"}},"schedule":{"on_start":{}}})");
  }
  // Returns the state of a service; "" if it is deleted.
  std::string state(const std::string& service, std::string_view family = "database") {
    const Reply reply = ask("GET", "/" + std::string(family) + "/" + service + "/status");
    return reply.status == 404 ? "" : text_in(reply.body, "state");
  }
  std::string cluster_state() {
    const Reply reply = ask("GET", "/organization/" + organization + "/cluster/" + cluster + "/status");
    return reply.status == 404 ? "" : text_in(reply.body, "status");
  }
  std::string events() { return simulator_->engine().events({.limit = 100'000}).value(); }
  Simulator* operator->() { return simulator_.get(); }

  std::string organization;
  std::string cluster;
  std::string environment;
  std::vector<std::string> databases;

 private:
  RuleSet rules_;
  ScriptedDriver script_;
  std::unique_ptr<Simulator> simulator_;
};

}  // namespace orlop::tests
