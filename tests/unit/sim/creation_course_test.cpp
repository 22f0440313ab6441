// A random course of creations has the same result as one in which the rules create each record: replies, records,
// references, machines and events.
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/role.h"
#include "unit/seeded_random.h"
#include "unit/sim/twins.h"

namespace orlop {
namespace {

using tests::SeededRandom;
using tests::Simulation;
using tests::Twins;

// A body without its name; "{registry}" and the like are replaced by ids.
struct Body {
  std::string_view segment;
  std::string_view members;
};
constexpr Body bodies[] = {
    {"application",
     R"("healthchecks":{},"git_repository":{"url":"https://github.com/acme/web.git","provider":"GITHUB"})"},
    {"application",
     R"("healthchecks":{},"git_repository":{"url":"https://gitlab.com/acme/web.git","provider":"GITLAB",)"
     R"("git_token_id":"{git_token}"},"arguments":["--of","{first_environment}"])"},
    {"application",
     R"("healthchecks":{},"git_repository":{"url":"https://github.com/acme/web.git","provider":"GITHUB"},)"
     R"("labels_groups":[{"id":"{labels}"}],"min_running_instances":2,"max_running_instances":3)"},
    {"application",
     R"("healthchecks":{},"git_repository":{"url":"https://github.com/acme/web.git","provider":"GITHUB"},)"
     R"("max_running_instances":3,"autoscaling":{"mode":"KEDA","scalers":[{"scaler_type":"cpu","role":"PRIMARY"}]})"},
    {"container", R"("registry_id":"{registry}","image_name":"acme/web","tag":"1","healthchecks":{})"},
    {"container",
     R"("registry_id":"{registry}","image_name":"acme/web","tag":"1","healthchecks":{},"labels_groups":[{"id":)"
     R"("{labels}"}],"annotations_groups":[{"id":"{annotations}"}])"},
    {"container",
     R"("registry_id":"{registry}","image_name":"acme/web","tag":"2","healthchecks":{},"storage":[{"type":)"
     R"("FAST_SSD","size":10,"mount_point":"/data"}])"},
    {"container",
     R"("registry_id":"{registry}","image_name":"acme/web","tag":"2","healthchecks":{},"ports":[{"internal_port":)"
     R"(80,"publicly_accessible":true}])"},
    {"container",
     R"("registry_id":"{second_registry}","image_name":"acme/web","tag":"3","healthchecks":{},"metadata":{"team":)"
     R"("shop"})"},
    {"container",
     R"("registry_id":"{second_registry}","image_name":"acme/web","tag":"3","healthchecks":{},"description":"Next )"
     R"(to {first_environment}.")"},
    {"database", R"("type":"POSTGRESQL","version":"16","mode":"CONTAINER")"},
    {"database", R"("type":"MYSQL","version":"8.0","mode":"MANAGED","instance_type":"db.t3.micro")"},
    {"database", R"("type":"REDIS","version":"7.0","mode":"MANAGED","instance_type":"db-n1-standard-1")"},
    {"database",
     R"("type":"POSTGRESQL","version":"16","mode":"CONTAINER","annotations_groups":[{"id":"{annotations}"}],)"
     R"("description":"of {first_environment}")"},
    {"job",
     R"("healthchecks":{},"source":{"image":{"registry_id":"{registry}","image_name":"i","tag":"1"}},"schedule":)"
     R"({"on_start":{}})"},
    {"job", R"("healthchecks":{},"source":{"image":{"registry_id":"{second_registry}","image_name":"i","tag":"1"}},)"
            R"("schedule":{"cronjob":{"scheduled_at":"*/20 * * * *"}})"},
    {"job", R"("healthchecks":{},"source":{"docker":{"git_repository":{"url":"https://github.com/acme/job.git",)"
            R"("provider":"GITHUB","git_token_id":"{git_token}"}}},"schedule":{"on_stop":{},"on_delete":{}})"},
    {"helm", R"("auto_deploy":false,"arguments":[],"values_override":{},"source":{"helm_repository":{"repository":)"
             R"("{helm_repository}","chart_name":"rabbitmq","chart_version":"15.0.0"}})"},
    {"helm",
     R"("auto_deploy":true,"arguments":["--atomic"],"values_override":{"set":[["environment","{first_environment})"
     R"("]]},"source":{"git_repository":{"url":"https://git.example.com/acme/charts.git","git_token_id":)"
     R"("{git_token}"}})"},
    {"helm",
     R"("auto_deploy":false,"arguments":[],"values_override":{},"ports":[{"internal_port":80,"service_name":"web"})"
     R"(],"source":{"git_repository":{"url":"https://github.com/acme/charts.git"}})"},
    {"terraform",
     R"("description":"","auto_deploy_config":{"auto_deploy":false,"terraform_action":"DEFAULT"},)"
     R"("terraform_files_source":{"git_repository":{"url":"https://github.com/acme/i.git","branch":"main"}},
      "terraform_variables_source":{"tf_var_file_paths":[],"tf_vars":[{"key":"region","value":"eu"}]},"backend":)"
     R"({"kubernetes":{}},"engine":"TERRAFORM","provider_version":{"explicit_version":"1.9.8"},
      "job_resources":{"cpu_milli":500,"ram_mib":512,"storage_gib":1},"blueprint_id":"{first_environment}")"},
    {"terraform",
     R"("description":"","auto_deploy_config":{"auto_deploy":true,"terraform_action":"DEFAULT"},)"
     R"("terraform_files_source":{"git_repository":{"url":"https://github.com/acme/i.git","branch":"main"}},
      "terraform_variables_source":{"tf_var_file_paths":[],"tf_vars":[{"key":"key","value":"s3cret","secret":true})"
     R"(]},"backend":{"user_provided":{"scale":1.5}},"engine":"OPEN_TOFU",
      "provider_version":{"explicit_version":"1.9.0"},"job_resources":{"cpu_milli":500,"ram_mib":512,)"
     R"("storage_gib":1})"},
    {"environment", R"("mode":"PRODUCTION","cluster":"{cluster}")"},
    {"environment", R"("mode":"STAGING","cluster_id":"{second_cluster}")"},
    {"environment", R"("mode":"STAGING")"},
    {"environment", R"("cluster":"{cluster}","metadata":{"team":"shop"})"},
};

