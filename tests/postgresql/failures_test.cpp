// Behaviour of the store in PostgreSQL when something else fails: the connection, the server, another program.
#include <libpq-fe.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <thread>

#include "contract/fixture.h"
#include "postgresql/open_store.h"
#include "postgresql/proxy.h"
#include "postgresql/server.h"

namespace orlop::contract {
namespace {

class Session {
 public:
  explicit Session(const std::string& connection) : link_(PQconnectdb(connection.c_str())) {}
  ~Session() { PQfinish(link_); }
  // Returns the first value of the answer, or the error's message.
  std::string run(const std::string& text) {
    PGresult* result = PQexec(link_, text.c_str());
    const ExecStatusType ended = PQresultStatus(result);
    std::string out = ended == PGRES_TUPLES_OK && PQntuples(result) > 0 ? PQgetvalue(result, 0, 0) : "";
    if (ended != PGRES_TUPLES_OK && ended != PGRES_COMMAND_OK) out = PQresultErrorMessage(result);
    PQclear(result);
    return out;
  }
  void wait_for(const std::string& condition) {
    while (run("SELECT " + condition) != "t") std::this_thread::yield();
  }

 private:
  PGconn* link_;
};

class PostgreSQLFailures : public testing::TestWithParam<bool> {
 protected:
  void SetUp() override { ASSERT_FALSE(connection_to("direct").empty()); }
  static std::string schema() {
    std::string name = testing::UnitTest::GetInstance()->current_test_info()->name();
    std::ranges::replace(name, '/', ' ');
    return name.substr(0, 40) + (GetParam() ? " last " : " first ") + std::to_string(::getpid());
  }
  static std::unique_ptr<Store> open(const std::string& connection = connection_to("direct")) {
    auto opened = open_postgresql(connection, schema());
    EXPECT_TRUE(opened) << (opened ? "" : opened.error().message);
    return opened ? std::move(*opened) : nullptr;
  }
  // Returns the connection string through the proxy, without encryption.
  static std::string through(const Proxy& proxy) {
    return "host=127.0.0.1 port=" + std::to_string(proxy.port()) + " user=orlop dbname=platform sslmode=disable";
  }
  static int server_port() {
    const std::string connection = connection_to("direct");
    return std::stoi(connection.substr(connection.find("port=") + 5));
  }
  // Writes in one round trip with COMMIT, or in two.
  static Result<void> write(Store& store, std::uint64_t number) {
    Changes changes = changes_of({write_of(record_of(number))});
    changes.events = {event_of(number)};
    ORLOP_TRY(transaction, store.begin(Access::write));
    if (GetParam()) return transaction->apply_and_commit(Changes(changes));
    ORLOP_CHECK(transaction->apply(changes));
    return transaction->commit();
  }
  static std::unique_ptr<Transaction> begin(Store& store, Access access) {
    auto begun = store.begin(access);
    EXPECT_TRUE(begun) << (begun ? "" : begun.error().message);
    return begun ? std::move(*begun) : nullptr;
  }
  static bool holds(Store& store, std::uint64_t number) {
    auto transaction = store.begin(Access::read);
    return transaction && (*transaction)->record(id_of(number))->has_value();
  }
};

INSTANTIATE_TEST_SUITE_P(commits, PostgreSQLFailures, testing::Bool(),
                         [](const auto& info) { return info.param ? "at_once" : "apart"; });

TEST_P(PostgreSQLFailures, a_commit_that_the_server_did_not_see_is_not_kept) {
  Proxy proxy(server_port());
  const auto store = open(through(proxy));
  ASSERT_TRUE(write(*store, 1));
  proxy.cut_next(Proxy::Cut::before_commit);
  const Result<void> written = write(*store, 2);
  ASSERT_EQ(proxy.cuts(), 1);
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code, ErrorCode::storage_busy);
  EXPECT_NE(written.error().message.find("was not kept"), std::string::npos) << written.error().message;
  EXPECT_FALSE(holds(*store, 2));
  EXPECT_TRUE(write(*store, 2)) << "the next transaction connects again";
}

TEST_P(PostgreSQLFailures, a_commit_whose_answer_is_lost_is_kept) {
  Proxy proxy(server_port());
  const auto store = open(through(proxy));
  for (std::uint64_t number = 1; number <= 5; ++number) {
    proxy.cut_next(Proxy::Cut::after_commit);
    const Result<void> written = write(*store, number);
    EXPECT_TRUE(written) << written.error().message;
    EXPECT_EQ(proxy.cuts(), static_cast<int>(number));
    EXPECT_TRUE(holds(*store, number));
  }
  EXPECT_EQ((*store->begin(Access::read))->feed_end()->sequence, 5U);
}

TEST_P(PostgreSQLFailures, a_connection_lost_elsewhere_is_named_and_made_again) {
  Proxy proxy(server_port());
  const auto store = open(through(proxy));
  ASSERT_TRUE(write(*store, 1));
  proxy.cut_next(Proxy::Cut::before_insert);
  const Result<void> written = write(*store, 2);
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code, ErrorCode::storage_busy);
  EXPECT_EQ(written.error().message.find("the connection to PostgreSQL (host 127.0.0.1, database platform) is lost: "),
            0U)
      << written.error().message;
  EXPECT_FALSE(holds(*store, 2));
  EXPECT_TRUE(write(*store, 2));
}

