// The limit of requests per hour: shared by the engines on a store, exact to a block of each, and measured by the
// monotonic clock.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine.h"
#include "rest/rate_limit.h"
#include "sim/seeded_random_source.h"
#include "store/open.h"
#include "unit/scratch.h"
#include "whole/jumping_clock.h"
#include "whole/shared_engines.h"

namespace orlop {
namespace {

using shared_engines::SlowStore;

class RateLimit : public testing::TestWithParam<bool> {
 protected:
  RateLimit() : file_(tests::scratch_file("limits.db")) {}

  // Opens one process: in memory on the shared store object, in a file on a store object of its own.
  Engine& open(std::uint32_t limit) {
    if (GetParam() || behind_ == nullptr)
      behind_ = GetParam() ? std::shared_ptr<Store>(std::move(open_sqlite_store(file_, Durability::normal).value()))
                           : open_memory_store();
    auto store = std::make_shared<SlowStore>(behind_);
    store->before_write = [this] { ++writes_; };
    EngineOptions options;
    options.store = std::move(store);
    options.clock = &clock_;
    options.random_source = sources_.emplace_back(std::make_unique<SeededRandomSource>(sources_.size() + 1)).get();
    options.settings.rate_limit = limit;
    auto opened = Engine::open(std::move(options));
    EXPECT_TRUE(opened) << opened.error().message;
    return *engines_.emplace_back(std::move(*opened));
  }
  static Reply ask(Engine& engine) {
    Request request{"GET", "/organization", "", {}};
    request.trust = Trust::outside;
    auto reply = engine.dispatch(request);
    EXPECT_TRUE(reply) << reply.error().message;
    return reply ? std::move(*reply) : Reply();
  }
  static std::string header(const Reply& reply, std::string_view name) {
    for (const auto& [key, value] : reply.headers) {
      if (key == name) return value;
    }
    return "";
  }
  static int ask_often(Engine& engine, int times) {
    int answered = 0;
    for (int at = 0; at < times; ++at) answered += ask(engine).status == 200 ? 1 : 0;
    return answered;
  }

  JumpingClock clock_;
  std::string file_;
  std::shared_ptr<Store> behind_;
  std::vector<std::unique_ptr<SeededRandomSource>> sources_;
  std::vector<std::unique_ptr<Engine>> engines_;
  std::size_t writes_ = 0;
};
INSTANTIATE_TEST_SUITE_P(Stores, RateLimit, testing::Bool(),
                         [](const auto& info) { return info.param ? "file" : "memory"; });

TEST_P(RateLimit, is_one_for_all_engines_on_a_store) {
  Engine& one = open(1000);
  Engine& two = open(1000);
  writes_ = 0;
  int answered = ask_often(one, 500) + ask_often(two, 300);
  EXPECT_EQ(answered, 800);
  EXPECT_LE(writes_, 20U) << "one for each block";
  const int remaining = std::stoi(header(ask(two), "x-ratelimit-remaining"));
  EXPECT_LE(remaining, 199);
  EXPECT_GE(remaining, 199 - 100) << "but for what the other one has reserved";
  ++answered;
  answered += ask_often(one, 600) + ask_often(two, 600);
  EXPECT_EQ(answered, 1000) << "each has spent what it had reserved";
  EXPECT_EQ(ask(one).status, 429);
  EXPECT_EQ(header(ask(two), "x-ratelimit-remaining"), "0");
  writes_ = 0;
  ask_often(one, 50);
  EXPECT_EQ(writes_, 0U) << "what is refused asks the store no more";
  clock_.pass(seconds(3600));
  EXPECT_EQ(ask(one).status, 200);
  EXPECT_EQ(ask(two).status, 200);
}

TEST_P(RateLimit, outlives_an_engine) {
  EXPECT_EQ(ask_often(open(60), 50), 50);
  engines_.clear();
  EXPECT_EQ(ask_often(open(60), 50), 10);
}

TEST_P(RateLimit, a_time_that_jumps_opens_no_window_and_locks_no_caller) {
  Engine& one = open(20);
  Engine& two = open(20);
  EXPECT_EQ(ask_often(one, 30), 20);
  for (const std::int64_t years : {10, -10, -10, 10}) {
    clock_.jump(years);
    EXPECT_EQ(ask_often(one, 5), 0) << "the hour has not passed";
    clock_.pass(seconds(3600));
    EXPECT_EQ(ask_often(one, 30), 20);
    EXPECT_EQ(ask_often(two, 30), 0);
    const Reply refused = ask(two);
    const std::int64_t resets_in = std::stoll(header(refused, "x-ratelimit-reset")) - clock_.now().milliseconds / 1000;
    EXPECT_GE(resets_in, 0);
    EXPECT_LE(resets_in, 3600);
  }
}

TEST(RateLimitBlocks, have_one_request_near_the_limit) {
  EXPECT_EQ(reservation_block(0), 0U);
  EXPECT_EQ(reservation_block(1), 1U);
  EXPECT_EQ(reservation_block(99), 1U);
  EXPECT_EQ(reservation_block(100), 10U);
  EXPECT_EQ(reservation_block(1'000'000), 1000U);
}

}  // namespace
}  // namespace orlop
