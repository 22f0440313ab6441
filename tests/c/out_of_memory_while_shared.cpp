// Memory that runs out while instants of a simulation share a commit: no step is lost, and each deployment ends.
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "check.h"
#include "exhaust.h"
#include "orlop/orlop.h"

namespace {

constexpr std::size_t environments = 3;
constexpr std::size_t applications = 2;  // in each environment, besides a database
constexpr std::size_t services = environments * (applications + 1);
constexpr std::size_t steps = services + environments * applications;  // builds included

class Deployments {
 public:
  Deployments() : engine_(open_simulation(nullptr)) {
    char id[37];
    create(engine_, id, "/organization%s", "", R"({"name":"acme","plan":"FREE"})");
    const std::string organization = id;
    create(engine_, id, "/organization/%s/cluster", organization.c_str(),
           R"({"name":"europe","region":"eu-west-3","cloud_provider":"AWS"})");
    create(engine_, id, "/organization/%s/project", organization.c_str(), R"({"name":"shop"})");
    const std::string project = id;
    for (std::size_t number = 0; number < environments; ++number) {
      create(engine_, id, "/project/%s/environment", project.c_str(),
             (R"({"name":"env-)" + std::to_string(number) + "\"}").c_str());
      paths_[number] = std::string("/environment/") + id;
      const std::string environment = id;
      create(engine_, id, "/environment/%s/database", environment.c_str(),
             R"({"type":"POSTGRESQL","version":"16","mode":"CONTAINER","name":"orders"})");
      for (std::size_t application = 0; application < applications; ++application) {
        create(engine_, id, "/environment/%s/application", environment.c_str(),
               (R"({"healthchecks":{},"git_repository":{"url":"https://github.com/acme/web.git","provider":"GITHUB"},)"
                R"("name":"web-)" +
                std::to_string(application) + "\"}")
                   .c_str());
      }
    }
    orlop_reply* reply =
        dispatch(engine_, "POST", "/-/sim/rules", R"({"after":{"distribution":"uniform","least":"5s","most":"60s"}})");
    CHECK(orlop_reply_status(reply) == 204);
    orlop_reply_free(reply);
  }
  ~Deployments() { OK(orlop_close(engine_)); }
  Deployments(const Deployments&) = delete;
  Deployments& operator=(const Deployments&) = delete;

  orlop_engine* engine() { return engine_; }

  void begin() {
    since_ = last_event(engine_);
    for (const std::string& path : paths_) {
      orlop_reply* reply = dispatch(engine_, "POST", (path + "/deploy").c_str(), "");
      CHECK(orlop_reply_status(reply) == 202);
      orlop_reply_free(reply);
    }
  }
  void come_to_their_end() {
    OK(orlop_run_until_idle(engine_, nullptr));
    SO(count_in_feed(engine_, since_, "\"deployment.ended\"") == environments);
    SO(count_in_feed(engine_, since_, "\"step.started\"") == steps);
    SO(count_in_feed(engine_, since_, "\"step.ended\"") == steps);
    SO(count_in_feed(engine_, since_, "\"service.building\"") == environments * applications);
    SO(count_in_feed(engine_, since_, "\"service.deploying\"") == services);
    SO(count_in_feed(engine_, since_, "\"service.deployed\"") == services);
    for (const std::string& path : paths_)
      SO(body_of(engine_, path + "/statuses").find("DEPLOYMENT_ERROR") == std::string::npos);
  }

 private:
  orlop_engine* engine_;
  std::array<std::string, environments> paths_;
  std::uint64_t since_ = 0;
};

}  // namespace

int main() {
  Deployments deployments;
  const auto begin = [&] { deployments.begin(); };
  const auto end = [&](bool) { deployments.come_to_their_end(); };
  exhaust({"deployments whose steps end one after the other",
           [&] { return orlop_run_until_idle(deployments.engine(), nullptr); }, begin, end, 400});
  exhaust(
      {"an hour in which they do", [&] { return orlop_advance(deployments.engine(), 3'600'000); }, begin, end, 100});
  // Memory runs out again while the next tick reads the store.
  for (long place = 0; place < 16; ++place) {
    const auto twice = [&] {
      orlop_error* const error = orlop_run_until_idle(deployments.engine(), nullptr);
      if (error == nullptr) return error;
      orlop_error_free(error);
      left = place;
      return orlop_run_until_idle(deployments.engine(), nullptr);
    };
    exhaust({("deployments, and again at place " + std::to_string(place)).c_str(), twice, begin, end, 60});
  }
  return 0;
}
