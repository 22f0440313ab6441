// Deletion of the parents of deployed services and clusters: the driver deletes them before their records are deleted,
// and those that it cannot delete are shown again.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine.h"
#include "sim/seeded_random_source.h"
#include "sim/virtual_clock.h"
#include "store/open.h"
#include "whole/times.h"
#include "wire/json.h"

namespace orlop {
namespace {

// Records each step, and ends it at once unless its subject is held.
class DeletingDriver final : public Driver {
 public:
  Result<void> start(const Step& step) override {
    if (!step.resumed) asked.push_back(std::string(to_string(step.kind)) + " " + step.name);
    if (!held.contains(step.name)) ends.push_back(end_of(step));
    else waiting.push_back(step);
    return {};
  }
  void cancel(const Id& step, CancelMode) override {
    ends.push_back({step, ReportKind::canceled, RunningState::none, {}});
  }
  Report end_of(const Step& step) const {
    const bool is_removal = step.kind == StepKind::remove || step.kind == StepKind::cluster_remove;
    const bool fails = is_removal && failing.contains(step.name);
    return {step.id, fails ? ReportKind::failed : ReportKind::succeeded, RunningState::none,
            fails ? "the cloud refuses" : ""};
  }
  void release(const std::string& name) {
    held.erase(name);
    for (const Step& step : waiting) {
      if (step.name == name) ends.push_back(end_of(step));
    }
    std::erase_if(waiting, [&](const Step& step) { return step.name == name; });
  }
  std::vector<std::string> asked;
  std::set<std::string> failing;
  std::set<std::string> held;
  std::vector<Report> ends;
  std::vector<Step> waiting;
};

class DeployedDeletions : public testing::Test {
 protected:
  void SetUp() override {
    open();
    organization_ = create("/organization", R"({"name":"acme","plan":"ENTERPRISE"})");
    cluster_ = create("/organization/" + organization_ + "/cluster",
                      R"({"name":"eu","region":"eu-west-3","cloud_provider":"AWS"})");
    registry_ = create("/organization/" + organization_ + "/containerRegistry",
                       R"({"name":"hub","kind":"DOCKER_HUB","config":{}})");
    ask("POST", "/organization/" + organization_ + "/cluster/" + cluster_ + "/deploy", "", 200);
    project_ = create("/organization/" + organization_ + "/project", R"({"name":"shop"})");
    environment_ =
        create("/project/" + project_ + "/environment", R"({"name":"production","cluster":")" + cluster_ + "\"}");
    work();
  }
  void open() {
    engine_.reset();
    EngineOptions options;
    options.store = store_;
    options.clock = &clock_;
    options.random_source = &random_source_;
    options.driver = &driver_;
    options.settings.busy = busy_;
    auto opened = Engine::open(std::move(options));
    ASSERT_TRUE(opened) << opened.error().message;
    engine_ = std::move(*opened);
  }
  Reply ask(std::string_view method, const std::string& path, std::string_view body = "", int expected = 0) {
    const auto reply = engine_->dispatch({method, path, body, {}});
    EXPECT_TRUE(reply) << path << ": " << reply.error().message;
    if (expected != 0) { EXPECT_EQ(reply->status, expected) << method << " " << path << ": " << reply->body; }
    return reply ? *reply : Reply();
  }
  int status(std::string_view method, const std::string& path, std::string_view body = "") {
    return ask(method, path, body).status;
  }
  std::string create(const std::string& path, std::string_view body) {
    const Reply reply = ask("POST", path, body);
    EXPECT_LT(reply.status, 300) << path << ": " << reply.body;
    const auto made = parse_stored(reply.body);
    return made ? std::string(made->text_or("id", "")) : "";
  }
  std::string container(const std::string& environment, const std::string& name) {
    return create("/environment/" + environment + "/container",
                  R"({"name":")" + name + R"(","registry_id":")" + registry_ +
                      R"(","image_name":"a","tag":"1","healthchecks":{}})");
  }
  std::string database(const std::string& environment, const std::string& name, const std::string& mode) {
    return create("/environment/" + environment + "/database",
                  R"({"name":")" + name + R"(","type":"POSTGRESQL","version":"16","mode":")" + mode + "\"}");
  }
  std::string state(const std::string& path) {
    const auto body = parse_stored(ask("GET", path + "/status").body);
    return body ? std::string(body->text_or("state", body->text_or("status", ""))) : "";
  }
  std::size_t count(const std::string& path) {
    const auto list = parse_stored(ask("GET", path).body);
    const Value* const results = list ? list->find("results") : nullptr;
    return results == nullptr ? SIZE_MAX : results->items().size();
  }
  // Ticks once, after the reports of the driver since the last tick. Returns false if nothing is left to do now.
  bool tick() {
    for (Report& end : std::exchange(driver_.ends, {})) EXPECT_TRUE(engine_->report(std::move(end)));
    const auto next = engine_->tick();
    EXPECT_TRUE(next) << next.error().message;
    return !driver_.ends.empty() || engine_->is_ready() || (next && *next && **next <= clock_.now());
  }
  void work() {
    for (int ticks = 0; tick(); ++ticks) ASSERT_LT(ticks, 2000);
  }
  void deploy(const std::string& environment) {
    ask("POST", "/environment/" + environment + "/deploy", "", 202);
    work();
    driver_.asked.clear();
  }
  std::size_t place_of(const std::string& step) const {
    const auto found = std::ranges::find(driver_.asked, step);
    EXPECT_NE(found, driver_.asked.end()) << step;
    EXPECT_EQ(std::ranges::count(driver_.asked, step), 1) << step;
    return static_cast<std::size_t>(found - driver_.asked.begin());
  }
  std::size_t records() {
    const std::string snapshot = *engine_->snapshot();
    return static_cast<std::size_t>(parse_stored(snapshot.substr(0, snapshot.find('\n')))->integer_or("records", -1));
  }
  std::string path_of_cluster() const { return "/organization/" + organization_ + "/cluster/" + cluster_; }

  BusyPolicy busy_ = BusyPolicy::queue;
  VirtualClock clock_{new_year};
  SeededRandomSource random_source_{5};
  DeletingDriver driver_;
  std::shared_ptr<Store> store_ = open_memory_store();
  std::unique_ptr<Engine> engine_;
  std::string organization_, cluster_, registry_, project_, environment_;
};

