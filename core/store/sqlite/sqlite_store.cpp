// The store in a SQLite file: one writing connection, and one reading connection per concurrent reader.
#include <sqlite3.h>

#include <new>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "store/open.h"
#include "store/refusal.h"
#include "store/shared_turns.h"
#include "store/sqlite/layout/schema.h"
#include "store/sqlite/log/files.h"
#include "store/sqlite/log/log_mark.h"
#include "store/sqlite/log/private_copy.h"
#include "store/sqlite/log/process_files.h"
#include "store/sqlite/read_transaction.h"
#include "store/sqlite/readers.h"
#include "store/sqlite/rows/coordination_rows.h"
#include "store/sqlite/rows/row_cache.h"
#include "store/sqlite/sqlite_connection.h"
#include "store/sqlite/write_thread.h"
#include "store/sqlite/write_transaction.h"

namespace orlop {
namespace {

constexpr const char* writer_pragmas = "PRAGMA journal_size_limit = 67108864; PRAGMA cache_size = -8192;";

class SqliteStore : public Store {
 public:
  SqliteStore(std::unique_ptr<SqliteProcessFile> file, std::unique_ptr<SqliteConnection> writing,
              std::uint64_t mmap_size, bool gathers_log_writes, PreparedSchema prepared)
      : file_(std::move(file)),
        files_(writing->path()),
        readers_(writing->path(), files_, mmap_size, std::move(prepared.mended)),
        members_(file_->lock()),
        writer_(std::move(writing), file_->lock(), files_, cache_, readers_, gathers_log_writes),
        turn_writer_(writer_),
        shared_turns_(turn_writer_),
        cached_{readers_, cache_, writer_.connection()},
        foreign_tables_(std::move(prepared.foreign_tables)) {}
  ~SqliteStore() override { file_->lock().release(); }

  Result<std::unique_ptr<Transaction>> begin(Access access) override;
  std::vector<std::string> remarks() const override;
  Result<void> read(const Act& act) override { return read_sqlite_cached(cached_, act); }
  Result<void> write(const Act& act) override { return shared_turns_.run(act); }
  Result<std::unique_ptr<Membership>> join(const Id& engine, std::function<void()>) override {
    return std::unique_ptr<Membership>(std::make_unique<SqliteMembership>(members_, writer_, engine));
  }

 private:
  std::unique_ptr<SqliteProcessFile> file_;  // first: it must outlive every connection
  SqliteFiles files_;
  SqliteReaders readers_;
  SqliteRowCache cache_;
  SqliteMembers members_;
  SqliteWriter writer_;
  SqliteTurnWriter turn_writer_;
  SharedTurns shared_turns_;
  SqliteCachedReading cached_;
  std::vector<std::string> foreign_tables_;
};

std::vector<std::string> SqliteStore::remarks() const {
  if (foreign_tables_.empty()) return {};
  std::string names;
  for (const std::string& table : foreign_tables_) names.append(names.empty() ? "" : ", ").append(table);
  return {"the store's file holds tables of another program, which are left alone: " + names};
}

Result<std::unique_ptr<Transaction>> SqliteStore::begin(Access access) {
  switch (access) {
    case Access::read: return begin_sqlite_read(readers_);
    case Access::optimistic:  // never requested
    case Access::write:
      ORLOP_CHECK(writer_.begin());
      if (auto* transaction = new (std::nothrow) SqliteWriteTransaction(writer_))
        return std::unique_ptr<Transaction>(transaction);
      writer_.roll_back();
      return Error{ErrorCode::out_of_memory, {}, {}};
  }
  return make_error(ErrorCode::misuse, "there is no such access");
}

// Reports whether SQLite accesses files of the operating system by its own code.
bool has_plain_files(SqliteConnection& connection) {
  sqlite3_vfs* used = nullptr;
  sqlite3_file_control(connection.database().getHandle(), "main", SQLITE_FCNTL_VFS_POINTER, &used);
  return used != nullptr && used == sqlite3_vfs_find(nullptr) && std::string_view(used->zName) == "unix";
}

Result<std::unique_ptr<Store>> open_file(const std::string& file, Durability durability, std::uint64_t mmap_size,
                                         LogWrites log_writes) {
  ORLOP_CHECK(require_regular_files(file));
  lock_beside_other_copies();
  return fenced([&]() -> Result<std::unique_ptr<Store>> {
    auto process_file = std::make_unique<SqliteProcessFile>();
    std::unique_ptr<SqliteConnection> writing;
    ORLOP_CHECK(process_file->open(file, [&] { writing = std::make_unique<SqliteConnection>(file, true); }));
    ORLOP_CHECK(require_own_file(*writing, file));
    SQLite::Database& database = writing->database();
    database.exec(sqlite_connection_pragmas);
    // Before there is a write-ahead log, the removal of the journal must be durable, too.
    database.exec("PRAGMA synchronous = EXTRA");
    ORLOP_CHECK(require_log_of_file(*writing, file));
    ORLOP_TRY(prepared, prepare_schema(*writing, file));
    if (writing->use_log() != "wal") {
      return make_error(ErrorCode::storage_failed, "\"" + file + "\" lies where SQLite cannot keep a write-ahead log");
    }
    database.exec(durability == Durability::normal ? "PRAGMA synchronous = NORMAL" : "PRAGMA synchronous = FULL");
    database.exec(writer_pragmas);
    SqliteLogCheckpoint::prepare(*writing);
    (void)database.execAndGet("SELECT count(*) FROM sqlite_schema");  // the first read creates the log and its index
    ORLOP_CHECK(writing->prepare_log_header());
    ORLOP_CHECK(process_file->lock().take(writing->path()));
    const bool gathers =
        log_writes == LogWrites::gathered || (log_writes == LogWrites::automatic && has_plain_files(*writing));
    return std::unique_ptr<Store>(std::make_unique<SqliteStore>(std::move(process_file), std::move(writing), mmap_size,
                                                                gathers, std::move(prepared)));
  });
}

}  // namespace

bool has_sqlite() { return true; }

Result<std::unique_ptr<Store>> open_sqlite_store(std::string_view path, Durability durability, std::uint64_t mmap_size,
                                                 LogWrites log_writes) {
  const std::string file = sqlite_file_name(path);
  Result<std::unique_ptr<Store>> opened = open_file(file, durability, mmap_size, log_writes);
  // A single failed read is reported as damage, too, and a file that another process is creating looks damaged briefly:
  // a file that passes the second time is undamaged.
  if (!opened && opened.error().code == ErrorCode::storage_corrupt) {
    if (auto again = open_file(file, durability, mmap_size, log_writes);
        again || again.error().code != ErrorCode::storage_corrupt)
      opened = std::move(again);
  }
  if (opened || opened.error().code == ErrorCode::out_of_memory) return opened;
  const std::string& message = opened.error().message;
  if (message.find(file) != std::string::npos) return opened;  // the message names the file
  return make_error(opened.error().code, "\"" + file + "\" cannot be opened: " + message);
}

}  // namespace orlop
