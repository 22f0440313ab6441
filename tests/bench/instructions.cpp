// Runs one phase of the life of many services, so that callgrind counts its instructions alone. Run by
// instructions_bench.py.
//
// usage: instructions PHASE SERVICES [STORAGE|shared|alone]
// Without a storage it runs a simulation in memory, else an engine whose host moves the clock. `shared` and `alone` are
// stores in memory: several engines can share the first; one engine uses the second, without leases. Prints the phase's
// microseconds for each service, and the milliseconds of the longest single call, which blocks other writers.
#include <algorithm>
#include <array>
#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "deploy/driver/scripted_driver.h"
#include "lone_store.h"
#include "opened_platform.h"
#include "sim/rules/rule_set.h"
#include "sim/seeded_random_source.h"
#include "sim/simulator.h"
#include "sim/virtual_clock.h"
#include "wire/json.h"

namespace {

using Time = std::chrono::steady_clock;

class Lifetime {
 public:
  Lifetime(std::size_t services, const std::string& storage) : services_(services) {
    if (storage.empty()) open_simulation();
    else open_engine(storage);
    organization_ = create("/organization", R"({"name":"acme","plan":"FREE"})");
    const std::string above = "/organization/" + organization_;
    create(above + "/cluster", R"({"name":"main","region":"eu-west-3","cloud_provider":"AWS"})");
    registry_ = create(above + "/containerRegistry", R"({"name":"hub","kind":"DOCKER_HUB","config":{}})");
    project_ = create(above + "/project", R"({"name":"shop"})");
    environment_ = create("/project/" + project_ + "/environment", R"({"name":"production"})");
    tick();  // the first tick acquires the partitions and reads the work under way
  }

  void create_services() {
    for (std::size_t at = 0; at < services_; ++at) {
      const std::string made = request("POST", "/environment/" + environment_ + "/container",
                                       R"({"name":"s)" + std::to_string(at) + R"(","registry_id":")" + registry_ +
                                           R"(","image_name":"shop/web","tag":"1.0","healthchecks":{}})");
      made_.push_back(made.substr(7, 36));
    }
  }
  void create_many() {
    std::vector<std::string> names;
    for (std::size_t at = 0; at < services_; ++at) names.push_back("s" + std::to_string(at));
    const std::string organization = "/organization/" + create("/organization", R"({"name":"many","plan":"FREE"})");
    create(organization + "/cluster", R"({"name":"main","region":"eu-west-3","cloud_provider":"AWS"})");
    const std::string registry =
        create(organization + "/containerRegistry", R"({"name":"hub","kind":"DOCKER_HUB","config":{}})");
    const std::string environment =
        create("/project/" + create(organization + "/project", R"({"name":"shop"})") + "/environment",
               R"({"name":"production"})");
    const std::string path = "/environment/" + environment + "/container";
    const std::string body =
        R"({"registry_id":")" + registry + R"(","image_name":"shop/web","tag":"1.0","healthchecks":{}})";
    send({.method = "POST", .path = path, .body = body, .headers = {}, .names = {names.begin(), names.end()}});
  }
  void get() {
    for (const std::string& service : made_) request("GET", "/container/" + service);
  }
  void list() { request("GET", "/environment/" + environment_ + "/container"); }
  void post_deploy() { request("POST", "/environment/" + environment_ + "/deploy"); }
  void post_redeploy() { request("POST", "/environment/" + environment_ + "/redeploy"); }
  void tick() {
    if (simulator_) {
      if (const auto ran = simulator_->run_until_idle({}); !ran) bench::fail(ran.error().message);
      return;
    }
    while (true) {
      const auto started = Time::now();
      const auto next = engine_->tick();
      note(started);
      if (!next) bench::fail(next.error().message);
      if (!*next) return;
      clock_.move_to(**next);
    }
  }
  void statuses() { request("GET", "/environment/" + environment_ + "/statuses"); }
  void snapshot() {
    const auto started = Time::now();
    const auto taken = engine().snapshot();
    note(started);
    if (!taken) bench::fail(taken.error().message);
  }
  void clone() {
    request("POST", "/environment/" + environment_ + "/clone", R"({"name":"copy"})");
    tick();
  }
  void remove() {
    request("DELETE", "/organization/" + organization_);
    tick();
  }

  double longest_milliseconds() const { return longest_; }
  void forget_longest() { longest_ = 0; }

 private:
  // Every step takes a different time, as in practice: few end at the same instant.
  void open_simulation() {
    orlop::SimulationOptions options;
    options.engine.settings.require_cluster = false;
    options.engine.driver = &driver_;
    options.seed = 1;
    options.rules = &rules_;
    options.script = &driver_;
    options.start = start;
    driver_.set_decider(rules_);
    const auto rule = orlop::parse_json(R"({"step":"deploy","after":30,"jitter":30})");
    if (!rule || !rules_.add(*rule, start)) bench::fail("the rule was refused");
    auto opened = orlop::Simulator::open(std::move(options));
    if (!opened) bench::fail("open: " + opened.error().message);
    simulator_ = std::move(*opened);
  }
  void open_engine(const std::string& storage) {
    orlop::EngineOptions options;
    if (storage == "shared" || storage == "alone")
      options.store = std::make_shared<bench::PassingStore>(storage == "shared");
    else options.storage = storage;
    options.clock = &clock_;
    options.random_source = &random_source_;
    options.settings.require_cluster = false;
    options.driver = &driver_;
    driver_.set_decider(rules_);
    const auto rule = orlop::parse_json(R"({"after":30,"jitter":30})");
    if (!rule || !rules_.add(*rule, start)) bench::fail("the rule was refused");
    auto opened = orlop::Engine::open(std::move(options));
    if (!opened) bench::fail("open: " + opened.error().message);
    engine_ = std::move(*opened);
  }
  orlop::Engine& engine() { return simulator_ ? simulator_->engine() : *engine_; }
  void note(Time::time_point started) {
    longest_ = std::max(longest_, std::chrono::duration<double, std::milli>(Time::now() - started).count());
  }
  std::string request(std::string_view method, const std::string& path, const std::string& body = "") {
    return send({method, path, body, {}});
  }
  std::string send(const orlop::Request& request) {
    const auto started = Time::now();
    auto reply = engine().dispatch(request);
    note(started);
    const std::string path(request.path);
    if (!reply) bench::fail(path + ": " + reply.error().message);
    if (reply->status >= 300) bench::fail(path + ": " + reply->body);
    return std::move(reply->body);
  }
  std::string create(const std::string& path, const std::string& body) {
    return request("POST", path, body).substr(7, 36);
  }

  std::size_t services_;
  static constexpr orlop::Instant start{1'767'225'600'000};
  orlop::VirtualClock clock_{start};
  orlop::SeededRandomSource random_source_{1};
  orlop::RuleSet rules_;
  orlop::ScriptedDriver driver_;
  std::unique_ptr<orlop::Simulator> simulator_;
  std::unique_ptr<orlop::Engine> engine_;
  std::string organization_;
  std::string registry_;
  std::string project_;
  std::string environment_;
  std::vector<std::string> made_;
  double longest_ = 0;
};

