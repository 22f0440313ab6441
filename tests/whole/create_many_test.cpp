// Resources that are created by their names alone equal those of single creates in a batch, to the last byte of a
// snapshot.
#include "records/create_many.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/registry.h"
#include "platform.h"
#include "rest/request_batch.h"
#include "sim/seeded_random_source.h"
#include "sim/virtual_clock.h"
#include "unit/scratch.h"
#include "wire/json.h"
#include "wire/writer.h"

namespace orlop {
namespace {

// Names from which rules could derive equal ones, names that resemble built-in ones, and, among plain ones, names that
// JSON escapes.
const std::vector<std::string_view> few = {
    "c", "a b", "a-b", "A_B 2", "quote \" and \\", "\xC3\xBC", "admin 2", "default", "d", "e e", "e-e", "webs", "last"};

class CreateManyTest : public testing::TestWithParam<std::string> {
 protected:
  struct Side {
    VirtualClock clock{{1'767'225'600'000}};
    SeededRandomSource random_source{7};
    std::unique_ptr<Engine> engine;
    std::unique_ptr<Platform> platform;
  };
  void open(Side& side, const std::string& file) const {
    EngineOptions options;
    options.storage = GetParam() == "sqlite" ? "sqlite:" + tests::scratch_file(file) : GetParam();
    options.settings.require_cluster = false;
    options.settings.authentication = Authentication::required;
    options.clock = &side.clock;
    options.random_source = &side.random_source;
    auto opened = Engine::open(std::move(options));
    ASSERT_TRUE(opened) << opened.error().message;
    side.engine = std::move(*opened);
    side.platform = std::make_unique<Platform>(*side.engine);
    side.platform->make_all();
  }
  void SetUp() override {
    open(singly_, "singly.db");
    open(together_, "together.db");
  }

  static std::string body_of(Platform& platform, const Family& family) {
    Value body = platform.sample_of(family);
    body.erase("name");
    return to_json(body);
  }

  // Returns the ids, or the refusal of the first refused name.
  static std::string create_singly(Side& side, const std::string& path, const std::string& body,
                                   const std::vector<std::string_view>& names) {
    Writer ids;
    ids.begin_list();
    auto batch = side.engine->begin_batch();
    EXPECT_TRUE(batch);
    for (const std::string_view name : names) {
      Value named = *parse_json(body);
      named.set("name", Value(name));
      const std::string text = to_json(named);
      const auto reply = (*batch)->dispatch({"POST", path, text, {}});
      EXPECT_TRUE(reply);
      if (reply->status >= 300) return reply->body;
      ids.value(parse_json(reply->body)->text_or("id", ""));
    }
    EXPECT_TRUE((*batch)->commit());
    return std::move(ids.end_list()).take();
  }
  static std::string create_together(Side& side, const std::string& path, const std::string& body,
                                     const std::vector<std::string_view>& names) {
    const auto reply =
        side.engine->dispatch({.method = "POST", .path = path, .body = body, .headers = {}, .names = names});
    EXPECT_TRUE(reply);
    return reply->body;
  }
  void expect_same() {
    EXPECT_EQ(*singly_.engine->events({}), *together_.engine->events({}));
    EXPECT_EQ(*singly_.engine->snapshot(), *together_.engine->snapshot());
  }
  void expect_same_of(const Route& route, const std::vector<std::string_view>& names) {
    SCOPED_TRACE(route.path);
    const std::string path = singly_.platform->path_of(route);
    const std::string body = body_of(*singly_.platform, *route.family);
    EXPECT_EQ(create_singly(singly_, path, body, names), create_together(together_, path, body, names));
  }

