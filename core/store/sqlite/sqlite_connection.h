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

// storage_busy, storage_corrupt, out_of_memory or storage_failed, with SQLite's words.
Error error_of(const SQLite::Exception& exception) noexcept;

// What `act` returns, a Result; or the error of the exception that it threw.
template <typename Act>
auto fenced(const Act& act) -> decltype(act()) {
  try {
    return act();
  } catch (const SQLite::Exception& exception) { return error_of(exception); } catch (const std::bad_alloc&) {
    return Error{ErrorCode::out_of_memory, {}, {}};
  }
}

// The error, where `again` finds the store damaged too. One read that fails (of the device, or short) is reported by
// SQLite as damage as well: if `again`, which does the same on pages that are read anew, finds none, it was
// storage_failed.
template <typename Again>
Error doubted(Error error, const Again& again) {
  if (error.code != ErrorCode::storage_corrupt) return error;
  const auto second = again();
  if (!second && second.error().code == ErrorCode::storage_corrupt) return error;
  return make_error(ErrorCode::storage_failed,
                    "a read of the store failed, and passed when it was tried again: " + error.message);
}

// A statement that is prepared once. Values are bound and read through SQLite's own handle of it: a row of a machine
// has 38, and each would pass several checks of SQLiteCpp that can only fail once.
struct KeptStatement {
  // What a parameter holds: it keeps its value from run to run, and most of a row's numbers are those of the row
  // before.
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

// One run of a kept statement: binds in order, steps, reads by column, and is reset at the end. What is bound is not
// copied: it has to live until then. Not named Run: core/deploy has a struct of that name, and two types of one name in
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
  // Up to the largest integer of SQLite; what is greater means no limit, or nothing behind.
  StatementRun& bounded(std::uint64_t value);

  // Whether there is a row; false at the end.
  bool step() { return statement_.executeStep(); }
  // For a statement without rows: how many it changed.
  int change();

  std::int64_t integer_at(int column) const;
  Id id_at(int column) const;
  std::optional<Instant> instant_at(int column) const;
  bool is_null(int column) const;
  // A text that is no UTF-8 counts as damage: the library never wrote it.
  std::string text_at(int column) const;
  void read_text(int column, std::string& out) const;
  // The same for what may be any bytes, such as a sealed secret or a name key.
  void read_bytes(int column, std::string& out) const;

 private:
  void require_bound(int code) const;
  // The next parameter, whose value is not known until it is bound. Throws for one that the statement does not have.
  int next_parameter();

  sqlite3_stmt* handle_;
  SQLite::Statement& statement_;
  std::span<KeptStatement::Bound> parameters_;
  std::size_t bound_ = 0;
};

class SqliteConnection {
 public:
  // How long a statement waits for another connection to the file.
  static constexpr int busy_wait_milliseconds = 10'000;

  // Makes the file if it is not there and `may_create`.
  SqliteConnection(const std::string& path, bool may_create);

  SQLite::Database& database() { return database_; }
  StatementRun run(SqliteQuery query) { return StatementRun(statement(query)); }
  // Makes the statement, so that its first run needs no memory.
  void prepare(SqliteQuery query) { statement(query); }
  // Runs a statement without parameters and rows.
  void execute(SqliteQuery query) { run(query).change(); }
  // The file's absolute path; static for as long as this lives.
  const char* path() const;
  // The first bytes of the file as they are on the disk, without any lock, and through the descriptor that SQLite has:
  // how many of `out` there are. Errors: storage_failed.
  Result<std::size_t> read_file(std::span<unsigned char> out);
  // Whether a rollback journal lies beside the file.
  bool has_journal() const;
  // Forgets every page that is not in use, so that it is read from the disk again.
  void forget_pages();
  // Lets the file have a write-ahead log; what the journal is then: "wal", or another word where there cannot be one.
  // Waits for other connections that do the same.
  std::string use_log();
  // A number that changes with each change of the file, by this connection or another. It counts those of others from
  // the begin of a transaction on.
  std::uint32_t data_version() const noexcept;
  // The header of the log's index, from prepare_log_header() on. Any thread.
  SqliteLogHeader log_header() const noexcept;
  // How many pages of the log are not in the file yet, by the same index. Any thread.
  std::uint32_t log_backlog() const noexcept;
  bool has_log() const noexcept { return log_header_ != nullptr; }
  // Finds it; the log is open by now. Errors: storage_failed.
  Result<void> prepare_log_header();
  // The number of the row that the last INSERT made.
  std::int64_t last_number() const;
  SqliteIdentities& identities() { return identities_; }
  // Whether a transaction is open: SQLite itself ends one when the disk is full.
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
