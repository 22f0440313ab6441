// The plans of tables/plan, and one of many services.
#include "deploy/plan/plan.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <map>
#include <sstream>

#include "model/plan_flag.h"

namespace orlop {
namespace {

struct PlanCase {
  std::string head;
  Action action = Action::none;
  ForcedEvent forced = ForcedEvent::none;
  std::vector<std::string> names;
  std::vector<Machine> services;
  std::string expected;
};

const std::map<std::string, Action> actions = {{"deploy", Action::deploy},
                                               {"restart", Action::restart},
                                               {"stop", Action::stop},
                                               {"delete", Action::remove},
                                               {"uninstall", Action::uninstall}};
const std::map<std::string, ForcedEvent> forced_events = {{"CRON", ForcedEvent::cron}, {"STOP", ForcedEvent::stop}};
const std::map<std::string, PlanFlag> plan_flags = {
    {"builds", PlanFlag::builds},   {"executes", PlanFlag::executes},   {"on_start", PlanFlag::on_start},
    {"on_stop", PlanFlag::on_stop}, {"on_delete", PlanFlag::on_delete}, {"cron", PlanFlag::cron}};

Machine service_of(std::istringstream& enum_values) {
  Machine service;
  enum_values >> service.stage_order;
  for (std::string enum_value; enum_values >> enum_value;)
    service.plan_flags = service.plan_flags | plan_flags.at(enum_value);
  service.planned_flags = service.plan_flags;
  return service;
}

std::vector<PlanCase> cases() {
  std::ifstream file(ORLOP_TEST_DATA "/tables/plan/plans.txt");
  std::vector<PlanCase> found;
  for (std::string line; std::getline(file, line);) {
    std::istringstream enum_values(line);
    std::string first;
    if (!(enum_values >> first) || first == "#") continue;
    if (line.starts_with("  ")) {
      found.back().names.push_back(first);
      found.back().services.push_back(service_of(enum_values));
    } else if (first == "->") {
      found.back().expected += line.substr(3) + "\n";
    } else {
      std::string forced;
      enum_values >> forced;
      found.push_back(
          {line, actions.at(first), forced.empty() ? ForcedEvent::none : forced_events.at(forced), {}, {}, {}});
    }
  }
  return found;
}

std::string text_of(const Plan& plan, const std::vector<std::string>& names) {
  std::string text;
  if (!plan.builds.empty()) {
    text += "build";
    for (const std::uint32_t part : plan.builds) text += " " + names[plan.parts[part].service];
    text += "\n";
  }
  for (std::size_t stage = 0; stage < plan.stage_count(); ++stage) {
    std::string line;
    for (std::uint32_t at = plan.stages[stage]; at < plan.stages[stage + 1]; ++at) {
      const Part& part = plan.parts[at];
      EXPECT_EQ(part.stage, stage);
      line += (line.empty() ? "" : " ") + names[part.service] + ":" + std::string(to_string(part.step));
      if (part.follow != StepKind::none) line += "+" + std::string(to_string(part.follow));
    }
    text += line + "\n";
  }
  return text;
}

TEST(Plan, IsAsTheTableSays) {
  const std::vector<PlanCase> table = cases();
  ASSERT_GT(table.size(), 8U);
  for (const PlanCase& entry : table) {
    EXPECT_EQ(text_of(make_plan(entry.services, entry.action, entry.forced), entry.names), entry.expected)
        << entry.head;
  }
}

TEST(Plan, TakesEveryServiceOnceWhateverTheirNumber) {
  std::vector<Machine> services(10'000);
  for (std::size_t at = 0; at < services.size(); ++at)
    services[at].stage_order = static_cast<std::int32_t>(at * 7919 % 37);
  const Plan plan = make_plan(services, Action::deploy, ForcedEvent::none);
  EXPECT_EQ(plan.stage_count(), 37U);
  std::vector<int> seen(services.size());
  for (std::size_t at = 0; at < plan.parts.size(); ++at) {
    ++seen[plan.parts[at].service];
    if (at == 0) continue;
    const Machine& before = services[plan.parts[at - 1].service];
    const Machine& now = services[plan.parts[at].service];
    ASSERT_TRUE(before.stage_order < now.stage_order || plan.parts[at - 1].service < plan.parts[at].service);
  }
  EXPECT_EQ(seen, std::vector<int>(services.size(), 1));
}

}  // namespace
}  // namespace orlop
