// Cost of reads without mapped memory (the default), compared with the same reads with it.
#include <string>
#include <vector>

#include "opened_platform.h"
#include "paired.h"

namespace {

using bench::Figure;
using bench::OpenedPlatform;

constexpr std::uint64_t mapped = 1U << 30;

// Measures readers of one file with `count` projects, a hundred in each organization.
std::vector<Figure> read(const bench::Folder& folder, std::uint64_t count) {
  const std::string storage = "sqlite:" + folder.file(std::to_string(count) + ".db");
  std::vector<std::string> paths;
  std::vector<std::string> lists;
  {
    OpenedPlatform made(storage, orlop::Durability::normal);
    for (std::uint64_t number = 0; number < count; ++number) {
      const std::string text = std::to_string(number);
      if (number % 100 == 0) {
        lists.push_back("/organization/" +
                        made.create("/organization", R"({"name":"o)" + text + R"(","plan":"FREE"})") +
                        "/azure/credentials");
      }
      const std::string body = R"({"name":"c)" + text + R"(","azure_subscription_id":"s","azure_tenant_id":")" +
                               std::string(400, 't') + R"("})";
      const std::string answer = made.request("POST", lists.back(), body);
      paths.push_back(lists.back() + "/" + answer.substr(answer.find("\"id\":\"") + 6, 36));
    }
  }
  OpenedPlatform plain(storage, orlop::Durability::normal);
  OpenedPlatform fast(storage, orlop::Durability::normal, mapped);
  std::size_t bytes = 0;
  std::size_t at = 0;
  const auto get = [&](OpenedPlatform& platform) {
    for (int index = 0; index < 3000; ++index)
      bytes += platform.request("GET", paths[at = (at + 7919) % paths.size()]).size();
  };
  const auto list = [&](OpenedPlatform& platform) {
    for (int index = 0; index < 200; ++index)
      bytes += platform.request("GET", lists[at = (at + 7919) % lists.size()]).size();
  };
  const std::string of = ", of " + std::to_string(count) + " (bare: mapped)";
  std::vector<Figure> figures = {
      bench::measure("GET by id" + of, "", {[&] { get(plain); }, [&] { get(fast); }, {}, 3000}, 9),
      bench::measure("LIST of 100" + of, "", {[&] { list(plain); }, [&] { list(fast); }, {}, 200}, 9),
  };
  return bytes == 0 ? std::vector<Figure>{} : figures;
}

}  // namespace

int main() {
  const bench::Folder folder("mmap");
  std::vector<Figure> figures;
  for (const std::uint64_t count : {1'000, 50'000}) {
    for (Figure& figure : read(folder, count)) figures.push_back(std::move(figure));
  }
  bench::print("reads without mapped memory", figures);
  return 0;
}
