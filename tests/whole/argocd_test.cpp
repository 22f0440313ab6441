// Applications of an Argo CD server become services: they appear, change and disappear with each synchronization.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/registry.h"
#include "whole/external_platform.h"
#include "wire/json.h"
#include "wire/writer.h"

namespace orlop {
namespace {

constexpr const char* in_cluster = "https://kubernetes.default.svc";

struct Application {
  std::string name;
  std::string space = "shop";
  std::string health = "HEALTHY";
  std::string sync_status = "SYNCED";
  std::string synced_at = "\"2026-01-01T00:00:00Z\"";
  std::string destination = in_cluster;
  std::string project = "acme";
};

class Server final : public ExternalSystems {
 public:
  Result<std::string> ask(std::string_view question, std::string_view input) override {
    if (question != "list_argocd_applications") return make_error(ErrorCode::unanswered, "not this");
    inputs.emplace_back(input);
    if (is_down) return make_error(ErrorCode::external_timeout, "the server does not answer");
    Writer out;
    out.begin_list();
    for (const Application& application : applications) {
      out.begin_object()
          .field("name", application.name)
          .field("project", application.project)
          .field("namespace", application.space);
      out.field("argocd_cluster_url", application.destination)
          .field("health", application.health)
          .field("health_message", "probe fails");
      out.field("sync_status", application.sync_status)
          .field_raw("last_synced_at", application.synced_at)
          .field("manifest_revision", "4e1f");
      out.field_raw("git_repository",
                    R"({"url": "https://github.com/acme/manifests.git", "branch": "", "root_path": "/shop"})")
          .end_object();
    }
    out.end_list();
    return std::move(out).take();
  }
  bool answers(std::string_view question) const override { return question == "list_argocd_applications"; }

  std::vector<Application> applications;
  std::vector<std::string> inputs;
  bool is_down = false;
};

class ArgoCd : public ExternalPlatform<Server> {
 protected:
  ArgoCd() { cluster_ = platform_->id_of("cluster"); }

  Value ask(std::string_view method, const std::string& path, std::string_view body = "", int status = 200) {
    const Reply reply = platform_->ask(method, path, body);
    EXPECT_EQ(reply.status, status) << method << " " << path << " " << reply.body;
    return reply.body.empty() ? Value() : *parse_stored(reply.body);
  }
  std::string config_path() const { return "/cluster/" + cluster_ + "/argoCdConfig"; }
  void configure() {
    ask("POST", config_path(), R"({"argocd_url": "https://argocd.example.com", "argocd_token": "t0ken"})");
  }
  void map(const std::string& destination = in_cluster) {
    ask("POST", "/organization/" + platform_->id_of("organization") + "/argoCdDestinationClusterMapping",
        R"({"agent_cluster_id": ")" + cluster_ + R"(", "argocd_cluster_url": ")" + destination +
            R"(", "cluster_id": ")" + cluster_ + "\"}");
  }
  std::vector<std::string> names() {
    std::vector<std::string> names;
    const Value listed = ask("GET", "/cluster/" + cluster_ + "/argocdApps/associatedServices");
    for (const Value& item : listed.find("results")->items()) {
      names.push_back(std::string(item.text_or("project_name", "")) + "/" +
                      std::string(item.text_or("environment_name", "")) + "/" +
                      std::string(item.text_or("service_name", "")));
      ids_[names.back()] = item.text_or("service_id", "");
      environments_[names.back()] = item.text_or("environment_id", "");
    }
    std::ranges::sort(names);
    return names;
  }
  Value app(const std::string& name) {
    names();
    return ask("GET", "/argocdApp/" + ids_[name]);
  }
  // "DEPLOYED RUNNING UP_TO_DATE"
  std::string status(const std::string& name) {
    names();
    const Value statuses = ask("GET", "/environment/" + environments_[name] + "/statuses");
    const Value* apps = statuses.find("argocd_apps");
    if (apps == nullptr) return "none";
    for (const Value& each : apps->items()) {
      if (each.text_or("id", "") == ids_[name])
        return std::string(each.text_or("state", "")) + " " +
               std::string(each.text_or("service_deployment_status", ""));
    }
    return "none";
  }
  std::string sync_error() {
    const Value config = ask("GET", config_path());
    return std::string(config.find("sync_error")->is_null() ? "" : config.text_or("sync_error", ""));
  }
  std::vector<std::string> events() {
    std::vector<std::string> found;
    const auto all = parse_stored(*engine_->events({}));
    for (const Value& event : all->items()) {
      if (event.text_or("family", "") == "argocd_app")
        found.push_back(std::string(event.text_or("kind", "")) + " " + std::string(event.text_or("to", "")));
    }
    return found;
  }

