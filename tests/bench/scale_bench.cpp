// Cost must follow what changed, not what is stored: the same work at a small and a large store, a durable deployment
// of 10,000 services, the size on disk and in memory, and the time from open to the first answer. ORLOP_BENCH_SERVICES
// sets the large store's services (default 100000). ORLOP_BENCH_SCALE_ONLY=request: only the deployment of 10,000.
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <vector>

#include "paired.h"
#include "raw_sqlite.h"

namespace {

using bench::Figure;
using bench::OpenedPlatform;

struct Environment {
  std::string id;
  std::vector<std::string> services;
};

Environment make_environment(OpenedPlatform& platform, const std::string& name, std::size_t services) {
  Environment environment{platform.create_environment(name), {}};
  for (std::size_t at = 0; at < services; ++at)
    environment.services.push_back(platform.create_container(environment.id, "s" + std::to_string(at)));
  return environment;
}

constexpr std::size_t services_each = 100;

void fill(OpenedPlatform& platform, std::size_t services) {
  for (std::size_t at = 0; at < services / services_each; ++at)
    make_environment(platform, "e" + std::to_string(at), services_each);
}

std::size_t large_size() {
  const char* given = std::getenv("ORLOP_BENCH_SERVICES");
  return given == nullptr ? 100'000 : static_cast<std::size_t>(std::strtoull(given, nullptr, 10));
}

// "Ours" is the large store, "bare" the small one: the ratio is the speed of the large store relative to the small one.
std::vector<Figure> growth(const bench::Folder& folder, OpenedPlatform& large) {
  OpenedPlatform small("sqlite:" + folder.file("small.db"), orlop::Durability::normal);
  fill(small, 1000);
  const Environment small_target = make_environment(small, "target", services_each);
  const Environment large_target = make_environment(large, "target", services_each);
  std::size_t made = 0;
  const auto create = [&made](OpenedPlatform& platform, const Environment& target) {
    for (int count = 0; count < 200; ++count) platform.create_container(target.id, "n" + std::to_string(made++));
  };
  const auto deploy = [](OpenedPlatform& platform, const Environment& target) {
    platform.request("POST", "/environment/" + target.id + "/deploy");
    platform.run();
  };
  std::size_t bytes = 0;
  const auto read = [&bytes](OpenedPlatform& platform, const Environment& target) {
    for (int lap = 0; lap < 50; ++lap) {
      for (const std::string& service : target.services)
        bytes += platform.request("GET", "/container/" + service).size();
    }
  };
  std::vector<Figure> figures;
  figures.push_back(
      bench::measure("GET (bare: at 1,000 services)", "0.87 (1.15 times)",
                     {[&] { read(large, large_target); }, [&] { read(small, small_target); }, {}, 50 * services_each}));
  figures.push_back(
      bench::measure("create (bare: at 1,000 services)", "0.77 (1.3 times)",
                     {[&] { create(large, large_target); }, [&] { create(small, small_target); }, {}, 200}));
  figures.push_back(
      bench::measure("deploy the environment (bare: at 1,000)", "0.77 (1.3 times)",
                     {[&] { deploy(large, large_target); }, [&] { deploy(small, small_target); }, {}, 1}));
  return bytes == 0 ? std::vector<Figure>{} : figures;
}

// The request of 10,000 services; bare: the same rows updated and events added in one transaction.
Figure deployment_request(const bench::Folder& folder) {
  constexpr std::size_t count = 10'000;
  const std::string file = folder.file("request.db");
  OpenedPlatform ours("sqlite:" + file);
  std::vector<Environment> environments;
  constexpr int rounds = 7;
  for (int round = 0; round <= rounds; ++round)
    environments.push_back(make_environment(ours, "big" + std::to_string(round), count));

  const std::string bare_file = folder.file("request-bare.db");
  std::filesystem::copy_file(file, bare_file);
  if (std::filesystem::exists(file + "-wal")) std::filesystem::copy_file(file + "-wal", bare_file + "-wal");
  bench::RawSqlite bare(bare_file, "FULL");
  std::size_t next = 0;
  std::size_t next_bare = 0;
  return bench::measure("POST deploy of 10,000 services, FULL (bare: batch)", "0.6",
                        {[&] { ours.request("POST", "/environment/" + environments[next++].id + "/deploy"); },
                         [&] { bare.queue_services(*orlop::parse_id(environments[next_bare++].id)); },
                         {},
                         1},
                        rounds);
}

double resident_bytes() {
  std::ifstream status("/proc/self/statm");
  double total = 0;
  double resident = 0;
  status >> total >> resident;
  return resident * 4096;
}

std::vector<Figure> size_and_open(const std::string& file, std::size_t services) {
  std::vector<Figure> figures;
  bench::RawSqlite bare(file, "NORMAL");
  bare.checkpoint();
  const auto on_disk = static_cast<double>(std::filesystem::file_size(file));
  const double text = bare.text_bytes();
  const double records = static_cast<double>(bare.records());
  figures.push_back({"bytes on disk of a record (bare: its JSON)", "0.67 (1.5 times)", "B ", on_disk / records,
                     text / records, text / on_disk, text / on_disk, text / on_disk});

  const double before = resident_bytes();
  {
    const OpenedPlatform opened("sqlite:" + file, orlop::Durability::normal);
    const double each = std::max(0.0, resident_bytes() - before) / static_cast<double>(services);
    figures.push_back(
        {"resident bytes for each stored service", "at most 128", "B ", each, 128, each == 0 ? 1 : 128 / each, 1, 1});
  }
  const std::string organization = bare.an_id_of(1);
  figures.push_back(bench::measure("open to the first answer (bare: SQLite)", "0.33 (3 times)",
                                   {[&] {
                                      OpenedPlatform opened("sqlite:" + file, orlop::Durability::normal);
                                      opened.request("GET", "/organization/" + organization);
                                    },
                                    [&] {
                                      bench::RawSqlite opened(file, "NORMAL");
                                      if (opened.an_id_of(1).empty()) bench::fail("the store is empty");
                                    },
                                    {},
                                    1},
                                   9));
  return figures;
}

}  // namespace

int main() {
  const bench::Folder folder("scale");
  if (std::getenv("ORLOP_BENCH_SCALE_ONLY") != nullptr) {
    bench::print("scale", {deployment_request(folder)});
    return 0;
  }
  const std::size_t services = large_size();
  const std::string large_file = folder.file("large.db");
  std::vector<Figure> figures;
  {
    OpenedPlatform large("sqlite:" + large_file, orlop::Durability::normal);
    fill(large, services);
    figures = growth(folder, large);
  }
  for (Figure& figure : size_and_open(large_file, services)) figures.push_back(std::move(figure));
  figures.push_back(deployment_request(folder));
  bench::print("scale, " + std::to_string(services) + " services stored", figures);
  return 0;
}
