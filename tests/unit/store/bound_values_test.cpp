// Cached statements: a value that is still bound from the last run is not bound again.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "store/sqlite/sqlite_connection.h"

namespace orlop {
namespace {

// Returns a parameter's type and text, as SQLite reads it.
std::string seen(StatementRun& run) {
  EXPECT_TRUE(run.step());
  return run.text_at(0);
}

TEST(BoundValues, AreThoseOfThisRun) {
  SQLite::Database database(":memory:", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
  KeptStatement kept(
      database, "SELECT typeof(?1) || ' ' || ifnull(hex(?1), '') || ', ' || typeof(?2) || ' ' || ifnull(hex(?2), '')");
  using Bind = void (*)(StatementRun & run);
  static const std::string text = "a";
  static const Id id = *parse_id("00000011-8066-8ddb-9aa8-000a24c62dc3");
  struct Case {
    Bind bind;
    std::string seen;
  };
  const Case cases[] = {
      {[](StatementRun& run) { run.null(); }, "null "},
      {[](StatementRun& run) { run.integer(7); }, "integer 37"},
      {[](StatementRun& run) { run.integer(8); }, "integer 38"},
      {[](StatementRun& run) { run.integer(0); }, "integer 30"},
      {[](StatementRun& run) { run.text(text); }, "text 61"},
      {[](StatementRun& run) { run.text_or_null(""); }, "null "},
      {[](StatementRun& run) { run.id(id); }, "blob 0000001180668DDB9AA8000A24C62DC3"},
      {[](StatementRun& run) { run.bytes_or_null(text); }, "blob 61"},
      {[](StatementRun& run) { run.bounded(UINT64_MAX); }, "integer 39323233333732303336383534373735383037"},
  };
  // Each value after each other, twice, in both parameters.
  for (const Case& first : cases) {
    for (const Case& second : cases) {
      for (int times = 0; times < 2; ++times) {
        StatementRun run(kept);
        first.bind(run);
        second.bind(run);
        EXPECT_EQ(seen(run), first.seen + ", " + second.seen);
      }
      StatementRun run(kept);
      second.bind(run);
      first.bind(run);
      EXPECT_EQ(seen(run), second.seen + ", " + first.seen);
    }
  }
}

TEST(BoundValues, OfMoreParametersThanThereAreAreRefused) {
  SQLite::Database database(":memory:", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
  KeptStatement kept(database, "SELECT ?1");
  StatementRun run(kept);
  run.integer(1);
  EXPECT_THROW(run.integer(1), SQLite::Exception);
  EXPECT_THROW(run.null(), SQLite::Exception);
}

}  // namespace
}  // namespace orlop
