// Whether a write-ahead log belongs to the file that it lies beside. SQLite does not ask: beside a file that was put
// in the place of another one, such as a backup, it takes the pages of the log for those of that file.
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
// The only row of the table `log_mark` holds 8 random bytes, those that they replace, and bytes 24 to 44 of the
// file's header at that time. The log thereby names the state of the file that it follows. The commit writes page 1
// too, so that the log also has the header that its first checkpoint gives the file.
class SqliteLogMark {
 public:
  // Before the COMMIT of the open transaction. May throw SQLite::Exception.
  Result<void> write(SqliteConnection& connection);
  // After it.
  void note_committed(const SqliteLogHeader& log) noexcept;

 private:
  std::array<std::uint32_t, 2> salts_{};  // of the log that is marked
};

// Checks that a log that lies beside the file is its own, by their bytes, before the connection writes into either of
// them. A log without a mark is taken for its own. Errors: storage_corrupt (it is that of another file, or of another
// state of this one; says what to do), storage_failed. May throw SQLite::Exception.
Result<void> require_log_of_file(SqliteConnection& connection, const std::string& file);

// Gives a copy of a store a mark that no log has. May throw SQLite::Exception.
void renew_log_mark(SQLite::Database& copy);

}  // namespace orlop
