// The frames of a commit, written to the log of a SQLite file in few pieces.
#pragma once

#include <sqlite3.h>

#include <cstddef>
#include <memory>

#include "base/result.h"
#include "store/sqlite/sqlite_connection.h"

namespace orlop {

// SQLite writes the header and the page of each frame in a call of its own: 18 for a usual create. Here they are
// collected, and written when the last frame of the commit is complete: before SQLite syncs the log and shows the
// commit to others. Anything but frames that follow each other is passed on as it comes. One thread at a time.
class SqliteLogWrites {
 public:
  SqliteLogWrites();
  SqliteLogWrites(const SqliteLogWrites&) = delete;
  SqliteLogWrites& operator=(const SqliteLogWrites&) = delete;

  // COMMIT on the connection. Errors: those of SQLite.
  Result<void> commit(SqliteConnection& connection) noexcept;

  // The same for any file that is a log: between the two its methods are those of this object. What a COMMIT that has
  // failed leaves behind is forgotten.
  void begin(sqlite3_file* log) noexcept;
  void end(sqlite3_file* log) noexcept;

 private:
  // What SQLite calls for the log of the connection during a COMMIT. A file leads to its methods, and they lead to the
  // object.
  struct Methods : sqlite3_io_methods {
    SqliteLogWrites* owner = nullptr;
  };

  static SqliteLogWrites& of(sqlite3_file* file);
  template <auto method, typename... Arguments>
  static int pass_on(sqlite3_file* file, Arguments... arguments);
  static int write(sqlite3_file* file, const void* bytes, int size, sqlite3_int64 offset);
  static int sync(sqlite3_file* file, int flags);

  int add(sqlite3_file* file, const unsigned char* bytes, std::size_t size, sqlite3_int64 offset);
  // Writes what was collected.
  int flush(sqlite3_file* file);

  Methods methods_;
  const sqlite3_io_methods* real_ = nullptr;
  std::unique_ptr<unsigned char[]> bytes_;  // nullptr: there was no memory for them
  std::size_t size_ = 0;
  sqlite3_int64 first_ = 0;  // where they belong in the log
  bool is_last_ = false;     // the frame whose header came last is the last one of its commit
  bool is_passing_ = false;  // until the end of this COMMIT everything is passed on as it comes
};

}  // namespace orlop