TEST_F(DeployedDeletions, OfAProjectDeleteItsServicesByStagesInReverse) {
  const std::string web = container(environment_, "web");
  const std::string store = database(environment_, "store", "MANAGED");
  const std::string cache = database(environment_, "cache", "CONTAINER");
  const std::string staging = create("/project/" + project_ + "/environment", R"({"name":"staging"})");
  container(staging, "api");
  const std::string idle = create("/project/" + project_ + "/environment", R"({"name":"idle"})");
  const std::string never = container(idle, "never");
  deploy(environment_);
  deploy(staging);
  driver_.held = {"store"};
  ask("DELETE", "/project/" + project_, "", 204);
  for (const std::string& path : {"/project/" + project_, "/environment/" + environment_, "/container/" + web,
                                  "/database/" + store, "/container/" + never}) {
    EXPECT_EQ(status("GET", path), 404) << path;
  }
  EXPECT_EQ(count("/organization/" + organization_ + "/project"), 0U);
  work();
  EXPECT_EQ(status("POST", "/organization/" + organization_ + "/project", R"({"name":"SHOP"})"), 409)
      << "it is not gone yet";
  driver_.release("store");
  work();
  EXPECT_LT(place_of("delete web"), place_of("delete store"));
  EXPECT_LT(place_of("delete web"), place_of("delete cache"));
  place_of("delete api");
  EXPECT_EQ(driver_.asked.size(), 4U) << "what was never deployed has no step";
  EXPECT_EQ(status("GET", "/project/" + project_), 404);
  EXPECT_EQ((*engine_->snapshot()).find(R"("id":")" + project_ + "\",\"family\""), std::string::npos);
  create("/organization/" + organization_ + "/project", R"({"name":"SHOP"})");
  EXPECT_EQ(state(path_of_cluster()), "DEPLOYED");
}

