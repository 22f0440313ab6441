// The store over connections that the host opens.
#include "postgresql/host_pool.h"

#include <unistd.h>

#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "contract/fixture.h"
#include "postgresql/open_store.h"
#include "postgresql/server.h"

namespace orlop::contract {
namespace {

class PostgreSQLHostPool : public testing::Test {
 protected:
  std::unique_ptr<Store> open(HostPool& pool) const {
    auto opened = open_postgresql(pool.options(schema_));
    EXPECT_TRUE(opened) << (opened ? "" : opened.error().message);
    return opened ? std::move(*opened) : nullptr;
  }
  static Result<void> write(Store& store, std::uint64_t number) {
    ORLOP_TRY(transaction, store.begin(Access::write));
    return transaction->apply_and_commit(changes_of({write_of(record_of(number))}));
  }
  static Result<bool> has(Store& store, std::uint64_t number) {
    ORLOP_TRY(transaction, store.begin(Access::read));
    ORLOP_TRY(found, transaction->record(id_of(number)));
    return found.has_value();
  }
  template <typename Condition>
  static bool comes(const Condition& is_so) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (!is_so()) {
      if (std::chrono::steady_clock::now() > end) return false;
      std::this_thread::yield();
    }
    return true;
  }
  static ErrorCode code_of(const Result<std::unique_ptr<Store>>& opened) {
    return opened ? ErrorCode::internal : opened.error().code;
  }

  const std::string schema_ =
      ("hosted " + std::to_string(::getpid()) + " " + testing::UnitTest::GetInstance()->current_test_info()->name())
          .substr(0, 60);
  HostPool pool_{connection_to("direct")};
};

TEST_F(PostgreSQLHostPool, gets_its_connections_back_as_it_gave_them) {
  const auto store = open(pool_);
  ASSERT_TRUE(write(*store, 1));
  ASSERT_TRUE(has(*store, 1).value());
  {
    auto left = std::move(store->begin(Access::write)).value();  // destroyed without a commit
    ASSERT_TRUE(left->apply(changes_of({write_of(record_of(2))})));
  }
  EXPECT_FALSE(has(*store, 2).value());
  EXPECT_EQ(pool_.held, 0);
  EXPECT_EQ(pool_.closed, 0);
  EXPECT_GE(pool_.acquired, 4);
  EXPECT_LE(pool_.held_most, 2);
  const std::string state =
      "SELECT current_setting('enable_seqscan') || current_setting('plan_cache_mode') || (SELECT count(*) FROM "
      "pg_prepared_statements) || "
      "(SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid())";
  for (const std::string& answer : pool_.ask_idle(state)) EXPECT_EQ(answer, "onauto00");
}

TEST_F(PostgreSQLHostPool, keeps_one_for_notifications_until_the_last_engine_leaves) {
  const auto one = open(pool_);
  const auto two = open(pool_);
  std::atomic<int> notified = 0;
  auto ours = std::move(one->join(id_of(1), [&] { ++notified; })).value();
  auto theirs = std::move(two->join(id_of(2), nullptr)).value();
  EXPECT_EQ(pool_.held, 2);
  const int before = notified;
  auto transaction = std::move(two->begin(Access::write)).value();
  Changes changes;
  changes.coordination.peers = {{id_of(2), 1, 2}};
  ASSERT_TRUE(transaction->apply_and_commit(std::move(changes)));
  EXPECT_TRUE(comes([&] { return notified > before; }));
  theirs.reset();
  EXPECT_TRUE(comes([&] { return ours->has_ended(id_of(2)); })) << "its lock is gone with its connection";
  ours.reset();
  transaction.reset();
  EXPECT_EQ(pool_.held, 0);
  EXPECT_EQ(pool_.closed, 2);
}

TEST_F(PostgreSQLHostPool, that_gives_none_is_busy_and_works_again) {
  const auto store = open(pool_);
  ASSERT_TRUE(write(*store, 1));
  pool_.give_next(nullptr);
  const Result<bool> refused = has(*store, 1);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::storage_busy);
  EXPECT_EQ(refused.error().message, "PostgreSQL (connections of the host): acquire gave none within 30000 ms");
  pool_.give_next(nullptr);
  EXPECT_FALSE(write(*store, 2));
  EXPECT_TRUE(has(*store, 1).value());
  EXPECT_FALSE(has(*store, 2).value());
  pool_.give_next(nullptr);
  EXPECT_EQ(code_of(open_postgresql(pool_.options(schema_))), ErrorCode::storage_failed);
  EXPECT_EQ(pool_.held, 0);
}

