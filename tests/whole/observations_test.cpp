// Observations: when a driver is asked, what is stored of its answers, and what follows from silence.
#include "observations/observation_records.h"

#include <gtest/gtest.h>

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "whole/held_steps.h"
#include "wire/json.h"

namespace orlop {
namespace {

// Notes for what it is asked.
class Watching final : public HeldSteps {
 public:
  bool observes() const override { return true; }
  void observe(const Id& cluster, std::span<const Id> services) override {
    asked.emplace_back(cluster, std::vector<Id>(services.begin(), services.end()));
  }
  std::vector<std::pair<Id, std::vector<Id>>> asked;
};

class Observations : public HeldStepsTest<Watching> {
 protected:
  Observations() { open(); }

  // Ticks at the times that the engine asks for, for so many seconds.
  void pass(std::int64_t duration) {
    const Instant end = clock_.now() + seconds(duration);
    for (;;) {
      const auto wanted = engine_->tick();
      ASSERT_TRUE(wanted) << wanted.error().message;
      if (!*wanted || **wanted > end) break;
      if (**wanted > clock_.now()) clock_.set(**wanted);
    }
    clock_.set(end);
    tick();
  }
  void act(std::string_view family, std::string_view action) {
    const std::string id = platform_->id_of(family);
    platform_->request("POST", "/" + std::string(family) + "/" + id + "/" + std::string(action));
    tick();
    end(ReportKind::succeeded);
  }
  void deploy() {
    act("container", "deploy");
    web_ = parse_id(platform_->id_of("container")).value();
    tick();
  }
  Result<void> say(RunningState state, std::string text = {}) {
    auto said = engine_->report({web_, ReportKind::running_state, state, std::move(text)});
    tick();
    return said;
  }
  std::string get(const std::string& name) {
    const Value status = parse_json(platform_->request("GET", "/container/" + to_text(web_) + "/status")).value();
    const Value* const found = status.find(name);
    return found == nullptr ? "-" : to_json(*found);
  }
  std::size_t changes() {
    std::size_t count = 0;
    auto transaction = store_->begin(Access::read);
    EXPECT_TRUE(transaction);
    EXPECT_TRUE((*transaction)->events({}, [&](const Event& event) {
      count += event.kind == EventKind::running_changed ? 1U : 0U;
      return true;
    }));
    return count;
  }

