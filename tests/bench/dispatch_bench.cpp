// Creating, reading and listing through dispatch, compared with hand-written SQLite.
#include <algorithm>
#include <thread>
#include <vector>

#include "paired.h"
#include "raw_sqlite.h"

namespace {

using bench::Figure;
using bench::OpenedPlatform;
using bench::RawSqlite;
using orlop::Durability;

constexpr std::string_view description =
    "Charts of the shop: api, web, worker, mailer, search and the nightly reports, mirrored from the upstream registry "
    "of the team";

std::string repository(std::uint64_t number) {
  return R"({"name":"repository-)" + std::to_string(number) + R"(","kind":"OCI_GENERIC_CR","description":")" +
         std::string(description) +
         R"(","url":"oci://registry.example.com/charts","skip_tls_verification":false,"config":{"username":)"
         R"("deployer","password":"s3cret"}})";
}

// One store of ours and one bare file with the same schema, with one organization each.
struct Beside {
  Beside(const bench::Folder& folder, const std::string& name, Durability durability)
      : ours("sqlite:" + folder.file(name + "-ours.db"), durability) {
    collection = "/organization/" + ours.id_of("organization") + "/helmRepository";
    sample = ours.request("POST", collection, repository(1'000'000'000));
    const std::string bare_file = folder.file(name + "-bare.db");
    { const OpenedPlatform schema("sqlite:" + bare_file); }
    bare = std::make_unique<RawSqlite>(bare_file, durability == Durability::full ? "FULL" : "NORMAL");
  }

  void create_ours(std::uint64_t count) {
    for (std::uint64_t index = 0; index < count; ++index) ours.request("POST", collection, repository(made++));
  }
  void create_bare(std::uint64_t count) {
    for (std::uint64_t index = 0; index < count; ++index) bare->create(sample, parent);
  }

  OpenedPlatform ours;
  std::string collection;
  std::string sample;
  std::unique_ptr<RawSqlite> bare;
  orlop::Id parent = *orlop::parse_id("0198c0de-0000-7000-8000-000000000001");
  std::uint64_t made = 0;
};

Figure create_durably(const bench::Folder& folder, Durability durability, const std::string& name,
                      const std::string& goal) {
  Beside beside(folder, name, durability);
  constexpr std::uint64_t count = 300;
  return bench::measure("create, " + name, goal,
                        {[&] { beside.create_ours(count); }, [&] { beside.create_bare(count); }, {}, count}, 9);
}

Figure create_in_memory(const bench::Folder& folder) {
  const std::string schema_file = folder.file("schema.db");
  { const OpenedPlatform schema("sqlite:" + schema_file); }
  OpenedPlatform ours("memory:");
  const std::string collection = "/organization/" + ours.id_of("organization") + "/helmRepository";
  const std::string sample = ours.request("POST", collection, repository(1'000'000'000));
  RawSqlite bare(":memory:", "OFF", schema_file);
  const orlop::Id parent = *orlop::parse_id("0198c0de-0000-7000-8000-000000000001");
  constexpr std::uint64_t count = 2000;
  std::uint64_t made = 0;
  return bench::measure("create, memory (bare: SQLite in memory)", "0.90",
                        {[&] {
                           for (std::uint64_t index = 0; index < count; ++index)
                             ours.request("POST", collection, repository(made++));
                         },
                         [&] {
                           for (std::uint64_t index = 0; index < count; ++index) bare.create(sample, parent);
                         },
                         {},
                         count},
                        9);
}

Figure sixteen_writers(const bench::Folder& folder) {
  Beside beside(folder, "writers", Durability::full);
  constexpr std::uint64_t each = 40;
  constexpr std::uint64_t writers = 16;
  const auto all = [&] {
    std::vector<std::thread> threads;
    const std::uint64_t first = beside.made;
    beside.made += writers * each;
    for (std::uint64_t writer = 0; writer < writers; ++writer) {
      threads.emplace_back([&, writer] {
        for (std::uint64_t index = 0; index < each; ++index) {
          beside.ours.request("POST", beside.collection, repository(first + writer * each + index));
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
  };
  return bench::measure("create, FULL: 16 writers (bare: one of ours)", "4",
                        {all, [&] { beside.create_ours(writers * each); }, {}, writers * each}, 7);
}

Figure tail(const bench::Folder& folder) {
  Beside beside(folder, "tail", Durability::full);
  constexpr std::uint64_t count = 2000;
  std::vector<double> ours;
  std::vector<double> bare;
  for (std::uint64_t index = 0; index < count; ++index) {
    ours.push_back(bench::seconds_of([&] { beside.create_ours(1); }) * 1e6);
    bare.push_back(bench::seconds_of([&] { beside.create_bare(1); }) * 1e6);
  }
  Figure figure{"p99 of one create, FULL", "at least 0.67 (1.5 times raw)", "us", bench::quantile(ours, 0.99),
                bench::quantile(bare, 0.99)};
  figure.ratio = figure.ratio_least = figure.ratio_most = figure.bare / figure.ours;
  return figure;
}

// Creates `count` credentials and returns their paths. `sample`: the answer to the last creation.
std::vector<std::string> made_credentials(Beside& beside, std::uint64_t count, std::string& sample) {
  std::vector<std::string> paths;
  for (std::uint64_t index = 0; index < count; ++index) {
    const std::string body = R"({"name":"credentials-)" + std::to_string(index) + R"(","azure_subscription_id":")" +
                             std::string(description) + R"(","azure_tenant_id":")" + std::string(description) + R"("})";
    const std::string made =
        beside.ours.request("POST", "/organization/" + beside.ours.id_of("organization") + "/azure/credentials", body);
    paths.push_back("/organization/" + beside.ours.id_of("organization") + "/azure/credentials/" +
                    made.substr(made.find("\"id\":\"") + 6, 36));
    sample = made;
  }
  return paths;
}

std::vector<Figure> reads(const bench::Folder& folder) {
  Beside beside(folder, "reads", Durability::normal);
  constexpr std::uint64_t count = 5000;
  std::string sample;
  const std::vector<std::string> paths = made_credentials(beside, count, sample);
  for (std::uint64_t index = 0; index < count; ++index) beside.bare->create(sample, beside.parent);
  std::size_t bytes = 0;
  std::uint64_t at = 0;
  const auto next = [&] { return at = (at + 7919) % count; };
  std::vector<Figure> figures;
  figures.push_back(bench::measure("GET by id", "0.85",
                                   {[&] {
                                      for (int index = 0; index < 5000; ++index)
                                        bytes += beside.ours.request("GET", paths[next()]).size();
                                    },
                                    [&] {
                                      for (int index = 0; index < 5000; ++index) bytes += beside.bare->read(next());
                                    },
                                    {},
                                    5000},
                                   9));
  const std::string environment = beside.ours.create_environment("production");
  const auto list_of_100 = [&](const std::string& name, const std::string& goal, const std::string& collection,
                               const std::string& rest, std::uint8_t last_byte) {
    orlop::Id parent = beside.parent;
    parent.bytes[15] = last_byte;
    for (int index = 0; index < 100; ++index) {
      const std::string body = R"({"name":"n)" + std::to_string(index) + R"(","description":")" +
                               std::string(description) + "\"" + rest + "}";
      beside.bare->create(beside.ours.request("POST", collection, body), parent);
    }
    figures.push_back(bench::measure(name, goal,
                                     {[&] {
                                        for (int index = 0; index < 200; ++index)
                                          bytes += beside.ours.request("GET", collection).size();
                                      },
                                      [&] {
                                        for (int index = 0; index < 200; ++index) bytes += beside.bare->list(parent);
                                      },
                                      {},
                                      200},
                                     9));
  };
  list_of_100("LIST of 100 containers (stored texts)", "0.70", "/environment/" + environment + "/container",
              R"(,"registry_id":")" + beside.ours.id_of("container_registry") +
                  R"(","image_name":"shop/web","tag":"1.0","healthchecks":{})",
              2);
  const std::string other = beside.ours.create("/organization", R"({"name":"other","plan":"FREE"})");
  list_of_100("LIST of 100 projects (each with a count)", "0.60", "/organization/" + other + "/project", "", 3);
  return bytes == 0 ? std::vector<Figure>{} : figures;
}

}  // namespace

int main() {
  const bench::Folder folder("dispatch");
  std::vector<Figure> figures;
  figures.push_back(create_durably(folder, Durability::full, "FULL", "0.90"));
  figures.push_back(create_durably(folder, Durability::normal, "NORMAL", "0.90"));
  figures.push_back(create_in_memory(folder));
  figures.push_back(sixteen_writers(folder));
  figures.push_back(tail(folder));
  for (Figure& figure : reads(folder)) figures.push_back(std::move(figure));
  bench::print("dispatch (bare: the same rows by the SQLite C interface)", figures);
  return 0;
}
