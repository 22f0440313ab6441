// Behaviour that transcripts do not show: configurations, deadlines, the stored history, and the effect of reopening.
#include <gtest/gtest.h>

#include "deploy/request/request_parts.h"
#include "model/plan_flag.h"
#include "model/registry.h"
#include "records/write_record.h"
#include "unit/deploy/fixture.h"
#include "unit/deploy/invariants.h"
#include "unit/deploy/script.h"
#include "unit/unit.h"
#include "wire/json.h"
#include "wire/writer.h"

namespace orlop {
namespace {

constexpr std::uint32_t container = PlanFlag::restartable | PlanFlag::stoppable;
constexpr std::uint32_t job = PlanFlag::executes | PlanFlag::on_start;

Order order_of(const Fixture& fixture, Action action, std::initializer_list<const char*> names = {}) {
  Order order;
  order.environment = fixture.environment();
  order.action = action;
  order.author = "ann";
  order.whole_environment = names.size() == 0;
  for (const char* name : names) order.services.push_back(fixture.id_of(name));
  return order;
}

std::string ask(Fixture& fixture, const Order& order) {
  return fixture.change([&](Unit& unit) -> Result<void> {
    const auto placed = enqueue(unit, order);
    return placed ? Result<void>() : placed.error();
  });
}

// Returns the configuration without the records around the subject, which have separate tests.
std::string own_members(Value configuration) {
  for (const std::string_view name :
       {"environment", "project", "organization", "cluster", "advanced_settings", "network", "domains", "variables"}) {
    configuration.erase(name);
  }
  return to_json(configuration);
}

Value configuration_of(const Fixture& fixture, const std::string& name) {
  for (const Step& step : fixture.started()) {
    if (step.name == name) return parse_json(step.configuration).value();
  }
  return {};
}

std::vector<RequestBody> history(Fixture& fixture) {
  std::vector<RequestBody> found;
  const std::string refused = fixture.change([&](Unit& unit) -> Result<void> {
    ORLOP_TRY(machines, request_machines(unit, fixture.environment()));
    for (const Machine& machine : machines) {
      ORLOP_TRY(request, stored_request(unit, machine));
      found.push_back(std::move(request.body));
    }
    return {};
  });
  EXPECT_EQ(refused, "");
  return found;
}

void set_body(Fixture& fixture, const Id& id, const std::string& body) {
  const std::string refused = fixture.change([&](Unit& unit) -> Result<void> {
    ORLOP_TRY(record, unit.record(id));
    Record edited = *record;
    edited.body = body;
    unit.put(std::move(edited));
    unit.emit(Event{});
    return {};
  });
  EXPECT_EQ(refused, "");
}

StepRule rule_of(const char* name, Duration duration) {
  StepRule rule;
  rule.name = name;
  rule.duration = duration;
  return rule;
}

TEST(Configuration, HasRevisionOverridesAndOutputsOfEarlierStages) {
  FixtureOptions options;
  StepRule first = rule_of("first", seconds(5));
  first.outputs = R"({"HOST":"a","PORT":"1"})";
  StepRule second = rule_of("second", seconds(2));
  second.outputs = R"({"HOST":"b"})";
  options.rules = {first, second};
  Fixture fixture(options);
  fixture.add_service("first", "job", job, 0);
  fixture.add_service("second", "job", job, 0);
  fixture.add_service("web", "container", container, 1);
  Order order = order_of(fixture, Action::deploy);
  order.overrides =
      Writer().begin_object().key(to_text(fixture.id_of("web"))).raw(R"({"tag":"v2"})").end_object().text();
  ASSERT_EQ(ask(fixture, order), "");
  fixture.run_until_idle();
  // In the order of services, not of the jobs' ends.
  EXPECT_EQ(own_members(configuration_of(fixture, "web")),
            R"({"name":"web","tag":"v2","deployment_stage":{"deployment_order":1},"outputs":{"HOST":"b","PORT":"1"},)"
            R"("revision":1})");
  EXPECT_EQ(own_members(configuration_of(fixture, "first")),
            R"({"name":"first","deployment_stage":{"deployment_order":0},"revision":1})");
}

TEST(Configuration, SurvivesALossOfMemory) {
  FixtureOptions options;
  StepRule outputs = rule_of("first", {});
  outputs.outputs = R"({"HOST":"a"})";
  options.rules = {outputs, rule_of("web", seconds(10))};
  Fixture fixture(options);
  fixture.add_service("first", "job", job, 0);
  fixture.add_service("web", "container", container, 1);
  ASSERT_EQ(ask(fixture, order_of(fixture, Action::deploy)), "");
  fixture.run_until(fixture.now() + seconds(5));
  fixture.reopen({});
  fixture.run_until_idle();
  const Step& again = fixture.started().back();
  EXPECT_TRUE(again.resumed);
  EXPECT_EQ(again.name, "web");
  EXPECT_EQ(own_members(*parse_stored(again.configuration)),
            R"({"name":"web","deployment_stage":{"deployment_order":1},"outputs":{"HOST":"a"},"revision":1})");
  EXPECT_EQ(fixture.state("web"), ServiceState::deployed);
}

TEST(Deadline, OfAJobFollowsFromItsBounds) {
  FixtureOptions options;
  StepRule hangs;
  hangs.outcome = ScriptOutcome::hang;
  options.rules = {hangs};
  Fixture fixture(std::move(options));
  fixture.add_service("seed", "job", job, 0);
  set_body(fixture, fixture.id_of("seed"), R"({"name":"seed","max_duration_seconds":10,"max_nb_restart":2})");
  ASSERT_EQ(ask(fixture, order_of(fixture, Action::deploy)), "");
  fixture.run_until(fixture.now());
  ASSERT_FALSE(fixture.started().empty());
  const Step step = fixture.started().back();
  EXPECT_EQ(step.kind, StepKind::execute);
  EXPECT_EQ((step.deadline - step.started_at).milliseconds, 3'600'000) << "it has not begun";
  fixture.report({step.id, ReportKind::executing, RunningState::none, ""});
  EXPECT_EQ((fixture.machine("seed").deadline.value_or(Instant{}) - fixture.now()).milliseconds, 90'000);
}

// A service that another request holds is included too; one that is created later is not.
TEST(Request, DecidesOnceWhatIsIncluded) {
  FixtureOptions options;
  options.rules = {rule_of("*", seconds(10))};
  Fixture fixture(std::move(options));
  fixture.add_service("web", "container", container, 0);
  fixture.add_service("api", "container", container, 0);
  EXPECT_EQ(ask(fixture, order_of(fixture, Action::deploy, {"web"})), "");
  fixture.run_until(fixture.now());
  EXPECT_EQ(ask(fixture, order_of(fixture, Action::deploy)), "");
  EXPECT_EQ(fixture.state("api"), ServiceState::deployment_queued);
  EXPECT_EQ(history(fixture).back().following, std::vector<Id>{fixture.id_of("web")});
  EXPECT_EQ(ask(fixture, order_of(fixture, Action::deploy)), "");
  EXPECT_EQ(history(fixture).back().following.size(), 1U) << "what a waiting request holds does not follow it";
  fixture.add_service("late", "container", container, 0);
  fixture.run_until_idle();
  EXPECT_EQ(fixture.state("late"), ServiceState::ready);
  const auto begun = [&fixture](const std::string& name) {
    return std::ranges::count(fixture.started(), name, &Step::name);
  };
  EXPECT_EQ(begun("web"), 2);
  EXPECT_EQ(begun("api"), 1);
}

TEST(History, ShowsTheOutcomeOfEveryService) {
  FixtureOptions options;
  options.rules = {rule_of("web", seconds(7))};
  Fixture fixture(options);
  fixture.add_service("web", "container", container | PlanFlag::builds, 3);
  fixture.add_service("api", "container", container | PlanFlag::builds, 3);
  fixture.run_until(clock_start);
  ASSERT_EQ(ask(fixture, order_of(fixture, Action::deploy, {"web", "api"})), "");
  fixture.run_until_idle();
  const std::vector<RequestBody> kept = history(fixture);
  ASSERT_EQ(kept.size(), 1U);
  EXPECT_EQ(kept[0].triggered_by, "ann");
  EXPECT_EQ(kept[0].execution_id, to_text(kept[0].id) + "-1767225600");
  EXPECT_EQ(kept[0].status, ServiceState::deployed);
  EXPECT_EQ(kept[0].started_at, clock_start);
  EXPECT_EQ(kept[0].ended_at, clock_start + seconds(14));
  // The exact text, without redundancy: each deployment of each service leaves such an entry.
  EXPECT_EQ(kept[0].stages, R"([{"stage_id":")" + to_text(fixture.machine("web").stage) +
                                R"(","stage_order":3,"services":[{"id":")" + to_text(fixture.id_of("web")) +
                                R"(","name":"web","deployed":{},"service_type":"CONTAINER","status":"DEPLOYED",)" +
                                R"("started_at":"2026-01-01T00:00:00.000Z","took":14000},{"id":")" +
                                to_text(fixture.id_of("api")) + R"(","name":"api","took":7000}]}])");
}