  std::string cluster_;
  std::map<std::string, std::string> ids_;
  std::map<std::string, std::string> environments_;
};

TEST_F(ArgoCd, ApplicationsAppearChangeAndDisappear) {
  systems_.applications = {
      {.name = "api"}, {.name = "web", .health = "DEGRADED"}, {.name = "elsewhere", .destination = "https://other"}};
  configure();
  pass(1);
  EXPECT_EQ(systems_.inputs.size(), 1U);
  EXPECT_NE(systems_.inputs[0].find("\"token\":\"t0ken\""), std::string::npos);
  EXPECT_TRUE(names().empty());  // no destination is mapped
  map();
  pass(1);
  EXPECT_EQ(names(), (std::vector<std::string>{"acme/shop/api", "acme/shop/web"}));
  EXPECT_EQ(status("acme/shop/api"), "DEPLOYED UP_TO_DATE");
  EXPECT_EQ(status("acme/shop/web"), "DEPLOYMENT_ERROR UP_TO_DATE");
  const Value api = app("acme/shop/api");
  EXPECT_EQ(api.text_or("namespace", ""), "shop");
  EXPECT_EQ(api.text_or("cluster_id", ""), cluster_);
  EXPECT_EQ(api.text_or("last_synced_at", ""), "2026-01-01T00:00:00Z");
  EXPECT_EQ(api.find_path({"git_repository", "name"})->as_text(), "manifests");
  EXPECT_EQ(api.find_path({"git_repository", "branch"})->as_text(), "main");
  EXPECT_EQ(ask("GET", config_path()).text_or("last_checked_at", ""), "2026-01-01T00:00:01.000Z");
  EXPECT_EQ(sync_error(), "");
  EXPECT_EQ(events(),
            (std::vector<std::string>{"argocd_app.created ", "service.deployed DEPLOYED",
                                      "service.running_changed RUNNING", "service.freshness_changed UP_TO_DATE",
                                      "argocd_app.created ", "service.deployment_error DEPLOYMENT_ERROR",
                                      "service.running_changed ERROR", "service.freshness_changed UP_TO_DATE"}));
  systems_.applications = {{.name = "api", .sync_status = "OUT_OF_SYNC", .synced_at = "\"2026-01-01T00:02:00Z\""}};
  pass(180);
  EXPECT_EQ(names(), (std::vector<std::string>{"acme/shop/api"}));
  EXPECT_EQ(status("acme/shop/api"), "DEPLOYED OUT_OF_DATE");
  EXPECT_EQ(app("acme/shop/api").text_or("last_synced_at", ""), "2026-01-01T00:02:00Z");
}

TEST_F(ArgoCd, WhatDoesNotChangeWritesNothing) {
  systems_.applications = {{.name = "api"},
                           {.name = "web", .health = "DEGRADED"},
                           {.name = "held", .health = "SUSPENDED"},
                           {.name = "new", .health = "MISSING", .synced_at = "null"}};
  configure();
  map();
  pass(1);
  EXPECT_EQ(status("acme/shop/held"), "STOPPED UP_TO_DATE");
  EXPECT_EQ(status("acme/shop/new"), "READY NEVER_DEPLOYED");
  const std::size_t before = events().size();
  const Value api = app("acme/shop/api");
  pass(1800);
  EXPECT_GE(systems_.inputs.size(), 10U);
  EXPECT_EQ(events().size(), before);
  EXPECT_EQ(app("acme/shop/api"), api);
}

TEST_F(ArgoCd, AServerThatDoesNotAnswerLeavesTheServicesAsTheyAre) {
  systems_.applications = {{.name = "api"}};
  configure();
  map();
  pass(1);
  systems_.is_down = true;
  pass(180);
  EXPECT_EQ(sync_error(), "the server does not answer");
  EXPECT_EQ(status("acme/shop/api"), "DEPLOYED UP_TO_DATE");
  open();
  systems_.is_down = false;
  pass(180);
  EXPECT_EQ(sync_error(), "");
}

TEST_F(ArgoCd, TheAnswerOfAServerThatWasReplacedMeanwhileIsDropped) {
  systems_.applications = {{.name = "old"}};
  map();
  configure();
  ASSERT_TRUE(engine_->tick());
  ASSERT_EQ(systems_.inputs.size(), 1U);
  systems_.applications = {{.name = "new"}};
  ask("POST", config_path(), R"({"argocd_url": "https://second.example.com", "argocd_token": "t0ken"})");
  pass(1);
  EXPECT_EQ(names(), (std::vector<std::string>{"acme/shop/new"}));
  ASSERT_EQ(systems_.inputs.size(), 2U);
  EXPECT_NE(systems_.inputs[1].find("second.example.com"), std::string::npos);
  EXPECT_EQ(std::ranges::count(events(), "argocd_app.created "), 1);
}

TEST_F(ArgoCd, WithoutItsMappingOrItsServerAnApplicationGoes) {
  systems_.applications = {{.name = "api"}};
  configure();
  map();
  pass(1);
  const std::string mapping = "/organization/" + platform_->id_of("organization") +
                              "/argoCdDestinationClusterMapping?agentClusterId=" + cluster_ +
                              "&argocdClusterUrl=" + in_cluster;
  ask("DELETE", mapping, "", 204);
  pass(1);
  EXPECT_TRUE(names().empty());
  map();
  pass(1);
  EXPECT_EQ(names().size(), 1U);
  ask("DELETE", config_path(), "", 204);
  EXPECT_TRUE(names().empty());
  const std::size_t asked = systems_.inputs.size();
  pass(3600);
  EXPECT_EQ(systems_.inputs.size(), asked);
}

TEST_F(ArgoCd, AnApplicationStaysInItsEnvironmentWhateverThatIsCalled) {
  systems_.applications = {{.name = "api"}};
  configure();
  map();
  pass(1);
  names();
  ask("PUT", "/environment/" + environments_["acme/shop/api"], R"({"name": "production"})");
  systems_.applications.push_back({.name = "web"});
  pass(180);
  EXPECT_EQ(names(), (std::vector<std::string>{"acme/production/api", "acme/production/web"}));
  systems_.applications[1].space = "other";
  pass(180);
  EXPECT_EQ(names(), (std::vector<std::string>{"acme/other/web", "acme/production/api"}));
}

TEST_F(ArgoCd, AnEnvironmentOfThatNameOnAnotherClusterIsNotTaken) {
  systems_.applications = {{.name = "api"}};
  const std::string second = platform_->make_another(*find_family("cluster"));
  const std::string project =
      std::string(ask("POST", "/organization/" + platform_->id_of("organization") + "/project", R"({"name": "acme"})")
                      .text_or("id", ""));
  ask("POST", "/project/" + project + "/environment", R"({"name": "shop", "cluster": ")" + second + "\"}", 201);
  configure();
  map();
  pass(1);
  ASSERT_EQ(names().size(), 1U);
  EXPECT_TRUE(names()[0].starts_with("acme/shop (")) << names()[0];
}

TEST_F(ArgoCd, ALongAnswerIsTakenInParts) {
  for (int number = 0; number < 450; ++number)
    systems_.applications.push_back({.name = "app-" + std::to_string(number)});
  configure();
  map();
  pass(1);
  EXPECT_EQ(names().size(), 450U);
  EXPECT_EQ(systems_.inputs.size(), 5U);
  pass(180);
  EXPECT_EQ(systems_.inputs.size(), 6U);  // unchanged
  systems_.applications[0].health = "DEGRADED";
  pass(180);
  EXPECT_EQ(status("acme/shop/app-0"), "DEPLOYMENT_ERROR UP_TO_DATE");
  EXPECT_EQ(systems_.inputs.size(), 7U);
  systems_.applications.resize(20);
  pass(180);
  EXPECT_EQ(names().size(), 20U);
  EXPECT_EQ(systems_.inputs.size(), 12U);                     // 430 are removed
  systems_.applications.push_back(systems_.applications[0]);  // the same one twice
  const std::size_t asked = systems_.inputs.size();
  pass(180);
  EXPECT_EQ(names().size(), 20U);
  EXPECT_LE(systems_.inputs.size(), asked + 2);
}

TEST_F(ArgoCd, WhatNoServiceCanBeMadeForIsNamed) {
  systems_.applications = {{.name = "a-bad", .space = "no environment has this name "}, {.name = "fine"}};
  for (int number = 0; number < 150; ++number)
    systems_.applications.push_back({.name = "more-" + std::to_string(number)});
  const std::string project =
      std::string(ask("POST", "/organization/" + platform_->id_of("organization") + "/project", R"({"name": "acme"})")
                      .text_or("id", ""));
  const std::string second = platform_->make_another(*find_family("cluster"));
  const Value carrier = ask("GET", "/organization/" + platform_->id_of("organization") + "/cluster/" + cluster_);
  for (const std::string& name : {systems_.applications[0].space, systems_.applications[0].space + " (" +
                                                                      std::string(carrier.text_or("name", "")) + ")"}) {
    ask("POST", "/project/" + project + "/environment", R"({"name": ")" + name + R"(", "cluster": ")" + second + "\"}",
        201);
  }
  configure();
  map();
  pass(1);
  EXPECT_EQ(names().size(), 151U);
  EXPECT_EQ(names()[0], "acme/shop/fine");
  EXPECT_TRUE(sync_error().starts_with("application \"a-bad\": ")) << sync_error();
}

TEST_F(ArgoCd, OneThatWasNeverSynchronizedIsReady) {
  systems_.applications = {{.name = "api", .synced_at = "null"},
                           {.name = "web", .health = "DEGRADED", .synced_at = "null"}};
  configure();
  map();
  pass(1);
  EXPECT_EQ(status("acme/shop/api"), "READY NEVER_DEPLOYED");
  EXPECT_EQ(status("acme/shop/web"), "DEPLOYMENT_ERROR NEVER_DEPLOYED");
}

// As after a deployment by the engine: the deployed revision is set, or not before the first synchronization.
TEST_F(ArgoCd, WhatIsSynchronizedIsDeployedInItsRevision) {
  systems_.applications = {{.name = "api"}, {.name = "new", .health = "MISSING", .synced_at = "null"}};
  configure();
  map();
  pass(1);
  const auto deployed = [&](const std::string& name) {
    names();
    const auto id = parse_id(ids_["acme/shop/" + name]);
    const auto transaction = store_->begin(Access::read);
    const auto machine = (*transaction)->machine(*id);
    const auto record = (*transaction)->record(*id);
    EXPECT_TRUE(machine && *machine && record && *record);
    return std::pair((*machine)->deployed, (*record)->revision);
  };
  const auto first = deployed("api");
  EXPECT_GT(first.first, 0U);
  EXPECT_EQ(first.first, first.second);
  EXPECT_EQ(deployed("new").first, 0U);
  systems_.applications = {{.name = "api", .synced_at = "\"2026-01-01T00:02:00Z\""}, {.name = "new"}};
  pass(180);
  const auto second = deployed("api");
  EXPECT_GT(second.first, first.first);
  EXPECT_EQ(second.first, second.second);
  EXPECT_GT(deployed("new").first, 0U);
}

TEST_F(ArgoCd, AnEditOfTheConfigurationBeginsALongAnswerAnew) {
  for (int number = 0; number < 250; ++number)
    systems_.applications.push_back({.name = "app-" + std::to_string(number)});
  map();
  configure();
  for (int ticks = 0; ticks < 2; ++ticks) ASSERT_TRUE(engine_->tick());
  ASSERT_EQ(names().size(), 100U);
  systems_.applications = {{.name = "a-first"}, {.name = "app-1"}};
  configure();
  ASSERT_TRUE(engine_->tick());
  ASSERT_TRUE(engine_->tick());
  EXPECT_NE(app("acme/shop/a-first").text_or("id", ""), "");
  pass(1);
  EXPECT_EQ(names(), (std::vector<std::string>{"acme/shop/a-first", "acme/shop/app-1"}));
}

TEST_F(ArgoCd, ADestinationThatIsMappedToAnotherClusterMovesItsServices) {
  systems_.applications = {{.name = "api"}};
  configure();
  map();
  pass(1);
  ASSERT_EQ(names(), (std::vector<std::string>{"acme/shop/api"}));
  const std::string second = platform_->make_another(*find_family("cluster"));
  ask("POST", "/organization/" + platform_->id_of("organization") + "/argoCdDestinationClusterMapping",
      R"({"agent_cluster_id": ")" + cluster_ + R"(", "argocd_cluster_url": ")" + in_cluster + R"(", "cluster_id": ")" +
          second + "\"}");
  pass(1);
  EXPECT_TRUE(names().empty());
  const Value moved = ask("GET", "/cluster/" + second + "/argocdApps/associatedServices");
  ASSERT_EQ(moved.find("results")->items().size(), 1U);
  EXPECT_TRUE(moved.find("results")->items()[0].text_or("environment_name", "").starts_with("shop ("));
}

TEST_F(ArgoCd, AServiceThatIsDeployedFollowsTheServerOnceThatHasEnded) {
  systems_.applications = {{.name = "api"}, {.name = "web"}};
  configure();
  map();
  pass(1);
  names();
  systems_.applications = {{.name = "api", .health = "DEGRADED"}};
  configure();
  ASSERT_TRUE(engine_->tick());
  ask("POST", "/environment/" + environments_["acme/shop/api"] + "/deploy", "", 202);
  pass(1);
  const std::vector<std::string> all = events();
  EXPECT_EQ(std::ranges::count(all, "service.deploying DEPLOYING"), 2);
  EXPECT_EQ(std::ranges::count(all, "service.deployment_error DEPLOYMENT_ERROR"), 0);
  EXPECT_EQ(std::ranges::count(all, "argocd_app.deleted "), 0);
  pass(180);
  EXPECT_EQ(status("acme/shop/api"), "DEPLOYMENT_ERROR UP_TO_DATE");
  EXPECT_EQ(names(), (std::vector<std::string>{"acme/shop/api"}));
}

TEST_F(ArgoCd, ACloneHasNoneOfThem) {
  systems_.applications = {{.name = "api"}};
  configure();
  map();
  pass(1);
  names();
  const Value clone =
      ask("POST", "/environment/" + environments_["acme/shop/api"] + "/clone", R"({"name": "copy"})", 202);
  pass(1);
  const Value statuses = ask("GET", "/environment/" + std::string(clone.text_or("id", "")) + "/statuses");
  EXPECT_EQ(statuses.find("argocd_apps"), nullptr);
}

}  // namespace
}  // namespace orlop