TEST_F(PostgreSQLHostPool, hears_why_a_connection_cannot_be_used) {
  struct Case {
    PGconn* link;
    const char* message;
    int closed;
  };
  PGconn* const in_transaction = pool_.connect();
  PQclear(PQexec(in_transaction, "BEGIN"));
  for (const Case& one : {Case{pool_.connect(" dbname=nowhere"), "database \"nowhere\" does not exist", 1},
                          Case{pool_.connect(" client_encoding=LATIN1"),
                               "the client_encoding of the acquired connection is LATIN1, and must be UTF8", 0},
                          Case{in_transaction, "the acquired connection is in a transaction or in pipeline mode", 1}}) {
    const int before = pool_.closed;
    pool_.give_next(one.link);
    const auto opened = open_postgresql(pool_.options(schema_));
    EXPECT_EQ(code_of(opened), ErrorCode::storage_failed);
    EXPECT_NE(opened ? std::string::npos : opened.error().message.find(one.message), std::string::npos)
        << (opened ? "opened" : opened.error().message);
    EXPECT_EQ(pool_.closed - before, one.closed);
    EXPECT_EQ(pool_.held, 0);
    (void)pool_.ask_idle("SET client_encoding = 'UTF8'");
  }
}

TEST_F(PostgreSQLHostPool, with_lost_connections_is_asked_for_others) {
  const auto store = open(pool_);
  ASSERT_TRUE(write(*store, 1));
  PGconn* const other = pool_.connect();
  std::string idle = "SELECT 1";
  for (const std::string& process : pool_.ask_idle("SELECT pg_backend_pid()"))
    idle += ", pg_terminate_backend(" + process + ")";
  PQclear(PQexec(other, idle.c_str()));
  PQfinish(other);
  EXPECT_TRUE(comes([&] { return static_cast<bool>(write(*store, 2)); }));
  EXPECT_GT(pool_.closed, 0) << "the lost ones are to be closed";
  EXPECT_TRUE(has(*store, 1).value());
  EXPECT_EQ(pool_.held, 0);
}

TEST_F(PostgreSQLHostPool, of_connections_that_do_not_block_gets_them_back_so) {
  const auto store = open(pool_);
  PGconn* const link = pool_.connect();
  ASSERT_EQ(PQsetnonblocking(link, 1), 0);
  pool_.give_next(link);
  ASSERT_TRUE(write(*store, 1));
  EXPECT_EQ(PQisnonblocking(link), 1);
}

TEST_F(PostgreSQLHostPool, is_asked_on_many_threads_for_no_more_than_connections_max) {
  orlop_postgresql_options options = pool_.options(schema_);
  options.connections_max = 3;
  const auto store = std::move(open_postgresql(options)).value();
  pool_.held_most = 0;
  std::atomic<int> failed = 0;
  std::vector<std::thread> threads;
  for (std::uint64_t thread = 0; thread < 8; ++thread) {
    threads.emplace_back([&, thread] {
      for (std::uint64_t round = 1; round <= 20; ++round) {
        const std::uint64_t number = thread * 100 + round;
        if (!write(*store, number) || !has(*store, number)) ++failed;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(failed, 0);
  EXPECT_LE(pool_.held_most, 3);
  EXPECT_EQ(pool_.held, 0);
}

TEST_F(PostgreSQLHostPool, is_two_functions_in_place_of_a_connection_string) {
  for (const int missing : {0, 1, 2, 3}) {
    orlop_postgresql_options options = pool_.options(schema_);
    const std::string connection = connection_to("direct");
    if (missing == 0 || missing == 2) options.acquire = nullptr;
    if (missing == 1 || missing == 2) options.release = nullptr;
    if (missing == 3) options.connection = {connection.data(), connection.size()};
    EXPECT_EQ(code_of(open_postgresql(options)), ErrorCode::misuse) << missing;
  }
  EXPECT_EQ(pool_.acquired, 0);
}

}  // namespace
}  // namespace orlop::contract
