// Invalid outputs: the step fails with the reason.
#include <gtest/gtest.h>

#include <string>

#include "base/limits.h"
#include "deploy/driver/report_bounds.h"
#include "deploy/run/detail.h"
#include "model/plan_flag.h"
#include "unit/deploy/fixture.h"

namespace orlop {
namespace {

// Returns the reason of the failure of a job whose driver reports these outputs; "" if it succeeds.
std::string reason_after(const std::string& outputs) {
  FixtureOptions options;
  options.rules.emplace_back().outputs = outputs;
  Fixture fixture(std::move(options));
  fixture.add_service("job", "job", PlanFlag::executes | PlanFlag::on_start, 0);
  const std::string refused = fixture.change([&](Unit& unit) -> Result<void> {
    Order order;
    order.environment = fixture.environment();
    order.action = Action::deploy;
    order.author = "ann";
    order.whole_environment = true;
    const auto placed = enqueue(unit, order);
    return placed ? Result<void>() : placed.error();
  });
  EXPECT_EQ(refused, "");
  const Instant begin = fixture.now();
  fixture.run_until_idle();
  EXPECT_LT(fixture.now(), begin + seconds(60));  // at once, not at the step's deadline
  const ActionDetail detail = *fixture.machine("job").detail;
  EXPECT_EQ(fixture.state("job") == ServiceState::deployed, detail.reason.empty());
  return detail.reason;
}

TEST(Outputs, ThatAreNoObjectFailTheStep) {
  EXPECT_EQ(reason_after(R"({"HOST":"a"})"), "");
  EXPECT_EQ(reason_after(R"(["HOST"])"), "the outputs of the step must be a JSON object");
  EXPECT_TRUE(reason_after("no object")
                  .starts_with("the outputs of the step must be a JSON object (the body is not valid JSON"));
}

std::string object_of(std::size_t size) { return R"({"a":")" + std::string(size - 8, 'x') + R"("})"; }

TEST(Outputs, MayHaveAMebibyte) {
  EXPECT_EQ(reason_after(object_of(outputs_size_max)), "");
  EXPECT_EQ(reason_after(object_of(outputs_size_max + 1)),
            "the outputs of the step have 1048577 bytes; at most 1048576 are allowed");
}

// Stored inside other values, the outputs are deeper than a request may be.
TEST(Outputs, MayBeAsDeepAsARequest) {
  const auto nested = [](int depth) {
    std::string text = "1";
    for (int level = 0; level < depth; ++level) text = R"({"a":)" + text + "}";
    return text;
  };
  EXPECT_EQ(reason_after(nested(json_depth_max)), "");
  EXPECT_NE(reason_after(nested(json_depth_max + 1)), "");
}

TEST(ReportBounds, CutEveryTextButOutputs) {
  const std::string text(text_size_max + 1, 'x');
  for (const ReportKind kind : {ReportKind::failed, ReportKind::credentials_refused, ReportKind::contact_lost,
                                ReportKind::progress, ReportKind::log_line, ReportKind::canceled}) {
    const Report report = bounded_report(Id{}, kind, text);
    EXPECT_EQ(report.kind, kind);
    EXPECT_LE(report.text.size(), text_size_max);
    EXPECT_TRUE(report.text.ends_with(" more bytes]"));
    Report kept = report;
    keep_within_bounds(kept);
    EXPECT_EQ(kept.text, report.text);
    Report cut{Id{}, kind, RunningState::none, text};
    keep_within_bounds(cut);
    EXPECT_EQ(cut.text, report.text);
    Report repaired{Id{}, kind, RunningState::none, "\xFF"};
    keep_within_bounds(repaired);
    EXPECT_EQ(repaired.text, "\xEF\xBF\xBD");
  }
}

}  // namespace
}  // namespace orlop