TEST(History, ShowsWhyAServiceFailed) {
  FixtureOptions options;
  options.rules = {rule_of("web", seconds(7))};
  options.rules[0].outcome = ScriptOutcome::fail;
  options.rules[0].reason = "no image";
  Fixture fixture(options);
  fixture.add_service("web", "container", container, 0);
  ASSERT_EQ(ask(fixture, order_of(fixture, Action::deploy)), "");
  fixture.run_until_idle();
  const Value stages = parse_json(history(fixture).back().stages).value();
  const Value& service = stages.items().at(0).find("services")->items().at(0);
  EXPECT_EQ(service.text_or("status", ""), "DEPLOYMENT_ERROR");
  EXPECT_EQ(service.text_or("reason", ""), "no image");
}

TEST(History, RemembersWhatWasDeleted) {
  Fixture fixture({});
  fixture.add_service("web", "container", container, 0);
  fixture.add_service("api", "container", container, 0);
  ASSERT_EQ(ask(fixture, order_of(fixture, Action::deploy)), "");
  fixture.run_until_idle();
  const Id web = fixture.id_of("web");
  ASSERT_EQ(ask(fixture, order_of(fixture, Action::remove, {"web"})), "");
  fixture.run_until_idle();
  EXPECT_FALSE(fixture.exists("web"));
  const RequestBody last = history(fixture).back();
  const Value stages = parse_json(last.stages).value();
  const std::string time = to_text(*last.ended_at);
  EXPECT_EQ(to_json(*stages.items().at(0).find("services")),
            R"([{"id":")" + to_text(web) +
                R"(","name":"web","service_type":"CONTAINER","status":"DELETED","started_at":")" + time +
                R"(","ended_at":")" + time + R"("}])");
}