// A resource that bodies refer to: how it is created, and how it is edited.
struct Resource {
  std::string_view name;
  std::string_view segment;
  std::string_view members;
  std::string_view changed;
};
constexpr Resource resources[] = {
    {"registry", "containerRegistry", R"("kind":"DOCKER_HUB","config":{})", R"("kind":"GITHUB_CR","config":{})"},
    {"second_registry", "containerRegistry", R"("kind":"DOCKER_HUB","config":{})",
     R"("kind":"DOCKER_HUB","config":{},"description":"the second one")"},
    {"helm_repository", "helmRepository",
     R"("kind":"HTTPS","url":"https://charts.example.com","skip_tls_verification":false,"config":{})",
     R"("kind":"HTTPS","url":"https://other.example.com","skip_tls_verification":true,"config":{})"},
    {"git_token", "gitToken", R"("type":"GITHUB","token":"secret")", R"("type":"GITLAB","token":"secret")"},
    {"labels", "labelsGroups", R"("labels":[{"key":"team","value":"shop","propagate_to_cloud_provider":true}])",
     R"("labels":[{"key":"team","value":"sales","propagate_to_cloud_provider":false}])"},
    {"annotations", "annotationsGroups", R"("annotations":[{"key":"a","value":"b"}],"scopes":["PODS"])",
     R"("annotations":[],"scopes":["PODS","SERVICES"])"},
    {"cluster", "cluster", R"("region":"eu-west-3","cloud_provider":"AWS")",
     R"("region":"eu-west-3","cloud_provider":"AWS","max_running_nodes":5)"},
    {"second_cluster", "cluster", R"("region":"europe-west9","cloud_provider":"GCP")",
     R"("region":"europe-west9","cloud_provider":"GCP","max_running_nodes":5)"},
};

struct Organization {
  std::string id;
  std::string viewer;
  std::map<std::string, std::string, std::less<>> named;  // ids by the names that bodies use
  std::vector<std::string> projects;
  std::vector<std::string> environments;
};

class CreationCourse {
 public:
  explicit CreationCourse(std::uint64_t seed) : random_(seed), twins_(Authentication::required) {
    for (const char* name : {"acme", "umbrella"}) prepare(name);
  }

  void run(int bursts) {
    for (int burst = 0; burst < bursts; ++burst) {
      create_alike();
      if (random_.in(4)) twins_.advance(seconds(static_cast<std::int64_t>(random_.below(90))));
      if (random_.in(3)) edit();
      if (testing::Test::HasFailure()) return;
    }
  }
  // Deploys the records: the steps depend on their machines and texts.
  void deploy() {
    for (const Organization& organization : organizations_) {
      for (const std::string& environment : organization.environments)
        twins_.ask("POST", "/environment/" + environment + "/deploy", "{}");
    }
    twins_.settle();
    for (const Organization& organization : organizations_) {
      for (const std::string& environment : organization.environments) {
        twins_.ask("GET", "/environment/" + environment + "/deploymentHistory");
        twins_.ask("GET", "/environment/" + environment + "/services");
      }
      for (const Resource& one : resources) remove(organization, one);
    }
  }
  Twins& twins() { return twins_; }
  const std::map<int, int>& statuses() const { return statuses_; }

 private:
  void prepare(std::string_view name) {
    Organization& made = organizations_.emplace_back();
    made.id = twins_.make("/organization", Twins::body_of(name, R"("plan":"ENTERPRISE")"));
    for (const Resource& one : resources) make(made, one);
    made.viewer =
        "Token " + twins_.make("/organization/" + made.id + "/apiToken",
                               R"({"name":"viewer","role_id":")" + std::string(viewer_role.id) + "\"}", "token");
    for (const char* project : {"shop", "lab"})
      made.projects.push_back(twins_.make("/organization/" + made.id + "/project", Twins::body_of(project, "")));
    for (const char* cluster : {"cluster", "second_cluster"}) {
      for (const std::string& project : made.projects) {
        made.environments.push_back(
            twins_.make("/project/" + project + "/environment",
                        Twins::body_of(cluster, R"("cluster":")" + made.named.find(cluster)->second + "\"")));
      }
    }
    made.named["first_environment"] = made.environments.front();
  }
  static std::string path_of(const Organization& organization, const Resource& resource) {
    return "/organization/" + organization.id + "/" + std::string(resource.segment);
  }
  void make(Organization& organization, const Resource& resource) {
    organization.named[std::string(resource.name)] = twins_.make(
        path_of(organization, resource), Twins::body_of(std::string(resource.name) + number(), resource.members));
  }
  Reply remove(const Organization& organization, const Resource& resource) {
    const std::string path = path_of(organization, resource) + "/" + organization.named.find(resource.name)->second;
    return twins_.ask("DELETE", resource.segment == "cluster" ? path + "?deleteMode=DEFAULT" : path);
  }
  std::string number() { return " " + std::to_string(++numbers_); }

  std::string filled(std::string_view members, const Organization& organization) {
    std::string text(members);
    for (const auto& [name, id] : organization.named) {
      const std::string mark = "{" + name + "}";
      for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark))
        text.replace(at, mark.size(), id);
    }
    return text;
  }
  std::string name() {
    static constexpr std::array special = {"Web 1",
                                           "web 1",
                                           "WEB 2",
                                           "say \"hi\"",
                                           "back\\slash",
                                           "gr\xC3\xB6\xC3\x9F"
                                           "e",
                                           "",
                                           " ",
                                           "tab\t",
                                           "it's </b> $&"};
    if (!rarely(3)) return (random_.in(2) ? "web" : "API") + number();
    if (random_.in(8)) return std::string(300, 'x');
    if (random_.in(4)) return "WEB " + std::to_string(numbers_);
    const std::string chosen = random_.one_of(special);
    return chosen.empty() || random_.in(2) ? chosen : chosen + number();
  }
  std::string path_for(const Body& body, Organization& organization) {
    if (body.segment == "environment") return "/project/" + random_.one_of(organization.projects) + "/environment";
    return "/environment/" + random_.one_of(organization.environments) + "/" + std::string(body.segment);
  }

  // Creates one body several times, with edits in between. A refusal clears what the engine remembers, so every other
  // time there are few.
  void create_alike() {
    is_calm_ = random_.in(2);
    const Body& body = random_.one_of(bodies);
    Organization* organization = &organizations_[random_.below(2)];
    const Organization& named = rarely(8) ? organizations_[random_.below(2)] : *organization;
    const bool may_edit = random_.in(2);
    for (std::uint64_t left = 3 + random_.below(8); left > 0; --left) {
      if (rarely(12)) organization = &organizations_[random_.below(2)];
      create(body, *organization, filled(body.members, named));
      if (may_edit && random_.in(4)) edit();
      if (rarely(10)) create(random_.one_of(bodies), *organization, "");
    }
  }
  bool rarely(std::uint64_t count) { return !is_calm_ && random_.in(count); }

  void create(const Body& body, Organization& organization, const std::string& members) {
    if (random_.in(20)) return make_many(path_for(body, organization), members);
    if (random_.in(25)) return make_batch(body, organization, members);
    std::string text = Twins::body_of(name(), rarely(15) ? with_id(members) : members);
    if (random_.in(4) && !members.empty()) text = "{" + members + ",\"name\":" + to_json(Value(name())) + "}";
    const Reply reply = twins_.ask("POST", path_for(body, organization), text, rarely(15) ? organization.viewer : "");
    ++statuses_[reply.status];
    if (reply.status < 300 && body.segment == "environment" && organization.environments.size() < 8)
      organization.environments.push_back(Simulation::text_in(reply.body, "id"));
  }
  void make_many(const std::string& path, const std::string& members) {
    std::vector<std::string> names;
    for (std::uint64_t left = 1 + random_.below(12); left > 0; --left)
      names.push_back(rarely(12) ? name() : "many" + number());
    twins_.make_many(path, members, names);
  }
  void make_batch(const Body& body, Organization& organization, const std::string& members) {
    std::vector<std::pair<std::string, std::string>> all;
    for (std::uint64_t left = 2 + random_.below(4); left > 0; --left)
      all.emplace_back(path_for(body, organization), Twins::body_of("batch" + number(), members));
    twins_.make_in_batch(all);
  }
  // Adds an id from so small a range that some are taken.
  std::string with_id(const std::string& members) {
    return R"("id":"0a0b0c0d-0000-4000-8000-0000000000)" + std::to_string(10 + random_.below(40)) +
           (members.empty() ? "\"" : "\",") + members;
  }

  void edit() {
    Organization& organization = organizations_[random_.below(2)];
    const Resource& resource = random_.one_of(resources);
    switch (random_.below(10)) {
      case 0: return edit_twice(organization, resource);
      case 1: return restore(organization, resource);
      case 2: return edit_environment(organization);
      case 3:
        if (remove(organization, resource).status < 300) make(organization, resource);
        return;
      case 4: return clone(organization);
      default: return rename(organization, resource);
    }
  }
  void rename(const Organization& organization, const Resource& resource) {
    const std::string path = path_of(organization, resource) + "/" + organization.named.find(resource.name)->second;
    const Reply reply = twins_.ask(
        "PUT", path,
        Twins::body_of(std::string(resource.name) + number(), random_.in(2) ? resource.members : resource.changed));
    EXPECT_EQ(reply.status, 200) << path << reply.body;
  }
  // Gives a record the same revision with other contents: an edit is undone by going back, and another one made.
  void edit_twice(const Organization& organization, const Resource& resource) {
    twins_.each([](Simulation& one) { EXPECT_TRUE(one->save().ok()); });
    ++saved_;
    rename(organization, resource);
    const Body& body = random_.one_of(bodies);
    for (int left = 4; left > 0; --left) {
      const std::string path =
          body.segment == "environment"
              ? "/project/" + organization.projects.front() + "/environment"
              : "/environment/" + organization.environments.front() + "/" + std::string(body.segment);
      twins_.ask("POST", path, Twins::body_of("gone" + number(), filled(body.members, organization)));
    }
    twins_.each([this](Simulation& one) { EXPECT_TRUE(one->go_back(saved_).ok()); });
    rename(organization, resource);
  }
  void restore(const Organization& organization, const Resource& resource) {
    const std::string before = twins_.repeating()->snapshot().value();
    rename(organization, resource);
    twins_.each([&before](Simulation& one) { EXPECT_TRUE(one->load(before).ok()); });
    rename(organization, resource);
  }
  void edit_environment(const Organization& organization) {
    const std::string path = "/environment/" + random_.one_of(organization.environments);
    twins_.ask("PUT", path, Twins::body_of("environment" + number(), R"("mode":"STAGING")"));
  }
  void clone(const Organization& organization) {
    const std::string path = "/environment/" + random_.one_of(organization.environments);
    twins_.ask("POST", path + "/clone", Twins::body_of("clone" + number(), R"("mode":"STAGING")"));
  }

  SeededRandom random_;
  Twins twins_;
  std::vector<Organization> organizations_;
  std::map<int, int> statuses_;
  std::uint64_t saved_ = 0;
  int numbers_ = 0;
  bool is_calm_ = false;
};

TEST(CreationCourse, LeavesWhatRulesMakeOfEachBody) {
  std::map<int, int> statuses;
  std::string events;
  for (std::uint64_t seed = 0; seed < 28; ++seed) {
    CreationCourse course(seed);
    course.run(40);
    course.deploy();
    events += course.twins().compare("seed " + std::to_string(seed));
    if (testing::Test::HasFailure()) FAIL() << "seed " << seed;
    for (const auto& [status, count] : course.statuses()) statuses[status] += count;
  }
  EXPECT_GT(statuses[201], 4000);
  for (const int refused : {400, 403, 409}) EXPECT_GT(statuses[refused], 20) << refused;
  for (const char* needed : {"service.deployed", "service.executing", "cluster.edited", "environment.created",
                             "terraform.created", "helm.created"}) {
    EXPECT_NE(events.find(needed), std::string::npos) << needed << ": the courses show less than they should";
  }
}

}  // namespace
}  // namespace orlop
