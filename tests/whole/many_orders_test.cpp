// Orders for one service after the other, which one waiting request includes: the writes of an order do not grow with
// the number of earlier orders, and no order is lost.
#include <gtest/gtest.h>

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "deploy/driver/scripted_driver.h"
#include "whole/large_environment.h"

namespace orlop {
namespace {

constexpr std::size_t most_text = 20'000;  // bytes of records that the commit of one order writes
// Machines that the commit of one order reads: in a small environment, those of all services.
constexpr std::size_t most_machines_read = 250;

class ManyOrders : public LargeEnvironment {
 protected:
  std::string path() const { return "/environment/" + environment_; }
  void order(const std::string& service, const std::string& action) {
    ASSERT_EQ(status("POST", "/container/" + service + "/" + action), 202) << action;
  }
  void order_each(const std::string& action) {
    watch_ = {};
    for (const std::string& id : ids_) order(id, action);
    EXPECT_LE(watch_.most_text_written, most_text);
    EXPECT_LE(watch_.most_machines_read, most_machines_read);
  }
  // Ticks to the end with a crash in every third tick. No crash leaves a row that needs repair.
  void finish_with_crashes() {
    for (int ticks = 0; tick(); ++ticks) {
      if (ticks % 3 == 0) reopen();
      EXPECT_TRUE(engine_->check(false)->empty());
      ASSERT_LT(ticks, 3000);
    }
  }
  std::map<std::string, int> states() {
    std::map<std::string, int> counts;
    const auto list = parse_stored(ask("GET", path() + "/container/status").body);
    for (const Value& service : list->find("results")->items()) ++counts[std::string(service.text_or("state", ""))];
    return counts;
  }
  static std::map<std::string, int> all_in(const std::string& state, int count = large) { return {{state, count}}; }
  // Returns the number of services in each request of the history, the last request first.
  std::vector<int> history() {
    std::vector<int> named;
    const auto list = parse_stored(ask("GET", path() + "/deploymentHistoryV2").body);
    for (const Value& entry : list->find("results")->items()) {
      named.push_back(0);
      for (const Value& stage : entry.find("stages")->items())
        named.back() += static_cast<int>(stage.find("services")->items().size());
    }
    return named;
  }
  std::int64_t open_requests(const std::string& service) {
    const auto status = parse_stored(ask("GET", "/container/" + service + "/status").body);
    return status->integer_or("deployment_requests_count", -1);
  }
};

TEST_F(ManyOrders, OfFreeServicesAreOneRequest) {
  order_each("deploy");
  EXPECT_EQ(states(), all_in("DEPLOYMENT_QUEUED"));
  order_each("deploy");  // again: nothing is added
  finish_with_crashes();
  EXPECT_EQ(states(), all_in("DEPLOYED"));
  EXPECT_EQ(history(), (std::vector<int>{large}));
}

TEST_F(ManyOrders, OfBusyServicesFollowAsOneRequest) {
  order_each("deploy");
  tick();
  order_each("stop");
  EXPECT_EQ(open_requests(ids_.front()), 2);
  EXPECT_EQ(open_requests(last_), 2);
  order_each("stop");
  EXPECT_EQ(open_requests(last_), 2);
  finish_with_crashes();
  EXPECT_EQ(states(), all_in("STOPPED"));
  EXPECT_EQ(history(), (std::vector<int>{large, large}));
}

// A row holds one of the requests that a service follows; the other request lists the service.
TEST_F(ManyOrders, TwoRequestsTakeTheSameBusyServices) {
  order_each("deploy");
  tick();
  order_each("stop");
  for (const std::string& id : ids_) order(id, "restart-service");
  EXPECT_EQ(open_requests(last_), 3);
  order(last_, "deploy");
  EXPECT_EQ(open_requests(last_), 4);
  finish_with_crashes();
  // The stopped services cannot be restarted: that request ends without them.
  EXPECT_EQ(states(), (std::map<std::string, int>{{"STOPPED", large - 1}, {"DEPLOYED", 1}}));
  EXPECT_EQ(history(), (std::vector<int>{1, 0, large, large}));
}

// When their turn comes, none of them can be restarted.
TEST_F(ManyOrders, OfServicesThatCannotGoEndAsOneRefusal) {
  order_each("deploy");
  finish();
  ASSERT_EQ(status("POST", path() + "/stop"), 202);
  tick();
  order_each("restart-service");
  finish_with_crashes();
  EXPECT_EQ(states(), all_in("STOPPED"));
  EXPECT_EQ(history(), (std::vector<int>{0, large, large}));
}

TEST_F(ManyOrders, AreCanceledTogether) {
  order_each("deploy");
  tick();
  order_each("stop");
  ASSERT_EQ(status("POST", path() + "/cancelDeployment"), 202);
  finish_with_crashes();
  EXPECT_EQ(states()["STOPPED"], 0);
  EXPECT_EQ(states()["CANCELED"] + states()["DEPLOYED"], large);
  // Services that followed the canceled request follow no other.
  ASSERT_EQ(status("POST", path() + "/deploy"), 202);
  EXPECT_EQ(open_requests(last_), 1);
  finish_with_crashes();
  EXPECT_EQ(states(), all_in("DEPLOYED"));
}

TEST_F(ManyOrders, DeletionsTakeEachService) {
  order_each("deploy");
  finish();
  watch_ = {};
  for (std::size_t at = 1; at < ids_.size(); ++at) ASSERT_EQ(status("DELETE", "/container/" + ids_[at]), 204);
  EXPECT_LE(watch_.most_text_written, most_text);
  finish_with_crashes();
  EXPECT_EQ(states(), all_in("DEPLOYED", 1));
  EXPECT_EQ(history(), (std::vector<int>{large - 1, large}));
}

TEST_F(ManyOrders, GoOnFromASnapshot) {
  order_each("deploy");
  tick();
  order_each("stop");
  const std::string snapshot = *engine_->snapshot();
  store_ = std::make_shared<WatchedStore>(watch_);
  reopen(snapshot);
  finish_with_crashes();
  EXPECT_EQ(states(), all_in("STOPPED"));
}

// The services of a large request are read before the commit of the tick that begins it.
TEST_F(ManyOrders, AnOrderThatComesBetweenReadingAndBeginIsNotLost) {
  ASSERT_EQ(status("POST", path() + "/deploy"), 202);
  std::string late;
  int writes = 0;
  watch_.between = [&](std::size_t) {
    if (++writes != 2) return;  // the first writing tick has detected that the request is large
    late = add_service(environment_, "late");
    order(late, "deploy");
  };
  finish();
  ASSERT_NE(late, "");
  EXPECT_EQ(states(), all_in("DEPLOYED", large + 1));
}

}  // namespace
}  // namespace orlop
