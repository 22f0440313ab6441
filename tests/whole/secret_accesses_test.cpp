// Accesses to secret managers are part of the records of clusters and are found by their ids: the cost of a lookup, and
// its permissions.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "engine.h"
#include "sim/seeded_random_source.h"
#include "sim/virtual_clock.h"
#include "store/open.h"
#include "unit/deploy/counting_store.h"
#include "wire/json.h"

namespace orlop {
namespace {

constexpr std::string_view access_of =
    R"([{"name":"vault","endpoint":{"mode":"AWS_SECRET_MANAGER","region":"eu-west-3"},"authentication":{"mode":)"
    R"("AUTOMATICALLY_CONFIGURED"}}])";

class SecretAccesses : public testing::Test {
 protected:
  void SetUp() override {
    EngineOptions options;
    options.settings.require_cluster = false;
    options.settings.authentication = Authentication::required;
    options.clock = &clock_;
    options.random_source = &random_source_;
    options.store = count_store(open_memory_store(), counts_);
    auto opened = Engine::open(std::move(options));
    ASSERT_TRUE(opened) << opened.error().message;
    engine_ = std::move(*opened);
    organization_ = id_in(ask("POST", "/organization", R"({"name":"acme","plan":"FREE"})"));
    const Value cluster = make_cluster("main");
    cluster_ = id_in(cluster);
    access_ = cluster.find("secret_manager_accesses")->items().front().text_or("id", "");
    registry_ = id_in(ask("POST", "/organization/" + organization_ + "/containerRegistry",
                          R"({"name":"hub","kind":"DOCKER_HUB","config":{}})"));
    project_ = id_in(ask("POST", "/organization/" + organization_ + "/project", R"({"name":"shop"})"));
    environment_ = make_environment("production", cluster_);
    service_ = make_service("api");
  }
  static std::string id_in(const Value& value) { return std::string(value.text_or("id", "")); }
  Value ask(std::string_view method, const std::string& path, const std::string& body = "", int status = 0) {
    const auto reply = engine_->dispatch({method, path, body, {}});
    EXPECT_TRUE(reply) << path;
    if (status == 0) EXPECT_LT(reply->status, 300) << path << ": " << reply->body;
    else EXPECT_EQ(reply->status, status) << path << ": " << reply->body;
    return reply->body.empty() ? Value() : parse_stored(reply->body).value();
  }
  Value make_cluster(const std::string& name) {
    return ask("POST", "/organization/" + organization_ + "/cluster",
               R"({"name":")" + name + R"(","region":"eu-west-3","cloud_provider":"AWS","secret_manager_accesses":)" +
                   std::string(access_of) + "}");
  }
  std::string make_environment(const std::string& name, const std::string& cluster) {
    return id_in(ask("POST", "/project/" + project_ + "/environment",
                     R"({"name":")" + name + R"(","cluster_id":")" + cluster + "\"}"));
  }
  std::string make_service(const std::string& name) {
    return id_in(ask("POST", "/environment/" + environment_ + "/container",
                     R"({"name":")" + name + R"(","registry_id":")" + registry_ +
                         R"(","image_name":"a","tag":"1","healthchecks":{}})"));
  }
  Value set(const std::string& key, const std::string& scope, const std::string& parent, const std::string& access,
            int status = 201) {
    return ask("POST", "/variable",
               R"({"key":")" + key + R"(","value":"prod/db","is_secret":false,"variable_scope":")" + scope +
                   R"(","variable_parent_id":")" + parent + R"(","secret_manager_access_id":")" + access + "\"}",
               status);
  }
  std::string uses() const { return "/secretManagerAccess/" + access_ + "/associatedServices"; }
  std::vector<std::string> users() {
    std::vector<std::string> found;
    const Value listed = ask("GET", uses());
    for (const Value& use : listed.find("results")->items()) {
      found.push_back(std::string(use.text_or("environment_name", "")) + "/" +
                      std::string(use.text_or("variable_name", "")));
    }
    return found;
  }
  std::size_t rows_read(const std::string& path) {
    const std::size_t before = counts_.rows;
    ask("GET", path);
    return counts_.rows - before;
  }

  VirtualClock clock_{Instant{1'767'225'600'000}};
  SeededRandomSource random_source_{3};
  StoreCounts counts_;
  std::unique_ptr<Engine> engine_;
  std::string organization_, cluster_, access_, registry_, project_, environment_, service_;
};

