// The tables and views of the store in PostgreSQL, for people who read them and for stores of earlier versions.
#include <libpq-fe.h>
#include <unistd.h>

#include <memory>
#include <string>

#include "contract/fixture.h"
#include "model/registry.h"
#include "postgresql/open_store.h"
#include "postgresql/server.h"
#include "stores/postgresql/rows/layout.h"
#include "stores/postgresql/server/statements.h"

namespace orlop::contract {
namespace {

class PostgreSQLLayout : public testing::Test {
 protected:
  void SetUp() override {
    link_ = PQconnectdb(connection_to("direct").c_str());
    ASSERT_EQ(PQstatus(link_), CONNECTION_OK) << PQerrorMessage(link_);
    PQsetNoticeReceiver(
        link_, [](void*, const PGresult*) {}, nullptr);
  }
  void TearDown() override { PQfinish(link_); }
  std::string run(const std::string& text) {
    PGresult* const result = PQexec(link_, postgresql::with_prefix(text, "\"" + schema_ + "\".").c_str());
    const bool has_rows = PQresultStatus(result) == PGRES_TUPLES_OK && PQntuples(result) == 1;
    std::string answer = has_rows ? PQgetvalue(result, 0, 0) : PQresultErrorMessage(result);
    PQclear(result);
    return answer;
  }
  std::unique_ptr<Store> open(const std::string& more = "") {
    auto opened = open_postgresql(connection_to("direct") + more, schema_);
    EXPECT_TRUE(opened) << (opened ? "" : opened.error().message);
    return opened ? std::move(*opened) : nullptr;
  }
  void make_layout_1() {
    ASSERT_EQ(run("CREATE SCHEMA \"" + schema_ + "\""), "");
    ASSERT_EQ(run(postgresql::layout_1), "");
  }

  const std::string schema_ =
      ("layout " + std::to_string(::getpid()) + " " + testing::UnitTest::GetInstance()->current_test_info()->name())
          .substr(0, 60);
  const std::string role_ = "orlop_layout_" + std::to_string(::getpid());
  PGconn* link_ = nullptr;
};

TEST_F(PostgreSQLLayout, names_each_family_in_its_views) {
  const auto store = open();
  ASSERT_NE(store, nullptr);
  auto transaction = std::move(store->begin(Access::write)).value();
  Changes changes;
  for (const auto families : {all_families(), internal_families()}) {
    for (const Family* family : families) {
      changes.records.push_back(write_of(record_of(family->number, 0, family->number)));
      Event event;
      event.kind = EventKind::created;
      event.family = family->number;
      event.subject = id_of(family->number);
      changes.events.push_back(event);
    }
  }
  ASSERT_TRUE(transaction->apply_and_commit(std::move(changes)));
  for (const auto families : {all_families(), internal_families()}) {
    for (const Family* family : families) {
      const std::string id = to_text(id_of(family->number));
      EXPECT_EQ(run("SELECT family FROM @resource WHERE id = '" + id + "'"), family->name);
      EXPECT_EQ(run("SELECT family FROM @event_feed WHERE subject = '" + id + "'"), family->name);
    }
  }
}

TEST_F(PostgreSQLLayout, puts_a_wrong_name_right_and_leaves_one_of_a_later_version) {
  ASSERT_NE(open(), nullptr);
  EXPECT_EQ(run("UPDATE @family SET name = 'firm' WHERE name = 'organization'"), "");
  EXPECT_EQ(run("INSERT INTO @family VALUES (999, 'later')"), "");
  ASSERT_NE(open(), nullptr);
  EXPECT_EQ(run("SELECT name FROM @family WHERE number = 1"), "organization");
  EXPECT_EQ(run("SELECT name FROM @family WHERE number = 999"), "later");
}

TEST_F(PostgreSQLLayout, of_version_1_is_brought_to_this_one_and_keeps_rows_and_grants) {
  make_layout_1();
  EXPECT_EQ(run("INSERT INTO @record VALUES ('00000000-0000-0000-0000-000000000001', 1, "
                "'00000000-0000-0000-0000-000000000000', "
                "'00000000-0000-0000-0000-000000000001', 1, NULL, NULL, '{\"name\":\"acme\"}')"),
            "");
  EXPECT_EQ(run("INSERT INTO @peer VALUES ('00000000-0000-0000-0000-000000000002', 1, 1)"), "");
  run("CREATE ROLE " + role_);
  EXPECT_EQ(run("GRANT SELECT ON @resource TO " + role_ + "; GRANT SELECT ON @event_feed TO PUBLIC"), "");
  ASSERT_NE(open(), nullptr);
  EXPECT_EQ(run("SELECT version FROM @layout"), std::to_string(postgresql::layout_version));
  EXPECT_EQ(run("SELECT family || ' ' || (body ->> 'name') FROM @resource"), "organization acme");
  EXPECT_EQ(run("SELECT lock IS NULL AND server IS NULL FROM @peer"), "t");
  for (const std::string& role : {role_, std::string("public")}) {
    const std::string view = role == "public" ? "event_feed" : "resource";
    EXPECT_EQ(run("SELECT has_table_privilege('" + role + "', '@" + view + "', 'SELECT')"), "t") << role;
  }
  EXPECT_EQ(run("SELECT has_table_privilege('" + role_ + "', '@record', 'SELECT')"), "f");
  run("DROP OWNED BY " + role_ + "; DROP ROLE " + role_);
}

// The role's privileges were granted before the table of names existed.
TEST_F(PostgreSQLLayout, that_was_made_before_the_names_is_opened_by_a_role_without_rights_on_them) {
  make_layout_1();
  run("CREATE ROLE " + role_ + " LOGIN");
  EXPECT_EQ(run("GRANT USAGE ON SCHEMA \"" + schema_ + "\" TO " + role_ +
                "; GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA \"" + schema_ + "\" TO " + role_),
            "");
  ASSERT_NE(open(), nullptr);
  EXPECT_EQ(run("SELECT has_table_privilege('" + role_ + "', '@family', 'SELECT')"), "f");
  const auto theirs = open(" user=" + role_);
  ASSERT_NE(theirs, nullptr);
  auto transaction = std::move(theirs->begin(Access::write)).value();
  EXPECT_TRUE(transaction->apply_and_commit(changes_of({write_of(record_of(1))})));
  EXPECT_EQ(run("SELECT family FROM @resource"), "organization");
  run("DROP OWNED BY " + role_ + "; DROP ROLE " + role_);
}

}  // namespace
}  // namespace orlop::contract
