// Batched writes of a commit's frames to the log of a SQLite file.
#pragma once

#include <sqlite3.h>

#include <cstddef>
#include <memory>

#include "base/result.h"
#include "store/sqlite/sqlite_connection.h"

namespace orlop {

// SQLite writes header and page of each frame in separate calls: 18 for a usual create. This class collects them, and
// writes them when the last frame of the commit is complete: before SQLite syncs the log and publishes the commit.
// Other writes are forwarded immediately. One thread at a time.
class SqliteLogWrites {
 public:
  SqliteLogWrites();
  SqliteLogWrites(const SqliteLogWrites&) = delete;
  SqliteLogWrites& operator=(const SqliteLogWrites&) = delete;

  // Runs COMMIT on the connection. Errors: those of SQLite.
  Result<void> commit(SqliteConnection& connection) noexcept;

  // begin() and end() enclose a COMMIT whose log is any file: between them the file has the methods of this object.
  // end() drops the frames that a failed COMMIT left.
  void begin(sqlite3_file* log) noexcept;
  void end(sqlite3_file* log) noexcept;

 private:
  // Methods that SQLite calls on the log during a COMMIT. From a file they lead to this object.
  struct Methods : sqlite3_io_methods {
    SqliteLogWrites* owner = nullptr;
  };

  static SqliteLogWrites& of(sqlite3_file* file);
  template <auto method, typename... Arguments>
  static int pass_on(sqlite3_file* file, Arguments... arguments);
  static int write(sqlite3_file* file, const void* bytes, int size, sqlite3_int64 offset);
  static int sync(sqlite3_file* file, int flags);

  int add(sqlite3_file* file, const unsigned char* bytes, std::size_t size, sqlite3_int64 offset);
  // Writes the collected frames.
  int flush(sqlite3_file* file);

  Methods methods_;
  const sqlite3_io_methods* real_ = nullptr;
  std::unique_ptr<unsigned char[]> bytes_;  // null if its allocation failed
  std::size_t size_ = 0;
  sqlite3_int64 first_ = 0;  // offset of bytes_ in the log
  bool is_last_ = false;     // the last header belongs to the last frame of its commit
  bool is_passing_ = false;  // until the end of this COMMIT all writes are forwarded
};

}  // namespace orlop
