// Histories of large requests: stored in several records, each in a separate commit, and read, restored and erased as
// one.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "deploy/request/request_history.h"
#include "whole/large_environment.h"
#include "wire/json.h"

namespace orlop {
namespace {

constexpr std::size_t service_text_max = 512;  // bytes of one service in a history
constexpr std::string_view part_mark = R"("family":"deployment_history")";

int count_of(std::string_view text, std::string_view mark) {
  int found = 0;
  for (std::size_t at = text.find(mark); at != std::string_view::npos; at = text.find(mark, at + 1)) ++found;
  return found;
}

class LargeHistories : public LargeEnvironment {
 protected:
  std::string path() const { return "/environment/" + environment_; }
  void deploy() {
    ASSERT_EQ(status("POST", path() + "/deploy"), 202);
    finish();
  }
  std::string history() { return ask("GET", path() + "/deploymentHistoryV2").body; }
  std::string snapshot() { return *engine_->snapshot(); }
  int parts() { return count_of(snapshot(), part_mark); }
  // Requests a deployment and ticks until `count` parts of its history are stored; returns false if it ends before.
  bool deploy_until(int count) {
    watch_.history_parts = 0;
    EXPECT_EQ(status("POST", path() + "/deploy"), 202);
    while (watch_.history_parts < count) {
      if (!tick()) return false;
    }
    return true;
  }
  // Checks that the last request's history has all services once, in one stage.
  void expect_whole() {
    const auto page = parse_stored(history());
    ASSERT_TRUE(page);
    const Value& last = page->find("results")->items().front();
    ASSERT_EQ(last.find("stages")->items().size(), 1U);
    std::set<std::string> named;
    for (const Value& service : last.find("stages")->items().front().find("services")->items()) {
      named.emplace(service.find_path({"identifier", "service_id"})->as_text());
      EXPECT_EQ(service.text_or("status", ""), "DEPLOYED");
    }
    EXPECT_EQ(named, std::set<std::string>(ids_.begin(), ids_.end()));
    EXPECT_EQ(last.find("stages")->items().front().find("services")->items().size(), ids_.size());
  }
};

constexpr int parts_of_one = (large + int{history_part_max} - 1) / int{history_part_max};

TEST_F(LargeHistories, NoCommitWritesAllOfThem) {
  ASSERT_EQ(status("POST", path() + "/deploy"), 202);
  watch_ = {};
  finish();
  EXPECT_LE(watch_.most_text_written, history_part_max * service_text_max);
  EXPECT_GT(watch_.most_text_written, (large - history_part_max) * 200U) << "nothing was written";
  EXPECT_EQ(parts(), parts_of_one);
  expect_whole();
}

TEST_F(LargeHistories, OfOneServiceIsWhatThatOfTheEnvironmentSaysOfIt) {
  ASSERT_NO_FATAL_FAILURE(deploy());
  ASSERT_NO_FATAL_FAILURE(deploy());
  const auto all = parse_stored(history());
  for (const std::string& id : {ids_.front(), ids_[ids_.size() / 2], ids_.back()}) {
    const auto own = parse_stored(ask("GET", "/container/" + id + "/deploymentHistoryV2").body);
    const auto& entries = own->find("results")->items();
    ASSERT_EQ(entries.size(), 2U);
    for (std::size_t at = 0; at < entries.size(); ++at) {
      const Value* const stages = all->find("results")->items()[at].find("stages");
      const auto& services = stages->items().front().find("services")->items();
      const auto of_all = std::ranges::find_if(services, [&](const Value& service) {
        return service.find_path({"identifier", "service_id"})->as_text() == id;
      });
      ASSERT_NE(of_all, services.end());
      EXPECT_EQ(to_json(entries[at]), to_json(*of_all));
    }
  }
}

TEST_F(LargeHistories, OfSeveralRequestsThatEndAtOnceTakeTurns) {
  const std::string copy = create(path() + "/clone", R"({"name":"copy"})");
  finish();
  for (const std::string& environment : {environment_, copy})
    ASSERT_EQ(status("POST", "/environment/" + environment + "/deploy"), 202);
  watch_ = {};
  finish();
  EXPECT_LE(watch_.most_text_written, history_part_max * service_text_max);
  EXPECT_EQ(parts(), 2 * parts_of_one);
  expect_whole();
}

TEST_F(LargeHistories, TheRequestRunsUntilTheLastPart) {
  ASSERT_TRUE(deploy_until(1));
  const auto shown = parse_stored(ask("GET", path() + "/status").body);
  EXPECT_EQ(shown->text_or("state", ""), "DEPLOYING") << "it ended before its history was stored";
  EXPECT_EQ(status("POST", path() + "/deploy"), 202) << "another request comes after it";
  finish();
  expect_whole();
  EXPECT_EQ(parts(), 2 * parts_of_one);
}

// A crash at every commit from the first part on: nothing is lost or duplicated.
TEST_F(LargeHistories, GoOnAfterACrashBetweenTheParts) {
  for (int crash = 0; crash < parts_of_one; ++crash) {
    const int before = parts();
    ASSERT_TRUE(deploy_until(crash));
    reopen();
    finish();
    expect_whole();
    EXPECT_EQ(parts(), before + parts_of_one) << crash;
  }
}

TEST_F(LargeHistories, GoOnFromASnapshotBetweenTheParts) {
  ASSERT_TRUE(deploy_until(1));
  const std::string taken = snapshot();
  store_ = std::make_shared<WatchedStore>(watch_);
  reopen(taken);
  finish();
  expect_whole();
  EXPECT_EQ(parts(), parts_of_one);
}

TEST_F(LargeHistories, AServiceThatIsRenamedBetweenThePartsIsNamedOnce) {
  ASSERT_TRUE(deploy_until(1));
  for (const std::string& id : {ids_.front(), ids_.back()})
    ASSERT_EQ(status("PUT", "/container/" + id, service("renamed-" + id)), 200);
  reopen();
  finish();
  expect_whole();
}

TEST_F(LargeHistories, GoWithTheirRequestAndTheirEnvironment) {
  history_kept_ = 20;
  reopen();
  for (std::uint32_t at = 0; at < history_kept_ + 1; ++at) ASSERT_NO_FATAL_FAILURE(deploy());
  EXPECT_EQ(watch_.history_parts, static_cast<int>(history_kept_) * parts_of_one);
  ASSERT_EQ(status("DELETE", path() + "?skipReconcile=true"), 204);
  finish();
  EXPECT_EQ(status("GET", path()), 404);
  EXPECT_EQ(watch_.history_parts, 0) << "some lie below a request that is gone";
}

// Before parts were introduced, a request's record held the whole history.
TEST_F(LargeHistories, OneRecordIsReadAsSeveral) {
  ASSERT_NO_FATAL_FAILURE(deploy());
  const std::string expected = history();
  std::string services;
  std::string stage;
  std::string edited;
  std::istringstream lines(snapshot());
  const std::string_view begin = R"("services":[)";
  for (std::string line; std::getline(lines, line);) {
    if (line.find(part_mark) == std::string::npos) {
      edited += line + "\n";
      continue;
    }
    const std::size_t from = line.find(begin) + begin.size();
    stage = line.substr(line.find(R"("stages":)"), from - line.find(R"("stages":)"));
    services += (services.empty() ? "" : ",") + line.substr(from, line.rfind("]}]") - from);
  }
  const std::string mark = R"("status":"DEPLOYED")";
  const std::size_t request = edited.find(R"("family":"deployment",)");
  ASSERT_NE(request, std::string::npos);
  const std::size_t status_at = edited.find(mark, request);
  ASSERT_LT(status_at, edited.find('\n', request));
  edited.insert(status_at + mark.size(), "," + stage + services + "]}]");
  const std::size_t count_at = edited.find(R"("records":)") + 10;
  const std::size_t records = std::stoul(edited.substr(count_at));
  edited.replace(count_at, std::to_string(records).size(), std::to_string(records - parts_of_one));
  store_ = std::make_shared<WatchedStore>(watch_);
  reopen(edited);
  ASSERT_EQ(parts(), 0);
  EXPECT_TRUE(history() == expected);
  expect_whole();
}

// The id of a part is derived from its request's. A host that has used it for a record of its own does not block the
// request.
TEST_F(LargeHistories, PassOverAnIdThatAHostHasTaken) {
  ASSERT_TRUE(deploy_until(1));
  const std::string taken = snapshot();
  const std::string_view mark = R"({"record":{"id":")";
  const std::size_t line = taken.rfind('\n', taken.find(part_mark)) + 1;
  ASSERT_EQ(taken.compare(line, mark.size(), mark), 0);
  std::string next = taken.substr(line + mark.size(), 36);
  ++next.back();
  ASSERT_EQ(status("POST", "/organization/" + organization_ + "/project", R"({"id":")" + next + R"(","name":"taken"})"),
            200);
  reopen();
  finish();
  EXPECT_EQ(parts(), parts_of_one);
  expect_whole();
  ASSERT_EQ(status("DELETE", path() + "?skipReconcile=true"), 204);
  finish();
  EXPECT_EQ(parts(), 0);
  EXPECT_EQ(status("GET", "/project/" + next), 200);
}

}  // namespace
}  // namespace orlop