// A process that hangs in the middle of a change blocks the others no longer than the timeout.
TEST_P(PostgreSQLFailures, a_writer_that_stands_still_is_ended_and_keeps_nothing) {
  const auto opened = open_postgresql(connection_to("direct") + " application_name=still_test", schema(), 0, 200);
  ASSERT_TRUE(opened) << opened.error().message;
  auto writer = (*opened)->begin(Access::write);
  ASSERT_TRUE(writer);
  ASSERT_TRUE((*writer)->apply(changes_of({write_of(record_of(1))})));
  Session other(connection_to("direct"));
  other.wait_for(
      "count(*) = 0 FROM pg_stat_activity WHERE application_name = 'still_test' AND state LIKE 'idle in transaction%'");
  EXPECT_FALSE((*writer)->commit());
  writer->reset();
  EXPECT_TRUE(write(**opened, 2));
  const auto reader = std::move((*opened)->begin(Access::read)).value();
  EXPECT_FALSE(reader->record(id_of(1)).value());
  EXPECT_TRUE(reader->record(id_of(2)).value());
}

TEST_P(PostgreSQLFailures, idle_connections_that_the_server_ended_are_not_noticed) {
  const std::string name = "idle_" + std::to_string(::getpid());  // other tests use the same server at the same time
  const auto store = open(connection_to("direct") + " application_name=" + name);
  ASSERT_TRUE(write(*store, 1));
  Session other(connection_to("direct"));
  const auto end_all = [&] {
    {
      const auto first = begin(*store, Access::read);
      const auto second = begin(*store, Access::read);
      EXPECT_TRUE(first->record(id_of(1))->has_value() && second->record(id_of(1))->has_value());
    }
    const std::string all = " FROM pg_stat_activity WHERE application_name = '" + name + "'";
    const std::string processes = other.run("SELECT string_agg(pid::text, ' ')" + all);
    const std::string are_several = other.run("SELECT count(pg_terminate_backend(pid)) > 1" + all);
    wait_for_end_of(processes);
    return are_several;
  };
  EXPECT_EQ(end_all(), "t");
  EXPECT_TRUE(write(*store, 2));
  EXPECT_EQ(end_all(), "t");
  EXPECT_TRUE(holds(*store, 2));
}

