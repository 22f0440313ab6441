// Ids of one store: they ascend in the order of creation and differ in their first eight digits, across crashes,
// processes and snapshots.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "engine.h"
#include "sim/seeded_random_source.h"
#include "sim/virtual_clock.h"
#include "store/open.h"
#include "store/walk.h"
#include "unit/scratch.h"
#include "wire/json.h"

namespace orlop {
namespace {

class IdsTest : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { url_ = GetParam() == "sqlite" ? "sqlite:" + tests::scratch_file("ids.db") : "memory:"; }

  // Opens a separate process on the store; memory has one store for all of them.
  std::unique_ptr<Engine> open(Instant at, const std::string& snapshot = "") {
    clocks_.push_back(std::make_unique<VirtualClock>(at));
    EngineOptions options;
    options.settings.require_cluster = false;
    options.snapshot = snapshot;
    if (GetParam() == "memory") {
      if (memory_ == nullptr) memory_ = open_memory_store();
      options.store = memory_;
    } else {
      options.storage = url_;
    }
    options.clock = clocks_.back().get();
    options.random_source = &random_source_;
    auto opened = Engine::open(std::move(options));
    EXPECT_TRUE(opened) << opened.error().message;
    return std::move(*opened);
  }
  static std::string create(Engine& engine, const std::string& path, const std::string& body) {
    const auto reply = engine.dispatch({"POST", path, body, {}});
    EXPECT_TRUE(reply && reply->status < 300) << path;
    return std::string(parse_stored(reply->body)->text_or("id", ""));
  }
  static std::string organization(Engine& engine, const std::string& name) {
    return create(engine, "/organization", R"({"name":")" + name + R"(","plan":"FREE"})");
  }
  static void expect_in_order(const std::vector<std::string>& ids) {
    EXPECT_TRUE(std::ranges::is_sorted(ids)) << testing::PrintToString(ids);
    std::set<std::string> starts;
    for (const std::string& id : ids) starts.insert(id.substr(0, 8));
    EXPECT_EQ(starts.size(), ids.size()) << testing::PrintToString(ids);
  }

  std::string url_;
  std::shared_ptr<Store> memory_;
  std::vector<std::unique_ptr<VirtualClock>> clocks_;
  SeededRandomSource random_source_{7};
};

INSTANTIATE_TEST_SUITE_P(stores, IdsTest, testing::Values("memory", "sqlite"),
                         [](const auto& info) { return info.param; });

TEST_P(IdsTest, EveryIdOfAnOrganizationHasAStartOfItsOwn) {
  const auto engine = open(Instant{1'767'225'600'000});
  const std::string top = organization(*engine, "acme");
  const std::string cluster = create(*engine, "/organization/" + top + "/cluster",
                                     R"({"name":"main","region":"eu-west-3","cloud_provider":"AWS"})");
  const std::string project = create(*engine, "/organization/" + top + "/project", R"({"name":"shop"})");
  std::vector<std::string> ids = {top, cluster, project};
  for (int at = 0; at < 20; ++at) {
    ids.push_back(
        create(*engine, "/project/" + project + "/environment", R"({"name":"e)" + std::to_string(at) + R"("})"));
  }
  expect_in_order(ids);
  // Including the ids of stages and all other records that were created with them.
  std::set<std::string> starts;
  std::size_t count = 0;
  const std::string snapshot = *engine->snapshot();
  for (std::size_t at = snapshot.find(R"({"record":{"id":")"); at != std::string::npos;
       at = snapshot.find(R"({"record":{"id":")", at + 1), ++count) {
    starts.insert(snapshot.substr(at + 17, 8));
  }
  EXPECT_GT(count, ids.size() + 20);
  EXPECT_EQ(starts.size(), count);
}

// A process that crashes, another one with a clock that is behind, one before 1970: the counter is the committed one.
TEST_P(IdsTest, NoCrashAndNoClockGivesAStartTwice) {
  std::vector<std::string> ids;
  std::vector<std::unique_ptr<Engine>> left_open;
  for (const std::int64_t at : {std::int64_t{1'767'225'600'000}, std::int64_t{1'767'225'600'000},
                                std::int64_t{1'000'000}, std::int64_t{-5'000}}) {
    left_open.push_back(open(Instant{at}));
    for (int count = 0; count < 3; ++count)
      ids.push_back(organization(*left_open.back(), "o" + std::to_string(ids.size())));
    if (GetParam() == "sqlite") continue;
    left_open.clear();
  }
  expect_in_order(ids);
}

TEST_P(IdsTest, ARefusedRequestTakesNoNumber) {
  const auto engine = open(Instant{1'000});
  const std::string first = organization(*engine, "one");
  EXPECT_EQ(engine->dispatch({"POST", "/organization", R"({"name":"one","plan":"FREE"})", {}})->status, 409);
  const std::string second = organization(*engine, "two");
  expect_in_order({first, second});
}

TEST_P(IdsTest, ASnapshotGoesOnWhereItsIdsEnd) {
  std::string snapshot;
  std::string first;
  {
    const auto engine = open(Instant{1'767'225'600'000});
    first = organization(*engine, "acme");
    snapshot = *engine->snapshot();
  }
  // As from an older version or manual edits: without the counter.
  const std::size_t at = snapshot.find(",\"id_count\":");
  ASSERT_NE(at, std::string::npos);
  std::string bare = snapshot;
  bare.erase(at, bare.find_first_of(",}", at + 1) - at);
  for (const std::string& text : {snapshot, bare}) {
    SetUp();
    memory_.reset();
    const auto engine = open(Instant{1'767'225'600'000}, text);
    expect_in_order({first, organization(*engine, "other")});
  }
}

// The id depends on the name, and its first digits are not a count.
TEST_P(IdsTest, ASnapshotWithAPersonGoesOnWhereItsIdsEnd) {
  std::string snapshot;
  std::string first;
  {
    const auto engine = open(Instant{1'767'225'600'000});
    const auto signed_up =
        engine->dispatch({"POST",
                          "/admin/userSignUp",
                          R"({"first_name":"Ada","last_name":"L","user_email":"ada@example.com","type_of_use":"WORK",)"
                          R"("platform_usage":"Shops"})",
                          {}});
    ASSERT_TRUE(signed_up && signed_up->status < 300);
    first = organization(*engine, "acme");
    snapshot = *engine->snapshot();
  }
  ASSERT_NE(snapshot.find(R"({"record":{"id":"ff162a2a)"), std::string::npos);  // id of the host itself
  SetUp();
  memory_.reset();
  const auto engine = open(Instant{1'767'225'600'000}, snapshot);
  const std::string next = organization(*engine, "other");
  expect_in_order({first, next});
  EXPECT_EQ(next.substr(0, 4), "0000");
}

}  // namespace
}  // namespace orlop