  Id web_;
};

TEST_F(Observations, AreAskedForEveryIntervalByCluster) {
  platform_->id_of("container");
  pass(100);
  EXPECT_TRUE(driver_.asked.empty());  // nothing is deployed

  deploy();
  driver_.asked.clear();
  pass(95);
  ASSERT_EQ(driver_.asked.size(), 3U);
  const Id cluster = parse_id(platform_->id_of("cluster")).value();
  for (const auto& [asked_cluster, services] : driver_.asked) {
    EXPECT_EQ(asked_cluster, cluster);
    EXPECT_EQ(services, std::vector<Id>{web_});
  }

  act("container", "stop");
  driver_.asked.clear();
  pass(95);
  EXPECT_TRUE(driver_.asked.empty());
}

TEST_F(Observations, AreAskedForAtOnceByAnEngineThatOpens) {
  deploy();
  driver_.asked.clear();
  open();
  tick();
  EXPECT_EQ(driver_.asked.size(), 1U);
}

TEST_F(Observations, AreShownByTheStatusUntilTheNextOne) {
  deploy();
  EXPECT_EQ(get("running_state"), "-");
  ASSERT_TRUE(say(RunningState::warning,
                  R"({"reason":"CrashLoopBackOff","instances":{"ready":1,"wanted":3},"last_exit_code":137})"));
  EXPECT_EQ(get("running_state"), R"("WARNING")");
  EXPECT_EQ(get("observation"),
            R"({"instances":{"wanted":3,"ready":1},"last_exit_code":137,"reason":"CrashLoopBackOff"})");
  ASSERT_TRUE(say(RunningState::running));
  EXPECT_EQ(get("running_state"), R"("RUNNING")");
  EXPECT_EQ(get("observation"), "-");
  ASSERT_TRUE(say(RunningState::running, R"({"restarts":4})"));
  EXPECT_EQ(get("observation"), R"({"restarts":4})");
  act("container", "stop");
  EXPECT_EQ(get("running_state"), "-");
  EXPECT_EQ(get("observation"), "-");
}

TEST_F(Observations, MakeAnEventOnlyWhereSomethingChanged) {
  deploy();
  ASSERT_TRUE(say(RunningState::running, R"({"since":"2026-01-01T00:00:00Z","instances":{"ready":1}})"));
  EXPECT_EQ(changes(), 1U);
  ASSERT_TRUE(say(RunningState::running, R"({"since":"2026-01-01T00:00:00Z","instances":{"ready":1}})"));
  ASSERT_TRUE(say(RunningState::running, R"({"since":"2026-01-01T00:01:00Z","instances":{"ready":1}})"));
  EXPECT_EQ(changes(), 1U);
  ASSERT_TRUE(say(RunningState::running, R"({"instances":{"ready":2}})"));
  EXPECT_EQ(changes(), 2U);
}

TEST_F(Observations, ThatSayWhatIsStoredAreTakenAgainAfterAnotherDeployment) {
  deploy();
  pass(40);
  ASSERT_TRUE(say(RunningState::running));
  act("container", "stop");
  EXPECT_EQ(get("running_state"), "-");
  act("container", "deploy");
  pass(40);
  ASSERT_TRUE(say(RunningState::running));
  EXPECT_EQ(get("running_state"), R"("RUNNING")");
}

TEST_F(Observations, ThatAreMissingMakeTheStateUnknown) {
  deploy();
  pass(1);
  ASSERT_TRUE(say(RunningState::running));
  pass(85);
  EXPECT_EQ(get("running_state"), R"("RUNNING")");
  pass(60);
  EXPECT_EQ(get("running_state"), R"("UNKNOWN")");
  EXPECT_NE(get("observation").find("the driver has said nothing"), std::string::npos) << get("observation");
  const std::size_t before = changes();
  pass(600);
  EXPECT_EQ(changes(), before);
  ASSERT_TRUE(say(RunningState::running));
  EXPECT_EQ(get("running_state"), R"("RUNNING")");
}

TEST_F(Observations, AreRefusedWithTheFieldsName) {
  deploy();
  const auto refused = [&](std::string text, std::string_view words) {
    const auto said = say(RunningState::running, std::move(text));
    ASSERT_FALSE(said);
    EXPECT_EQ(said.error().code, ErrorCode::invalid);
    EXPECT_NE(said.error().message.find(words), std::string::npos) << said.error().message;
  };
  refused("[]", "must be a JSON object");
  refused("{", "must be a JSON object");
  refused(R"({"restart":1})", "restart");
  refused(R"({"restarts":-1})", "restarts");
  refused(R"({"instances":{"ready":"all"}})", "instances.ready");
  refused(R"({"since":"yesterday"})", "since");
  EXPECT_EQ(get("running_state"), "-");
  // A long reason is cut, as other reasons are.
  ASSERT_TRUE(say(RunningState::error, R"({"reason":")" + std::string(70'000, 'x') + R"("})"));
  EXPECT_LT(get("observation").size(), 4'300U);
}

TEST_F(Observations, ThatComeTooLateAreDropped) {
  platform_->id_of("container");
  web_ = parse_id(platform_->id_of("container")).value();
  ASSERT_TRUE(say(RunningState::error));
  EXPECT_EQ(get("running_state"), "-");  // never deployed
  deploy();
  ASSERT_TRUE(say(RunningState::running));
  act("container", "stop");
  ASSERT_TRUE(say(RunningState::error, R"({"reason":"it is gone"})"));
  EXPECT_EQ(get("running_state"), "-");
  EXPECT_EQ(get("observation"), "-");
}

TEST_F(Observations, OfAnUnhealthyServiceEndWithItsWorkload) {
  deploy();
  ASSERT_TRUE(say(RunningState::error));
  act("container", "stop");
  std::string said;
  auto transaction = store_->begin(Access::read);
  ASSERT_TRUE(transaction);
  ASSERT_TRUE((*transaction)->events({}, [&](const Event& event) {
    if (event.kind == EventKind::running_changed) said += event.detail.text() + "\n";
    return true;
  }));
  EXPECT_EQ(said, "{\"health\":\"unhealthy\"}\n{\"health\":\"recovered\"}\n");
}

TEST_F(Observations, LetAServiceOfUnknownStateBeRestarted) {
  deploy();
  ASSERT_TRUE(say(RunningState::unknown));
  act("container", "restart-service");
  EXPECT_EQ(get("state"), R"("RESTARTED")");
}

TEST_F(Observations, AreHealthyAgainOnlyWhenTheyRun) {
  deploy();
  const std::string organization = platform_->id_of("organization");
  ASSERT_TRUE(say(RunningState::error, R"({"reason":"exit code 1"})"));
  ASSERT_TRUE(say(RunningState::starting));
  ASSERT_TRUE(say(RunningState::error, R"({"reason":"exit code 1"})"));
  ASSERT_TRUE(say(RunningState::running));
  std::string said;
  auto transaction = store_->begin(Access::read);
  ASSERT_TRUE(transaction);
  ASSERT_TRUE((*transaction)->events({}, [&](const Event& event) {
    if (event.kind == EventKind::running_changed) said += event.detail.text() + "\n";
    return true;
  }));
  EXPECT_EQ(said, R"({"health":"unhealthy","reason":"exit code 1"})"
                  "\n\n"
                  R"({"reason":"exit code 1"})"
                  "\n"
                  R"({"health":"recovered"})"
                  "\n");
}

}  // namespace
}  // namespace orlop
