// Services and environments with repeated bodies: they show the changes since the first one.
#include <gtest/gtest.h>

#include <cstddef>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "model/role.h"
#include "unit/sim/twins.h"

namespace orlop {
namespace {

using tests::Simulation;
using tests::Twins;

class RepeatedCreations : public testing::Test {
 protected:
  RepeatedCreations() {
    cluster_ = make(organization_path_ + "/cluster", "europe", cluster_members);
    registry_ = make(organization_path_ + "/containerRegistry", "hub", registry_members);
    for (const char* name : {"shop", "lab"}) projects_.push_back(make(organization_path_ + "/project", name));
    for (const char* name : {"production", "staging", "test"})
      environments_.push_back(make("/project/" + projects_.front() + "/environment", name, cluster_member()));
  }

  std::string make(const std::string& path, std::string_view name, std::string_view members = "") {
    return twins_.make(path, Twins::body_of(name, members));
  }
  Reply ask(const std::string& path, std::string_view name, std::string_view members = "") {
    return twins_.ask("POST", path, Twins::body_of(name, members));
  }
  std::string cluster_member() const { return R"("cluster":")" + cluster_ + "\""; }
  std::string container() const {
    return R"("registry_id":")" + registry_ + R"(","image_name":"acme/web","tag":"1","healthchecks":{})";
  }
  std::string path_of(std::string_view segment, std::size_t environment = 0) const {
    return "/environment/" + environments_[environment] + "/" + std::string(segment);
  }
  // Creates four, so that the next one only repeats them.
  void make_known(std::string_view segment, std::string_view members) {
    for (const char* name : {"a", "b", "c", "d"}) make(path_of(segment), std::string(segment) + name, members);
  }
  void rename(const std::string& path, std::string_view name, std::string_view members = "") {
    EXPECT_EQ(twins_.ask("PUT", path, Twins::body_of(name, members)).status, 200) << path;
  }
  void rename_registry(std::string_view name) {
    rename(organization_path_ + "/containerRegistry/" + registry_, name, registry_members);
  }
  static bool has(const Reply& reply, const std::string& text) { return reply.body.find(text) != std::string::npos; }

  static constexpr std::string_view cluster_members = R"("region":"eu-west-3","cloud_provider":"AWS")";
  static constexpr std::string_view registry_members = R"("kind":"DOCKER_HUB","config":{})";
  static constexpr std::string_view database = R"("type":"POSTGRESQL","version":"16","mode":"CONTAINER")";

  Twins twins_;
  std::string organization_path_ =
      "/organization/" + twins_.make("/organization", Twins::body_of("acme", R"("plan":"FREE")"));
  std::string cluster_;
  std::string registry_;
  std::vector<std::string> projects_;
  std::vector<std::string> environments_;
};

TEST_F(RepeatedCreations, HaveTheirOwnParentAndId) {
  make_known("database", database);
  for (int round = 0; round < 3; ++round) {
    for (std::size_t at = 0; at < environments_.size(); ++at) {
      const Reply made = ask(path_of("database", at), "orders " + std::to_string(round), database);
      EXPECT_TRUE(has(made, R"("environment":{"id":")" + environments_[at] + "\"}")) << made.body;
      EXPECT_TRUE(has(made, R"("host":"z)" + Simulation::text_in(made.body, "id"))) << made.body;
    }
  }
  twins_.compare("databases");
}

TEST_F(RepeatedCreations, ShowWhatTheirRegistryIsCalledNow) {
  make_known("container", container());
  rename_registry("quay");
  EXPECT_TRUE(has(ask(path_of("container"), "e", container()), R"("name":"quay")"));
  EXPECT_TRUE(has(ask(path_of("container"), "f", container()), R"("name":"quay")"));
  rename_registry("hub");
  for (const char* name : {"g", "h", "i"})
    EXPECT_TRUE(has(ask(path_of("container"), name, container()), R"("name":"hub")"));
  twins_.compare("containers");
}

TEST_F(RepeatedCreations, AreRefusedWithoutTheirRegistry) {
  const std::string spare = make(organization_path_ + "/containerRegistry", "spare", registry_members);
  const std::string members = R"("registry_id":")" + spare + R"(","image_name":"acme/web","tag":"1","healthchecks":{})";
  std::vector<std::string> made;
  for (const char* name : {"a", "b", "c", "d"}) made.push_back(make(path_of("container"), name, members));
  EXPECT_EQ(twins_.ask("DELETE", organization_path_ + "/containerRegistry/" + spare).status, 409);
  for (const std::string& container : made) EXPECT_LT(twins_.ask("DELETE", "/container/" + container).status, 300);
  EXPECT_LT(twins_.ask("DELETE", organization_path_ + "/containerRegistry/" + spare).status, 300);
  EXPECT_EQ(ask(path_of("container"), "e", members).status, 400);
  twins_.compare("a registry that was deleted");
}

// After the restore of the state before, the registry has the same revision with another name.
TEST_F(RepeatedCreations, ShowWhatARestoredStateHolds) {
  const std::string before = twins_.repeating()->snapshot().value();
  twins_.each([](Simulation& one) { EXPECT_TRUE(one->save().ok()); });
  rename_registry("quay");
  make_known("container", container());
  twins_.each([](Simulation& one) { EXPECT_TRUE(one->go_back(1).ok()); });
  rename_registry("ghcr");
  for (const char* name : {"a", "b", "c"})
    EXPECT_TRUE(has(ask(path_of("container"), name, container()), R"("name":"ghcr")"));
  twins_.each([&before](Simulation& one) { EXPECT_TRUE(one->load(before).ok()); });
  rename_registry("ecr");
  for (const char* name : {"a", "b", "c"})
    EXPECT_TRUE(has(ask(path_of("container"), name, container()), R"("name":"ecr")"));
  twins_.compare("restored states");
}

TEST_F(RepeatedCreations, KeepTheIdThatTheirDescriptionHolds) {
  const std::string members = R"("description":"Next to )" + environments_.front() + R"(.",)" + std::string(database);
  make_known("database", members);
  for (int round = 0; round < 3; ++round) {
    for (std::size_t at = 0; at < environments_.size(); ++at) {
      const Reply made = ask(path_of("database", at), "orders " + std::to_string(round), members);
      EXPECT_TRUE(has(made, "Next to " + environments_.front() + ".")) << made.body;
      EXPECT_TRUE(has(made, R"("environment":{"id":")" + environments_[at] + "\"}")) << made.body;
    }
  }
  twins_.compare("descriptions");
}