TEST_F(SecretAccesses, NameWhatReadsThem) {
  EXPECT_TRUE(users().empty());
  set("OF_SERVICE", "CONTAINER", service_, access_);
  set("OF_ENVIRONMENT", "ENVIRONMENT", environment_, access_);
  set("OF_PROJECT", "PROJECT", project_, access_);
  const std::string other = make_environment("staging", cluster_);
  make_environment("away", id_in(make_cluster("away")));
  EXPECT_EQ(users(), (std::vector<std::string>{"production/OF_PROJECT", "production/OF_ENVIRONMENT",
                                               "production/OF_SERVICE", "staging/OF_PROJECT"}));
  const Value clone = ask("POST", "/environment/" + environment_ + "/clone", R"({"name":"copy"})");
  EXPECT_EQ(users().size(), 7U);
  ask("DELETE", "/environment/" + id_in(clone) + "?skipReconcile=true");
  while (*engine_->tick()) {}
  EXPECT_EQ(users().size(), 4U);
}

TEST_F(SecretAccesses, AreRefusedWhereTheirClusterIsNot) {
  const Value away = make_cluster("away");
  const std::string other(away.find("secret_manager_accesses")->items().front().text_or("id", ""));
  for (const std::string& wrong : {other, cluster_, service_, std::string("01900000-0000-7000-8000-000000000001")}) {
    const Value refused = set("A", "CONTAINER", service_, wrong, 400);
    EXPECT_NE(refused.text_or("message", "").find("secret_manager_access_id"), std::string::npos);
  }
  set("A", "PROJECT", project_, other);
  // A removed access is not found.
  const Value cluster = ask("GET", "/organization/" + organization_ + "/cluster/" + cluster_);
  ask("PUT", "/organization/" + organization_ + "/cluster/" + cluster_,
      R"({"name":"main","region":"eu-west-3","cloud_provider":"AWS","secret_manager_accesses":[]})");
  ask("GET", uses(), "", 404);
  set("B", "CONTAINER", service_, access_, 400);
}

// The reads are proportional to the result, not to the store.
TEST_F(SecretAccesses, AreFoundWithoutALookAtOthers) {
  set("A", "CONTAINER", service_, access_);
  const std::size_t few = rows_read(uses());
  const std::size_t before = counts_.rows;
  set("B", "CONTAINER", service_, access_);
  const std::size_t few_of_write = counts_.rows - before;
  const std::size_t few_uses = rows_read(uses());
  for (int at = 0; at < 30; ++at) {
    make_cluster("c" + std::to_string(at));
    make_service("s" + std::to_string(at));
    ask("POST", "/organization/" + organization_ + "/project", R"({"name":"p)" + std::to_string(at) + "\"}");
    ask("POST", "/variable",
        R"({"key":"K)" + std::to_string(at) +
            R"(","value":"1","is_secret":false,"variable_scope":"PROJECT","variable_parent_id":")" + project_ + "\"}");
  }
  EXPECT_EQ(rows_read(uses()), few_uses);
  EXPECT_LT(few, few_uses);
  // The rule against cycles reads nothing here; marking reads the row of the service.
  const std::size_t again = counts_.rows;
  set("C", "CONTAINER", service_, access_);
  EXPECT_EQ(counts_.rows - again, few_of_write);
}

TEST_F(SecretAccesses, OfAnotherOrganizationAreNotThere) {
  const auto token_of = [&](const std::string& organization, std::string_view role) {
    return std::string(ask("POST", "/organization/" + organization + "/apiToken",
                           R"({"name":"t","scope":")" + std::string(role) + "\"}")
                           .text_or("token", ""));
  };
  const std::string other = id_in(ask("POST", "/organization", R"({"name":"other","plan":"FREE"})"));
  const std::string mine = "Token " + token_of(organization_, "ADMIN");
  const std::string theirs = "Token " + token_of(other, "ADMIN");
  set("A", "CONTAINER", service_, access_);
  const auto status_for = [&](const std::string& token, const std::string& path) {
    const auto reply = engine_->dispatch({"GET", path, "", {{"authorization", token}}, Trust::outside});
    return reply ? reply->status + (reply->body.find("prod/db") != std::string::npos ? 1000 : 0) : 0;
  };
  EXPECT_EQ(status_for(mine, uses()), 1200);
  EXPECT_EQ(status_for(theirs, "/organization/" + organization_), 404);
  EXPECT_EQ(status_for(theirs, uses()), 404);
}

}  // namespace
}  // namespace orlop
