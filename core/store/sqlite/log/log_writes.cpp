#include "store/sqlite/log/log_writes.h"
#include "store/sqlite/log/log_header.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

namespace orlop {
namespace {

// A frame is a header and a page. In the header of the last frame of a commit, these bytes hold the size of the file;
// in others they are 0: https://sqlite.org/fileformat2.html#walformat
constexpr std::size_t file_size_at = 4;
constexpr std::size_t file_size_bytes = 4;

constexpr std::size_t capacity = 128 * 1024;

bool is_of_last_frame(const unsigned char* header) {
  return std::any_of(header + file_size_at, header + file_size_at + file_size_bytes,
                     [](unsigned char byte) { return byte != 0; });
}

// Returns null if the connection has no log, or a write to the disk may damage adjacent bytes: SQLite then pads to
// whole sectors, and splits frames.
sqlite3_file* log_of(SqliteConnection& connection) {
  if (!connection.has_log()) return nullptr;
  sqlite3_file* file = nullptr;
  const int code = sqlite3_file_control(connection.database().getHandle(), "main", SQLITE_FCNTL_JOURNAL_POINTER, &file);
  if (code != SQLITE_OK || file == nullptr || file->pMethods == nullptr) return nullptr;
  return (file->pMethods->xDeviceCharacteristics(file) & SQLITE_IOCAP_POWERSAFE_OVERWRITE) != 0 ? file : nullptr;
}

}  // namespace

SqliteLogWrites::SqliteLogWrites() : bytes_(new (std::nothrow) unsigned char[capacity]) { methods_.owner = this; }

SqliteLogWrites& SqliteLogWrites::of(sqlite3_file* file) { return *static_cast<const Methods*>(file->pMethods)->owner; }

Result<void> SqliteLogWrites::commit(SqliteConnection& connection) noexcept {
  sqlite3_file* const log = bytes_ == nullptr ? nullptr : log_of(connection);
  if (log == nullptr) return execute(connection, SqliteQuery::commit);
  begin(log);
  Result<void> committed = execute(connection, SqliteQuery::commit);
  end(log);
  return committed;
}

void SqliteLogWrites::begin(sqlite3_file* log) noexcept {
  real_ = log->pMethods;
  static_cast<sqlite3_io_methods&>(methods_) = *real_;
  methods_.xWrite = write;
  methods_.xSync = sync;
  methods_.xRead = pass_on<&sqlite3_io_methods::xRead, void*, int, sqlite3_int64>;
  methods_.xTruncate = pass_on<&sqlite3_io_methods::xTruncate, sqlite3_int64>;
  methods_.xFileSize = pass_on<&sqlite3_io_methods::xFileSize, sqlite3_int64*>;
  log->pMethods = &methods_;
}

void SqliteLogWrites::end(sqlite3_file* log) noexcept {
  log->pMethods = real_;
  size_ = 0;
  is_last_ = false;
  is_passing_ = false;
}

// Forwards calls other than writes of consecutive frames, after writing the collected frames.
template <auto method, typename... Arguments>
int SqliteLogWrites::pass_on(sqlite3_file* file, Arguments... arguments) {
  SqliteLogWrites& self = of(file);
  self.is_passing_ = true;
  const int code = self.flush(file);
  return code != SQLITE_OK ? code : (self.real_->*method)(file, arguments...);
}

int SqliteLogWrites::sync(sqlite3_file* file, int flags) {
  const int code = of(file).flush(file);
  return code != SQLITE_OK ? code : of(file).real_->xSync(file, flags);
}

int SqliteLogWrites::write(sqlite3_file* file, const void* bytes, int size, sqlite3_int64 offset) {
  return of(file).add(file, static_cast<const unsigned char*>(bytes), static_cast<std::size_t>(size), offset);
}

int SqliteLogWrites::add(sqlite3_file* file, const unsigned char* bytes, std::size_t size, sqlite3_int64 offset) {
  const bool is_header = size == frame_header_size;
  const bool follows = size_ == 0 ? is_header : offset == first_ + static_cast<sqlite3_int64>(size_);
  is_passing_ = is_passing_ || (!follows && size_ != 0);
  if (is_passing_ || !follows || size_ + size > capacity) {
    if (const int code = flush(file); code != SQLITE_OK) return code;
    if (is_passing_ || !is_header) return real_->xWrite(file, bytes, static_cast<int>(size), offset);
  }
  if (size_ == 0) first_ = offset;
  std::memcpy(bytes_.get() + size_, bytes, size);
  size_ += size;
  if (is_header) is_last_ = is_of_last_frame(bytes);
  return is_last_ && !is_header ? flush(file) : SQLITE_OK;
}

int SqliteLogWrites::flush(sqlite3_file* file) {
  const std::size_t size = std::exchange(size_, 0);
  return size == 0 ? SQLITE_OK : real_->xWrite(file, bytes_.get(), static_cast<int>(size), first_);
}

}  // namespace orlop
