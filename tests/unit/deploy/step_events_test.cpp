// The events of a step, as text.
#include <gtest/gtest.h>

#include <string>

#include "deploy/run/state_transition.h"
#include "sim/seeded_random_source.h"
#include "store/open.h"

namespace orlop {
namespace {

// Returns the details of the two events of a step in this attempt.
std::string said(StepKind kind, std::uint16_t attempt, PhaseStatus status, const std::string& reason = "",
                 const std::string& engine = "") {
  const auto store = open_memory_store();
  auto transaction = store->begin(Access::write);
  SeededRandomSource random_source{1};
  Settings settings;
  settings.engine_name = engine;
  Unit unit(**transaction, random_source, {}, Instant{1'000}, settings);
  Machine machine;
  machine.attempt = static_cast<std::uint16_t>(attempt - 1);
  machine.active = true;
  machine.detail.edit().reason = reason;
  StateTransition transition(unit, Id(), machine);
  Id step;
  step.bytes[3] = 7;
  transition.begin_step(step, kind, Instant{2'000});
  transition.end_step(status);
  const auto& events = unit.changes().events;
  return events.at(0).detail.text() + " " + events.at(1).detail.text();
}

std::string expected(const std::string& kind, const std::string& attempt, const std::string& status,
                     const std::string& more = "", const std::string& engine = "") {
  const std::string both = R"({"step":"00000007-0000-0000-0000-000000000000","kind":")" + kind + R"(","attempt":)" +
                           attempt + (engine.empty() ? "" : R"(,"engine":")" + engine + "\"");
  return both + "} " + both + R"(,"status":")" + status + "\"" + more + "}";
}

TEST(StepEvents, SayStepKindAttemptAndEnd) {
  for (const int attempt : {1, 2, 3, 4, 5, 1000}) {
    const auto tried = static_cast<std::uint16_t>(attempt);
    EXPECT_EQ(said(StepKind::deploy, tried, PhaseStatus::success),
              expected("deploy", std::to_string(attempt), "SUCCESS"));
    EXPECT_EQ(said(StepKind::remove, tried, PhaseStatus::cancel),
              expected("delete", std::to_string(attempt), "CANCEL"));
    EXPECT_EQ(said(StepKind::task, tried, PhaseStatus::error), expected("task", std::to_string(attempt), "ERROR"));
  }
}

TEST(StepEvents, SayWhyAStepFailed) {
  EXPECT_EQ(said(StepKind::build, 1, PhaseStatus::error, "no \"image\""),
            expected("build", "1", "ERROR", R"(,"reason":"no \"image\"")"));
  EXPECT_EQ(said(StepKind::build, 1, PhaseStatus::success, "of the last time"), expected("build", "1", "SUCCESS"));
}

TEST(StepEvents, NameTheEngine) {
  EXPECT_EQ(said(StepKind::cluster_create, 2, PhaseStatus::success, "", "north"),
            expected("cluster_create", "2", "SUCCESS", "", "north"));
}

}  // namespace
}  // namespace orlop