  Side singly_;
  Side together_;
};

TEST_P(CreateManyTest, is_as_many_creates) {
  int count = 0;
  for (const Route& route : all_routes()) {
    if (route.family == nullptr || !creates_by_name(route.operation, *route.family)) continue;
    ++count;
    std::vector<std::string> own;  // distinct names for families that share a space of names
    for (const std::string_view name : few)
      own.push_back((route.family->name_space == 0 ? "" : std::to_string(count)) + std::string(name));
    expect_same_of(route, {own.begin(), own.end()});
  }
  EXPECT_GE(count, 20);
  expect_same();
  EXPECT_EQ(singly_.platform->seen(), together_.platform->seen());
}

TEST_P(CreateManyTest, is_as_many_creates_over_several_parts) {
  std::vector<std::string> names;
  for (int number = 0; number < 600; ++number) names.push_back("service " + std::to_string(number));
  for (const std::string_view family : {"container", "database", "agentic_workflow"}) {
    for (const Route& route : all_routes()) {
      if (route.family == find_family(family) && route.verb == Verb::create)
        expect_same_of(route, {names.begin(), names.end()});
    }
  }
  expect_same();
}

TEST_P(CreateManyTest, stores_all_or_nothing) {
  std::vector<std::string> names;
  for (int number = 0; number < 600; ++number) names.push_back("service " + std::to_string(number));
  names[580] = "SERVICE 17";
  const std::string before = *together_.engine->snapshot();
  const std::string path = "/environment/" + together_.platform->id_of("environment") + "/container";
  const std::string body = body_of(*together_.platform, *find_family("container"));
  const auto refused = [&](const std::string& with, const std::vector<std::string_view>& tried) {
    const auto reply =
        together_.engine->dispatch({.method = "POST", .path = path, .body = with, .headers = {}, .names = tried});
    EXPECT_TRUE(reply && reply->status >= 400);
    EXPECT_EQ(*together_.engine->snapshot(), before);
    return reply->body;
  };
  EXPECT_NE(refused(body, {names.begin(), names.end()})
                .find("names[580] \\\"SERVICE 17\\\": name \\\"SERVICE 17\\\" is taken"),
            std::string::npos);
  EXPECT_NE(refused(body, {"a", "b", "c", "d", std::string_view()}).find("names[4]"), std::string::npos);
  EXPECT_NE(refused(body, {"a", "b", "c", "d", "\xFF"}).find("must be UTF-8"), std::string::npos);
  const std::string large(70'000, 'x');
  EXPECT_NE(refused(body, {"a", "b", "c", "d", large}).find("names[4]"), std::string::npos);
  EXPECT_NE(refused("[]", {"a"}).find("must be an object"), std::string::npos);
  EXPECT_NE(refused(R"({"name":"x"})", {"a"}).find("name"), std::string::npos);
  EXPECT_NE(refused(R"({"id":"0198c0de-0000-7000-8000-000000000001"})", {"a"}).find("id"), std::string::npos);
}

TEST_P(CreateManyTest, needs_the_rights_of_a_create) {
  const std::string organization = together_.platform->id_of("organization");
  const auto token_of = [&](const std::string& name, const std::string& role) {
    const std::string body =
        R"({"name":")" + name + R"(","role_id":"01900000-0000-7000-8000-000000000a)" + role + R"("})";
    return "Token " +
           std::string(
               parse_json(together_.platform->ask("POST", "/organization/" + organization + "/apiToken", body).body)
                   ->text_or("token", ""));
  };
  const std::string viewer = token_of("looks", "04");
  const std::string admin = token_of("changes", "02");
  const std::string path = "/environment/" + together_.platform->id_of("environment") + "/container";
  const std::string body = body_of(*together_.platform, *find_family("container"));
  const std::string before = *together_.engine->events({});
  const auto status_for = [&](const std::string& token, const std::string& with) {
    const auto reply = together_.engine->dispatch({.method = "POST",
                                                   .path = path,
                                                   .body = with,
                                                   .headers = {{"authorization", token}},
                                                   .trust = Trust::outside,
                                                   .names = {"x", "y", "z", "u", "v"}});
    return reply ? reply->status : 0;
  };
  EXPECT_EQ(status_for(viewer, body), 403);
  EXPECT_EQ(status_for(viewer, "{"), 403);
  EXPECT_EQ(status_for("Token unknown", body), 401);
  EXPECT_EQ(*together_.engine->events({}), before);
  EXPECT_EQ(status_for(admin, body), 201);
}

TEST_P(CreateManyTest, has_one_effect_for_its_key) {
  const std::string path = "/environment/" + together_.platform->id_of("environment") + "/container";
  const std::string body = body_of(*together_.platform, *find_family("container"));
  const auto create = [&](const std::vector<std::string_view>& names) {
    return *together_.engine->dispatch(
        {.method = "POST", .path = path, .body = body, .headers = {{"idempotency-key", "k"}}, .names = names});
  };
  const Reply first = create({"x", "y"});
  EXPECT_EQ(first.status, 201);
  EXPECT_EQ(create({"x", "y"}).body, first.body);
  EXPECT_EQ(create({"x", "yz"}).status, 422);
  EXPECT_EQ(create({"xy"}).status, 422);
}

// The history shows the names of the records, wherever they are in the record's text.
TEST_P(CreateManyTest, names_what_is_deployed) {
  Engine& engine = *together_.engine;
  Platform& platform = *together_.platform;
  const std::string environment = "/environment/" + platform.id_of("environment");
  const std::string body = body_of(platform, *find_family("container"));
  std::vector<std::string> names;
  for (int number = 0; number < 12; ++number)
    names.push_back("service " + std::to_string(number) + std::string(number % 3 == 0 ? 100 : 0, 'x'));
  names.push_back("quote \" and \\");
  const auto edited = [&](const std::string& name) {
    Value value = *parse_json(body);
    value.set("name", Value(name));
    value.set("description", Value("It was edited, and its record is longer than that of others."));
    return to_json(value);
  };
  auto batch = engine.begin_batch();
  ASSERT_TRUE(batch);
  const auto made = (*batch)->dispatch({.method = "POST",
                                        .path = environment + "/container",
                                        .body = body,
                                        .headers = {},
                                        .names = std::vector<std::string_view>(names.begin(), names.end())});
  ASSERT_TRUE(made);
  ASSERT_EQ(made->status, 201) << made->body;
  std::vector<std::string> ids;
  const Value list = *parse_json(made->body);
  for (const Value& id : list.items()) ids.emplace_back(id.as_text());
  const auto edit = [&](std::size_t at, const std::string& name) {
    names[at] = name;
    const std::string path = "/container/" + ids[at];
    const std::string text = edited(name);
    const auto reply =
        *batch == nullptr ? engine.dispatch({"PUT", path, text, {}}) : (*batch)->dispatch({"PUT", path, text, {}});
    ASSERT_TRUE(reply);
    ASSERT_EQ(reply->status, 200) << reply->body;
  };
  edit(4, names[4]);
  edit(5, "renamed in the same commit");
  edit(6, "z");
  ASSERT_TRUE((*batch)->commit());
  batch->reset();
  edit(7, "renamed later");
  edit(8, "y");
  ASSERT_EQ(platform.ask("POST", environment + "/deploy").status, 202);
  for (int ticks = 0; ticks < 100; ++ticks) {
    const auto due = engine.tick();
    ASSERT_TRUE(due);
    if (!*due || **due > together_.clock.now()) break;
  }
  std::map<std::string, std::string> named;
  const auto history = parse_stored(platform.ask("GET", environment + "/deploymentHistoryV2").body);
  for (const Value& stage : history->find("results")->items().front().find("stages")->items()) {
    for (const Value& service : stage.find("services")->items()) {
      const Value* const identifier = service.find("identifier");
      named[std::string(identifier->text_or("service_id", ""))] = identifier->text_or("name", "");
    }
  }
  for (std::size_t at = 0; at < ids.size(); ++at) EXPECT_EQ(named[ids[at]], names[at]) << at;
}

INSTANTIATE_TEST_SUITE_P(Stores, CreateManyTest, testing::Values("memory:", "sqlite"), [](const auto& param) {
  return param.param == "sqlite" ? std::string("sqlite") : std::string("memory");
});

}  // namespace
}  // namespace orlop
