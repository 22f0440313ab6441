// Random platforms, through the whole interface: a simulation with a record of every family, for which a seed selects
// the requests (every operation, with samples, broken bodies and ids of deleted records), the rules, and the advance of
// time. After each operation the feed is followed and states are compared; at the end everything that runs must end.
// ORLOP_PLATFORM_OPERATIONS sets the number of operations, ORLOP_PLATFORM_SEED the first seed. A failure names its
// seed.
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <exception>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/registry.h"
#include "platform.h"
#include "rest/route.h"
#include "unit/seeded_random.h"
#include "unit/sim/simulation.h"
#include "whole/feed_follower.h"
#include "wire/json.h"

namespace orlop {
namespace {

constexpr std::uint64_t operations_of_one = 500;

class RandomPlatform {
 public:
  explicit RandomPlatform(std::uint64_t seed) : seed_(seed), random_(seed), platform_(simulation_->engine()) {
    simulation_.ask("PUT", "/-/sim/rules", R"({"pack":"realistic"})");
    platform_.make_all();
    for (const Family* family : all_families()) ids_[family->number].push_back(platform_.id_of(*family));
    organization_ = platform_.id_of("organization");
    environment_ = platform_.id_of("environment");
  }

  // Stops at the first fault.
  void run(std::uint64_t operations) {
    for (std::uint64_t operation = 0; operation < operations; ++operation) {
      what_ = "operation " + std::to_string(operation);
      try {
        act();
      } catch (const std::exception& thrown) { ADD_FAILURE() << about() << "\n-> " << thrown.what(); }
      follow();
      if (testing::Test::HasFailure()) return;
    }
    what_ = "at the end";
    expect_that_all_ends();
  }

 private:
  struct Answer {
    int status;
    std::string body;
  };

  Answer ask(std::string_view method, const std::string& path, const std::string& body = "") {
    what_ += "\n" + std::string(method) + " " + path + " " + body.substr(0, 500);
    const Reply reply = simulation_.ask(method, path, body);
    EXPECT_TRUE(reply.status < 500 || reply.status == 501) << about() << "\n-> " << reply.status << " " << reply.body;
    return {reply.status, reply.body};
  }
  std::string about() const { return "run again with ORLOP_PLATFORM_SEED=" + std::to_string(seed_) + "\n" + what_; }

  void act() {
    switch (random_.below(16)) {
      case 0:
      case 1:
      case 2: return pass();
      case 3:
      case 4: return move_service();
      case 5:
      case 6: return move_environment();
      case 7: return move_cluster();
      case 8: return rule();
      case 9: return force();
      case 10: return make_service();
      case 11: return random_.in(12) ? go_back() : compare();
      default: return any_operation();
    }
  }

  void pass() {
    ask("POST", "/-/sim/clock", R"({"advance":")" + (random_.in(20) ? "30h" : random_.count(300) + "s") + "\"}");
  }

  const Family& any_service() {
    static constexpr std::array names = {"container", "application", "database",   "job",
                                         "helm",      "terraform",   "argocd_app", "agentic_workflow"};
    const Family* const family = find_family(std::string_view(random_.one_of(names)));
    return family != nullptr ? *family : *find_family("container");
  }
  std::string id_of(const Family& family) {
    const std::vector<std::string>& known = ids_[family.number];
    return known.empty() || random_.in(30) ? "0198c0de-0000-7000-8000-000000000001" : random_.one_of(known);
  }

  void move_service() {
    static constexpr std::array actions = {"deploy",  "deploy", "deploy",           "redeploy",
                                           "restart", "stop",   "cancelDeployment", "uninstall"};
    const Family& family = any_service();
    ask("POST", "/" + route_name(family) + "/" + id_of(family) + "/" + std::string(random_.one_of(actions)));
  }
  void move_environment() {
    static constexpr std::array actions = {"deploy", "deploy",  "deploy",           "redeploy",
                                           "stop",   "restart", "cancelDeployment", "uninstall"};
    ask("POST", "/environment/" + (random_.in(4) ? id_of(*find_family("environment")) : environment_) + "/" +
                    std::string(random_.one_of(actions)));
  }
  void move_cluster() {
    static constexpr std::array actions = {"deploy", "deploy", "stop", "upgrade", "deploy?dry_run=true"};
    ask("POST", "/organization/" + organization_ + "/cluster/" + id_of(*find_family("cluster")) + "/" +
                    std::string(random_.one_of(actions)));
  }
  // Returns the beginning of the family's paths: "argocdApp".
  static std::string route_name(const Family& family) {
    for (const Route& route : all_routes()) {
      if (route.family == &family && route.verb == Verb::read) return route.path.substr(1, route.path.find('/', 1) - 1);
    }
    return std::string(family.name);
  }

