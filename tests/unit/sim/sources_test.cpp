// Images, charts and commits as data of a simulation, from which services are deployed.
#include <gtest/gtest.h>

#include <string>

#include "unit/sim/simulation.h"
#include "wire/json.h"

namespace orlop {
namespace {

using tests::Simulation;

const std::string digest = "sha256:" + std::string(64, 'a');

class Sources : public testing::Test {
 protected:
  Sources() { simulation.furnish(); }
  void add(const std::string& entry) {
    const Reply reply = simulation.ask("POST", "/-/sim/sources", entry);
    ASSERT_EQ(reply.status, 204) << reply.body;
  }
  std::string refusal_of(const std::string& entry) {
    const Reply reply = simulation.ask("POST", "/-/sim/sources", entry);
    EXPECT_EQ(reply.status, 400) << reply.body;
    return std::string(parse_json(reply.body)->text_or("message", ""));
  }
  std::string make_registry(const std::string& name) {
    registry = simulation.make("/organization/" + simulation.organization + "/containerRegistry",
                               R"({"name":")" + name + R"(","kind":"DOCKER_HUB","config":{}})");
    return registry;
  }
  std::string make_container(const std::string& tag, const std::string& name = "api") {
    if (registry.empty()) make_registry("hub");
    return simulation.make("/environment/" + simulation.environment + "/container",
                           R"({"name":")" + name + R"(","healthchecks":{},"registry_id":")" + registry +
                               R"(","image_name":"acme/api","tag":")" + tag + "\"}");
  }
  std::string deployed(const std::string& service, const std::string& family, const std::string& body = "{}") {
    const Reply reply = simulation.ask("POST", "/" + family + "/" + service + "/deploy", body);
    EXPECT_LT(reply.status, 300) << reply.body;
    EXPECT_TRUE(simulation->run_until_idle().ok());
    return simulation.state(service, family);
  }
  // The same with the newest commit.
  std::string deployed_newest(const std::string& service) {
    EXPECT_LT(simulation.ask("POST", "/environment/" + simulation.environment + "/deploy").status, 300);
    EXPECT_TRUE(simulation->run_until_idle().ok());
    return simulation.state(service, "application");
  }
  bool is_said(Simulation& by, const std::string& text) { return by.events().find(text) != std::string::npos; }
  bool is_said(const std::string& text) { return is_said(simulation, text); }
  Simulation simulation;
  std::string registry;
};

TEST_F(Sources, AnImageWithoutTheTagIsNotDeployed) {
  const std::string api = make_container("2.0");
  const std::string tagged = R"({"image_tag":"2.0"})";
  EXPECT_EQ(deployed(api, "container", tagged), "DEPLOYED") << "nothing is listed: everything exists";
  add(R"({"image":"acme/api","tags":["1.0","1.1"]})");
  EXPECT_EQ(deployed(api, "container", tagged), "DEPLOYMENT_ERROR");
  EXPECT_TRUE(is_said(R"(the image \"acme/api\" has no tag \"2.0\" in the registry \"hub\"; it has \"1.1\", \"1.0\")"))
      << simulation.events();
  EXPECT_EQ(deployed(api, "container", R"({"image_tag":"1.1"})"), "DEPLOYED");
  add(R"({"image":"acme/api","tags":["2.0"],"removed":["1.*"]})");
  EXPECT_EQ(deployed(api, "container", tagged), "DEPLOYED");
  EXPECT_EQ(deployed(api, "container", R"({"image_tag":"1.1"})"), "DEPLOYMENT_ERROR");
  EXPECT_EQ(simulation.ask("DELETE", "/-/sim/sources").status, 204);
  EXPECT_EQ(deployed(api, "container", R"({"image_tag":"1.1"})"), "DEPLOYED");
}

TEST_F(Sources, AnotherRegistryHasEverything) {
  add(R"({"image":"acme/web","registry":"private*","tags":["1"]})");
  EXPECT_EQ(deployed(make_container("9"), "container", R"({"image_tag":"9"})"), "DEPLOYED");
  make_registry("private 1");
  EXPECT_EQ(deployed(make_container("9", "other"), "container", R"({"image_tag":"9"})"), "DEPLOYMENT_ERROR");
  EXPECT_TRUE(is_said(R"(the image \"acme/api\" does not exist in the registry \"private 1\")"));
}

TEST_F(Sources, ADigestNamesAnImageAndIsLogged) {
  add(R"({"image":"acme/api","tags":[{"tag":"1.0","digest":")" + digest + R"("}]})");
  const std::string api = make_container("1.0");
  EXPECT_EQ(deployed(api, "container", R"({"image_tag":"1.0"})"), "DEPLOYED");
  EXPECT_TRUE(is_said(R"(the tag \"1.0\" of the image \"acme/api\" is )" + digest)) << simulation.events();
  EXPECT_EQ(deployed(api, "container", R"({"image_tag":")" + digest + "\"}"), "DEPLOYED");
  EXPECT_EQ(deployed(api, "container", R"({"image_tag":"sha256:)" + std::string(64, '0') + "\"}"), "DEPLOYMENT_ERROR");
}

