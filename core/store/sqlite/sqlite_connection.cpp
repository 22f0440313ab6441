#include "store/sqlite/sqlite_connection.h"

#include <sqlite3.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <system_error>

#include "base/text/utf8.h"

namespace orlop {
namespace {

// A connection's memory for small allocations: size of each in bytes, and their number.
constexpr int lookaside_size = 1200;
constexpr int lookaside_count = 512;

// For a file that cannot be opened SQLite gives no reason; the error of the system does.
SQLite::Database open_database(const std::string& path, bool may_create, int busy_wait_milliseconds) {
  const int flags = SQLite::OPEN_READWRITE | (may_create ? SQLite::OPEN_CREATE : 0) | SQLite::OPEN_NOMUTEX;
  errno = 0;
  try {
    return {path.c_str(), flags, busy_wait_milliseconds};
  } catch (const SQLite::Exception& exception) {
    const int system_error = errno;
    if (exception.getErrorCode() != SQLITE_CANTOPEN || system_error == 0) throw;
    const std::string reason =
        std::generic_category().message(system_error) + " (errno " + std::to_string(system_error) + ")";
    throw SQLite::Exception(std::string(exception.what()) + ": " + reason, exception.getErrorCode());
  }
}

}  // namespace

Error error_of(const SQLite::Exception& exception) noexcept try {
  switch (exception.getErrorCode()) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return make_error(ErrorCode::storage_busy, std::string("another process holds the store: ") + exception.what());
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return make_error(ErrorCode::storage_corrupt, std::string("the store is damaged: ") + exception.what());
    case SQLITE_NOMEM: return {ErrorCode::out_of_memory, {}, {}};
    default: return make_error(ErrorCode::storage_failed, std::string("the store failed: ") + exception.what());
  }
} catch (const std::bad_alloc&) { return {ErrorCode::out_of_memory, {}, {}}; }

namespace {

// Returns the handle of the statement that was just prepared. The connection keeps no other with the same text.
sqlite3_stmt* handle_of(sqlite3* database, std::string_view text) {
  sqlite3_stmt* handle = sqlite3_next_stmt(database, nullptr);
  while (handle != nullptr && sqlite3_sql(handle) != text) handle = sqlite3_next_stmt(database, handle);
  if (handle == nullptr) throw SQLite::Exception("the statement is not there that was just made", SQLITE_INTERNAL);
  return handle;
}

}  // namespace

KeptStatement::KeptStatement(SQLite::Database& database, const char* text)
    : statement(database, text),
      handle(handle_of(database.getHandle(), text)),
      bound(static_cast<std::size_t>(sqlite3_bind_parameter_count(handle))) {}

void StatementRun::require_bound(int code) const {
  if (code != SQLITE_OK) throw SQLite::Exception(sqlite3_db_handle(handle_), code);
}

int StatementRun::next_parameter() {
  if (bound_ >= parameters_.size())
    throw SQLite::Exception("a statement has fewer parameters than are bound", SQLITE_RANGE);
  parameters_[bound_].kind = KeptStatement::Bound::Kind::other;
  return static_cast<int>(++bound_);
}

StatementRun& StatementRun::integer(std::int64_t value) {
  using Kind = KeptStatement::Bound::Kind;
  if (bound_ < parameters_.size() && parameters_[bound_].kind == Kind::integer &&
      parameters_[bound_].integer == value) {
    ++bound_;
    return *this;
  }
  require_bound(sqlite3_bind_int64(handle_, next_parameter(), value));
  parameters_[bound_ - 1] = {Kind::integer, value};
  return *this;
}

StatementRun& StatementRun::null() {
  using Kind = KeptStatement::Bound::Kind;
  if (bound_ < parameters_.size() && parameters_[bound_].kind == Kind::null) {
    ++bound_;
    return *this;
  }
  require_bound(sqlite3_bind_null(handle_, next_parameter()));
  parameters_[bound_ - 1].kind = Kind::null;
  return *this;
}

StatementRun& StatementRun::id(const Id& value) {
  require_bound(sqlite3_bind_blob(handle_, next_parameter(), value.bytes.data(), static_cast<int>(value.bytes.size()),
                                  SQLITE_STATIC));
  return *this;
}

StatementRun& StatementRun::id_or_null(const Id& value) { return value.is_nil() ? null() : id(value); }