struct Phase {
  std::string_view name;
  void (Lifetime::*run)();
};

// In order: the phases before the measured one run first, unmeasured.
constexpr std::array phases = {
    Phase{"create", &Lifetime::create_services},
    Phase{"get", &Lifetime::get},
    Phase{"list", &Lifetime::list},
    Phase{"post_deploy", &Lifetime::post_deploy},
    Phase{"ticks", &Lifetime::tick},
    Phase{"statuses", &Lifetime::statuses},
    Phase{"post_redeploy", &Lifetime::post_redeploy},
    Phase{"redeploy_ticks", &Lifetime::tick},
    Phase{"snapshot", &Lifetime::snapshot},
    Phase{"clone", &Lifetime::clone},
    Phase{"delete", &Lifetime::remove},
    Phase{"create_many", &Lifetime::create_many},
};

}  // namespace

// The function whose instructions callgrind collects: --toggle-collect=measured.
extern "C" __attribute__((noinline)) void measured(Lifetime& lifetime, const Phase& phase) {
  (lifetime.*phase.run)();
  asm volatile("" ::: "memory");
}

int main(int count, char** arguments) {
  const std::string_view wanted = count > 1 ? arguments[1] : "";
  const std::size_t services = count > 2 ? std::strtoull(arguments[2], nullptr, 10) : 0;
  const bool is_all = wanted == "all";
  const auto last = std::ranges::find(phases, wanted, &Phase::name);
  if ((last == phases.end() && !is_all) || services == 0)
    bench::fail("usage: instructions PHASE|all SERVICES [STORAGE|shared|alone]");
  Lifetime lifetime(services, count > 3 ? arguments[3] : "");
  for (auto phase = phases.begin(); phase != phases.end(); ++phase) {
    const bool is_wanted = is_all || phase == last;
    lifetime.forget_longest();
    const auto started = Time::now();
    if (is_wanted) measured(lifetime, *phase);
    else (lifetime.*phase->run)();
    if (!is_wanted) continue;
    const double microseconds = std::chrono::duration<double, std::micro>(Time::now() - started).count();
    std::printf("%-16s %8.2f us for each service, longest call %8.2f ms\n", std::string(phase->name).c_str(),
                microseconds / static_cast<double>(services), lifetime.longest_milliseconds());
    if (phase == last) break;
  }
  return 0;
}
