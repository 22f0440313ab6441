// A run keeps the contents of its request's record; if the record is edited before the run ends, as by a cancel, the
// run ends with the edited contents.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "unit/sim/refusing_store.h"
#include "unit/sim/simulation.h"
#include "wire/json.h"

namespace orlop {
namespace {

using tests::Simulation;

std::vector<Value> requests_in(Simulation& simulation) {
  std::vector<Value> found;
  const std::string snapshot = simulation->snapshot().value();
  for (std::size_t begin = 0; begin < snapshot.size();) {
    const std::size_t end = std::min(snapshot.find('\n', begin), snapshot.size());
    const auto line = parse_stored(std::string_view(snapshot).substr(begin, end - begin));
    const Value* const body = line ? line->find_path({"record", "body"}) : nullptr;
    if (body != nullptr && body->has("execution_id")) found.push_back(*body);
    begin = end + 1;
  }
  return found;
}

class EditedRequests : public testing::TestWithParam<bool> {
 protected:
  EditedRequests()
      : simulation_({}, Authentication::off, "memory:", nullptr,
                    GetParam() ? nullptr : std::make_shared<tests::RefusingStore>()) {
    simulation_.furnish();
    EXPECT_EQ(simulation_.ask("POST", "/-/sim/rules", R"({"after":"60s"})").status, 204);
  }

  void post(const std::string& action, std::string_view body = "{}") {
    const Reply reply = simulation_.ask("POST", "/environment/" + simulation_.environment + action, body);
    ASSERT_LT(reply.status, 300) << reply.body;
  }
  void cancel(bool is_forced) { post("/cancelDeployment", is_forced ? R"({"force_cancel":true})" : "{}"); }
  void expect_canceled() {
    ASSERT_TRUE(simulation_->run_until_idle().ok());
    const std::vector<Value> requests = requests_in(simulation_);
    ASSERT_FALSE(requests.empty());
    EXPECT_NE(requests.back().text_or("cancel", ""), "") << to_json(requests.back());
    EXPECT_NE(requests.back().text_or("ended_at", ""), "") << to_json(requests.back());
    EXPECT_NE(requests.back().text_or("started_at", ""), "") << to_json(requests.back());
  }

  Simulation simulation_;
};

TEST_P(EditedRequests, EndAsTheyWereCanceled) {
  for (const bool is_forced : {false, true}) {
    post("/deploy");
    ASSERT_TRUE(simulation_->advance(seconds(10)).ok());
    cancel(is_forced);
    expect_canceled();
  }
}

TEST_P(EditedRequests, KeepTheLastOfSeveralEdits) {
  post("/deploy");
  ASSERT_TRUE(simulation_->advance(seconds(10)).ok());
  cancel(false);
  cancel(true);
  expect_canceled();
  EXPECT_EQ(requests_in(simulation_).back().text_or("cancel", ""), "FORCE") << to_json(requests_in(simulation_).back());
}

// The schedule requests and begins the stop in one commit.
TEST_P(EditedRequests, OfAScheduleEndAsTheyWereCanceled) {
  post("/deploy");
  const Reply saved = simulation_.ask(
      "PUT", "/environment/" + simulation_.environment + "/deploymentRule/" + simulation_.environment,
      R"({"auto_stop":true,"timezone":"UTC","start_time":"2020-07-01T02:00:00Z","stop_time":"1970-01-01T01:00:00Z",
                                          "weekdays":["MONDAY","TUESDAY","WEDNESDAY","THURSDAY","FRIDAY"]})");
  ASSERT_EQ(saved.status, 200) << saved.body;
  ASSERT_TRUE(simulation_->advance(seconds(3630)).ok());
  ASSERT_EQ(simulation_.state(simulation_.databases[0]), "STOPPING");
  cancel(false);
  expect_canceled();
}

TEST_P(EditedRequests, ThatAreNotEditedEndAsTheyBegan) {
  post("/deploy");
  ASSERT_TRUE(simulation_->run_until_idle().ok());
  const std::vector<Value> requests = requests_in(simulation_);
  ASSERT_EQ(requests.size(), 1U);
  EXPECT_EQ(requests.back().text_or("cancel", "none"), "none") << to_json(requests.back());
  EXPECT_NE(requests.back().text_or("stages", ""), "none");
}

INSTANTIATE_TEST_SUITE_P(Rows, EditedRequests, testing::Bool(),
                         [](const auto& param) { return std::string(param.param ? "LieInMemory" : "AreRead"); });

}  // namespace
}  // namespace orlop