TEST_F(DeployedDeletions, OfAnOrganizationDeleteServicesAndThenClusters) {
  container(environment_, "web");
  deploy(environment_);
  create("/organization/" + organization_ + "/cluster",
         R"({"name":"spare","region":"eu-west-3","cloud_provider":"AWS"})");
  ask("DELETE", "/organization/" + organization_, "", 204);
  EXPECT_EQ(status("GET", "/organization/" + organization_), 404);
  work();
  EXPECT_LT(place_of("delete web"), place_of("cluster_delete eu"));
  EXPECT_EQ(driver_.asked.size(), 2U);
  EXPECT_EQ(records(), 0U);
}

TEST_F(DeployedDeletions, OfAClusterWithItsEnvironmentsDeleteBoth) {
  container(environment_, "web");
  deploy(environment_);
  const std::string other = create("/organization/" + organization_ + "/cluster",
                                   R"({"name":"us","region":"us-east-1","cloud_provider":"AWS"})");
  ask("POST", "/organization/" + organization_ + "/cluster/" + other + "/deploy", "", 200);
  work();
  const std::string elsewhere =
      create("/project/" + project_ + "/environment", R"({"name":"elsewhere","cluster":")" + other + "\"}");
  const std::string api = container(elsewhere, "api");
  deploy(elsewhere);
  ask("DELETE", path_of_cluster() + "?deleteMode=DELETE_CLUSTER_AND_PLATFORM_CONFIG", "", 204);
  EXPECT_EQ(status("GET", path_of_cluster()), 404);
  EXPECT_EQ(status("GET", "/environment/" + environment_), 404);
  EXPECT_EQ(status("GET", "/environment/" + elsewhere), 200);
  EXPECT_EQ(status("POST", "/project/" + project_ + "/environment", R"({"name":"late","cluster":")" + cluster_ + "\"}"),
            400);
  work();
  EXPECT_LT(place_of("delete web"), place_of("cluster_delete eu"));
  EXPECT_EQ(driver_.asked.size(), 2U);
  EXPECT_EQ((*engine_->snapshot()).find(R"("id":")" + cluster_ + "\",\"family\""), std::string::npos);
  EXPECT_EQ(state("/container/" + api), "DEPLOYED");
}

TEST_F(DeployedDeletions, OfConfigurationAloneAskNothingOfTheDriver) {
  container(environment_, "web");
  deploy(environment_);
  ask("DELETE", path_of_cluster() + "?deleteMode=DELETE_PLATFORM_CONFIG", "", 204);
  work();
  EXPECT_TRUE(driver_.asked.empty());
  EXPECT_EQ(status("GET", path_of_cluster()), 404);
  EXPECT_EQ(status("GET", "/environment/" + environment_), 404);
}

