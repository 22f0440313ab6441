// Engines on one store whose clocks differ, and a clock that jumps: lifetimes pass by the time that several ticks agree
// on.
#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "engine.h"
#include "sim/seeded_random_source.h"
#include "store/open.h"
#include "unit/agreed_time.h"
#include "whole/jumping_clock.h"
#include "wire/json.h"

namespace orlop {
namespace {

constexpr Duration one_day = seconds(86'400);

class Process {
 public:
  Process(std::shared_ptr<Store> store, std::uint64_t seed, Duration ahead, EngineRole role = EngineRole::both)
      : random_source_(seed) {
    clock.set(clock.now() + ahead);
    EngineOptions options;
    options.store = std::move(store);
    options.clock = &clock;
    options.random_source = &random_source_;
    options.role = role;
    options.settings.events_kept_for = Duration{30 * one_day.milliseconds};
    options.settings.authentication = Authentication::required;
    auto opened = Engine::open(std::move(options));
    EXPECT_TRUE(opened) << opened.error().message;
    engine = std::move(*opened);
  }
  void tick(int times = 1) {
    for (int done = 0; done < times; ++done) EXPECT_TRUE(engine->tick());
  }
  Reply ask(std::string_view method, const std::string& path, std::string_view body = "", const std::string& key = "") {
    Request request{method, path, body, {}};
    if (!key.empty()) request.headers.emplace_back("Idempotency-Key", key);
    auto reply = engine->dispatch(request);
    EXPECT_TRUE(reply) << path;
    return reply ? std::move(*reply) : Reply();
  }
  std::uint16_t status_with(const std::string& token) {
    const std::string credentials = "Token " + token;
    const Request request{"GET", "/organization", "", {{"Authorization", credentials}}, Trust::outside};
    const auto reply = engine->dispatch(request);
    EXPECT_TRUE(reply);
    return reply ? reply->status : std::uint16_t{0};
  }

  JumpingClock clock;
  std::unique_ptr<Engine> engine;

 private:
  SeededRandomSource random_source_;
};

class DifferingClocks : public testing::TestWithParam<std::int64_t> {
 protected:
  static Duration difference() { return seconds(GetParam() * 3600); }
  static std::string member(const Reply& reply, std::string_view name) {
    return std::string(parse_stored(reply.body)->text_or(name, ""));
  }

  std::shared_ptr<Store> store = open_memory_store();
  Process right{store, 1, {}};
  Process wrong{store, 2, difference()};
  std::string organization = member(right.ask("POST", "/organization", R"({"name":"acme","plan":"FREE"})"), "id");
};
INSTANTIATE_TEST_SUITE_P(Hours, DifferingClocks, testing::Values(25, -25, 24 * 366, -24 * 366), [](const auto& info) {
  return (info.param < 0 ? "behind_" : "ahead_") + std::to_string(std::abs(info.param));
});

TEST_P(DifferingClocks, keep_answers_for_their_keys) {
  const std::string tokens = "/organization/" + organization + "/apiToken";
  const std::string first = right.ask("POST", tokens, R"({"name":"t"})", "order-1").body;
  for (int round = 0; round < 10; ++round) {
    EXPECT_LT(wrong
                  .ask("POST", "/organization/" + organization + "/project",
                       R"({"name":"p)" + std::to_string(round) + R"("})", "b" + std::to_string(round))
                  .status,
              300);
    wrong.tick();
    right.tick();
  }
  EXPECT_EQ(right.ask("POST", tokens, R"({"name":"t"})", "order-1").body, first);
  EXPECT_EQ(wrong.ask("POST", tokens, R"({"name":"t"})", "order-1").body, first);
}

TEST_P(DifferingClocks, keep_answers_for_a_process_that_begins_anew) {
  const std::string projects = "/organization/" + organization + "/project";
  const std::string first = right.ask("POST", projects, R"({"name":"p"})", "order-1").body;
  for (int round = 0; round < 4; ++round) {
    EXPECT_LT(
        wrong.ask("POST", projects, R"({"name":"p)" + std::to_string(round) + R"("})", "b" + std::to_string(round))
            .status,
        300);
    right.tick();
    wrong.tick();
  }
  Process again(store, 3, {});
  EXPECT_EQ(again.ask("POST", projects, R"({"name":"p"})", "order-1").body, first);
  again.tick(4);
  EXPECT_EQ(again.ask("POST", projects, R"({"name":"p"})", "order-1").body, first);
}

// An engine that ticks before the other one does knows its clock only by events.
TEST_P(DifferingClocks, keep_answers_for_one_that_has_not_ticked) {
  const std::string projects = "/organization/" + organization + "/project";
  const std::string first = right.ask("POST", projects, R"({"name":"p"})", "order-1").body;
  for (int round = 0; round < 5; ++round) {
    wrong.ask("POST", projects, R"({"name":"w)" + std::to_string(round) + R"("})", "b" + std::to_string(round));
    wrong.tick(4);
  }
  EXPECT_EQ(right.ask("POST", projects, R"({"name":"p"})", "order-1").body, first);
}

TEST_P(DifferingClocks, hold_locks_and_invitations) {
  const std::string path = "/organization/" + organization;
  const std::string lock =
      "/cluster/" +
      member(right.ask("POST", path + "/cluster", R"({"name":"eu","region":"eu-west-3","cloud_provider":"AWS"})"),
             "id") +
      "/lock";
  const std::string locks = path + "/lock", invitations = path + "/inviteMember";
  EXPECT_LT(right.ask("POST", lock, R"({"reason":"a freeze","ttl_in_days":1})").status, 300);
  EXPECT_LT(right.ask("POST", invitations, R"({"email":"ann@example.com","role":"ADMIN"})").status, 300);
  for (int round = 0; round < 4; ++round) {
    right.tick();
    wrong.tick();
    wrong.ask("POST", "/organization", R"({"name":"w)" + std::to_string(round) + R"(","plan":"FREE"})");
    for (Process* process : {&right, &wrong}) {
      EXPECT_NE(process->ask("GET", locks).body.find("a freeze"), std::string::npos);
      EXPECT_NE(process->ask("GET", invitations).body.find("PENDING"), std::string::npos);
    }
  }
  for (Process* process : {&right, &wrong}) process->clock.pass(Duration{9 * one_day.milliseconds});
  right.tick(2);
  wrong.tick(2);
  for (Process* process : {&right, &wrong}) {
    EXPECT_EQ(process->ask("GET", locks).body.find("a freeze"), std::string::npos);
    EXPECT_NE(process->ask("GET", invitations).body.find("EXPIRED"), std::string::npos);
  }
}

TEST_P(DifferingClocks, let_tokens_be_made_that_end_in_a_week) {
  const std::string tokens = "/organization/" + organization + "/apiToken";
  for (const std::string name : {"a", "b", "c", "d"}) {
    Process& process = name < "c" ? wrong : right;
    EXPECT_LT(process.ask("POST", tokens, R"({"name":")" + name + R"(","expires_at":"2026-01-08T00:00:00Z"})").status,
              300);
    right.tick();
    wrong.tick();
  }
}

TEST_P(DifferingClocks, accept_the_same_tokens) {
  const std::string token = member(right.ask("POST", "/organization/" + organization + "/apiToken",
                                             R"({"name":"t","expires_at":"2026-01-01T12:00:00Z"})"),
                                   "token");
  for (int round = 0; round < 5; ++round) {
    EXPECT_EQ(right.status_with(token), 200);
    EXPECT_EQ(wrong.status_with(token), 200);
    wrong.tick();
    right.tick();
  }
  for (Process* process : {&right, &wrong}) process->clock.pass(seconds(13 * 3600));
  for (int round = 0; round < 5; ++round) {
    right.tick();
    wrong.tick();
  }
  EXPECT_EQ(right.status_with(token), 401);
  EXPECT_EQ(wrong.status_with(token), 401);
}

TEST_P(DifferingClocks, forget_no_event) {
  for (int round = 0; round < 10; ++round) {
    right.ask("POST", "/organization", R"({"name":"o)" + std::to_string(round) + R"(","plan":"FREE"})");
    wrong.tick();
    right.tick();
    wrong.ask("POST", "/organization", R"({"name":"w)" + std::to_string(round) + R"(","plan":"FREE"})");
  }
  EXPECT_EQ(right.engine->read_events({.limit = 10'000})->events.front().sequence, 1U);
}

// One engine alone.
class DoubtedClock : public testing::Test {
 protected:
  std::uint64_t first_event() { return process.engine->read_events({.limit = 10})->events.front().sequence; }
  void make_events() {
    for (int round = 0; round < 20; ++round)
      process.ask("POST", "/organization", R"({"name":"o)" + std::to_string(round) + R"(","plan":"FREE"})");
  }
  Process process{open_memory_store(), 1, {}};
};

TEST_F(DoubtedClock, that_is_ahead_for_one_tick_forgets_nothing) {
  make_events();
  process.tick();
  process.clock.jump(1);
  process.tick();
  process.clock.jump(-1);
  process.tick(6);
  EXPECT_EQ(first_event(), 1U);
}

TEST_F(DoubtedClock, is_believed_once_several_ticks_agree) {
  make_events();
  process.tick();
  process.clock.jump(1);
  int ticks = 0;
  for (auto wanted = process.engine->tick(); wanted && *wanted && **wanted <= process.clock.now() && ticks < 20;
       wanted = process.engine->tick())
    ++ticks;
  EXPECT_GE(ticks, AgreedTime::votes_needed - 1) << "a tick says that the next one is to come at once";
  process.clock.pass(seconds(86'400));
  process.tick(2);
  EXPECT_GT(first_event(), 1U);
}

// The time in an engine that only serves requests.
TEST(ServingEngine, believes_a_clock_that_goes_on_for_a_minute) {
  const std::shared_ptr<Store> store = open_memory_store();
  std::string token;
  {
    Process before(store, 1, {});
    const Reply made = before.ask("POST", "/organization", R"({"name":"acme","plan":"FREE"})");
    const std::string organization(parse_stored(made.body)->text_or("id", ""));
    const Reply reply = before.ask("POST", "/organization/" + organization + "/apiToken",
                                   R"({"name":"t","expires_at":"2026-01-02T00:00:00Z"})");
    token = std::string(parse_stored(reply.body)->text_or("token", ""));
  }
  Process serving(store, 2, Duration{3 * one_day.milliseconds}, EngineRole::serve);
  EXPECT_EQ(serving.status_with(token), 200) << "the store was last written to three days ago, or the clock is wrong";
  serving.clock.pass(seconds(61));
  EXPECT_EQ(serving.status_with(token), 401);
}

TEST(ServingEngine, does_not_believe_a_clock_that_the_driving_one_contradicts) {
  const std::shared_ptr<Store> store = open_memory_store();
  Process driving(store, 1, {});
  const Reply made = driving.ask("POST", "/organization", R"({"name":"acme","plan":"FREE"})");
  const std::string organization(parse_stored(made.body)->text_or("id", ""));
  const Reply reply = driving.ask("POST", "/organization/" + organization + "/apiToken",
                                  R"({"name":"t","expires_at":"2026-02-01T00:00:00Z"})");
  const std::string token(parse_stored(reply.body)->text_or("token", ""));
  driving.tick(2);
  driving.clock.pass(seconds(5 * 3600));  // nothing is written meanwhile
  Process serving(store, 2, Duration{366 * one_day.milliseconds}, EngineRole::serve);
  EXPECT_EQ(serving.status_with(token), 200);
  for (int minute = 0; minute < 5; ++minute) {
    EXPECT_EQ(
        serving.ask("POST", "/organization", R"({"name":"o)" + std::to_string(minute) + R"(","plan":"FREE"})").status,
        201);
    driving.tick(2);
    for (Process* process : {&driving, &serving}) process->clock.pass(seconds(61));
    EXPECT_EQ(serving.status_with(token), 200);
  }
}

}  // namespace
}  // namespace orlop