TEST_P(PostgreSQLFailures, a_deadlock_is_run_again) {
  const auto store = open();
  ASSERT_TRUE(write(*store, 1));
  Session other(connection_to("direct"));
  other.run("SET deadlock_timeout = '1h'; BEGIN");
  ASSERT_EQ(other.run("SELECT count(*) FROM (SELECT FROM \"" + schema() + "\".record FOR UPDATE) AS r"), "1");
  auto transaction = begin(*store, Access::write);
  Session watching(connection_to("direct"));
  const std::string lock = watching.run(
      "SELECT (classid::int8 << 32) | objid::int8 FROM pg_locks AS l JOIN pg_stat_activity AS a USING (pid) "
      "WHERE locktype = 'advisory' AND a.query LIKE '%\"" +
      schema() + "\"%'");
  std::thread waiting([&] {
    other.run("SELECT pg_advisory_xact_lock(" + lock + ")");
    other.run("ROLLBACK");
  });
  watching.wait_for(
      "EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND (classid::int8 << 32) | "
      "objid::int8 = " +
      lock + ")");
  Changes changes = changes_of({write_of(record_of(1, 0, 1, 2))});
  changes.events = {event_of(1)};
  const Result<void> applied = transaction->apply(changes);
  waiting.join();
  ASSERT_TRUE(applied) << applied.error().message;
  EXPECT_TRUE(transaction->commit());
  EXPECT_EQ((*(*store->begin(Access::read))->record(id_of(1)))->revision, 2U);
}

TEST_P(PostgreSQLFailures, writers_of_two_stores_wait_for_each_other) {
  const auto first = open();
  const auto impatient = open_postgresql(connection_to("direct"), schema(), 100);
  ASSERT_TRUE(impatient);
  const auto writing = first->begin(Access::write);
  ASSERT_TRUE(writing);
  const auto refused = (*impatient)->begin(Access::write);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::storage_busy);
  EXPECT_NE(refused.error().message.find("another writer held the store"), std::string::npos)
      << refused.error().message;
  ASSERT_TRUE((*writing)->commit());
  EXPECT_TRUE(write(**impatient, 1));
}

TEST_P(PostgreSQLFailures, schemas_of_others_are_left_alone) {
  Session other(connection_to("direct"));
  other.run("CREATE SCHEMA \"" + schema() + "\"; CREATE TABLE \"" + schema() + "\".account (id int)");
  const auto refused = open_postgresql(connection_to("direct"), schema());
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::storage_foreign);
  other.run("CREATE TABLE \"" + schema() + "\".layout (version int4); INSERT INTO \"" + schema() +
            "\".layout VALUES (77)");
  const auto newer = open_postgresql(connection_to("direct"), schema());
  ASSERT_FALSE(newer);
  EXPECT_EQ(newer.error().code, ErrorCode::storage_newer);
}

// Replaces the tables as the restoration of a dump does, while an engine is open.
TEST_P(PostgreSQLFailures, tables_that_were_made_anew_are_known_after_an_error) {
  auto store = open();
  Changes machines = changes_of({write_of(record_of(1))});
  machines.machines = {machine_of(1, 1)};
  ASSERT_TRUE(begin(*store, Access::write)->apply_and_commit(Changes(machines)));
  Session other(connection_to("direct"));
  const std::string table = "\"" + schema() + "\".machine";
  ASSERT_EQ(other.run("ALTER TABLE " + table + " RENAME TO before; CREATE TABLE " + table + " (LIKE \"" + schema() +
                      "\".before INCLUDING ALL); INSERT INTO " + table + " SELECT * FROM \"" + schema() +
                      "\".before; DROP TABLE \"" + schema() + "\".before"),
            "");
  machines.records = {write_of(record_of(2))};
  machines.machines = {machine_of(1, 1, 1, 2), machine_of(2, 1)};
  const auto write_all = [&] { return begin(*store, Access::write)->apply_and_commit(Changes(machines)); };
  ASSERT_FALSE(write_all());
  const Result<void> again = write_all();
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ((*begin(*store, Access::read)->machine(id_of(1)))->revision, 2U);
}

