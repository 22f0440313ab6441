#include "store/sqlite/copies/new_file.h"

#include <sqlite3.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "base/family_number.h"
#include "base/result.h"
#include "store/open.h"
#include "store/sqlite/log/files.h"
#include "store/sqlite/log/private_copy.h"
#include "store/sqlite/sqlite_connection.h"

namespace orlop {
namespace {

// The file comes last: without it the others have no effect.
constexpr std::array<const char*, 4> file_endings = {"-wal", "-shm", "-journal", ""};

// Another process has stored events, or records without an event. The seal does not count: opening a store writes it.
constexpr const char* stored_meanwhile =
    "SELECT (SELECT count(*) FROM event) > :restored OR (:restored = 0 AND EXISTS (SELECT 1 FROM record WHERE family "
    "<> :seal))";

bool may_be_removed(SQLite::Database& database, std::uint64_t restored_events) {
  if (database.execAndGet("SELECT count(*) FROM sqlite_schema").getInt() == 0) return true;
  if (!database.tableExists("event") || !database.tableExists("record")) return false;
  SQLite::Statement statement(database, stored_meanwhile);
  statement.bind(":restored", static_cast<std::int64_t>(restored_events));
  statement.bind(":seal", static_cast<int>(sealing_number));
  return statement.executeStep() && statement.getColumn(0).getInt() == 0;
}

Result<void> remove_file(const std::string& path, std::uint64_t restored_events) {
  lock_beside_other_copies();
  SqliteConnection connection(path, false);
  SQLite::Database& database = connection.database();
  int* const no_answer = nullptr;
  // By then the log of that name may belong to another file.
  sqlite3_db_config(database.getHandle(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, no_answer);
  database.setBusyTimeout(0);
  database.exec("PRAGMA locking_mode = EXCLUSIVE");
  database.exec("BEGIN EXCLUSIVE");  // fails if another process has the file open
  if (!may_be_removed(database, restored_events)) return {};
  for (const char* ending : file_endings) (void)::unlink((connection.path() + std::string(ending)).c_str());
  return {};
}

}  // namespace

NewSqliteFile::NewSqliteFile(std::string_view url) {
  auto path = sqlite_path_of(url);
  if (!path || path->empty()) return;
  for (const char* ending : file_endings) {
    if (place_of_file(*path + ending) || errno != ENOENT) return;
  }
  path_ = std::move(*path);
}

void NewSqliteFile::remove(std::uint64_t restored_events) const noexcept {
  if (path_.empty() || !place_of_file(path_)) return;
  (void)fenced([&] { return remove_file(path_, restored_events); });  // an error leaves the file, which does no harm
}

}  // namespace orlop