TEST_F(Sources, ABuildUsesTheNewestCommitOrTheOneThatIsNamed) {
  const std::string web = simulation.make_application();
  add(R"({"git":"https://github.com/acme/web","branch":"main","commits":["c1",{"id":"c2","author":"Ada","message":)"
      R"("two","tag":"v2","created_at":"2026-01-01T00:00:00Z"}]})");
  EXPECT_EQ(deployed_newest(web), "DEPLOYED");
  const auto commit = [&] {
    return Simulation::text_in(simulation.ask("GET", "/application/" + web).body, "deployed_commit_id");
  };
  EXPECT_EQ(commit(), "c2");
  EXPECT_EQ(Simulation::text_in(simulation.ask("GET", "/application/" + web).body, "deployed_commit_contributor"),
            "Ada");
  EXPECT_EQ(deployed(web, "application", R"({"git_commit_id":"c1"})"), "DEPLOYED");
  EXPECT_EQ(commit(), "c1");
  EXPECT_EQ(deployed(web, "application", R"({"git_commit_id":"c9"})"), "BUILD_ERROR");
  EXPECT_TRUE(is_said(
      R"(the branch \"main\" has no commit \"c9\" in the git repository \"https://github.com/acme/web\"; it has )"
      R"(\"c2\", \"c1\")"))
      << simulation.events();
  add(R"({"git":"https://github.com/acme/web.git","removed":["*"]})");
  EXPECT_EQ(deployed_newest(web), "BUILD_ERROR");
  EXPECT_TRUE(is_said(R"(the branch \"main\" has no commit in the git repository)"));
}

TEST_F(Sources, AChartHasItsVersions) {
  const std::string repository = simulation.make(
      "/organization/" + simulation.organization + "/helmRepository",
      R"({"name":"charts","kind":"HTTPS","url":"https://charts.example.com","config":{},"skip_tls_verification":)"
      R"(false})");
  const std::string helm = simulation.make(
      "/environment/" + simulation.environment + "/helm",
      R"({"name":"queue","auto_deploy":false,"arguments":[],"allow_cluster_wide_resources":false,"timeout_sec":)"
      R"(600,"ports":[],"values_override":{},"source":{"helm_repository":{"repository":")" +
          repository + R"(","chart_name":"rabbitmq","chart_version":"15.0.0"}}})");
  add(R"({"chart":"rabbitmq","repository":"https://charts.*","versions":["15.0.0","15.1.0"]})");
  EXPECT_EQ(deployed(helm, "helm"), "DEPLOYED");
  EXPECT_EQ(deployed(helm, "helm", R"({"chart_version":"16.0.0"})"), "DEPLOYMENT_ERROR");
  EXPECT_TRUE(is_said(
      R"(the chart \"rabbitmq\" has no version \"16.0.0\" in the Helm repository \"charts\"; it has \"15.1.0\", )"
      R"(\"15.0.0\")"))
      << simulation.events();
  EXPECT_EQ(deployed(helm, "helm", R"({"chart_version":"15.1.0"})"), "DEPLOYED");
  const Reply charts = simulation.ask("GET", "/organization/" + simulation.organization + "/helmRepository/" +
                                                 repository + "/charts?chartName=rabbitmq");
  EXPECT_EQ(charts.body, R"({"results":[{"chart_name":"rabbitmq","versions":["15.1.0","15.0.0"]}]})");
}

