// Detection of ended processes by the store in PostgreSQL.
#include <libpq-fe.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "contract/fixture.h"
#include "postgresql/open_store.h"
#include "postgresql/server.h"
#include "stores/postgresql/server/presence.h"

// Changes set only the members that they need.
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"

namespace orlop::contract {
namespace {

orlop_id engine_of(std::uint8_t number) {
  orlop_id id{};
  id.bytes[15] = number;
  return id;
}

std::string number_of(std::uint8_t engine) { return std::to_string(postgresql::Presence::key_of(engine_of(engine))); }

TEST(Presence, is_lost_by_one_that_was_seen_and_is_missed_twice) {
  postgresql::Presence presence("orlop");
  EXPECT_FALSE(presence.see(number_of(1)));
  EXPECT_FALSE(presence.has_ended(engine_of(1)));
  EXPECT_FALSE(presence.has_ended(engine_of(2))) << "it was never there";
  EXPECT_FALSE(presence.see(""));
  EXPECT_FALSE(presence.has_ended(engine_of(1))) << "its connection may be made again";
  EXPECT_TRUE(presence.see(""));
  EXPECT_TRUE(presence.has_ended(engine_of(1)));
  EXPECT_FALSE(presence.see("")) << "it is said once";
  EXPECT_FALSE(presence.see(number_of(2) + "," + number_of(1)));
  EXPECT_FALSE(presence.has_ended(engine_of(1))) << "it is there again";
}

TEST(Presence, of_one_that_comes_back_in_time_is_not_lost) {
  postgresql::Presence presence("orlop");
  for (int round = 0; round < 5; ++round) {
    EXPECT_FALSE(presence.see(number_of(1)));
    EXPECT_FALSE(presence.see(""));
  }
  EXPECT_FALSE(presence.has_ended(engine_of(1)));
}

TEST(Presence, that_the_server_has_seen_is_lost_where_it_is_missed_twice) {
  postgresql::Presence presence("orlop");
  EXPECT_FALSE(presence.see(number_of(2), number_of(1) + "," + number_of(2)));
  EXPECT_TRUE(presence.has_others({})) << "it looks again";
  EXPECT_FALSE(presence.has_ended(engine_of(1))) << "its connection may be made again";
  EXPECT_TRUE(presence.see(number_of(2), number_of(1) + "," + number_of(2)));
  EXPECT_TRUE(presence.has_ended(engine_of(1)));
  EXPECT_FALSE(presence.has_ended(engine_of(2)));
  EXPECT_FALSE(presence.has_ended(engine_of(3))) << "no server has seen it";
}

TEST(Presence, is_unknown_over_a_new_connection) {
  postgresql::Presence presence("orlop");
  EXPECT_FALSE(presence.see(number_of(1)));
  EXPECT_FALSE(presence.see(""));
  presence.forget();
  EXPECT_FALSE(presence.see(""));
  EXPECT_FALSE(presence.see(""));
  EXPECT_FALSE(presence.has_ended(engine_of(1)));
}

TEST(Presence, of_others_is_what_there_is_to_look_for) {
  postgresql::Presence presence("orlop");
  const std::uint32_t own = postgresql::Presence::key_of(engine_of(1));
  presence.see(number_of(1));
  EXPECT_FALSE(presence.has_others({own}));
  presence.see(number_of(1) + "," + number_of(2));
  EXPECT_TRUE(presence.has_others({own}));
  presence.see(number_of(1));
  EXPECT_TRUE(presence.has_others({own}));
  presence.see(number_of(1));
  EXPECT_FALSE(presence.has_others({own}));
}

class PostgreSQLPresence : public testing::Test {
 protected:
  void SetUp() override {
    schema_ = std::string("presence ") + testing::UnitTest::GetInstance()->current_test_info()->name() + " " +
              std::to_string(::getpid());
  }
  void TearDown() override { PQfinish(link_); }
  std::unique_ptr<Store> open(const std::string& name, const std::string& more = "") const {
    auto opened =
        open_postgresql(connection_to("direct") + " application_name='" + of_this_test(name) + "'" + more, schema());
    EXPECT_TRUE(opened) << (opened ? "" : opened.error().message);
    return opened ? std::move(*opened) : nullptr;
  }
  std::string schema() const { return schema_.substr(0, 60); }
  // Makes a name unique to this process: other tests use the same server at the same time.
  static std::string of_this_test(const std::string& name) { return name + " " + std::to_string(::getpid()); }
  static Result<void> write(Store& store, const Changes& changes) {
    ORLOP_TRY(transaction, store.begin(Access::write));
    return transaction->apply_and_commit(Changes(changes));
  }
  std::string ask(const std::string& text) {
    if (link_ == nullptr) link_ = PQconnectdb(connection_to("direct").c_str());
    PGresult* result = PQexec(link_, ("SELECT " + text).c_str());
    std::string out = PQresultStatus(result) == PGRES_TUPLES_OK && PQntuples(result) > 0 ? PQgetvalue(result, 0, 0)
                                                                                         : PQresultErrorMessage(result);
    PQclear(result);
    return out;
  }
  void end_connection(const std::string& process) {
    EXPECT_EQ(ask("pg_terminate_backend(" + process + ")"), "t");
    wait_for_end_of(process);
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
  // Returns the server process that holds the lock of the engine, or "".
  std::string holder_of(std::uint8_t engine) {
    const std::string all = postgresql::Presence(schema()).look();
    return ask("coalesce((SELECT max(pid)::text FROM pg_locks " + all.substr(all.find("WHERE")) +
               " AND objid = " + number_of(engine) + "), '')");
  }
  // Waits until the process of this name has queried the locks `times` times from now on; its last query may be another
  // one.
  bool looks(const std::string& name, int times) {
    const std::string last =
        "coalesce((SELECT max(query_start)::text FROM pg_stat_activity WHERE application_name = '" +
        of_this_test(name) + "' AND query LIKE '%pg_locks%'), '')";
    std::string before;
    for (int time = 0; time <= times; ++time) {  // the first may be old
      std::string now;
      if (!comes([&] { return !(now = ask(last)).empty() && now != before; })) return false;
      before = std::move(now);
    }
    return true;
  }

  // Announces the engine as a starting engine does, and waits until "presence ours" has seen it.
  bool is_seen(Store& store, std::uint8_t engine) {
    if (!comes([&] { return !holder_of(engine).empty(); })) return false;
    Changes changes;
    changes.coordination.peers = {{id_of(engine), 1, 2}};
    return write(store, changes) && looks("presence ours", 2);
  }

  std::string schema_;
  PGconn* link_ = nullptr;
};

TEST_F(PostgreSQLPresence, of_a_process_ends_with_kill_9) {
  const pid_t process = ::fork();
  if (process == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    const auto store = open("presence theirs");
    const auto membership = store->join(id_of(12), nullptr);
    for (;;) ::pause();
  }
  const auto store = open("presence ours");
  const auto ours = std::move(store->join(id_of(11), nullptr)).value();
  ASSERT_TRUE(is_seen(*store, 12));
  EXPECT_FALSE(ours->has_ended(id_of(12)));
  const std::uint64_t before = *ours->changes();
  ASSERT_EQ(::kill(process, SIGKILL), 0);
  ASSERT_EQ(::waitpid(process, nullptr, 0), process);
  EXPECT_TRUE(comes([&] { return ours->has_ended(id_of(12)); }));
  EXPECT_NE(*ours->changes(), before) << "the other engines are notified";
  EXPECT_FALSE(ours->has_ended(id_of(11)));
}

// The child has copies of all descriptors, and the server sees no end of a socket while one process has it open.
TEST_F(PostgreSQLPresence, of_a_process_ends_with_kill_9_while_a_child_of_it_lives) {
  int life[2];
  ASSERT_EQ(::pipe(life), 0);
  const pid_t process = ::fork();
  if (process == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    ::close(life[1]);
    const auto store = open("presence theirs");
    const auto membership = store->join(id_of(14), nullptr);
    while (holder_of(14).empty()) std::this_thread::yield();
    PQfinish(std::exchange(link_, nullptr));
    if (::fork() == 0) {
      char none = 0;
      (void)!::read(life[0], &none, 1);  // until the test ends
      ::_exit(0);
    }
    for (;;) ::pause();
  }
  ::close(life[0]);
  const auto store = open("presence ours");
  const auto ours = std::move(store->join(id_of(13), nullptr)).value();
  ASSERT_TRUE(is_seen(*store, 14));
  ASSERT_EQ(::kill(process, SIGKILL), 0);
  ASSERT_EQ(::waitpid(process, nullptr, 0), process);
  EXPECT_TRUE(comes([&] { return ours->has_ended(id_of(14)); }));
  ::close(life[1]);
}

TEST_F(PostgreSQLPresence, outlives_a_connection_that_the_server_ends) {
  const auto store = open("presence ours");
  const auto other = open("presence theirs");
  const auto ours = std::move(store->join(id_of(21), nullptr)).value();
  const auto theirs = std::move(other->join(id_of(22), nullptr)).value();
  ASSERT_TRUE(is_seen(*store, 22));
  for (int round = 0; round < 3; ++round) {
    const std::string holder = holder_of(22);
    end_connection(holder);
    EXPECT_TRUE(comes([&] { return !holder_of(22).empty() && holder_of(22) != holder; }));
    EXPECT_TRUE(looks("presence ours", 3));
    EXPECT_FALSE(ours->has_ended(id_of(22)));
    EXPECT_FALSE(theirs->has_ended(id_of(21)));
  }
}

// The server may have restarted; only the row shows that.
TEST_F(PostgreSQLPresence, is_noted_in_the_row_over_a_new_connection) {
  const auto store = open("presence ours");
  const auto ours = std::move(store->join(id_of(61), nullptr)).value();
  Changes changes;
  changes.coordination.peers = {{id_of(61), 1, 2}};
  ASSERT_TRUE(write(*store, changes));
  const std::string peer = "\"" + schema() + "\".peer";
  const std::string is_noted = "(SELECT server IS NOT DISTINCT FROM pg_postmaster_start_time() FROM " + peer + ")";
  EXPECT_EQ(ask(is_noted), "t") << "by the writer of the row";
  ask("1; UPDATE " + peer + " SET server = server - interval '1 hour'");
  ASSERT_EQ(ask(is_noted), "f");
  end_connection(holder_of(61));
  EXPECT_TRUE(comes([&] { return ask(is_noted) == "t"; }));
}

// The other process may be reconnecting, as this one did.
TEST_F(PostgreSQLPresence, of_a_row_says_nothing_after_a_connection_was_lost) {
  const auto store = open("presence ours");
  const auto ours = std::move(store->join(id_of(71), nullptr)).value();
  const auto other = open("presence theirs");  // the first store looks for its engine
  const auto seen = std::move(other->join(id_of(72), nullptr)).value();
  ASSERT_TRUE(is_seen(*store, 72));
  const std::string holder = holder_of(71);
  end_connection(holder);
  ASSERT_TRUE(comes([&] { return !holder_of(71).empty() && holder_of(71) != holder; }));
  Changes changes;
  changes.coordination.peers = {{id_of(73), 1, 2}};
  ASSERT_TRUE(write(*store, changes));
  ask("1; UPDATE \"" + schema() + "\".peer SET server = pg_postmaster_start_time()");
  ASSERT_TRUE(looks("presence ours", 4));
  EXPECT_FALSE(ours->has_ended(id_of(73)));
}

// The process lives but cannot connect for too long: the others take its work, and see it again when it returns.
TEST_F(PostgreSQLPresence, that_comes_back_late_is_seen_again) {
  const std::string role = "orlop_late_" + std::to_string(::getpid());
  ask("1; CREATE ROLE " + role + " SUPERUSER LOGIN");
  const auto store = open("presence ours");
  const auto other = open("presence theirs", " user=" + role);
  const auto ours = std::move(store->join(id_of(31), nullptr)).value();
  const auto theirs = std::move(other->join(id_of(32), nullptr)).value();
  ASSERT_TRUE(is_seen(*store, 32));
  ask("1; ALTER ROLE " + role + " NOLOGIN");
  end_connection(holder_of(32));
  EXPECT_TRUE(comes([&] { return ours->has_ended(id_of(32)); }));
  ask("1; ALTER ROLE " + role + " LOGIN");
  EXPECT_TRUE(comes([&] { return !ours->has_ended(id_of(32)); }));
  EXPECT_FALSE(theirs->has_ended(id_of(31)));
  ask("1; ALTER ROLE " + role + " NOLOGIN");  // the role owns objects and cannot be dropped
}

// The process that could have seen its lock has ended before.
TEST_F(PostgreSQLPresence, of_a_process_that_was_killed_before_this_one_came) {
  int joined[2];
  ASSERT_EQ(::pipe(joined), 0);
  const pid_t process = ::fork();
  if (process == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    const auto store = open("presence theirs");
    const auto membership = store->join(id_of(42), nullptr);
    Changes changes;
    changes.coordination.peers = {{id_of(42), 1, 2}};
    (void)!::write(joined[1], write(*store, changes) ? "y" : "n", 1);
    for (;;) ::pause();
  }
  char answer = 0;
  ASSERT_EQ(::read(joined[0], &answer, 1), 1);
  ASSERT_EQ(answer, 'y');
  ASSERT_EQ(::kill(process, SIGKILL), 0);
  ASSERT_EQ(::waitpid(process, nullptr, 0), process);
  ASSERT_TRUE(comes([&] { return holder_of(42).empty(); }));
  const auto store = open("presence ours");
  const auto ours = std::move(store->join(id_of(41), nullptr)).value();
  EXPECT_TRUE(comes([&] { return ours->has_ended(id_of(42)); }));
  for (const int end : joined) ::close(end);
}

// Behind a pooler an engine holds no lock that could be missed. An engine noted before a restart of the server is
// unknown too, because its process may live.
TEST_F(PostgreSQLPresence, of_one_that_holds_no_lock_on_this_server_is_unknown) {
  const auto store = open("presence ours");
  const auto pooled = std::move(open_postgresql(connection_to("pooled"), schema())).value();
  const auto theirs = std::move(pooled->join(id_of(52), nullptr)).value();
  Changes changes;
  changes.coordination.peers = {{id_of(52), 1, 2}, {id_of(53), 1, 2}};
  ASSERT_TRUE(write(*pooled, changes));
  ask("1; UPDATE \"" + schema() +
      "\".peer SET server = pg_postmaster_start_time() - interval '1 hour' WHERE engine = "
      "'00000000-0000-0000-0000-000000000035'");
  const auto ours = std::move(store->join(id_of(51), nullptr)).value();
  const auto other = open("presence theirs");  // the first store looks for its engine
  const auto seen = std::move(other->join(id_of(54), nullptr)).value();
  ASSERT_TRUE(is_seen(*store, 54));
  ASSERT_TRUE(looks("presence ours", 4));
  EXPECT_FALSE(ours->has_ended(id_of(52)));
  EXPECT_FALSE(ours->has_ended(id_of(53)));
}

}  // namespace
}  // namespace orlop::contract
