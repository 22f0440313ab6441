// A host clock that jumps: durations continue as without the jump, and stored times stay in order.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "engine.h"
#include "platform.h"
#include "sim/seeded_random_source.h"
#include "store/open.h"
#include "whole/jumping_clock.h"
#include "wire/json.h"

namespace orlop {
namespace {

class NotingDriver final : public Driver {
 public:
  Result<void> start(const Step& step) override {
    if (is_busy) return ++refused, make_error(ErrorCode::try_later, "busy");
    started.push_back(step);
    return {};
  }
  void cancel(const Id& step, CancelMode) override { canceled.push_back(step); }
  std::vector<Step> started;
  std::vector<Id> canceled;
  bool is_busy = false;
  int refused = 0;
};

class TimeOfHost : public testing::Test {
 protected:
  void SetUp() override {
    EngineOptions options;
    options.store = open_memory_store();
    options.clock = &clock_;
    options.random_source = &random_source_;
    options.driver = &driver_;
    options.settings.require_cluster = false;
    options.settings.start_deadline = options.settings.step_deadline = seconds(600);
    auto opened = Engine::open(std::move(options));
    ASSERT_TRUE(opened) << opened.error().message;
    engine_ = std::move(*opened);
    Platform platform(*engine_);
    environment_ = platform.id_of("environment");
    service_ = platform.id_of("container");
  }
  Reply ask(std::string_view method, const std::string& path, std::string_view body = "") {
    auto reply = engine_->dispatch({method, path, body, {}});
    EXPECT_TRUE(reply) << path;
    return reply ? std::move(*reply) : Reply();
  }
  std::string create(const std::string& path, std::string_view body) {
    const Reply reply = ask("POST", path, body);
    EXPECT_LT(reply.status, 300) << path << ": " << reply.body;
    return std::string(parse_stored(reply.body)->text_or("id", ""));
  }
  std::optional<Instant> tick() {
    std::optional<Instant> wanted;
    for (int ticks = 0; ticks < 10; ++ticks) {
      const auto ticked = engine_->tick();
      EXPECT_TRUE(ticked) << ticked.error().message;
      wanted = ticked ? *ticked : std::nullopt;
      if (!wanted || *wanted > engine_->now()) break;
    }
    return wanted;
  }
  std::string state() {
    return std::string(parse_stored(ask("GET", "/container/" + service_ + "/status").body)->text_or("state", ""));
  }
  void expect_order() {
    const auto page = engine_->read_events({.limit = 10'000});
    ASSERT_TRUE(page);
    for (std::size_t at = 1; at < page->events.size(); ++at) EXPECT_GE(page->events[at].at, page->events[at - 1].at);
  }

  JumpingClock clock_;
  SeededRandomSource random_source_{7};
  NotingDriver driver_;
  std::unique_ptr<Engine> engine_;
  std::string environment_, service_;
};
class JumpingTime : public TimeOfHost, public testing::WithParamInterface<std::int64_t> {};
INSTANTIATE_TEST_SUITE_P(Years, JumpingTime, testing::Values(10, -10),
                         [](const auto& info) { return info.param > 0 ? "forward" : "back"; });

TEST_P(JumpingTime, fails_no_running_step_and_keeps_its_deadline) {
  EXPECT_EQ(ask("POST", "/environment/" + environment_ + "/deploy").status, 202);
  tick();
  ASSERT_EQ(driver_.started.size(), 1U);
  clock_.pass(seconds(300));
  clock_.jump(GetParam());
  const auto wanted = tick();
  ASSERT_TRUE(wanted);
  EXPECT_EQ((*wanted - engine_->now()).milliseconds, 300'000) << "how long the host may wait";
  EXPECT_TRUE(driver_.canceled.empty());
  clock_.pass(seconds(299));
  tick();
  EXPECT_TRUE(driver_.canceled.empty());
  clock_.pass(seconds(2));
  tick();
  EXPECT_EQ(driver_.canceled.size(), 1U);
  EXPECT_EQ(state(), "DEPLOYMENT_ERROR");
  expect_order();
}

TEST_P(JumpingTime, a_step_that_begins_afterwards_has_its_whole_time) {
  clock_.jump(GetParam());
  EXPECT_EQ(ask("POST", "/environment/" + environment_ + "/deploy").status, 202);
  tick();
  clock_.pass(seconds(100));
  ASSERT_TRUE(engine_->report({driver_.started.front().id, ReportKind::started, RunningState::none, {}}));
  tick();
  clock_.jump(-GetParam());
  clock_.pass(seconds(599));
  tick();
  EXPECT_TRUE(driver_.canceled.empty());
  EXPECT_EQ(state(), "DEPLOYING");
  clock_.pass(seconds(2));
  tick();
  EXPECT_EQ(state(), "DEPLOYMENT_ERROR");
  expect_order();
}

TEST_P(JumpingTime, a_step_that_is_put_off_is_offered_again_in_its_time) {
  driver_.is_busy = true;
  EXPECT_EQ(ask("POST", "/environment/" + environment_ + "/deploy").status, 202);
  tick();
  EXPECT_EQ(driver_.refused, 1);
  clock_.jump(GetParam());
  tick();
  EXPECT_EQ(driver_.refused, 1) << "a second has not passed";
  clock_.pass(seconds(1));
  tick();
  EXPECT_EQ(driver_.refused, 2);
}

TEST_P(JumpingTime, time_goes_on_in_the_feed) {
  clock_.jump(GetParam());
  create("/organization", R"({"name":"first","plan":"FREE"})");
  clock_.jump(-GetParam());
  create("/organization", R"({"name":"second","plan":"FREE"})");
  clock_.pass(seconds(120));
  create("/organization", R"({"name":"third","plan":"FREE"})");
  const auto page = engine_->read_events({.limit = 10'000});
  ASSERT_TRUE(page);
  expect_order();
  EXPECT_EQ((page->events.back().at - page->events[page->events.size() - 2].at).milliseconds > 0, true)
      << "it does not stand still";
}

TEST_F(TimeOfHost, years_up_to_9999_are_written_right) {
  constexpr std::int64_t last_day = 253'402'214'400'000;  // 9999-12-31
  clock_.set({last_day + 3'600'000});
  const std::string id = create("/organization", R"({"name":"late","plan":"FREE"})");
  EXPECT_NE(ask("GET", "/organization/" + id).body.find(R"("created_at":"9999-12-31T01:00:00.000Z")"),
            std::string::npos);
  EXPECT_EQ(ask("POST", "/environment/" + environment_ + "/deploy").status, 202);
  tick();
  ASSERT_TRUE(engine_->report({driver_.started.front().id, ReportKind::succeeded, RunningState::none, {}}));
  tick();
  EXPECT_EQ(state(), "DEPLOYED");
  EXPECT_TRUE(engine_->snapshot());
}

}  // namespace
}  // namespace orlop
