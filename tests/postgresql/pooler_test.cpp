// Clients of a pooler, which share its connections to the server.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "contract/fixture.h"
#include "postgresql/open_store.h"
#include "postgresql/server.h"

namespace orlop::contract {
namespace {

constexpr int rounds = 60;
constexpr std::uint64_t reads_at_once = 20;

// Records the first unexpected result.
class Findings {
 public:
  void add(const std::string& what) {
    const std::lock_guard lock(mutex_);
    if (first_.empty()) first_ = what;
  }
  std::string first() {
    const std::lock_guard lock(mutex_);
    return first_;
  }

 private:
  std::mutex mutex_;
  std::string first_;
};

// Writes that are committed, abandoned, or refused for their name.
void write_beside(Store& store, std::uint64_t writer, Findings& findings) {
  for (std::uint64_t round = 0; round < rounds && findings.first().empty(); ++round) {
    auto transaction = store.begin(Access::write);
    if (!transaction) return findings.add("begin: " + transaction.error().message);
    Changes changes = changes_of({write_of(record_of(100 + writer * rounds + round))});
    changes.records[0].name_key = round % 3 == 2 ? "taken" : "name " + std::to_string(writer * rounds + round);
    const Result<void> applied = (*transaction)->apply(changes);
    if (!applied && applied.error().code != ErrorCode::conflict)
      return findings.add("apply: " + applied.error().message);
    if (!applied || round % 3 == 1) continue;
    if (const auto committed = (*transaction)->commit(); !committed)
      return findings.add("commit: " + committed.error().message);
  }
}

// Opens many read transactions at once, which end together.
void read_beside(Store& store, Findings& findings) {
  for (int round = 0; round < rounds && findings.first().empty(); ++round) {
    std::vector<std::unique_ptr<Transaction>> open;
    for (std::uint64_t number = 1; number <= reads_at_once; ++number) {
      auto transaction = store.begin(Access::read);
      if (!transaction) return findings.add("begin: " + transaction.error().message);
      const auto found = (*transaction)->record(id_of(number));
      if (!found) return findings.add("record: " + found.error().message);
      if (!*found || (*found)->id != id_of(number)) findings.add("another record than the one that was asked for");
      open.push_back(std::move(*transaction));
    }
  }
}

std::unique_ptr<Store> open(const std::string& name) {
  auto opened = open_postgresql(connection_to("pooled"), "pooler " + name + " " + std::to_string(::getpid()), 5'000);
  EXPECT_TRUE(opened) << (opened ? "" : opened.error().message);
  return opened ? std::move(*opened) : nullptr;
}

// Regression: an answer to bytes sent after the end of a transaction went to the next client of the connection.
TEST(PostgreSQLPooler, GivesNoClientTheAnswersOfAnother) {
  if (connection_to("pooled").empty()) GTEST_SKIP() << "pgbouncer is not installed";
  const auto written = open("written");
  const auto read = open("read");
  ASSERT_TRUE(written != nullptr && read != nullptr);
  {
    auto transaction = read->begin(Access::write).value();
    Changes changes;
    for (std::uint64_t number = 1; number <= reads_at_once; ++number)
      changes.records.push_back(write_of(record_of(number)));
    ASSERT_TRUE(transaction->apply_and_commit(Changes(changes)));
  }
  Findings findings;
  std::vector<std::thread> clients;
  for (std::uint64_t writer = 0; writer < 6; ++writer)
    clients.emplace_back([&, writer] { write_beside(*written, writer, findings); });
  for (int reader = 0; reader < 2; ++reader) clients.emplace_back([&] { read_beside(*read, findings); });
  for (std::thread& client : clients) client.join();
  EXPECT_EQ(findings.first(), "");
}

std::string refusal_of(const std::string& database) {
  std::string connection = connection_to("pooled");
  connection.replace(connection.rfind('/') + 1, std::string::npos, database);
  const auto opened = open_postgresql(connection, "pooler " + database + " " + std::to_string(::getpid()), 2'000);
  return opened ? "" : opened.error().message;
}

TEST(PostgreSQLPooler, ThatCannotServeIsRefusedWithItsReason) {
  if (connection_to("pooled").empty()) GTEST_SKIP() << "pgbouncer is not installed";
  EXPECT_EQ(refusal_of("platform"), "");
  EXPECT_NE(refusal_of("alone").find("a pooler must offer several connections to the server"), std::string::npos)
      << refusal_of("alone");
  EXPECT_NE(refusal_of("statements").find("transaction blocks not allowed in statement pooling mode"),
            std::string::npos)
      << refusal_of("statements");
}

}  // namespace
}  // namespace orlop::contract