StatementRun& StatementRun::number_or_null(std::int64_t value) { return value == 0 ? null() : integer(value); }

StatementRun& StatementRun::instant_or_null(const std::optional<Instant>& value) {
  return value ? integer(value->milliseconds) : null();
}

StatementRun& StatementRun::text(const std::string& value) {
  require_bound(
      sqlite3_bind_text(handle_, next_parameter(), value.data(), static_cast<int>(value.size()), SQLITE_STATIC));
  return *this;
}

StatementRun& StatementRun::text_or_null(const std::string& value) { return value.empty() ? null() : text(value); }

StatementRun& StatementRun::bytes_or_null(const std::string& value) {
  if (value.empty()) return null();
  require_bound(
      sqlite3_bind_blob(handle_, next_parameter(), value.data(), static_cast<int>(value.size()), SQLITE_STATIC));
  return *this;
}

StatementRun& StatementRun::bounded(std::uint64_t value) {
  return number(std::min<std::uint64_t>(value, std::numeric_limits<std::int64_t>::max()));
}

int StatementRun::change() { return statement_.exec(); }

std::int64_t StatementRun::integer_at(int column) const { return sqlite3_column_int64(handle_, column); }

Id StatementRun::id_at(int column) const {
  Id id;
  const void* const bytes = sqlite3_column_blob(handle_, column);
  if (bytes != nullptr) {
    std::memcpy(id.bytes.data(), bytes,
                std::min(id.bytes.size(), static_cast<std::size_t>(sqlite3_column_bytes(handle_, column))));
  }
  return id;
}

bool StatementRun::is_null(int column) const { return sqlite3_column_type(handle_, column) == SQLITE_NULL; }

std::optional<Instant> StatementRun::instant_at(int column) const {
  if (is_null(column)) return std::nullopt;
  return Instant{sqlite3_column_int64(handle_, column)};
}

void StatementRun::read_bytes(int column, std::string& out) const {
  if (sqlite3_column_type(handle_, column) == SQLITE_NULL) {
    out.clear();
    return;
  }
  const auto* const text = reinterpret_cast<const char*>(sqlite3_column_text(handle_, column));
  // SQLite appends a zero, for which it may need memory.
  if (text == nullptr) throw SQLite::Exception("", SQLITE_NOMEM);
  out.assign(text, static_cast<std::size_t>(sqlite3_column_bytes(handle_, column)));
}

void StatementRun::read_text(int column, std::string& out) const {
  read_bytes(column, out);
  if (!is_utf8(out)) throw SQLite::Exception("it holds a text that is not UTF-8", SQLITE_CORRUPT);
}

std::string StatementRun::text_at(int column) const {
  std::string text;
  read_text(column, text);
  return text;
}

SqliteConnection::SqliteConnection(const std::string& path, bool may_create)
    : database_(open_database(path, may_create, busy_wait_milliseconds)) {
  // Code that another program wrote into the file does not run, and SQL cannot edit pages of the schema.
  int* const no_answer = nullptr;
  sqlite3_db_config(database_.getHandle(), SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, no_answer);
  sqlite3_db_config(database_.getHandle(), SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, no_answer);
  sqlite3_db_config(database_.getHandle(), SQLITE_DBCONFIG_DEFENSIVE, 1, no_answer);
  // The kept statements would fill SQLite's default memory for small allocations, and each run would call malloc.
  void* const own_memory = nullptr;
  sqlite3_db_config(database_.getHandle(), SQLITE_DBCONFIG_LOOKASIDE, own_memory, lookaside_size, lookaside_count);
}

const char* SqliteConnection::path() const { return sqlite3_db_filename(database_.getHandle(), "main"); }

Result<std::size_t> SqliteConnection::read_file(std::span<unsigned char> out) {
  sqlite3_file* file = nullptr;
  sqlite3_int64 size = 0;
  int code = sqlite3_file_control(database_.getHandle(), "main", SQLITE_FCNTL_FILE_POINTER, &file);
  if (code == SQLITE_OK) code = file->pMethods->xFileSize(file, &size);
  const auto wanted = static_cast<int>(std::min<sqlite3_int64>(size, static_cast<sqlite3_int64>(out.size())));
  if (code == SQLITE_OK) code = file->pMethods->xRead(file, out.data(), wanted, 0);
  if (code == SQLITE_OK) return static_cast<std::size_t>(wanted);
  return make_error(ErrorCode::storage_failed, std::string("the store's file cannot be read: ") + sqlite3_errstr(code));
}

