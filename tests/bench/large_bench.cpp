// Large work as a whole, in memory and in a durable file, in milliseconds, to compare two commits of this project. It
// uses only old functions of platform.h and paired.h, so that an older checkout compiles it too: copy it there and run
// compare.py. There is no bare side; bulk_bench measures the same work in detail. ORLOP_BENCH_LARGE_ONLY=environment:
// only the environment in a file.
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "opened_platform.h"
#include "paired.h"

namespace {

using bench::OpenedPlatform;

// Returns the id of an environment with this many services.
std::string fill(OpenedPlatform& platform, std::size_t services) {
  const std::string environment = platform.create_environment("big");
  for (std::size_t at = 0; at < services; ++at) platform.create_container(environment, "s" + std::to_string(at));
  return environment;
}

class Rows {
 public:
  explicit Rows(std::string medium) : medium_(std::move(medium)) {}
  void add(const std::string& name, const std::function<void()>& work) {
    figures.push_back({name + ", " + medium_, "", "ms", bench::seconds_of(work) * 1e3, 0, 0, 0, 0});
  }
  std::vector<bench::Figure> figures;

 private:
  std::string medium_;
};

void work_on_environment(const std::string& storage, Rows& rows) {
  OpenedPlatform platform(storage);
  const std::string path = "/environment/" + fill(platform, 10'000);
  rows.add("deploy of 10,000: request", [&] { platform.request("POST", path + "/deploy"); });
  rows.add("deploy of 10,000: ticks", [&] { platform.run(); });
  rows.add("snapshot", [&] {
    if (platform.engine().snapshot()->empty()) bench::fail("the snapshot is empty");
  });
  rows.add("clone of 10,000", [&] {
    platform.request("POST", path + "/clone", R"({"name":"copy"})");
    platform.run();
  });
}

void remove_organization(const std::string& storage, Rows& rows) {
  OpenedPlatform platform(storage);
  fill(platform, 50'000);
  rows.add("deletion of an organization with 50,000", [&] {
    platform.request("DELETE", "/organization/" + platform.id_of("organization"));
    platform.run();
  });
}

}  // namespace

int main() {
  const bench::Folder folder("large");
  std::vector<bench::Figure> figures;
  const bool only_environment = std::getenv("ORLOP_BENCH_LARGE_ONLY") != nullptr;
  for (const bool is_file : {false, true}) {
    if (only_environment && !is_file) continue;
    Rows rows(is_file ? "file" : "memory");
    work_on_environment(is_file ? "sqlite:" + folder.file("environment.db") : "memory:", rows);
    if (only_environment) {
      figures = rows.figures;
      continue;
    }
    remove_organization(is_file ? "sqlite:" + folder.file("organization.db") : "memory:", rows);
    figures.insert(figures.end(), rows.figures.begin(), rows.figures.end());
  }
  bench::print("large work", figures);
  return 0;
}
