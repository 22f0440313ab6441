// One connection to a SQLite file with its prepared statements. May throw SQLite::Exception; fenced() converts that to
// an Error.
#pragma once

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
#include "base/instant.h"
#include "base/result.h"
#include "store/sqlite/log/log_header.h"
#include "store/sqlite/queries.h"
#include "store/sqlite/rows/identities.h"

namespace orlop {

// Returns storage_busy, storage_corrupt, out_of_memory or storage_failed, with SQLite's message.
Error error_of(const SQLite::Exception& exception) noexcept;

// Returns the Result of `act`, or the error of the exception that it threw.
template <typename Act>
auto fenced(const Act& act) -> decltype(act()) {
  try {
    return act();
  } catch (const SQLite::Exception& exception) { return error_of(exception); } catch (const std::bad_alloc&) {
    return Error{ErrorCode::out_of_memory, {}, {}};
  }
}

// Returns the error if `again` finds the store damaged, too. SQLite reports a single failed read (of the device, or
// short) as damage as well: if `again`, which repeats the work on pages that are read anew, finds none, the error
// becomes storage_failed.
template <typename Again>
Error doubted(Error error, const Again& again) {
  if (error.code != ErrorCode::storage_corrupt) return error;
  const auto second = again();
  if (!second && second.error().code == ErrorCode::storage_corrupt) return error;
  return make_error(ErrorCode::storage_failed,
                    "a read of the store failed, and passed when it was tried again: " + error.message);
}

// A statement that is prepared once. Values are bound and read through SQLite's own handle: a machine's row has 38, and
// for each one SQLiteCpp would repeat several checks.
struct KeptStatement {
  // Last value of a parameter. A parameter keeps its value from run to run, and most numbers of a row equal those of
  // the row before.
  struct Bound {
    enum class Kind : std::uint8_t { null, integer, other };
    Kind kind = Kind::null;
    std::int64_t integer = 0;
  };

  KeptStatement(SQLite::Database& database, const char* text);
  SQLite::Statement statement;
  sqlite3_stmt* handle;
  std::vector<Bound> bound;
};

// One run of a kept statement: binds in order, steps, reads by column, and is reset at the end. Bound values are not
// copied: they must live until then. Not named Run: core/deploy has a struct of that name, and two types of one name in
// one program are undefined behavior.
class StatementRun {
 public:
  explicit StatementRun(KeptStatement& kept)
      : handle_(kept.handle), statement_(kept.statement), parameters_(kept.bound) {}
  ~StatementRun() { statement_.tryReset(); }
  StatementRun(const StatementRun&) = delete;
  StatementRun& operator=(const StatementRun&) = delete;

  StatementRun& integer(std::int64_t value);
  StatementRun& number(std::uint64_t value) { return integer(static_cast<std::int64_t>(value)); }
  StatementRun& null();
  StatementRun& id(const Id& value);
  StatementRun& id_or_null(const Id& value);
  StatementRun& number_or_null(std::int64_t value);  // NULL for 0
  StatementRun& instant_or_null(const std::optional<Instant>& value);
  StatementRun& text(const std::string& value);
  StatementRun& text_or_null(const std::string& value);
  StatementRun& bytes_or_null(const std::string& value);
  // Caps the value at SQLite's largest integer, which means no limit, or the end.
  StatementRun& bounded(std::uint64_t value);

  // Returns false at the end of the rows.
  bool step() { return statement_.executeStep(); }
  // For a statement without rows: returns the number of changed rows.
  int change();

  std::int64_t integer_at(int column) const;
  Id id_at(int column) const;
  std::optional<Instant> instant_at(int column) const;
  bool is_null(int column) const;
  // A text that is not UTF-8 counts as damage: the library never writes one.
  std::string text_at(int column) const;
  void read_text(int column, std::string& out) const;
  // Like read_text(), for arbitrary bytes such as a sealed secret or a name key.
  void read_bytes(int column, std::string& out) const;

 private:
  void require_bound(int code) const;
  // Returns the next parameter and forgets its last value. Throws if the statement has no more parameters.
  int next_parameter();

  sqlite3_stmt* handle_;
  SQLite::Statement& statement_;
  std::span<KeptStatement::Bound> parameters_;
  std::size_t bound_ = 0;
};

class SqliteConnection {
 public:
  // Time that a statement waits for another connection to the file.
  static constexpr int busy_wait_milliseconds = 10'000;

  // Creates the file if it does not exist and `may_create`.
  SqliteConnection(const std::string& path, bool may_create);

  SQLite::Database& database() { return database_; }
  StatementRun run(SqliteQuery query) { return StatementRun(statement(query)); }
  // Prepares the statement, so that its first run needs no memory.
  void prepare(SqliteQuery query) { statement(query); }
  // Runs a statement without parameters and rows.
  void execute(SqliteQuery query) { run(query).change(); }
  // Returns the file's absolute path, which is valid as long as this object.
  const char* path() const;
  // Reads the first bytes of the file on the disk, without any lock, through SQLite's descriptor. Returns the number of
  // bytes read into `out`. Errors: storage_failed.
  Result<std::size_t> read_file(std::span<unsigned char> out);
  // Reports whether the file has a rollback journal.
  bool has_journal() const;
  // Drops every cached page that is not in use, so that it is read from the disk again.
  void forget_pages();
  // Switches the file to a write-ahead log. Returns the journal mode afterwards: "wal", or another one if a log is not
  // possible. Waits for other connections that do the same.
  std::string use_log();
  // Returns a number that changes with each change of the file, by this connection or another. Changes by others count
  // when a transaction begins.
  std::uint32_t data_version() const noexcept;
  // Returns the header of the log's index. Requires prepare_log_header(). Thread-safe.
  SqliteLogHeader log_header() const noexcept;
  // Returns the number of the log's pages that are not in the file yet. Same requirements as log_header().
  std::uint32_t log_backlog() const noexcept;
  bool has_log() const noexcept { return log_header_ != nullptr; }
  // Locates the header; the log must be open. Errors: storage_failed.
  Result<void> prepare_log_header();
  // Returns the number of the row that the last INSERT made.
  std::int64_t last_number() const;
  SqliteIdentities& identities() { return identities_; }
  // Reports whether a transaction is open: SQLite itself ends one when the disk is full.
  bool in_transaction() const;

 private:
  KeptStatement& statement(SqliteQuery query);

  SQLite::Database database_;
  std::array<std::optional<KeptStatement>, query_count> statements_;
  SqliteIdentities identities_;
  std::uint32_t* log_header_ = nullptr;
};

// SqliteConnection::execute() without exceptions.
Result<void> execute(SqliteConnection& connection, SqliteQuery query);

}  // namespace orlop