TEST_F(RepeatedCreations, HavePortsAndDisksOfTheirOwn) {
  const std::string members =
      container() +
      R"(,"ports":[{"internal_port":80,"publicly_accessible":true}],"storage":[{"type":"FAST_SSD","size":10,)"
      R"("mount_point":"/data"}])";
  std::set<std::string> ids;
  for (const char* name : {"a", "b", "c", "d", "e", "f"}) {
    const Reply made = ask(path_of("container"), name, members);
    const std::size_t ports = made.body.find("\"ports\"");
    const std::size_t storage = made.body.find("\"storage\"");
    ids.insert({Simulation::text_in(made.body, "id"),
                Simulation::text_in(std::string_view(made.body).substr(ports), "id"),
                Simulation::text_in(std::string_view(made.body).substr(storage), "id")});
  }
  EXPECT_EQ(ids.size(), 18U);
  twins_.compare("ports");
}

// The instance type does not exist on AWS; the rules find the cloud provider by the parent.
TEST_F(RepeatedCreations, FollowTheClusterOfTheirEnvironment) {
  const std::string elsewhere =
      make(organization_path_ + "/cluster", "paris", R"("region":"europe-west9","cloud_provider":"GCP")");
  std::vector<std::string> there;
  for (const char* name : {"paris", "lyon"})
    there.push_back(make("/project/" + projects_.front() + "/environment", name, R"("cluster":")" + elsewhere + "\""));
  const std::string members = R"("type":"MYSQL","version":"8.0","mode":"MANAGED","instance_type":"db-n1-standard-1")";
  for (const char* name : {"a", "b", "c", "d"}) {
    for (const std::string& environment : there) make("/environment/" + environment + "/database", name, members);
  }
  const Reply refused = ask(path_of("database"), "a", members);
  EXPECT_EQ(refused.status, 400);
  EXPECT_TRUE(has(refused, "must be an instance type of AWS")) << refused.body;
  twins_.compare("managed databases");
}

