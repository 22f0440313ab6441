// The scripted driver of a simulation starts steps before their commit: its reports at that instant are stored with the
// start, and a commit that fails does not change the course.
#include <gtest/gtest.h>

#include <cstddef>
#include <memory>
#include <string>

#include "unit/sim/refusing_store.h"
#include "unit/sim/simulation.h"

namespace orlop {
namespace {

using tests::Simulation;

class UncommittedStarts : public testing::Test {
 protected:
  // Returns the feed of two databases and a job, of which one step fails and one takes no time, after the store has
  // refused a change; 0: none.
  std::string feed(std::size_t refused) {
    store = std::make_shared<tests::RefusingStore>();
    Simulation simulation({}, Authentication::off, "memory:", nullptr, store);
    const std::string environment = simulation.furnish();
    simulation.make_job();
    for (const char* rule :
         {R"({"step":"deploy","after":"30s","jitter":"20s"})",
          R"({"step":"deploy","name":"orders","outcome":"fail","times":1})", R"({"step":"execute","after":0})"}) {
      EXPECT_EQ(simulation.ask("POST", "/-/sim/rules", rule).status, 204) << rule;
    }
    for (int round = 0; round < 2; ++round) {
      if (round == 0) store->refuse_at(refused);
      const std::string path = "/environment/" + environment + "/deploy";
      Request request;
      request.method = "POST";
      request.path = path;
      request.body = "{}";
      request.trust = Trust::host;
      has_failed = (!simulation->dispatch(request).ok() && simulation->dispatch(request).ok()) || has_failed;
      has_failed = !simulation->run_until_idle().ok() || has_failed;
      EXPECT_TRUE(simulation->run_until_idle().ok());
    }
    return simulation.events();
  }

  std::shared_ptr<tests::RefusingStore> store;
  bool has_failed = false;
};

TEST_F(UncommittedStarts, AreTheSameWhicheverChangeIsRefused) {
  const std::string undisturbed = feed(0);
  EXPECT_FALSE(has_failed);
  EXPECT_NE(undisturbed.find("\"DEPLOYMENT_ERROR\""), std::string::npos) << undisturbed;
  std::size_t refused = 0;
  for (std::size_t number = 1;; ++number) {
    has_failed = false;
    const std::string after = feed(number);
    if (!store->has_refused()) break;
    ++refused;
    EXPECT_TRUE(has_failed) << "change " << number;
    ASSERT_EQ(after, undisturbed) << "change " << number << " was refused";
  }
  EXPECT_GT(refused, 3U);
}

// One tick starts a step and reports its beginning, one ends it.
TEST_F(UncommittedStarts, NeedNoTickForTheBeginning) {
  Simulation simulation;
  const std::string environment = simulation.furnish();
  simulation.ask("POST", "/-/sim/rules", R"({"step":"deploy","after":"30s"})");
  simulation.ask("POST", "/environment/" + environment + "/deploy", R"({})");
  ASSERT_TRUE(simulation->tick().ok());
  EXPECT_EQ(simulation.state(simulation.databases[0]), "DEPLOYING");
  ASSERT_TRUE(simulation->advance(seconds(30)).ok());
  EXPECT_EQ(simulation.state(simulation.databases[0]), "DEPLOYED");
}

}  // namespace
}  // namespace orlop