TEST(History, KeepsAsManyAsTheSettingsSayButNotUnderTwenty) {
  FixtureOptions options;
  options.settings.history_kept = 3;
  Fixture fixture(options);
  fixture.add_service("web", "container", container, 0);
  for (int time = 0; time < 25; ++time) {
    ASSERT_EQ(ask(fixture, order_of(fixture, Action::deploy)), "");
    fixture.run_until_idle();
  }
  const std::vector<RequestBody> kept = history(fixture);
  EXPECT_EQ(kept.size(), 20U);
  EXPECT_EQ(fixture.machine("web").state, static_cast<std::uint8_t>(ServiceState::deployed));
}

TEST(ParsedOptions, UnderWiderLimitsStartsWhatNowMay) {
  FixtureOptions options;
  options.settings.max_parallel_deploys = 1;
  options.rules = {rule_of("*", seconds(10))};
  Fixture fixture(options);
  for (const char* name : {"a", "b", "c"}) fixture.add_service(name, "container", container, 0);
  ASSERT_EQ(ask(fixture, order_of(fixture, Action::deploy)), "");
  fixture.run_until(fixture.now() + seconds(1));
  EXPECT_EQ(fixture.started().size(), 1U);
  Settings wider;
  wider.max_parallel_deploys = 2;
  fixture.reopen(wider);
  fixture.run_until(fixture.now() + seconds(1));
  EXPECT_EQ(fixture.started().size(), 3U);  // the first redelivered, and one more
  fixture.run_until_idle();
  EXPECT_EQ(fixture.state("c"), ServiceState::deployed);
}

TEST(Report, OfNoStepIsIgnoredAndOfAWorkloadIsTaken) {
  Fixture fixture({});
  fixture.add_service("web", "container", container, 0);
  ASSERT_EQ(ask(fixture, order_of(fixture, Action::deploy)), "");
  fixture.run_until_idle();
  const std::size_t before = fixture.events().size();
  fixture.report({fixture.started().back().id, ReportKind::failed, RunningState::none, "too late"});
  fixture.report({fixture.id_of("web"), ReportKind::succeeded, RunningState::none, ""});
  EXPECT_EQ(fixture.events().size(), before);
  fixture.report({fixture.id_of("web"), ReportKind::running_state, RunningState::running, ""});
  EXPECT_EQ(fixture.events().size(), before + 1);
  EXPECT_EQ(fixture.machine("web").running, static_cast<std::uint8_t>(RunningState::running));
  fixture.report({fixture.environment(), ReportKind::running_state, RunningState::running, ""});
  EXPECT_EQ(fixture.events().size(), before + 1);
}