TEST_F(RepeatedCreations, OfAnOrganizationShowNothingToAnother) {
  const std::string umbrella =
      "/organization/" + twins_.make("/organization", Twins::body_of("umbrella", R"("plan":"FREE")"));
  const std::string theirs = make(umbrella + "/project", "shop");
  for (const char* name : {"a", "b", "c", "d"})
    make("/project/" + projects_.front() + "/environment", name, cluster_member());
  for (const char* name : {"e", "f"}) make("/project/" + projects_.back() + "/environment", name, cluster_member());
  EXPECT_EQ(ask("/project/" + theirs + "/environment", "e", cluster_member()).status, 400);
  for (const char* name : {"g", "h"}) {
    const Reply made = ask("/project/" + projects_.back() + "/environment", name, cluster_member());
    EXPECT_TRUE(has(made, R"("project":{"id":")" + projects_.back())) << made.body;
  }
  twins_.compare("environments");
}

TEST_F(RepeatedCreations, ShowWhatTheirClusterIsCalledNow) {
  const std::string path = "/project/" + projects_.front() + "/environment";
  for (const char* name : {"a", "b", "c", "d"}) make(path, name, cluster_member());
  rename(organization_path_ + "/cluster/" + cluster_, "frankfurt", cluster_members);
  for (const char* name : {"e", "f", "g", "h"})
    EXPECT_TRUE(has(ask(path, name, cluster_member()), R"("cluster_name":"frankfurt")"));
  // Without a cluster in the body the default one is used.
  for (const char* name : {"i", "j", "k", "l"}) EXPECT_TRUE(has(ask(path, name), cluster_));
  twins_.compare("a cluster that was renamed");
}

TEST_F(RepeatedCreations, AreRefusedForTheirNamesInTheSameWords) {
  const std::string too_long(300, 'x');
  make(path_of("database"), "taken", database);
  const std::string names[] = {too_long, "", "TAKEN"};
  std::vector<std::string> wanted;
  for (const std::string& name : names) wanted.push_back(ask(path_of("database"), name, database).body);
  int number = 0;
  for (std::size_t at = 0; at < std::size(names); ++at) {
    for (int left = 4; left > 0; --left) make(path_of("database"), "n" + std::to_string(++number), database);
    const Reply refused = ask(path_of("database"), names[at], database);
    EXPECT_EQ(refused.status, at == 2 ? 409 : 400);
    EXPECT_EQ(refused.body, wanted[at]);
  }
  twins_.compare("refused names");
}

TEST_F(RepeatedCreations, HaveNamesThatNeedEscapes) {
  make_known("database", database);
  for (const char* name : {"say \"hi\"", "back\\slash",
                           "gr\xC3\xB6\xC3\x9F"
                           "e",
                           "it's </b> $&"}) {
    const std::string id = make(path_of("database"), name, database);
    EXPECT_TRUE(has(twins_.ask("GET", "/database/" + id), R"("name":)" + to_json(Value(name))));
  }
  twins_.compare("names");
}

// The slug of a workflow depends on its name.
TEST_F(RepeatedCreations, OfWorkflowsHaveTheirOwnSlug) {
  make(path_of("agenticWorkflow"), "a");
  for (const std::size_t environment : {0U, 1U}) make(path_of("agenticWorkflow", environment), "b");
  EXPECT_TRUE(has(ask(path_of("agenticWorkflow", 2), "c"), R"("slug":"c")"));
  twins_.compare("workflows");
}

// The deployment uses data that is stored besides the text of a record.
TEST_F(RepeatedCreations, AreDeployedAsTheFirstOnes) {
  const std::string members = R"("healthchecks":{},"source":{"image":{"registry_id":")" + registry_ +
                              R"(","image_name":"i","tag":"1"}},"schedule":{"on_start":{}})";
  make_known("job", members);
  make_known("database", R"("description":"in a container",)" + std::string(database));
  const std::string job = make(path_of("job"), "the fifth", members);
  EXPECT_LT(twins_.ask("POST", "/environment/" + environments_.front() + "/deploy", "{}").status, 300);
  twins_.settle();
  const Reply history = twins_.ask("GET", "/environment/" + environments_.front() + "/deploymentHistory");
  for (const char* name : {"the fifth", "jobd", "jobc", "databased", "databasea"})
    EXPECT_TRUE(has(history, R"("name":")" + std::string(name) + "\"")) << name << history.body;
  const std::string events = twins_.compare("a deployment");
  EXPECT_NE(events.find("service.executing"), std::string::npos);
  EXPECT_TRUE(has(twins_.ask("GET", "/job/" + job + "/status"), R"("step_name":"EXECUTING")"));
}

TEST(RepeatedCreationsOfCallers, NeedTheirRights) {
  Twins twins(Authentication::required);
  const std::string organization =
      "/organization/" + twins.make("/organization", Twins::body_of("acme", R"("plan":"FREE")"));
  const std::string cluster =
      twins.make(organization + "/cluster", R"({"name":"europe","region":"eu-west-3","cloud_provider":"AWS"})");
  const std::string project = twins.make(organization + "/project", Twins::body_of("shop", ""));
  const auto token_of = [&](const Role& role) {
    return "Token " + twins.make(organization + "/apiToken",
                                 Twins::body_of(role.name, R"("role_id":")" + std::string(role.id) + "\""), "token");
  };
  const std::string owner = token_of(owner_role);
  const std::string viewer = token_of(viewer_role);
  const std::string path = "/project/" + project + "/environment";
  const std::string members = R"("cluster":")" + cluster + "\"";
  for (const char* name : {"a", "b", "c", "d", "e"})
    EXPECT_EQ(twins.ask("POST", path, Twins::body_of(name, members), name[0] % 2 == 0 ? owner : "").status, 201);
  EXPECT_EQ(twins.ask("POST", path, Twins::body_of("f", members), viewer).status, 403);
  EXPECT_EQ(twins.ask("POST", path, Twins::body_of("f", members), owner).status, 201);
  twins.compare("callers");
}

}  // namespace
}  // namespace orlop