bool SqliteConnection::has_journal() const {
  sqlite3* const handle = database_.getHandle();
  sqlite3_vfs* files = nullptr;
  int found = 0;
  sqlite3_file_control(handle, "main", SQLITE_FCNTL_VFS_POINTER, &files);
  files->xAccess(files, sqlite3_filename_journal(path()), SQLITE_ACCESS_EXISTS, &found);
  return found != 0;
}

void SqliteConnection::forget_pages() { sqlite3_db_release_memory(database_.getHandle()); }

// If two connections change the journal at once, each holds a lock that the other needs: SQLite returns SQLITE_BUSY to
// one of them immediately, without the busy wait.
std::string SqliteConnection::use_log() {
  constexpr int pause_milliseconds = 1;
  database_.setBusyTimeout(0);
  std::string journal;
  for (int waited = 0; journal.empty(); waited += pause_milliseconds) {
    try {
      SQLite::Statement change(database_, "PRAGMA journal_mode = WAL");
      const std::string wanted = change.executeStep() ? change.getColumn(0).getString() : std::string();
      (void)change.executeStep();  // commits the change
      journal = wanted;
    } catch (const SQLite::Exception& exception) {
      if (exception.getErrorCode() != SQLITE_BUSY || waited >= busy_wait_milliseconds) throw;
      sqlite3_sleep(pause_milliseconds);
    }
  }
  database_.setBusyTimeout(busy_wait_milliseconds);
  return journal;
}

std::uint32_t SqliteConnection::data_version() const noexcept {
  std::uint32_t version = 0;
  sqlite3_file_control(database_.getHandle(), "main", SQLITE_FCNTL_DATA_VERSION, &version);
  return version;
}

Result<void> SqliteConnection::prepare_log_header() {
  constexpr int first_region = 0;
  constexpr int region_bytes = 32'768;  // of the index, by its format
  constexpr int may_not_extend = 0;
  sqlite3_file* file = nullptr;
  volatile void* region = nullptr;
  int code = sqlite3_file_control(database_.getHandle(), "main", SQLITE_FCNTL_FILE_POINTER, &file);
  if (code == SQLITE_OK) code = file->pMethods->xShmMap(file, first_region, region_bytes, may_not_extend, &region);
  if (code == SQLITE_OK && region != nullptr) {
    log_header_ = static_cast<std::uint32_t*>(const_cast<void*>(region));
    return {};
  }
  return make_error(ErrorCode::storage_failed,
                    std::string("the index of the store's write-ahead log cannot be read: ") + sqlite3_errstr(code));
}

// Another process may write the header meanwhile, and a mixture is not the header of any commit. Loads of one word
// never go back in time, also with respect to SQLite's loads: a header that is the same before and after a snapshot
// began is that of the snapshot.
SqliteLogHeader SqliteConnection::log_header() const noexcept {
  SqliteLogHeader header;
  for (std::size_t at = 0; at < header.words.size(); ++at)
    header.words[at] = std::atomic_ref(log_header_[at]).load(std::memory_order_acquire);
  return header;
}

// The word after the two copies of the header is the number of the log's pages that are in the file:
// https://sqlite.org/walformat.html#the_wal_index_header
std::uint32_t SqliteConnection::log_backlog() const noexcept {
  constexpr std::size_t in_file_at = 2 * std::tuple_size_v<decltype(SqliteLogHeader::words)>;
  const std::uint32_t in_file = std::atomic_ref(log_header_[in_file_at]).load(std::memory_order_acquire);
  const std::uint32_t pages = log_header().page_count();
  return pages - std::min(pages, in_file);
}

std::int64_t SqliteConnection::last_number() const { return sqlite3_last_insert_rowid(database_.getHandle()); }

bool SqliteConnection::in_transaction() const { return sqlite3_get_autocommit(database_.getHandle()) == 0; }

KeptStatement& SqliteConnection::statement(SqliteQuery query) {
  std::optional<KeptStatement>& kept = statements_[static_cast<std::size_t>(query)];
  if (!kept) kept.emplace(database_, text_of(query));
  return *kept;
}

Result<void> execute(SqliteConnection& connection, SqliteQuery query) {
  return fenced([&]() -> Result<void> {
    connection.execute(query);
    return {};
  });
}

}  // namespace orlop
