// The C++ API: the same functions with objects, and with errors that are thrown or returned.
#include "orlop/orlop.hpp"

#include <memory>
#include <ranges>
#include <stdexcept>
#include <string>
#include <thread>
#include <type_traits>

#include "check.h"

namespace {

static_assert(!std::is_copy_constructible_v<orlop::Engine> && std::is_nothrow_move_constructible_v<orlop::Engine>);
static_assert(!std::is_copy_constructible_v<orlop::Reply> && std::is_nothrow_move_constructible_v<orlop::Reply>);

std::string created(orlop::Engine& engine, const std::string& collection, std::string_view body) {
  const orlop::Reply reply = engine.dispatch({.method = "POST", .path = collection, .body = body});
  CHECK(reply.ok());
  const std::size_t found = reply.body().find(R"("id":")");
  CHECK(found != std::string_view::npos);
  return std::string(reply.body().substr(found + 6, 36));
}

// Creates an environment with a database; returns the environment's id.
std::string platform(orlop::Engine& engine) {
  const std::string organization = created(engine, "/organization", R"({"name":"acme","plan":"FREE"})");
  created(engine, "/organization/" + organization + "/cluster",
          R"({"name":"europe","region":"eu-west-3","cloud_provider":"AWS"})");
  const std::string project = created(engine, "/organization/" + organization + "/project", R"({"name":"shop"})");
  const std::string environment = created(engine, "/project/" + project + "/environment", R"({"name":"production"})");
  created(engine, "/environment/" + environment + "/database",
          R"({"name":"orders","type":"POSTGRESQL","version":"16","mode":"CONTAINER"})");
  const std::string environments = "/project/" + project + "/environment";
  const orlop::Reply more =
      engine.dispatch({.method = "POST", .path = environments, .body = "{}", .names = {"staging", "preview"}});
  CHECK(more.ok() && more.body().size() == 79);
  return environment;
}

std::string events_of_a_deployment(orlop::Engine& engine) {
  const std::string environment = platform(engine);
  CHECK(engine.dispatch({.method = "POST", .path = "/environment/" + environment + "/deploy"}).status() == 202);
  const std::string fed(engine.events().text());
  const orlop_id deployment =
      orlop::parse_id(std::string_view(fed).substr(fed.find("\"subject\":\"", fed.find("deployment.queued")) + 11, 36));
  CHECK(engine.run_until_ended(deployment, orlop::Duration(0)) != ORLOP_RUN_IDLE);
  CHECK(engine.run_until_ended(deployment) == ORLOP_RUN_ENDED);
  engine.reseed(7);
  return std::string(engine.events().text());
}

bool holds(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

class Throwing : public orlop::Driver {
 public:
  explicit Throwing(int& ended) : ended_(ended) {}
  ~Throwing() override { ++ended_; }
  void start(const orlop::Step& step) override {
    throw std::runtime_error("no room for " + std::string(orlop::view_of(step.name)));
  }

 private:
  int& ended_;
};

// Uses only the engine reference of each step.
class Succeeding : public orlop::Driver {
 public:
  void start(const orlop::Step& step) override {
    last = orlop::EngineRef(step.engine);
    last.report({.step = step.id, .kind = ORLOP_REPORT_SUCCEEDED});
  }
  orlop::EngineRef last{nullptr};
};

void errors() {
  try {
    orlop::Engine engine({.storage = "tape:drive"});
    CHECK(false);
  } catch (const orlop::Error& error) {
    CHECK(error.code() == ORLOP_ERROR_INVALID && error.name() == "invalid" && holds(error.what(), "tape"));
  }
  const auto outcome = orlop::Engine::try_open({.brand = "Upper Case"});
  CHECK(!outcome && outcome.error().code() == ORLOP_ERROR_MISUSE);
  const std::string key(32, 'k');
  {
    orlop::Engine engine(orlop::Options{});
    CHECK(engine.try_snapshot("short").error().code() == ORLOP_ERROR_MISUSE);
    const orlop::Buffer snapshot = engine.snapshot(key);
    CHECK(orlop::Engine::try_open({.snapshot = snapshot.text()}).error().code() == ORLOP_ERROR_STORAGE_SEALED);
    CHECK(orlop::Engine::try_open({.snapshot = snapshot.text(), .secrets_key = key}));
    CHECK(engine
              .try_import_from(
                  {.snapshot = snapshot.text(), .family = "project", .root = "acme/shop", .secrets_key = key})
              .error()
              .code() == ORLOP_ERROR_NOT_FOUND);
    CHECK(engine
              .try_import_from(
                  {.snapshot = snapshot.text(), .family = "project", .root = "acme/shop", .name = std::string()})
              .error()
              .code() == ORLOP_ERROR_MISUSE);
  }
  const std::string nothing;  // such as the value of a variable that is not set
  for (const orlop::Options& given : {orlop::Options{.storage = nothing},
                                      {.brand = nothing},
                                      {.kubernetes_versions = {nothing}},
                                      {.snapshot = nothing},
                                      {.secret_key = nothing},
                                      {.billing = {nothing}}}) {
    CHECK(orlop::Engine::try_open(given).error().code() == ORLOP_ERROR_MISUSE);
  }
  CHECK(orlop::try_parse_id("x").error().code() == ORLOP_ERROR_INVALID);
  CHECK(orlop::to_text(orlop::parse_id("0198C0DE-0000-7000-8000-00000000002A")) ==
        "0198c0de-0000-7000-8000-00000000002a");
  CHECK(orlop::to_text(orlop::parse_instant("2026-01-01T00:00:00Z")) == "2026-01-01T00:00:00.000Z");

  orlop::Engine first({.simulation = true});
  orlop::Engine second = std::move(first);
  CHECK(first.try_tick().error().code() == ORLOP_ERROR_MISUSE);
  orlop::Engine third = second.share();
  second.close();
  CHECK(second.try_tick().error().code() == ORLOP_ERROR_CLOSED);
  CHECK(!third.tick());
  CHECK(!third.wait(orlop::Duration(0)));
}

void drivers() {
  int ended = 0;
  {
    orlop::Engine engine({.driver = std::make_shared<Throwing>(ended), .simulation = true, .require_cluster = false});
    CHECK(holds(events_of_a_deployment(engine), "no room for orders"));
    CHECK(ended == 0);
  }
  CHECK(ended == 1);
  // An engine that fails to open does not take over the driver.
  CHECK(!orlop::Engine::try_open({.storage = "tape:drive", .driver = std::make_shared<Throwing>(ended)}));
  CHECK(ended == 2);

  const auto driver = std::make_shared<Succeeding>();
  orlop::Engine engine({.driver = driver, .simulation = true, .require_cluster = false});
  CHECK(holds(events_of_a_deployment(engine), R"("service.deployed")"));
  CHECK(driver.use_count() == 2);
  engine.close();
  CHECK(driver.use_count() == 1);
  CHECK(driver->last.try_now().error().code() == ORLOP_ERROR_CLOSED);
}

void feeds() {
  orlop::Engine engine({.simulation = true, .require_cluster = false});
  const orlop::Feed nothing = engine.feed();
  CHECK(nothing.empty() && nothing.begin() == nothing.end());
  const std::string text = events_of_a_deployment(engine);
  std::uint64_t number = 0;
  bool is_deployed = false;
  for (const orlop::Event& event : engine.feed()) {
    CHECK(event.number == ++number);
    CHECK(holds(text, orlop::view_of(event.kind_name)));
    is_deployed |= event.kind == ORLOP_EVENT_STATE_CHANGED && event.to == ORLOP_SERVICE_DEPLOYED;
  }
  CHECK(is_deployed && number == engine.last_event());
  static_assert(std::ranges::forward_range<const orlop::Feed>);
  CHECK(engine.wait_for(ORLOP_WAKE_EVENTS, number - 1) == ORLOP_WAKE_EVENTS);
  CHECK(engine.wait_for(ORLOP_WAKE_EVENTS | ORLOP_WAKE_WORK, number, orlop::Duration(0)) == 0);
  CHECK(engine.try_wait_for(0).error().code() == ORLOP_ERROR_MISUSE);

  const orlop::Reply reply = engine.dispatch({.method = "GET", .path = "/organization"});
  CHECK(reply.find("/results/0/name") == "acme" && !reply.find("/none"));
}

void logs() {
  std::string said;
  orlop::Engine engine(
      {.log =
           [&](orlop_log_level level, std::string_view message) {
             CHECK(level == ORLOP_LOG_WARNING);
             said = message;
             throw std::runtime_error("the disk for logs is full");
           },
       .external_systems = {"find_webhook", [](const orlop::Ask&) { throw std::runtime_error("502"); }}});
  const std::string application = created(
      engine, "/environment/" + platform(engine) + "/application",
      R"({"name":"api","git_repository":{"url":"https://github.com/acme/api","provider":"GITHUB"},"healthchecks":{}})");
  CHECK(engine.dispatch({.method = "GET", .path = "/service/" + application + "/gitWebhookStatus"}).ok());
  CHECK(said == "the question find_webhook was not answered: 502");
}

void simulation() {
  const auto run = [](std::uint64_t seed) {
    orlop::Engine engine({.seed = seed,
                          .simulation = true,
                          .start = orlop::parse_instant("2030-06-01T12:00:00Z"),
                          .require_cluster = false});
    engine.add_rule(
        {.kind = "database", .step = "deploy", .after = orlop::Duration(30'000), .fails = "NO_DISK", .times = 1});
    const std::string events = events_of_a_deployment(engine);
    CHECK(holds(events, "NO_DISK") && holds(events, "2030-06-01T12:00:30"));
    CHECK(engine.last_event() > 0);
    engine.clear_rules();
    const orlop::Instant before = engine.now();
    engine.advance(std::chrono::hours(2));
    CHECK(engine.now() - before == std::chrono::hours(2));
    return events;
  };
  CHECK(run(1) == run(1));
  CHECK(run(1) != run(2));
}

void clocks() {
  bool is_running = true;
  const orlop::Instant noon = orlop::parse_instant("2030-06-01T12:00:00Z");
  orlop::Engine engine({.clock = [&]() -> orlop::Instant {
    if (!is_running) throw std::runtime_error("the clock stands still");
    return noon;
  }});
  CHECK(engine.now() == noon);
  is_running = false;
  CHECK(engine.now() == noon);
  const orlop::Reply reply =
      engine.dispatch({.method = "GET", .path = "/organization", .query = "page=1&page_size=10"});
  CHECK(reply.ok() && holds(reply.body(), "pagination"));
  CHECK(!reply.headers().empty() && reply.header("content-type") != "");
  CHECK(holds(orlop::describe("openapi").text(), "\"openapi\""));
  CHECK(orlop::version() != "");
}

void callers() {
  orlop::Options options;
  options.authentication = ORLOP_AUTHENTICATION_REQUIRED;
  options.external_systems = {"authenticate", [](const orlop::Ask& ask) {
                                CHECK(ask.question() == "authenticate");
                                if (holds(ask.input(), R"("token":"slow")"))
                                  return ask.fail("the provider does not answer", ORLOP_ERROR_EXTERNAL_TIMEOUT);
                                if (holds(ask.input(), R"("token":"later")"))
                                  return std::thread([ask] { ask.answer(R"({"subject":"ada"})"); }).detach();
                                ask.answer(holds(ask.input(), R"("token":"ada")") ? R"({"subject":"ada"})" : "null");
                                ask.answer("dropped");
                              }};
  orlop::Engine engine(options);
  const auto asks = [](std::string_view authorization) {
    orlop::Request request{.method = "POST", .path = "/organization"};
    if (!authorization.empty()) request.headers.emplace_back("Authorization", authorization);
    request.untrusted = true;
    return request;
  };
  CHECK(!engine.authenticate({.method = "POST", .path = "/organization"}));
  CHECK(!engine.authenticate(asks("Bearer ada")));
  for (const std::string_view wrong : {"", "Bearer", "Bearer junk", "Token ada", "Basic ada"}) {
    const auto refusal = engine.authenticate(asks(wrong));
    CHECK(refusal && refusal->status() == 401 && refusal->header("www-authenticate") == "Bearer");
    CHECK(engine.dispatch(asks(wrong)).status() == 401);
  }
  CHECK(!engine.authenticate(asks("Bearer later")));
  CHECK(engine.authenticate(asks("Bearer slow"))->status() == 504);
  CHECK(engine.dispatch(asks("Bearer slow")).status() == 504);
  orlop_reply* refusal = nullptr;
  CHECK(orlop::Error(orlop_authenticate(&refusal, engine.handle(), nullptr)).code() == ORLOP_ERROR_MISUSE);
}

}  // namespace

int main() {
  errors();
  callers();
  drivers();
  simulation();
  feeds();
  logs();
  clocks();
  return 0;
}