  void make_service() {
    const Family& family = any_service();
    if (ids_[family.number].size() > 4) return compare();
    const std::string id = platform_.make_another(family);
    if (!id.empty()) ids_[family.number].push_back(id);
  }

  void rule() {
    const std::string seconds = random_.count(200);
    const std::string probability = R"(,"probability":0.)" + random_.count(9);
    switch (random_.below(9)) {
      case 0: ask("DELETE", "/-/sim/rules"); return;
      case 1: ask("PUT", "/-/sim/rules", random_.in(2) ? R"({"pack":"chaos"})" : R"({"pack":"realistic"})"); return;
      case 2:
        ask("POST", "/-/sim/rules",
            R"({"step":"deploy","after":{"distribution":"lognormal","median":")" + seconds + R"(s","sigma":0.7})" +
                probability + "}");
        return;
      case 3:
        ask("POST", "/-/sim/rules",
            R"({"step":"build","after":")" + seconds + R"(s","fails":"no room")" + probability + "}");
        return;
      case 4: ask("POST", "/-/sim/rules", R"({"step":"deploy","outcome":"hang")" + probability + "}"); return;
      case 5:
        ask("POST", "/-/sim/rules",
            R"({"step":"deploy","after":"90s","contact_lost_after":"5s","contact_back_after":")" + seconds + "s\"" +
                probability + "}");
        return;
      case 6:
        ask("POST", "/-/sim/rules", R"({"kind":"cluster","outcome":"credentials_refused")" + probability + "}");
        return;
      case 7:
        ask("POST", "/-/sim/rules", R"({"step":"deploy","crash_after":")" + seconds + "s\"" + probability + "}");
        return;
      default:
        ask("POST", "/-/sim/rules", R"({"step":"stop","fails":"it does not stop","times":)" + random_.count(3) + "}");
        return;
    }
  }

  // Sets any state, or holds a resource for a while.
  void force() {
    static constexpr std::array states = {"RECAP",    "DEPLOYED", "DEPLOYING",  "QUEUED",
                                          "BUILDING", "STOPPED",  "STOP_ERROR", "DEPLOYMENT_ERROR",
                                          "RUNNING",  "READY",    "EXECUTING",  "UNAVAILABLE"};
    const std::string id = random_.in(4) ? id_of(*find_family("cluster")) : id_of(any_service());
    const std::string resource = R"({"resource":")" + id + "\"";
    if (random_.in(2))
      ask("POST", "/-/sim/state", resource + R"(,"state":")" + std::string(random_.one_of(states)) + "\"}");
    else ask("POST", "/-/sim/state", resource + R"(,"hold":true,"for":")" + random_.count(500) + "s\"}");
  }

  // Restores a snapshot, and checks that everything is as it was.
  void go_back() {
    const Reply snapshot = simulation_.ask("GET", "/-/sim/snapshot");
    const FeedFollower followed = follower_;
    const auto ids = ids_;
    const std::string before = seen();
    for (int operation = 0; operation < 5; ++operation) any_operation();
    ask("PUT", "/-/sim/snapshot", snapshot.body);
    follower_ = followed;
    ids_ = ids;
    EXPECT_EQ(seen(), before) << about();
  }
  std::string seen() {
    std::string seen;
    for (const Route& route : all_routes()) {
      if (route.verb != Verb::read || route.parameters.size() != 1) continue;
      for (const std::string& id : ids_[route.family->number]) {
        const Reply reply = simulation_.ask("GET", route.path.substr(0, route.path.find('{')) + id);
        seen += std::to_string(reply.status) + reply.body + "\n";
      }
    }
    return seen;
  }

  // Checks that a service's state equals its last state in the feed.
  void compare() {
    const Family& family = any_service();
    const std::string id = id_of(family);
    const std::string path = "/" + route_name(family) + "/" + id + "/status";
    const Answer answer = ask("GET", path);
    const std::string followed = follower_.state_of(id);
    if (answer.status == 200 && !followed.empty()) {
      EXPECT_EQ(tests::Simulation::text_in(answer.body, "state"), followed) << about();
    }
  }

  std::string body_of(const Route& route) {
    if (route.operation.method == Method::get || random_.in(8)) return "";
    if (route.family == nullptr || random_.in(8)) return random_.in(2) ? "{}" : "{";
    Value body = platform_.sample_of(*route.family);
    if (!body.is_object() || body.members().empty()) return "{}";
    if (body.has("name") && random_.in(2)) body.set("name", Value("named " + random_.count(60)));
    if (random_.in(3)) spoil(body);
    return to_json(body);
  }
  // Replaces a member of the body by another value.
  void spoil(Value& body) {
    const std::string name(random_.one_of(body.members()).name.view());
    switch (random_.below(6)) {
      case 0: body.set(name, Value()); return;
      case 1: body.set(name, Value("")); return;
      case 2: body.set(name, Value(std::int64_t{-1})); return;
      case 3: body.set(name, Value(std::string(random_.in(10) ? 70'000 : 300, 'x'))); return;
      case 4: body.set(name, Value(true)); return;
      default: body.set("no such member", Value("1")); return;
    }
  }

  void any_operation() {
    const Route& route = random_.one_of(all_routes());
    const bool deletes = route.operation.method == Method::remove;
    const bool is_of_root =
        route.family != nullptr && (route.family->name == "organization" || route.family->name == "environment" ||
                                    route.family->name == "cluster");
    if (deletes && (is_of_root || !random_.in(6))) return;
    for (const Family* family : all_families()) platform_.take(*family, id_of(*family));
    platform_.take(*find_family("organization"), organization_);
    const Answer answer = ask(to_string(route.operation.method), platform_.path_of(route), body_of(route));
    if (route.verb == Verb::create && answer.status == 201 && ids_[route.family->number].size() < 6) {
      ids_[route.family->number].push_back(tests::Simulation::text_in(answer.body, "id"));
    }
  }

  void follow() {
    EventRange range;
    range.after = follower_.last();
    const auto events = parse_stored(*simulation_->engine().events(range));
    ASSERT_TRUE(events) << about();
    for (const Value& event : events->items()) {
      const std::string broken = follower_.follow(event);
      ASSERT_EQ(broken, "") << about() << "\n" << to_json(event);
    }
  }

  // Checks that everything ends within two days, with rules that allow it.
  void expect_that_all_ends() {
    ask("PUT", "/-/sim/rules", R"({"pack":"realistic"})");
    const std::set<std::string> running = follower_.deployments();
    for (int hours = 0; hours < 48; hours += 6) {
      ask("POST", "/-/sim/clock", R"({"advance":"6h"})");
      follow();
    }
    const std::set<std::string> left = follower_.deployments();
    for (const std::string& deployment : running)
      EXPECT_FALSE(left.contains(deployment)) << about() << "\nthe deployment " << deployment << " does not end";
  }

  std::uint64_t seed_;
  tests::SeededRandom random_;
  tests::Simulation simulation_;
  Platform platform_;
  FeedFollower follower_;
  std::map<FamilyNumber, std::vector<std::string>> ids_;
  std::string organization_;
  std::string environment_;
  std::string what_;
};

std::uint64_t number_from(const char* variable, std::uint64_t otherwise) {
  const char* const text = std::getenv(variable);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

TEST(RandomPlatforms, KeepWhatEveryPlatformKeeps) {
  const std::uint64_t first = number_from("ORLOP_PLATFORM_SEED", 1);
  const std::uint64_t operations = number_from("ORLOP_PLATFORM_OPERATIONS", 10 * operations_of_one);
  for (std::uint64_t done = 0, seed = first; done < operations; done += operations_of_one, ++seed) {
    RandomPlatform(seed).run(operations_of_one);
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace orlop