TEST_F(Sources, EachKindOfServiceReadsItsRepository) {
  const std::string git = R"({"url":"https://github.com/acme/web.git","provider":"GITHUB","branch":)";
  const std::string below = "/environment/" + simulation.environment;
  const std::string job = simulation.make(
      below + "/job", R"({"name":"seed","healthchecks":{},"source":{"docker":{"git_repository":)" + git +
                          R"("job"},"dockerfile_path":"Dockerfile"}},"schedule":{"on_start":{}}})");
  const auto helm = [&](const std::string& name, const std::string& values, const std::string& branch) {
    return simulation.make(
        below + "/helm",
        R"({"name":")" + name +
            R"(","auto_deploy":false,"arguments":[],"allow_cluster_wide_resources":false,"timeout_sec":600,)"
            R"("ports":[],"values_override":)" +
            values + R"(,"source":{"git_repository":)" + git + branch + "}}}");
  };
  const std::string chart = helm("chart", "{}", R"("chart")");
  const std::string valued =
      helm("valued", R"({"file":{"git":{"git_repository":)" + git + R"("values"},"paths":["v.yml"]}}})", R"("main")");
  const std::string terraform = simulation.make(
      below + "/terraform",
      R"({"name":"bucket","description":"","auto_deploy_config":{"auto_deploy":false,"terraform_action":"DEFAULT"})"
      R"(,"terraform_files_source":{"git_repository":)" +
          git +
          R"("files"}},"terraform_variables_source":{"tf_var_file_paths":[],"tf_vars":[]},"backend":{"kubernetes":)"
          R"({}},"engine":"TERRAFORM","provider_version":{"explicit_version":"1.9.8"},)"
          R"("job_resources":{"cpu_milli":500,"ram_mib":512,"storage_gib":1}})");
  add(R"({"git":"https://github.com/acme/web","branch":"main","commits":["c"]})");
  struct Kind {
    const std::string& service;
    const char* family;
    const char* branch;
    const char* state;
  };
  for (const auto& [service, family, branch, state] :
       {Kind{job, "job", "job", "BUILD_ERROR"}, Kind{chart, "helm", "chart", "DEPLOYMENT_ERROR"},
        Kind{valued, "helm", "values", "DEPLOYMENT_ERROR"},
        Kind{terraform, "terraform", "files", "DEPLOYMENT_ERROR"}}) {
    const std::string name(branch);
    EXPECT_EQ(deployed(service, family), state) << name;
    EXPECT_TRUE(is_said("the branch \\\"" + name + "\\\" does not exist")) << name;
    add(R"({"git":"https://github.com/acme/web","branch":")" + name + R"(","commits":["c"]})");
    EXPECT_EQ(deployed(service, family), "DEPLOYED") << name;
  }
}

TEST_F(Sources, TheInterfaceListsThem) {
  make_registry("hub");
  const std::string images = "/organization/" + simulation.organization + "/containerRegistry/" + registry + "/images";
  EXPECT_EQ(simulation.ask("GET", images).status, 501);
  add(R"({"sources":[{"image":"acme/api","tags":["1.0","1.1"]},{"image":"acme/web","tags":["3"]},{"git":"https:)"
      R"(//github.com/acme/web.git","commits":["c1","c2"]},)"
      R"({"git":"https://github.com/acme/web.git","branch":"next","commits":["c3"]},{"git":"https:)"
      R"(//gitlab.com/acme/other.git","commits":["d"]}]})");
  EXPECT_EQ(
      simulation.ask("GET", images).body,
      R"({"results":[{"image_name":"acme/api","versions":["1.1","1.0"]},{"image_name":"acme/web","versions":["3"]}]})");
  EXPECT_EQ(simulation.ask("GET", images + "?search=web").body,
            R"({"results":[{"image_name":"acme/web","versions":["3"]}]})");
  const auto check = [&](const std::string& tag) {
    return simulation
        .ask("POST", "/environment/" + simulation.environment + "/checkContainerImage",
             R"({"registry_id":")" + registry + R"(","image_name":"acme/api","tag":")" + tag + "\"}")
        .status;
  };
  EXPECT_EQ(check("1.0"), 200);
  EXPECT_EQ(check("7"), 400);
  const std::string web = simulation.make_application();
  const std::string commits = simulation.ask("GET", "/application/" + web + "/commit").body;
  EXPECT_LT(commits.find("\"c2\""), commits.find("\"c1\"")) << commits;
  EXPECT_EQ(simulation.ask("GET", "/application/" + web + "/commit?startId=c1").body.find("\"c2\""), std::string::npos);
  EXPECT_EQ(simulation.ask("GET", "/account/github/repository/branch?name=acme/web").body,
            R"({"results":[{"name":"main"},{"name":"next"}]})");
  const std::string repositories = simulation.ask("GET", "/account/github/repository").body;
  EXPECT_NE(repositories.find("acme/web"), std::string::npos) << repositories;
  EXPECT_EQ(repositories.find("acme/other"), std::string::npos) << repositories;
  ASSERT_EQ(simulation.ask("POST", "/-/sim/externals", R"({"question":"list_images","answer":[]})").status, 204);
  EXPECT_EQ(simulation.ask("GET", images).body, R"({"results":[]})") << "a rule of the external systems goes before";
}

