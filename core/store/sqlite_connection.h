// One connection to a SQLite file with its prepared statements. May throw SQLite::Exception; fenced() converts that to an Error.
#pragma once

#include <SQLiteCpp/Column.h>
#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Exception.h>
#include <SQLiteCpp/Statement.h>

#include <array>
#include <cstdint>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/id.h"
#include "base/result.h"
#include "store/sqlite_queries.h"

namespace orlop {

// storage_busy, storage_corrupt, out_of_memory or storage_failed, with SQLite's words.
Error error_of(const SQLite::Exception& exception) noexcept;

// What `act` returns, a Result; or the error of the exception that it threw.
template <typename Act>
auto fenced(const Act& act) -> decltype(act()) {
  try {
    return act();
  } catch (const SQLite::Exception& exception) {
    return error_of(exception);
  } catch (const std::bad_alloc&) { return Error{ErrorCode::out_of_memory, {}, {}}; }
}

// The error, where `again` finds the store damaged too. One read that fails (of the device, or short) is reported by SQLite as damage as well:
// if `again`, which does the same on pages that are read anew, finds none, it was storage_failed.
template <typename Again>
Error doubted(Error error, const Again& again) {
  if (error.code != ErrorCode::storage_corrupt) return error;
  const auto second = again();
  if (!second && second.error().code == ErrorCode::storage_corrupt) return error;
  return make_error(ErrorCode::storage_failed, "a read of the store failed, and passed when it was tried again: " + error.message);
}

// A statement that is prepared once. Its columns are kept too: SQLiteCpp would count a reference for each value that is read.
struct KeptStatement {
  explicit KeptStatement(SQLite::Statement prepared) : statement(std::move(prepared)) {}
  SQLite::Statement statement;
  std::vector<SQLite::Column> columns;
};

// A namespace of its own: deploy/run/run.h has a Run, too, and a program holds one destructor for each name.
inline namespace sqlite {

// One run of a kept statement: binds in order, steps, reads by column, and is reset at the end. What is bound is not copied: it has
// to live until then.
class Run {
 public:
  explicit Run(KeptStatement& kept) : kept_(kept), statement_(kept.statement) {}
  ~Run() { statement_.tryReset(); }
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  Run& integer(std::int64_t value);
  Run& number(std::uint64_t value) { return integer(static_cast<std::int64_t>(value)); }
  Run& id(const Id& value);
  Run& id_or_null(const Id& value);
  Run& text(const std::string& value);
  Run& text_or_null(const std::string& value);
  // Up to the largest integer of SQLite; what is greater means no limit, or nothing behind.
  Run& bounded(std::uint64_t value);

  // Whether there is a row; false at the end.
  bool step() { return statement_.executeStep(); }
  // For a statement without rows: how many it changed.
  int change();

  std::int64_t integer_at(int column) const;
  Id id_at(int column) const;
  // A text that is no UTF-8 counts as damage: the library never wrote it.
  std::string text_at(int column) const;
  void read_text(int column, std::string& out) const;
  // The same for what may be any bytes, such as a sealed secret or a name key.
  void read_bytes(int column, std::string& out) const;

 private:
  const SQLite::Column& column_at(int column) const;

  KeptStatement& kept_;
  SQLite::Statement& statement_;
  int bound_ = 0;
};

}  // namespace sqlite

class SqliteConnection {
 public:
  // Makes the file if it is not there and `may_create`.
  SqliteConnection(const std::string& path, bool may_create);

  SQLite::Database& database() { return database_; }
  Run run(Query query) { return Run(statement(query)); }
  // Makes the statement, so that its first run needs no memory.
  void prepare(Query query) { statement(query); }
  // Runs a statement without parameters and rows.
  void execute(Query query) { run(query).change(); }
  // The file's absolute path; static for as long as this lives.
  const char* path() const;
  // The first bytes of the file as they are on the disk, without any lock, and through the descriptor that SQLite has: how many of `out` there
  // are. Errors: storage_failed.
  Result<std::size_t> read_file(std::span<unsigned char> out);
  // Whether a rollback journal lies beside the file.
  bool has_journal() const;
  // Forgets every page that is not in use, so that it is read from the disk again.
  void forget_pages();
  // Whether a transaction is open: SQLite itself ends one when the disk is full.
  bool in_transaction() const;

 private:
  KeptStatement& statement(Query query);

  SQLite::Database database_;
  std::array<std::optional<KeptStatement>, query_count> statements_;
};

}  // namespace orlop
