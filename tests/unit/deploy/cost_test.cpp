// The reads and writes of a tick are proportional to the changes, not to the size of the store.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "model/plan_flag.h"
#include "model/registry.h"
#include "unit/deploy/counting_store.h"
#include "unit/deploy/fixture.h"

namespace orlop {
namespace {

constexpr std::uint32_t container = PlanFlag::restartable | PlanFlag::stoppable;

// Cost of each act of one scenario, by the act's name.
using Bill = std::vector<std::pair<std::string, StoreCounts>>;

// Steps end when the scenario reports their end. Besides the services of the scenario there are `others`: half of them
// in the same environment.
class Scenario {
 public:
  explicit Scenario(std::size_t others) : fixture_(options(counts_)) {
    for (const char* name : {"web", "api"}) fixture_.add_service(name, "container", container, 0);
    fixture_.add_service("late", "container", container, 1);
    for (std::size_t at = 0; at < others / 2; ++at)
      fixture_.add_service("near" + std::to_string(at), "container", container, 1);
    add_far(others - others / 2);
  }

  Bill run() {
    act("asking for a deployment", [&] { ask({"web", "api", "late"}); });
    act("its begin", [&] { fixture_.run_until(fixture_.now()); });
    act("progress", [&] { report("web", ReportKind::progress); });
    act("an end, and the next of its stage", [&] { report("web", ReportKind::succeeded); });
    fixture_.run_until(fixture_.now());
    act("an end, and the next stage", [&] { report("api", ReportKind::succeeded); });
    act("a tick with nothing to do", [&] { fixture_.report({Id{}, ReportKind::progress, RunningState::none, {}}); });
    act("the end of the last", [&] { report("late", ReportKind::succeeded); });
    act("a report on a workload", [&] {
      fixture_.report({fixture_.id_of("api"), ReportKind::running_state, RunningState::running, {}});
    });
    ask({"web"});
    fixture_.run_until(fixture_.now());
    act("a deadline", [&] { fixture_.run_until(fixture_.now() + seconds(61)); });
    ask({});
    fixture_.run_until(fixture_.now());
    act("one of a whole environment", [&] { report("web", ReportKind::succeeded); });
    return bill_;
  }

 private:
  static FixtureOptions options(StoreCounts& counts) {
    FixtureOptions made;
    made.settings.max_parallel_deploys = 1;
    made.settings.start_deadline = made.settings.step_deadline = seconds(60);
    StepRule rule;
    rule.outcome = ScriptOutcome::hang;
    made.rules = {rule};
    made.around_store = [&counts](std::unique_ptr<Store> store) { return count_store(std::move(store), counts); };
    return made;
  }

  void add_far(std::size_t count) {
    const std::string refused = fixture_.change([&](Unit& unit) -> Result<void> {
      const Id elsewhere = unit.make_id();
      for (std::size_t at = 0; at < count; ++at) {
        Record record;
        record.id = unit.make_id();
        record.family = find_family("container")->number;
        record.parent = elsewhere;
        record.organization = fixture_.organization();
        record.body = R"({"name":"far"})";
        unit.put(new_service_machine(unit, record, container, elsewhere));
        unit.put(std::move(record));
      }
      unit.emit(Event{});
      return {};
    });
    ASSERT_EQ(refused, "");
  }

  template <typename Act>
  void act(const char* name, const Act& act) {
    const StoreCounts before = counts_;
    act();
    bill_.push_back(
        {name, {counts_.asked - before.asked, counts_.rows - before.rows, counts_.written - before.written}});
  }

  // Without names the whole environment is deployed.
  void ask(std::initializer_list<const char*> names) {
    Order order;
    order.environment = fixture_.environment();
    order.action = Action::deploy;
    order.author = "ann";
    order.whole_environment = names.size() == 0;
    for (const char* name : names) order.services.push_back(fixture_.id_of(name));
    const std::string refused = fixture_.change([&](Unit& unit) -> Result<void> {
      const auto placed = enqueue(unit, order);
      return placed ? Result<void>() : placed.error();
    });
    ASSERT_EQ(refused, "");
  }

  void report(const char* name, ReportKind kind) {
    for (auto step = fixture_.started().rbegin(); step != fixture_.started().rend(); ++step) {
      const char* const text = kind == ReportKind::succeeded ? "" : "a line";
      if (step->name == name) return fixture_.report({step->id, kind, RunningState::none, text});
    }
    FAIL() << "no step of " << name << " was started";
  }

  StoreCounts counts_;
  Fixture fixture_;
  Bill bill_;
};

TEST(Cost, OfATickFollowsWhatChanged) {
  const Bill few = Scenario(10).run();
  const Bill many = Scenario(10'000).run();
  ASSERT_EQ(few.size(), many.size());
  // The first step of a run determines whether its environment is large: its steps then do not receive the addresses of
  // all other services.
  constexpr std::size_t rows_of_large = 201;
  for (std::size_t at = 0; at < few.size(); ++at) {
    SCOPED_TRACE(few[at].first);
    EXPECT_LE(many[at].second.asked, few[at].second.asked);
    const bool is_first = few[at].first == "its begin";
    EXPECT_LE(many[at].second.rows, few[at].second.rows + (is_first ? rows_of_large : 0));
    EXPECT_EQ(many[at].second.written, few[at].second.written);
    EXPECT_LE(few[at].second.rows, is_first ? 40U : 25U);
    EXPECT_LE(few[at].second.written, 20U);
  }
}

// Cost of one report on a running step, row by row: the subject's machine is read and written, and an event is written.
// In addition every commit reads the last event.
TEST(Cost, OfOneReportIsTwoRowsReadAndTwoWritten) {
  const Bill bill = Scenario(10).run();
  const auto progress = std::ranges::find(bill, "progress", &Bill::value_type::first);
  ASSERT_NE(progress, bill.end());
  EXPECT_EQ(progress->second, (StoreCounts{2, 2, 2}));
}

}  // namespace
}  // namespace orlop