TEST_F(Sources, ARuleDecidesHowLongItTakesAndWhetherItFailsOtherwise) {
  add(R"({"image":"acme/api","tags":["1"]})");
  const std::string api = make_container("2");
  ASSERT_EQ(simulation.ask("POST", "/-/sim/rules", R"({"rule":"slow","step":"deploy","after":"5m","times":1})").status,
            204);
  const Instant before = simulation->engine().now();
  EXPECT_EQ(deployed(api, "container", R"({"image_tag":"2"})"), "DEPLOYMENT_ERROR");
  EXPECT_GE((simulation->engine().now() - before).milliseconds, 300'000);
  EXPECT_TRUE(is_said(R"(the rule \"slow\" decides)"));
  ASSERT_EQ(simulation.ask("POST", "/-/sim/rules", R"({"step":"deploy","fails":"the node is gone"})").status, 204);
  EXPECT_EQ(deployed(api, "container", R"({"image_tag":"2"})"), "DEPLOYMENT_ERROR");
  EXPECT_TRUE(is_said("the node is gone"));
}

// A step keeps the sources from its beginning, also when opened from a snapshot and after the simulation has gone back.
TEST_F(Sources, TheyAreKeptInSnapshotsAndGoBack) {
  add(R"({"image":"acme/api","tags":["1",{"tag":"2","digest":")" + digest + R"("}]})");
  add(R"({"git":"https://github.com/acme/web","branch":"main","commits":[{"id":"c1","author":"Ada"}]})");
  const std::string api = make_container("2");
  ASSERT_EQ(simulation.ask("POST", "/-/sim/rules", R"({"transitions":{"container":"10m"}})").status, 204)
      << "no rule decides";
  ASSERT_LT(simulation.ask("POST", "/container/" + api + "/deploy", R"({"image_tag":"2"})").status, 300);
  ASSERT_TRUE(simulation->advance(seconds(60)).ok());
  add(R"({"image":"acme/api","removed":["2"]})");
  const std::string listed = simulation.ask("GET", "/-/sim/sources").body;
  const std::string snapshot = simulation->snapshot().value();
  const std::uint64_t here = simulation->save().value();
  const auto play = [&](Simulation& played) {
    EXPECT_EQ(played.ask("GET", "/-/sim/sources").body, listed);
    EXPECT_TRUE(played->run_until_idle().ok());
    const std::string first = played.state(api, "container");
    EXPECT_LT(played.ask("POST", "/container/" + api + "/deploy", R"({"image_tag":"2"})").status, 300);
    EXPECT_TRUE(played->run_until_idle().ok());
    return first + " " + played.state(api, "container");
  };
  EXPECT_EQ(play(simulation), "DEPLOYED DEPLOYMENT_ERROR");
  add(R"({"image":"acme/api","tags":["2"]})");
  ASSERT_TRUE(simulation->go_back(here).ok());
  EXPECT_EQ(play(simulation), "DEPLOYED DEPLOYMENT_ERROR");
  ASSERT_EQ(simulation.ask("DELETE", "/-/sim/sources").status, 204);
  ASSERT_TRUE(simulation->go_back(here).ok());
  EXPECT_EQ(play(simulation), "DEPLOYED DEPLOYMENT_ERROR");
  Simulation second(snapshot);
  EXPECT_EQ(play(second), "DEPLOYED DEPLOYMENT_ERROR");
  ASSERT_EQ(simulation.ask("DELETE", "/-/sim/sources").status, 204);
  ASSERT_TRUE(simulation->load(snapshot).ok());
  EXPECT_EQ(play(simulation), "DEPLOYED DEPLOYMENT_ERROR");
  Simulation empty;
  ASSERT_TRUE(simulation->load(empty->snapshot().value()).ok());
  EXPECT_EQ(simulation.ask("GET", "/-/sim/sources").body, R"({"sources":[]})");
}

TEST_F(Sources, WhatIsWrongIsNamed) {
  EXPECT_EQ(refusal_of("null"), "the source must be an object, not null");
  EXPECT_EQ(refusal_of("{}"), "image, chart or git is required");
  EXPECT_EQ(refusal_of(R"({"image":"a","git":"b"})"), "image, chart and git must be given in entries of their own");
  EXPECT_EQ(refusal_of(R"({"image":""})"), R"(image must be text of 1 to 1024 bytes, not "")");
  EXPECT_EQ(refusal_of(R"({"image":null,"tags":[]})"), "image must be text of 1 to 1024 bytes, not null");
  EXPECT_EQ(refusal_of(R"({"image":"a","tag":["1"]})").find("tag is not a member of a source that names image"), 0U);
  EXPECT_EQ(
      refusal_of(R"({"image":"a","versions":["1"]})").find("versions is not a member of a source that names image"),
      0U);
  EXPECT_EQ(refusal_of(R"({"image":"a","tags":"1"})"), R"(tags must be a list of at most 100000 entries, not "1")");
  EXPECT_EQ(refusal_of(R"({"sources":[{"chart":"c","versions":["1",2]}]})"),
            "sources[0].versions[1] must be text of 1 to 1024 bytes, not 2");
  EXPECT_EQ(refusal_of(R"({"image":"a","tags":[{"tag":"1","digest":"sha256:1"}]})"),
            R"(tags[0].digest must be sha256: and 64 hexadecimal digits in lower case, not "sha256:1")");
  EXPECT_EQ(refusal_of(R"({"image":"a","tags":[{"digest":"sha256:1"}]})"), "tags[0].tag is required");
  EXPECT_EQ(refusal_of(R"({"git":"https://h/a/b","commits":[{"id":"c","created_at":"soon"}]})"),
            R"(commits[0].created_at must be a time like 2026-01-01T12:00:00Z, not "soon")");
  EXPECT_EQ(refusal_of(R"({"git":"https://h/a/b","commits":[{"id":"c","autor":"A"}]})"),
            R"(commits[0].autor is not a member of a commit; the nearest known one is "author")");
  for (const std::string url : {"shop", "https://", "github.com/acme/shop", "git@github.com:acme/shop.git",
                                "https://github.com/acme /shop", "mailto:ada"}) {
    const std::string wanted =
        "git must be the URL of a git repository like https://github.com/acme/shop.git, not \"" + url + "\"";
    EXPECT_EQ(refusal_of(R"({"git":")" + url + R"(","commits":["c"]})"), wanted);
    EXPECT_EQ(refusal_of(R"({"sources":[{"git":")" + url + R"(","removed":["*"]}]})"), "sources[0]." + wanted);
  }
  EXPECT_EQ(refusal_of(R"({"sources":{}})").find("sources must be a list of at most 10000 entries, not "), 0U);
  EXPECT_LT(refusal_of(R"({"image":")" + std::string(70'000, 'x') + "\"}").size(), 300U);
  EXPECT_LT(refusal_of(R"({"image":"a","tags":[)" + std::string(70'000, '[') + std::string(70'000, ']') + "]}").size(),
            300U);
  EXPECT_EQ(simulation.ask("GET", "/-/sim/sources").body, R"({"sources":[]})");
  EXPECT_EQ(simulation.ask("PUT", "/-/sim/sources", "{}").status, 405);
}

TEST_F(Sources, TenThousandAreFound) {
  std::string tags;
  for (int at = 0; at < 10'000; ++at) tags += (at == 0 ? "\"" : ",\"") + std::to_string(at) + "\"";
  add(R"({"image":"acme/api","tags":[)" + tags + "]}");
  EXPECT_EQ(deployed(make_container("9999"), "container", R"({"image_tag":"9999"})"), "DEPLOYED");
  EXPECT_EQ(deployed(make_container("x", "other"), "container", R"({"image_tag":"x"})"), "DEPLOYMENT_ERROR");
  EXPECT_TRUE(is_said(R"("9999\", \"9998\", \"9997\", \"9996\", \"9995\" and 9995 more)")) << "not all of them";
  std::string entries;
  for (int at = 0; at < 10'001; ++at)
    entries += std::string(at == 0 ? "" : ",") + R"({"image":"i)" + std::to_string(at) + "\"}";
  EXPECT_EQ(refusal_of(R"({"sources":[)" + entries + "]}").find("sources must be a list of at most 10000 entries"), 0U);
  for (int at = 0; at < 8; ++at) add(R"({"image":"acme/)" + std::to_string(at) + R"(","tags":[)" + tags + "]}");
  EXPECT_EQ(refusal_of(R"({"image":"acme/9","tags":[)" + tags + "]}")
                .find("sources must have at most 100000 entries, tags, versions and commits in all, not 10001"),
            0U);
}

}  // namespace
}  // namespace orlop
