// Large work as a whole, in memory and in a durable file, in milliseconds, to compare two commits of this project. It
// uses only old functions of platform.h and paired.h, so that an older checkout compiles it too: copy it there and run
// compare.py. There is no bare side; bulk_bench measures the same work in detail. ORLOP_BENCH_LARGE_ONLY=environment:
// only the environment in a file.
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "paired.h"
#include "platform.h"

namespace {

using bench::Platform;

struct Content {
  std::string organization;
  std::string environment;
};

Content fill(Platform& platform, std::size_t services) {
  Content content;
  content.organization = platform.create("/organization", R"({"name":"acme","plan":"FREE"})");
  const std::string above = "/organization/" + content.organization;
  platform.create(above + "/cluster", R"({"name":"main","region":"eu-west-3","cloud_provider":"AWS"})");
  const std::string registry =
      platform.create(above + "/containerRegistry", R"({"name":"hub","kind":"DOCKER_HUB","config":{}})");
  const std::string project = platform.create(above + "/project", R"({"name":"shop"})");
  content.environment = platform.create("/project/" + project + "/environment", R"({"name":"big"})");
  for (std::size_t at = 0; at < services; ++at) {
    platform.create("/environment/" + content.environment + "/container",
                    R"({"name":"s)" + std::to_string(at) + R"(","registry_id":")" + registry +
                        R"(","image_name":"shop/web","tag":"1.0","healthchecks":{}})");
  }
  return content;
}

void run_to_the_end(Platform& platform) {
  while (true) {
    const auto next = platform.engine().tick();
    if (!next) bench::fail(next.error().message);
    if (!*next) return;
  }
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
  Platform platform(storage);
  const Content content = fill(platform, 10'000);
  const std::string path = "/environment/" + content.environment;
  rows.add("deploy of 10,000: request", [&] { platform.request("POST", path + "/deploy"); });
  rows.add("deploy of 10,000: ticks", [&] { run_to_the_end(platform); });
  rows.add("snapshot", [&] {
    if (platform.engine().snapshot()->empty()) bench::fail("the snapshot is empty");
  });
  rows.add("clone of 10,000", [&] {
    platform.request("POST", path + "/clone", R"({"name":"copy"})");
    run_to_the_end(platform);
  });
}

void remove_organization(const std::string& storage, Rows& rows) {
  Platform platform(storage);
  const Content content = fill(platform, 50'000);
  rows.add("deletion of an organization with 50,000", [&] {
    platform.request("DELETE", "/organization/" + content.organization);
    run_to_the_end(platform);
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