TEST_F(DeployedDeletions, ThatFailShowWhatIsLeftWithAllAboveIt) {
  const std::string web = container(environment_, "web");
  const std::string other_project = create("/organization/" + organization_ + "/project", R"({"name":"blog"})");
  const std::string other =
      create("/project/" + other_project + "/environment", R"({"name":"production","cluster":")" + cluster_ + "\"}");
  const std::string blog = container(other, "blog");
  const std::string staging = create("/project/" + project_ + "/environment", R"({"name":"staging"})");
  const std::string api = container(staging, "api");
  for (const std::string& each : {environment_, other, staging}) deploy(each);
  driver_.failing = {"web"};
  ask("DELETE", "/organization/" + organization_, "", 204);
  work();
  for (const std::string& path :
       {"/organization/" + organization_, path_of_cluster(), "/project/" + project_, "/environment/" + environment_}) {
    EXPECT_EQ(status("GET", path), 200) << path;
  }
  EXPECT_EQ(state("/container/" + web), "DELETE_ERROR");
  EXPECT_EQ(state("/environment/" + environment_), "DELETE_ERROR");
  EXPECT_EQ(state(path_of_cluster()), "DEPLOYED") << "services may still run on it";
  for (const std::string& path :
       {"/container/" + blog, "/project/" + other_project, "/container/" + api, "/environment/" + staging}) {
    EXPECT_EQ(status("GET", path), 404) << path;
  }
  EXPECT_EQ(std::ranges::count(driver_.asked, std::string("cluster_delete eu")), 0);
  EXPECT_EQ(status("POST", "/organization", R"({"name":"ACME","plan":"FREE"})"), 409) << "it has its name";
  // The platform works as before.
  ask("POST", "/environment/" + environment_ + "/deploy", "", 202);
  work();
  EXPECT_EQ(state("/container/" + web), "DEPLOYED");
  driver_.failing.clear();
  driver_.asked.clear();
  ask("DELETE", "/organization/" + organization_, "", 204);
  work();
  EXPECT_LT(place_of("delete web"), place_of("cluster_delete eu"));
  EXPECT_EQ(records(), 0U);
}

TEST_F(DeployedDeletions, WhoseClusterFailsLeaveTheOrganizationWithIt) {
  const std::string web = container(environment_, "web");
  deploy(environment_);
  driver_.failing = {"eu"};
  ask("DELETE", "/organization/" + organization_, "", 204);
  work();
  EXPECT_EQ(status("GET", "/organization/" + organization_), 200);
  EXPECT_EQ(state(path_of_cluster()), "DELETE_ERROR");
  EXPECT_EQ(status("GET", "/container/" + web), 404);
  EXPECT_EQ(status("GET", "/project/" + project_), 404);
  EXPECT_EQ(status("GET", "/organization/" + organization_ + "/containerRegistry/" + registry_), 200);
  driver_.failing.clear();
  ask("DELETE", "/organization/" + organization_, "", 204);
  work();
  EXPECT_EQ(records(), 0U);
}

TEST_F(DeployedDeletions, AreTriedAgainAfterAnError) {
  const std::string web = container(environment_, "web");
  const std::string store = database(environment_, "store", "MANAGED");
  deploy(environment_);
  driver_.failing = {"store"};
  ask("DELETE", "/project/" + project_, "", 204);
  work();
  EXPECT_EQ(state("/database/" + store), "DELETE_ERROR");
  EXPECT_EQ(status("GET", "/container/" + web), 404);
  EXPECT_EQ(status("POST", "/organization/" + organization_ + "/project", R"({"name":"shop"})"), 409);
  driver_.failing.clear();
  ask("DELETE", "/project/" + project_, "", 204);
  EXPECT_EQ(status("GET", "/database/" + store), 404);
  work();
  EXPECT_EQ(std::ranges::count(driver_.asked, std::string("delete store")), 2);
  create("/organization/" + organization_ + "/project", R"({"name":"shop"})");
}

// A running deployment ends; waiting ones do not begin.
TEST_F(DeployedDeletions, WaitForWhatRunsAndOvertakeWhatWaits) {
  const std::string web = container(environment_, "web");
  container(environment_, "api");
  deploy(environment_);
  driver_.held = {"web"};
  ask("POST", "/container/" + web + "/deploy", R"({"image_tag":"2"})", 202);
  work();
  driver_.asked.clear();
  ask("POST", "/environment/" + environment_ + "/stop", "", 202);
  ask("DELETE", "/project/" + project_, "", 204);
  work();
  EXPECT_TRUE(driver_.asked.empty()) << driver_.asked.front();
  driver_.release("web");
  work();
  std::ranges::sort(driver_.asked);
  EXPECT_EQ(driver_.asked, (std::vector<std::string>{"delete api", "delete web"}));
  EXPECT_EQ((*engine_->snapshot()).find(R"("id":")" + project_ + "\",\"family\""), std::string::npos);
}

