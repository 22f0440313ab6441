// Check that a write-ahead log belongs to its file. SQLite does not check it: if a file is replaced, for example by a
// backup, SQLite applies the old log to it.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "base/result.h"
#include "store/sqlite/log/log_header.h"
#include "store/sqlite/sqlite_connection.h"

namespace orlop {

// Marks each log, with the first commit that this process adds to it. Used by the writer whose turn it is.
//
// The only row of the table `log_mark` holds 8 random bytes, the 8 bytes of the mark before, and bytes 24 to 44 of the
// file's header at that time. The log thereby identifies the state of the file that it follows. The commit writes page
// 1, too, so that the log also has the header that its first checkpoint gives the file.
class SqliteLogMark {
 public:
  // Called before the COMMIT of the open transaction. May throw SQLite::Exception.
  Result<void> write(SqliteConnection& connection);
  // Called after the COMMIT.
  void note_committed(const SqliteLogHeader& log) noexcept;

 private:
  std::array<std::uint32_t, 2> salts_{};  // of the marked log
};

// Checks that the log beside the file belongs to it, before the connection writes into either of them. A log without a
// mark is accepted. Errors: storage_corrupt (the log belongs to another file, or to another state of this one; says
// what to do), storage_failed. May throw SQLite::Exception.
Result<void> require_log_of_file(SqliteConnection& connection, const std::string& file);

// Gives a copy of a store a mark that no log has. May throw SQLite::Exception.
void renew_log_mark(SQLite::Database& copy);

}  // namespace orlop
