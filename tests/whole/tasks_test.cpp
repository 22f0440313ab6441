// Tasks outlive the engine that began them, end at their deadline, and are deleted with their subject.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "whole/held_steps.h"
#include "wire/json.h"

namespace orlop {
namespace {

class Tasks : public HeldStepsTest<> {
 protected:
  Tasks() { open_again(); }

  void open_again() {
    open([](Settings& settings) { settings.start_deadline = settings.step_deadline = seconds(600); });
  }

  // Requests an analysis of the cluster and begins its step; returns its id.
  std::string begin(Platform& platform) {
    const Reply made =
        platform.ask("POST", path(platform), R"({"kind": "DEPRECATED_API_CHECK", "output_format": "JSON"})");
    EXPECT_EQ(made.status, 202) << made.body;
    tick();
    EXPECT_EQ(driver_.steps.back().kind, StepKind::task);
    return std::string(parse_stored(made.body)->text_or("id", ""));
  }

  std::string path(Platform& platform) { return "/clusters/" + platform.id_of("cluster") + "/analysis"; }

  std::string member_of(Platform& platform, const std::string& task, std::string_view member) {
    const Reply reply = platform.ask("GET", path(platform) + "/" + task);
    EXPECT_EQ(reply.status, 200) << reply.body;
    return std::string(parse_stored(reply.body)->text_or(member, ""));
  }
};

TEST_F(Tasks, AreTakenUpByTheNextEngineUnderTheSameId) {
  Platform first(*engine_);
  const std::string task = begin(first);
  end(ReportKind::started);
  const Id step = driver_.steps.back().id;
  open_again();
  Platform platform(*engine_, first);
  tick();
  ASSERT_EQ(driver_.steps.size(), 2U);
  EXPECT_EQ(driver_.steps.back().id, step);
  EXPECT_TRUE(driver_.steps.back().resumed);
  EXPECT_EQ(member_of(platform, task, "status"), "RUNNING");
  end(ReportKind::succeeded, R"({"found": 2})");
  EXPECT_EQ(member_of(platform, task, "status"), "SUCCEEDED");
  open_again();
  tick();
  EXPECT_EQ(driver_.steps.size(), 2U) << "what has ended is not begun again";
}

TEST_F(Tasks, ThatWereOnlyRequestedBeginInTheNextEngine) {
  Platform first(*engine_);
  ASSERT_EQ(first.ask("POST", path(first), R"({"kind": "COST_RECOMMENDATION", "output_format": "CSV"})").status, 202);
  open_again();
  tick();
  ASSERT_EQ(driver_.steps.size(), 1U);
  EXPECT_FALSE(driver_.steps.back().resumed);
}

TEST_F(Tasks, FailAtTheirDeadline) {
  Platform platform(*engine_);
  const std::string task = begin(platform);
  clock_.move_to(clock_.now() + seconds(599));
  tick();
  EXPECT_EQ(member_of(platform, task, "status"), "PENDING");
  clock_.move_to(clock_.now() + seconds(1));
  tick();
  EXPECT_EQ(member_of(platform, task, "status"), "FAILED");
  EXPECT_EQ(member_of(platform, task, "error_message"), "the step did not end within its time, 600 seconds");
  ASSERT_EQ(driver_.canceled.size(), 1U);
  EXPECT_EQ(driver_.canceled.front(), driver_.steps.back().id);
}

TEST_F(Tasks, EndAsTheDriverSays) {
  Platform platform(*engine_);
  const std::string canceled = begin(platform);
  end(ReportKind::canceled, "the node went away");
  EXPECT_EQ(member_of(platform, canceled, "status"), "TERMINATED");
  const std::string broken = begin(platform);
  end(ReportKind::succeeded, "no JSON");
  EXPECT_EQ(member_of(platform, broken, "status"), "FAILED");
  const std::string quiet = begin(platform);
  end(ReportKind::contact_lost);
  EXPECT_EQ(member_of(platform, quiet, "status"), "PENDING");
  end(ReportKind::progress, "half");
  EXPECT_EQ(member_of(platform, quiet, "status"), "RUNNING") << "whatever it reports, it has begun";
}

TEST_F(Tasks, GoWithWhatTheyAreAbout) {
  Platform platform(*engine_);
  const std::string database = platform.id_of("database");
  ASSERT_EQ(platform.ask("POST", "/database/" + database + "/backup", R"({"name": "a", "message": ""})").status, 201);
  tick();
  ASSERT_EQ(driver_.steps.size(), 1U);
  const Reply deleted = platform.ask("DELETE", "/database/" + database);
  ASSERT_EQ(deleted.status, 204) << deleted.body;
  EXPECT_EQ(platform.ask("GET", "/database/" + database + "/backup").status, 404);
  end(ReportKind::succeeded);  // on a deleted task
  open_again();
  tick();
  EXPECT_EQ(driver_.steps.size(), 1U);
}

}  // namespace
}  // namespace orlop