TEST_F(DeployedDeletions, WaitForAnOperationOfACluster) {
  driver_.held = {"eu"};
  ask("POST", path_of_cluster() + "/deploy", "", 200);
  work();
  driver_.asked.clear();
  ask("DELETE", "/organization/" + organization_, "", 204);
  work();
  EXPECT_TRUE(driver_.asked.empty());
  driver_.release("eu");
  work();
  EXPECT_EQ(driver_.asked, std::vector<std::string>{"cluster_delete eu"});
  EXPECT_EQ(records(), 0U);
}

TEST_F(DeployedDeletions, AreRefusedWhereRequestsDoNotWait) {
  busy_ = BusyPolicy::reject;
  open();
  container(environment_, "web");
  driver_.held = {"web"};
  ask("POST", "/environment/" + environment_ + "/deploy", "", 202);
  work();
  for (const std::string& path : {"/project/" + project_, "/organization/" + organization_,
                                  path_of_cluster() + "?deleteMode=DELETE_CLUSTER_AND_PLATFORM_CONFIG"}) {
    const Reply refused = ask("DELETE", path, "", 409);
    EXPECT_NE(refused.body.find("production"), std::string::npos) << refused.body;
    EXPECT_EQ(status("GET", "/environment/" + environment_), 200);
  }
  driver_.release("web");
  work();
  ask("DELETE", "/project/" + project_, "", 204);
  work();
  EXPECT_EQ((*engine_->snapshot()).find(R"("id":")" + project_ + "\",\"family\""), std::string::npos);
}

TEST_F(DeployedDeletions, OfWhatWasNeverDeployedAreOverAtOnce) {
  container(environment_, "web");
  ask("DELETE", "/project/" + project_, "", 204);
  EXPECT_EQ((*engine_->snapshot()).find(R"("id":")" + project_ + "\",\"family\""), std::string::npos);
  create("/organization/" + organization_ + "/project", R"({"name":"shop"})");
  EXPECT_TRUE(driver_.asked.size() == 1) << "the cluster's";
}

// The process is killed after its first, second or third tick. In the first one it acquires its leases.
TEST_F(DeployedDeletions, ContinueAfterACrashInEveryTick) {
  for (const char* const name : {"web", "api", "worker"}) container(environment_, name);
  database(environment_, "store", "MANAGED");
  deploy(environment_);
  ask("DELETE", "/organization/" + organization_, "", 204);
  open();
  for (int ticks = 0; records() != 0; ++ticks) {
    ASSERT_LT(ticks, 200);
    for (int life = 0; life <= ticks % 3; ++life) tick();
    EXPECT_EQ(status("GET", "/organization/" + organization_), 404);
    if (driver_.ends.empty()) open();
  }
  for (const char* const step : {"delete web", "delete api", "delete worker", "delete store", "cluster_delete eu"})
    place_of(step);
  EXPECT_EQ(records(), 0U);
}

TEST_F(DeployedDeletions, ContinueFromASnapshot) {
  container(environment_, "web");
  deploy(environment_);
  ask("DELETE", "/organization/" + organization_, "", 204);
  tick();
  const std::string snapshot = *engine_->snapshot();
  engine_.reset();
  driver_.asked.clear();
  driver_.ends.clear();
  store_ = open_memory_store();
  EngineOptions options;
  options.store = store_;
  options.snapshot = snapshot;
  options.clock = &clock_;
  options.random_source = &random_source_;
  options.driver = &driver_;
  engine_ = Engine::open(std::move(options)).value();
  EXPECT_EQ(status("GET", "/organization/" + organization_), 404);
  work();
  EXPECT_EQ(records(), 0U);
}

}  // namespace
}  // namespace orlop