TEST_P(PostgreSQLFailures, a_role_without_the_right_to_create_is_enough) {
  open();
  Session other(connection_to("direct"));
  const std::string role = "\"role " + schema() + "\"";
  const std::string quoted = "\"" + schema() + "\"";
  EXPECT_EQ(other.run("CREATE ROLE " + role + " LOGIN; GRANT USAGE ON SCHEMA " + quoted + " TO " + role +
                      "; GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA " + quoted + " TO " + role),
            "");
  std::string connection = connection_to("direct");
  connection.replace(connection.find("user=orlop"), 10, "user='role " + schema() + "'");
  const auto store = open(connection);
  ASSERT_TRUE(store);
  EXPECT_TRUE(write(*store, 1));
  EXPECT_TRUE(holds(*store, 1));
}

TEST(PostgreSQLOptions, passwords_are_never_shown) {
  for (const char* given :
       {"postgresql://u:s3cret@127.0.0.1:1/platform", "postgresql://u:s3cret@[::1/platform",
        "postgresql://u:s3cret%zz@h/platform", "host=127.0.0.1 port=1 password=s3cret", "password='s3cret",
        "postgresql://u:s3cret@h/p?s3cret", "s3cret", "host=h s3cret", "postgresql://u:s3cret",
        "postgresql://u:p@s3cret@127.0.0.1:1/platform", "postgresql://u:p/s3cret@127.0.0.1:1/platform",
        "postgresql://u:p?s3cret@127.0.0.1/platform", "postgresql://u:1/s3cret@127.0.0.1/platform",
        "postgresql://u:p@127.0.0.1:s3cret/platform", "postgresql://u:p@127.0.0.1:1,h:s3cret/platform"}) {
    const auto refused = open_postgresql(given, "x");
    ASSERT_FALSE(refused) << given;
    EXPECT_EQ(refused.error().message.find("s3cret"), std::string::npos) << refused.error().message;
    EXPECT_NE(refused.error().message.find("PostgreSQL"), std::string::npos) << refused.error().message;
  }
}

TEST(PostgreSQLOptions, are_checked) {
  const auto message = [](const std::string& connection, const std::string& schema) {
    const auto refused = open_postgresql(connection, schema);
    return refused ? "" : refused.error().message;
  };
  EXPECT_NE(message(connection_to("direct"), std::string(64, 's')).find("64 bytes"), std::string::npos);
  EXPECT_NE(message(connection_to("direct"), std::string("a\0b", 3)).find("zero byte"), std::string::npos);
  EXPECT_NE(message(connection_to("pooled") + "?schema=a", "b").find("twice"), std::string::npos);
  EXPECT_NE(message(connection_to("pooled") + "?schema=%4", "").find("percent"), std::string::npos);
  EXPECT_NE(message(connection_to("pooled") + "?schema=", "").find("schema of the connection string must not be empty"),
            std::string::npos);
  EXPECT_NE(message(connection_to("pooled") + "?sslmode=disable&schema=&connect_timeout=5", "")
                .find("schema of the connection string must not be empty"),
            std::string::npos);
  EXPECT_EQ(message(connection_to("pooled") + "?schema=given%20in%20uri&sslmode=disable", ""), "");
  EXPECT_NE(message(std::string(70'000, 'x'), "").find("cannot be read"), std::string::npos);
}

TEST(PostgreSQLOptions, that_are_given_are_not_empty) {
  const auto message = [](const orlop_postgresql_options& options) {
    orlop_store functions{};
    orlop_error* refused = orlop_postgresql_open(&functions, &options);
    const std::string said = refused == nullptr ? "" : orlop_error_message(refused);
    orlop_error_free(refused);
    if (refused == nullptr) functions.release(functions.context);
    return said;
  };
  orlop_postgresql_options options = ORLOP_POSTGRESQL_OPTIONS_INIT;
  EXPECT_EQ(message(options), "the connection string must be given");
  options.connection = {"", 0};
  EXPECT_EQ(message(options), "the connection string must not be empty");
  const std::string connection = connection_to("direct");
  options.connection = {connection.data(), connection.size()};
  options.schema = {"", 0};
  EXPECT_EQ(message(options), "the schema must not be empty");
}

}  // namespace
}  // namespace orlop::contract