std::string ask_cluster(Fixture& fixture, Action action) {
  return fixture.change([&](Unit& unit) { return place_cluster(unit, fixture.cluster(), action, "ann"); });
}

TEST(Cluster, UpgradesOneVersionAtATimeUntilTheNewest) {
  Fixture fixture({});
  EXPECT_NE(ask_cluster(fixture, Action::upgrade), "");  // the cluster is READY
  ASSERT_EQ(ask_cluster(fixture, Action::deploy), "");
  fixture.run_until_idle();
  EXPECT_NE(fixture.machine("main").deployed, 0U);
  const auto version = [&] {
    const auto record = fixture.reading()->record(fixture.cluster()).value();
    return std::string(parse_json(record->body).value().text_or("version", ""));
  };
  ASSERT_EQ(ask_cluster(fixture, Action::upgrade), "");
  fixture.run_until_idle();
  EXPECT_EQ(version(), "1.31");
  while (ask_cluster(fixture, Action::upgrade).empty()) fixture.run_until_idle();
  EXPECT_EQ(version(), "1.33");
}

std::string outputs_after(std::string given) {
  FixtureOptions options;
  options.rules.emplace_back().outputs = std::move(given);
  Fixture fixture(std::move(options));
  EXPECT_EQ(ask_cluster(fixture, Action::deploy), "");
  fixture.run_until_idle();
  EXPECT_EQ(fixture.machine("main").freshness, static_cast<std::uint8_t>(Freshness::up_to_date));
  const auto record = fixture.reading()->record(fixture.cluster()).value();
  const auto body = parse_json(record->body);
  const Value* outputs = body.value().find("infrastructure_outputs");
  return outputs == nullptr ? "" : to_json(*outputs);
}

TEST(Cluster, KeepsTheOutputsOfItsMakingIfTheyAreSuch) {
  const std::string fitting = R"({"kind":"AKS","cluster_name":"a","cluster_oidc_issuer":"https://issuer"})";
  EXPECT_EQ(outputs_after(fitting), fitting);
  for (const char* given : {R"({"kind":"AKS","cluster_name":"a"})", R"({"kind":"DOKS","cluster_name":"a"})",
                            R"({"kind":"SCW_KAPSULE","cluster_name":"a","cluster_arn":"arn"})"}) {
    EXPECT_EQ(outputs_after(given), "") << given;
  }
}

TEST(Cluster, IsNotUpgradedWhileItIsLocked) {
  Fixture fixture({});
  ASSERT_EQ(ask_cluster(fixture, Action::deploy), "");
  fixture.run_until_idle();
  const std::string locked = fixture.change([&](Unit& unit) -> Result<void> {
    Value lock = Value::object();
    lock.set("reason", Value("maintenance"));
    lock.set("locked_at", Value(to_text(unit.now())));
    lock.set("owner_name", Value("host"));
    const auto locked = create_record(unit, *find_family("cluster_lock"), fixture.cluster(), lock);
    return locked ? Result<void>() : locked.error();
  });
  ASSERT_EQ(locked, "");
  EXPECT_EQ(ask_cluster(fixture, Action::upgrade), "cluster \"main\" refuses: it is locked");
  fixture.run_until(fixture.now() + seconds(86'400));
  EXPECT_EQ(ask_cluster(fixture, Action::upgrade), "");
}

TEST(Cluster, IsNeitherStoppedUnderADeploymentNorDeletedUnderAnEnvironment) {
  FixtureOptions options;
  options.rules = {rule_of("web", seconds(10))};
  Fixture fixture(options);
  fixture.add_service("web", "container", container, 0);
  const std::string linked = fixture.change([&](Unit& unit) -> Result<void> {
    ORLOP_TRY(environment, unit.record(fixture.environment()));
    unit.put(std::move(environment).take(), std::nullopt, std::vector<Id>{fixture.cluster()});
    return {};
  });
  ASSERT_EQ(linked, "");
  ASSERT_EQ(ask_cluster(fixture, Action::deploy), "");
  ASSERT_EQ(ask(fixture, order_of(fixture, Action::deploy)), "");
  fixture.run_until(fixture.now() + seconds(5));
  EXPECT_EQ(ask_cluster(fixture, Action::stop),
            "cluster \"main\" refuses: a deployment runs on it; wait for its end or cancel it");
  fixture.run_until_idle();
  EXPECT_EQ(ask_cluster(fixture, Action::remove),
            "cluster \"main\" refuses: an environment is linked to it; delete what is linked first");
  EXPECT_EQ(ask_cluster(fixture, Action::stop), "");
}

}  // namespace
}  // namespace orlop
