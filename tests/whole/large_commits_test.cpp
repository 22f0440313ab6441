// What one commit of work on many services reads and erases while other writers wait.
#include <gtest/gtest.h>

#include "deploy/run/environment_runs.h"
#include "whole/large_environment.h"

namespace orlop {
namespace {

class LargeCommits : public LargeEnvironment {
 protected:
  std::string path() const { return "/environment/" + environment_; }
};

// The history of one deployment of this environment has about half a megabyte.
TEST_F(LargeCommits, HistoriesGoInPartsWithTheirEnvironment) {
  for (int deployments = 0; deployments < 5; ++deployments) {
    ASSERT_EQ(status("POST", path() + "/deploy"), 202);
    finish();
  }
  watch_ = {};
  ASSERT_EQ(status("DELETE", path() + "?skipReconcile=true"), 204);
  finish();
  EXPECT_EQ(status("GET", path()), 404);
  EXPECT_LE(watch_.most_text_erased, 2 * erased_text_max);
  for (const std::string& service : ids_) ASSERT_EQ(status("GET", "/container/" + service), 404);
  const std::string other = create("/project/" + project_ + "/environment", R"({"name":"other"})");
  environment_ = other;
  add_service(other, "one");
  for (int deployments = 0; deployments < 3; ++deployments) {
    ASSERT_EQ(status("POST", path() + "/deploy"), 202);
    finish();
  }
  watch_ = {};
  ASSERT_EQ(status("DELETE", path() + "?skipReconcile=true"), 204);
  EXPECT_EQ(watch_.commits, 1U);  // a small one is one commit
}

// What is read while other writers wait: each service once, and those that the tick moves once more.
TEST_F(LargeCommits, NoCommitReadsTheServicesTwice) {
  const auto expect_read_once = [&](std::string_view what) {
    EXPECT_LE(watch_.most_machines_read, large + 2 * services_by_tick) << what;
    watch_ = {};
  };
  ASSERT_EQ(status("POST", path() + "/deploy"), 202);
  tick();
  expect_read_once("deploy");
  ASSERT_EQ(status("POST", path() + "/stop"), 202);
  expect_read_once("stop while the deploy runs");
  ASSERT_EQ(status("POST", path() + "/cancelDeployment"), 202);
  expect_read_once("cancel");
  finish();
  expect_read_once("ticks of the cancel");
  ASSERT_EQ(status("POST", path() + "/deploy"), 202);
  finish();
  watch_ = {};
  ASSERT_EQ(status("DELETE", path()), 204);
  expect_read_once("delete");
  finish();
  expect_read_once("ticks of the delete");
}

}  // namespace
}  // namespace orlop
