// What transcripts do not show: configurations, deadlines, the kept history, and what a new opening changes.
#include <gtest/gtest.h>

#include "deploy/request_parts.h"
#include "model/trait.h"
#include "ops/unit.h"
#include "unit/deploy/invariants.h"
#include "unit/deploy/script.h"
#include "unit/deploy/world.h"
#include "wire/json.h"
#include "wire/writer.h"

namespace orlop {
namespace {

constexpr std::uint32_t container = MachineTrait::restartable | MachineTrait::stoppable;
constexpr std::uint32_t job = MachineTrait::executes | MachineTrait::on_start;

Order order_of(const World& world, Action action, std::initializer_list<const char*> names = {}) {
  Order order;
  order.environment = world.environment();
  order.action = action;
  order.author = "ann";
  order.whole_environment = names.size() == 0;
  for (const char* name : names) order.services.push_back(world.id_of(name));
  return order;
}

std::string ask(World& world, const Order& order) {
  return world.change([&](Unit& unit) -> Result<void> {
    const auto placed = place(unit, order);
    return placed ? Result<void>() : placed.error();
  });
}

Value configuration_of(const World& world, const std::string& name) {
  for (const Step& step : world.started()) {
    if (step.name == name) return parse_json(step.configuration).value();
  }
  return {};
}

std::vector<RequestBody> history(World& world) {
  std::vector<RequestBody> found;
  const std::string refused = world.change([&](Unit& unit) -> Result<void> {
    ORLOP_TRY(machines, request_machines(unit, world.environment()));
    for (const Machine& machine : machines) {
      ORLOP_TRY(request, stored_request(unit, machine));
      found.push_back(std::move(request.body));
    }
    return {};
  });
  EXPECT_EQ(refused, "");
  return found;
}

void set_body(World& world, const Id& id, const std::string& body) {
  const std::string refused = world.change([&](Unit& unit) -> Result<void> {
    ORLOP_TRY(record, unit.record(id));
    record->body = body;
    unit.put(std::move(*record));
    unit.emit(Event{});
    return {};
  });
  EXPECT_EQ(refused, "");
}

ScriptRule rule_of(const char* name, Duration duration) {
  ScriptRule rule;
  rule.name = name;
  rule.duration = duration;
  return rule;
}

TEST(Configuration, HasRevisionOverridesAndOutputsOfEarlierStages) {
  WorldOptions options;
  ScriptRule first = rule_of("first", seconds(5));
  first.outputs = R"({"HOST":"a","PORT":"1"})";
  ScriptRule second = rule_of("second", seconds(2));
  second.outputs = R"({"HOST":"b"})";
  options.rules = {first, second};
  World world(options);
  world.add_service("first", "job", job, 0);
  world.add_service("second", "job", job, 0);
  world.add_service("web", "container", container, 1);
  Order order = order_of(world, Action::deploy);
  order.overrides = Writer().begin_object().key(to_text(world.id_of("web"))).raw(R"({"tag":"v2"})").end_object().text();
  ASSERT_EQ(ask(world, order), "");
  world.run_until_idle();
  // By the order of services, not by which job was first to end.
  EXPECT_EQ(to_json(configuration_of(world, "web")), R"({"name":"web","tag":"v2","outputs":{"HOST":"b","PORT":"1"},"revision":1})");
  EXPECT_EQ(to_json(configuration_of(world, "first")), R"({"name":"first","revision":1})");
}

TEST(Configuration, SurvivesALossOfMemory) {
  WorldOptions options;
  ScriptRule outputs = rule_of("first", {});
  outputs.outputs = R"({"HOST":"a"})";
  options.rules = {outputs, rule_of("web", seconds(10))};
  World world(options);
  world.add_service("first", "job", job, 0);
  world.add_service("web", "container", container, 1);
  ASSERT_EQ(ask(world, order_of(world, Action::deploy)), "");
  world.run_until(world.now() + seconds(5));
  world.reopen({});
  world.run_until_idle();
  const Step& again = world.started().back();
  EXPECT_TRUE(again.resumed);
  EXPECT_EQ(again.name, "web");
  EXPECT_EQ(again.configuration, R"({"name":"web","outputs":{"HOST":"a"},"revision":1})");
  EXPECT_EQ(world.state("web"), ServiceState::deployed);
}

TEST(Deadline, OfAJobFollowsFromItsBounds) {
  World world({});
  world.add_service("seed", "job", job, 0);
  set_body(world, world.id_of("seed"), R"({"name":"seed","max_duration_seconds":10,"max_nb_restart":2})");
  ASSERT_EQ(ask(world, order_of(world, Action::deploy)), "");
  world.run_until_idle();
  const Step& step = world.started().back();
  EXPECT_EQ(step.kind, StepKind::execute);
  EXPECT_EQ((step.deadline - step.started_at).milliseconds, 90'000);
}

TEST(History, TellsWhatBecameOfEveryService) {
  WorldOptions options;
  options.rules = {rule_of("web", seconds(7))};
  World world(options);
  world.add_service("web", "container", container | MachineTrait::builds, 3);
  world.run_until(world_begin);
  ASSERT_EQ(ask(world, order_of(world, Action::deploy, {"web"})), "");
  world.run_until_idle();
  const std::vector<RequestBody> kept = history(world);
  ASSERT_EQ(kept.size(), 1U);
  EXPECT_EQ(kept[0].triggered_by, "ann");
  EXPECT_EQ(kept[0].execution_id, to_text(kept[0].id) + "-1767225600");
  EXPECT_EQ(kept[0].status, ServiceState::deployed);
  EXPECT_EQ(kept[0].started_at, world_begin);
  EXPECT_EQ(kept[0].ended_at, world_begin + seconds(14));
  const Value stages = parse_json(kept[0].stages).value();
  const Value& stage = stages.items().at(0);
  EXPECT_EQ(stage.integer_or("stage_order", 0), 3);
  const Value& service = stage.find("services")->items().at(0);
  EXPECT_EQ(service.text_or("name", ""), "web");
  EXPECT_EQ(service.text_or("service_type", ""), "CONTAINER");
  EXPECT_EQ(service.text_or("status", ""), "DEPLOYED");
  EXPECT_EQ(to_json(*service.find("steps")),
            R"({"total_duration_sec":14,"total_computing_duration_sec":14,"details":[)"
            R"({"step_name":"BUILD_QUEUEING","status":"SUCCESS","duration_sec":0},{"step_name":"BUILD","status":"SUCCESS","duration_sec":7},)"
            R"({"step_name":"DEPLOYMENT_QUEUEING","status":"SUCCESS","duration_sec":0},)"
            R"({"step_name":"DEPLOYMENT","status":"SUCCESS","duration_sec":7}]})");
}

TEST(History, RemembersWhatWasDeleted) {
  World world({});
  world.add_service("web", "container", container, 0);
  world.add_service("api", "container", container, 0);
  ASSERT_EQ(ask(world, order_of(world, Action::deploy)), "");
  world.run_until_idle();
  ASSERT_EQ(ask(world, order_of(world, Action::remove, {"web"})), "");
  world.run_until_idle();
  EXPECT_FALSE(world.exists("web"));
  const RequestBody last = history(world).back();
  const Value stages = parse_json(last.stages).value();
  const Value& service = stages.items().at(0).find("services")->items().at(0);
  EXPECT_EQ(service.text_or("name", ""), "web");
  EXPECT_EQ(service.text_or("status", ""), "DELETED");
}

TEST(History, KeepsAsManyAsTheSettingsSayButNotUnderTwenty) {
  WorldOptions options;
  options.settings.history_kept = 3;
  World world(options);
  world.add_service("web", "container", container, 0);
  for (int time = 0; time < 25; ++time) {
    ASSERT_EQ(ask(world, order_of(world, Action::deploy)), "");
    world.run_until_idle();
  }
  const std::vector<RequestBody> kept = history(world);
  EXPECT_EQ(kept.size(), 20U);
  EXPECT_EQ(world.machine("web").state, static_cast<std::uint8_t>(ServiceState::deployed));
}

TEST(Opening, UnderWiderLimitsStartsWhatNowMay) {
  WorldOptions options;
  options.settings.max_parallel_deploys = 1;
  options.rules = {rule_of("*", seconds(10))};
  World world(options);
  for (const char* name : {"a", "b", "c"}) world.add_service(name, "container", container, 0);
  ASSERT_EQ(ask(world, order_of(world, Action::deploy)), "");
  world.run_until(world.now() + seconds(1));
  EXPECT_EQ(world.started().size(), 1U);
  Settings wider;
  wider.max_parallel_deploys = 2;
  world.reopen(wider);
  world.run_until(world.now() + seconds(1));
  EXPECT_EQ(world.started().size(), 3U);  // the first again, and one more
  world.run_until_idle();
  EXPECT_EQ(world.state("c"), ServiceState::deployed);
}

TEST(Report, OfNoStepIsIgnoredAndOfAWorkloadIsTaken) {
  World world({});
  world.add_service("web", "container", container, 0);
  ASSERT_EQ(ask(world, order_of(world, Action::deploy)), "");
  world.run_until_idle();
  const std::size_t before = world.events().size();
  world.report({world.started().back().id, ReportKind::failed, RunningState::none, "too late"});
  world.report({world.id_of("web"), ReportKind::succeeded, RunningState::none, ""});
  EXPECT_EQ(world.events().size(), before);
  world.report({world.id_of("web"), ReportKind::running_state, RunningState::running, ""});
  EXPECT_EQ(world.events().size(), before + 1);
  EXPECT_EQ(world.machine("web").running, static_cast<std::uint8_t>(RunningState::running));
  world.report({world.environment(), ReportKind::running_state, RunningState::running, ""});
  EXPECT_EQ(world.events().size(), before + 1);
}

std::string ask_cluster(World& world, Action action) {
  return world.change([&](Unit& unit) { return place_cluster(unit, world.cluster(), action, "ann"); });
}

TEST(Cluster, UpgradesOneVersionAtATimeUntilTheNewest) {
  World world({});
  EXPECT_NE(ask_cluster(world, Action::upgrade), "");  // READY
  ASSERT_EQ(ask_cluster(world, Action::deploy), "");
  world.run_until_idle();
  EXPECT_NE(world.machine("main").deployed, 0U);
  const auto version = [&] {
    const auto record = world.reading()->record(world.cluster()).value();
    return std::string(parse_json(record->body).value().text_or("version", ""));
  };
  ASSERT_EQ(ask_cluster(world, Action::upgrade), "");
  world.run_until_idle();
  EXPECT_EQ(version(), "1.31");
  while (ask_cluster(world, Action::upgrade).empty()) world.run_until_idle();
  EXPECT_EQ(version(), "1.33");
}

// The record's outputs after a deploy whose driver gave these.
std::string outputs_after(std::string given) {
  WorldOptions options;
  options.rules.emplace_back().outputs = std::move(given);
  World world(std::move(options));
  EXPECT_EQ(ask_cluster(world, Action::deploy), "");
  world.run_until_idle();
  EXPECT_EQ(world.machine("main").freshness, static_cast<std::uint8_t>(Freshness::up_to_date));
  const auto record = world.reading()->record(world.cluster()).value();
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
  World world({});
  ASSERT_EQ(ask_cluster(world, Action::deploy), "");
  world.run_until_idle();
  const std::string locked = world.change([&](Unit& unit) -> Result<void> {
    Record lock;
    lock.id = unit.make_id();
    lock.family = cluster_lock_number;
    lock.parent = world.cluster();
    lock.body = Writer().begin_object().field("locked_at", unit.now()).field("ttl_in_days", std::int64_t{1}).end_object().text();
    unit.put(std::move(lock));
    unit.emit(Event{});
    return {};
  });
  ASSERT_EQ(locked, "");
  EXPECT_EQ(ask_cluster(world, Action::upgrade), "cluster \"main\" refuses: it is locked");
  world.run_until(world.now() + seconds(86'400));
  EXPECT_EQ(ask_cluster(world, Action::upgrade), "");
}

TEST(Cluster, IsNeitherStoppedUnderADeploymentNorDeletedUnderAnEnvironment) {
  WorldOptions options;
  options.rules = {rule_of("web", seconds(10))};
  World world(options);
  world.add_service("web", "container", container, 0);
  const std::string linked = world.change([&](Unit& unit) -> Result<void> {
    ORLOP_TRY(environment, unit.record(world.environment()));
    unit.put(std::move(*environment), std::nullopt, std::vector<Id>{world.cluster()});
    return {};
  });
  ASSERT_EQ(linked, "");
  ASSERT_EQ(ask_cluster(world, Action::deploy), "");
  ASSERT_EQ(ask(world, order_of(world, Action::deploy)), "");
  world.run_until(world.now() + seconds(5));
  EXPECT_EQ(ask_cluster(world, Action::stop), "cluster \"main\" refuses: a deployment runs on it; wait for its end or cancel it");
  world.run_until_idle();
  EXPECT_EQ(ask_cluster(world, Action::remove), "cluster \"main\" refuses: an environment is linked to it; delete what is linked first");
  EXPECT_EQ(ask_cluster(world, Action::stop), "");
}

}  // namespace
}  // namespace orlop
