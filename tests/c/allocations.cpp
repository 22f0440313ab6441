// Number of allocations of a call, which does not vary with the load of the machine. An additional parse, copy or
// lookup raises it, and so does a cost that grows with the size of the store.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>

#include "check.h"
#include "failing_memory.h"
#include "orlop/driver.h"
#include "orlop/orlop.h"

namespace {

constexpr long supply = 1'000'000'000;
constexpr int services = 400;

bool is_good = true;

long count(const std::function<void()>& call) {
  left = supply;
  call();
  const long used = supply - left;
  left = plenty;
  return used;
}

// Fails the test if the average of `used` over `among` calls exceeds `allowed`.
void expect(const char* what, long used, long among, long allowed) {
  const long each = (used + among - 1) / among;
  std::printf("%-42s %6ld allocations, at most %ld\n", what, each, allowed);
  if (each > allowed) {
    std::fprintf(stderr, "%s: %ld allocations; at most %ld are allowed\n", what, each, allowed);
    is_good = false;
  }
}

class MeasuredEngine {
 public:
  MeasuredEngine() : made_(create_platform(engine_)) {
    create(engine_, registry_, "/organization/%s/containerRegistry", made_.organization,
           R"({"name":"hub","kind":"DOCKER_HUB","config":{}})");
  }
  ~MeasuredEngine() { OK(orlop_close(engine_)); }
  MeasuredEngine(const MeasuredEngine&) = delete;
  MeasuredEngine& operator=(const MeasuredEngine&) = delete;

  void ask(const char* method, const std::string& path, const std::string& body = "") {
    orlop_reply* reply = dispatch(engine_, method, path.c_str(), body.c_str());
    CHECK(orlop_reply_status(reply) < 300);
    orlop_reply_free(reply);
  }
  // Creates the containers with numbers from `first` to before `end`.
  void create_services(int first, int end) {
    for (int number = first; number < end; ++number) {
      create(engine_, last_, "/environment/%s/container", made_.environment,
             (R"({"name":"s)" + std::to_string(number) + R"(","registry_id":")" + registry_ +
              R"(","image_name":"shop/web","tag":"1.0","healthchecks":{}})")
                 .c_str());
    }
  }
  void run() { OK(orlop_run_until_idle(engine_, nullptr)); }
  void snapshot() {
    orlop_buffer* text = nullptr;
    OK(orlop_snapshot(&text, engine_));
    orlop_buffer_free(text);
  }
  std::string of_environment(const char* what) const { return "/environment/" + std::string(made_.environment) + what; }
  std::string of_service() const { return "/container/" + std::string(last_); }

 private:
  orlop_engine* engine_ = open_simulation(nullptr);
  platform made_;
  char registry_[37] = {};
  char last_[37] = {};
};

}  // namespace

int main() {
  MeasuredEngine engine;
  engine.create_services(0, 100);
  expect("create, of the first", count([&] { engine.create_services(100, 200); }), 100, 92);
  engine.create_services(200, services - 100);
  expect("create, of the last", count([&] { engine.create_services(services - 100, services); }), 100, 92);
  expect("get", count([&] { engine.ask("GET", engine.of_service()); }), 1, 11);
  expect("list, for each", count([&] { engine.ask("GET", engine.of_environment("/container")); }), services, 2);
  expect("deploy, for each", count([&] { engine.ask("POST", engine.of_environment("/deploy")); }), services, 11);
  expect("ticks, for each", count([&] { engine.run(); }), services, 63);
  expect("statuses, for each", count([&] { engine.ask("GET", engine.of_environment("/statuses")); }), services, 7);
  expect("snapshot, for each", count([&] { engine.snapshot(); }), services, 34);
  expect("clone, for each", count([&] {
           engine.ask("POST", engine.of_environment("/clone"), R"({"name":"copy"})");
           engine.run();
         }),
         services, 89);
  return is_good ? 0 : 1;
}
